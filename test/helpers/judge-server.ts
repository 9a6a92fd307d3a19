import {onTestFinished} from 'vitest'
import type {OperatorTask} from '../../datasets/schema/task.ts'
import benchmark from '../../eval/bench/npukernelbench/benchmark.ts'
import {serveJudge, type JudgeService, type JudgeServiceOptions} from '../../eval/serve/judge-service.ts'
import {benchmarkForm, operatorForm} from '../../eval/serve/reading.ts'
import {RewardRule} from '../../eval/serve/reward.ts'
import {loadTasks} from '../../eval/tasks/operator-tasks.ts'
import {formatFiles} from '../../datasets/operator-reply.ts'
import {operatorPaths} from '../../datasets/operator-request.ts'
import {decode, encode} from '../../datasets/dtype.ts'
import {PipelineError} from '../../engine/errors.ts'
import {silentLog} from '../../engine/log.ts'
import {scriptedExecutor, type Script} from './scripted-executor.ts'
import {temporaryFolder} from './temporary.ts'

const [loaded] = await loadTasks({root: 'test/fixtures/tasks'}, () => [])
if (!loaded) throw new Error('the fixture task is gone')
/** Its own answer is not asked: a script stands in for every program. */
export const scaleShift: OperatorTask = {...loaded, answer: []}

/** What the words of a kernel make the scripted executor do. */
const script: Script = {
  build({files}) {
    const text = files.map((file) => file.text).join('\n')
    if (text.includes('TOOL BREAKS'))
      throw new PipelineError('executor-failed', 'The linker was killed.', {fix: 'Free some memory.'})
    if (text.includes('DISK BREAKS')) throw Object.assign(new Error('ENOTDIR'), {code: 'ENOTDIR', syscall: 'mkdir'})
    if (text.includes('JUDGE BREAKS')) throw new TypeError('no such name')
    if (!text.includes('PURPLE')) return undefined
    const diagnostics = [{severity: 'error' as const, file: 'k.cpp', line: 3, column: 1, message: "expected ';'"}]
    return {
      outcome: 'compile-failed',
      diagnostics,
      log: '',
      executor: {name: 's', fingerprint: 's', compiler: '', soc: ''},
    }
  },
  run(operatorCase, _, {files}) {
    const [x] = operatorCase.inputs
    const {scale, shift} = operatorCase.attributes as {scale: number; shift: number}
    if (!x) throw new Error('no input')
    const wrong = files.some(({text}) => text.includes('ORANGE')) ? 1 : 0
    return [
      encode(
        decode(x.data, x.dtype).map((value) => value * scale + shift + wrong),
        x.dtype,
      ),
    ]
  },
}

/** A reply in the form of the operator request; `kernel` decides what becomes of it. */
export function reply(kernel: string): string {
  const files = operatorPaths(scaleShift).map((path) => ({path, text: `// ${kernel}\n`}))
  return `<think>\nI think.\n</think>\n\n${formatFiles(files)}`
}

export interface JudgeServer extends JudgeService {
  builds(): number
  /** The first input of every run, as base64. */
  inputs(): string[]
  ask(path: string, body?: unknown, init?: RequestInit): Promise<{status: number; json: never; headers: Headers}>
}

interface JudgeServerOptions extends Partial<JudgeServiceOptions> {
  /** Runs before each candidate is built: holds it until a test lets it go. */
  hold?: () => Promise<void>
}

/** The judge's service over an executor without a compiler, on a free port of loopback. */
export async function judgeServer({hold, ...options}: JudgeServerOptions = {}): Promise<JudgeServer> {
  const scripted = scriptedExecutor(script)
  let end = () => {}
  const ended = new Promise<void>((done) => (end = done))
  const executor = {
    ...scripted,
    async build(...asked: Parameters<typeof scripted.build>) {
      // A test that fails lets nothing go, and a service waits for what it judges.
      await Promise.race([hold?.(), ended])
      return scripted.build(...asked)
    },
  }
  const service = await serveJudge({
    executor,
    tasks: new Map([['ScaleShift', scaleShift]]),
    forms: new Map([
      ['operator', operatorForm],
      ['kernel-only', benchmarkForm(benchmark.modes['kernel-only']!)],
    ]),
    rule: RewardRule.parse({}),
    host: '127.0.0.1',
    port: 0,
    token: undefined,
    directory: await temporaryFolder(),
    workers: 2,
    queue: 16,
    mostBytes: 1 << 20,
    requestSeconds: 5,
    drainSeconds: 5,
    version: '0.0.0',
    log: silentLog,
    logSources: false,
    now: () => performance.now(),
    ...options,
  })
  onTestFinished(() => {
    end()
    return service.close()
  })
  return {
    ...service,
    builds: () => scripted.builds.length,
    inputs: () => scripted.runs.map(({inputs: [first]}) => Buffer.from(first ?? []).toString('base64')),
    async ask(path, body, init = {}) {
      const posted = {method: 'POST', headers: {'content-type': 'application/json'}, body: JSON.stringify(body)}
      const given = {...(body === undefined ? {} : posted), ...init}
      const headers = {...(body === undefined ? {} : posted.headers), ...(init.headers as Record<string, string>)}
      const response = await fetch(`${service.url}${path}`, {...given, headers})
      return {status: response.status, headers: response.headers, json: (await response.json()) as never}
    },
  }
}
