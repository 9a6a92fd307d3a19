import {mkdir, mkdtemp} from 'node:fs/promises'
import {basename, dirname, join} from 'node:path'
import type {Verdict} from '../../../datasets/schema/verdict.ts'
import type {DirectBuild, DirectRun} from '../direct-program.ts'
import type {DirectUnits} from '../direct-units.ts'
import {signalOf} from '../sandbox.ts'
import {writeFiles} from '../written-files.ts'
import {cannFailure, step, type CannTools} from './cann-tools.ts'
import type {DeviceQueue} from './device-queue.ts'
import {discard, linkError, refusal} from './operator-package.ts'
import {compileAll, complaint} from './unit-check.ts'

/** Programs and modules that launch kernels themselves: host and device code in one file, as it was written. */
export interface DirectLaunches {
  /** Compiles every unit and links nothing. @returns `compiled` or `compile-failed` */
  compile(program: DirectUnits, signal?: AbortSignal): Promise<Verdict>
  /**
   * Compiles and links a program with a `main`. Device memory is as it comes, so that `poison` has no meaning; of what
   * its kernels do, only what the program itself says is known.
   * @throws PipelineError `executor-failed` when a tool failed, not the program
   */
  build(
    program: DirectUnits,
    signal?: AbortSignal,
  ): Promise<{ok: true; build: DirectBuild} | {ok: false; verdict: Verdict}>
}

interface Running {
  /** Of boards, at the level that has them. */
  queue?: DeviceQueue
  /** Why nothing is run, at the level that compiles. */
  refuse?: () => Error
}

export function directLaunches(tools: CannTools, running: Running): DirectLaunches {
  return {
    compile: (program, signal) =>
      compileAll(tools, program.files, {paths: program.units, flags: [...flagsOf(tools, program), '-c']}, signal),
    async build(program, signal) {
      const folder = basename(await mkdtemp(join(tools.workDirectory, 'direct-')))
      try {
        await writeFiles(join(tools.workDirectory, folder), program.files, ({text}) => text)
        await tools.shell.put(folder)
        const verdict = await linked(tools, folder, program, signal)
        if (verdict === undefined) return {ok: true, build: directBuild(tools, folder, running)}
        await discard(tools, folder)
        return {ok: false, verdict}
      } catch (error) {
        await discard(tools, folder)
        throw error
      }
    },
  }
}

/** `bisheng add.asc -o add --npu-arch=dav-2201` (asc-devkit, programming guide, "AI Core operator compilation"). */
function flagsOf({install}: CannTools, {units, include = [], definitions = []}: DirectUnits): string[] {
  const folders = new Set(['.', ...units.map((unit) => dirname(unit)), ...include, `${install.home}/include`])
  const defined = definitions.map((definition) => `-D${definition}`)
  return [
    '-x',
    'asc',
    '--npu-arch=dav-2201',
    '-std=c++17',
    '-O2',
    ...[...folders].flatMap((one) => ['-I', one]),
    ...defined,
  ]
}

/** The simulator's runtime takes the place of the board's (`--run-mode=sim`, same page). */
async function linked(
  tools: CannTools,
  folder: string,
  program: DirectUnits,
  signal?: AbortSignal,
): Promise<Verdict | undefined> {
  const mode = tools.level === 'cann-sim' ? ['--run-mode=sim'] : []
  const args = [...flagsOf(tools, program), ...mode, ...program.units, '-o', 'program']
  const log = await complaint(tools, args, folder, signal, linkError)
  if (log === '') return undefined
  return linkError.test(log) ? {outcome: 'link-failed', log, executor: tools.identity} : refusal(tools, log)
}

interface Started {
  folder?: string
  variables?: Readonly<Record<string, string>>
  signal?: AbortSignal
}

function directBuild(tools: CannTools, folder: string, {queue, refuse}: Running): DirectBuild {
  const directory = join(tools.workDirectory, folder)
  const {install, level, seconds, shell} = tools
  const start = async (
    command: readonly string[],
    {folder: below = '.', variables = {}, signal}: Started = {},
  ): Promise<DirectRun> => {
    await mkdir(join(directory, below), {recursive: true})
    await shell.put(folder)
    const inside = ['/bin/sh', '-c', 'cd "$1" && shift && exec "$@"', 'sh', below, ...command]
    const end = await step(tools, inside, {folder, seconds: seconds.run, variables, signal})
    await shell.get(folder)
    const {code, stdout, stderr, timedOut: overtime} = end
    return {code, killedBy: signalOf(end), overtime, stdout, stderr}
  }
  const program = join(shell.root, folder, 'program')
  const simulated = level === 'cann-sim' ? [`${install.simulator}`] : []
  const variables = {LD_LIBRARY_PATH: [...simulated, install.variables['LD_LIBRARY_PATH'] ?? ''].join(':')}
  /** A board that fell ill under the program proves nothing: another one runs it. */
  const onBoard = async (args: readonly string[], how: Started, left = 1): Promise<DirectRun> => {
    const run = (more: Record<string, string> = {}) =>
      start([program, ...args], {...how, variables: {...variables, ...more}})
    if (!queue) return run()
    const {end, isWell} = await queue.use(async (device) => {
      // The program sees this board alone, as its board 0 (environment variables of CANN).
      const end = await run({ASCEND_RT_VISIBLE_DEVICES: String(device)})
      const why = `a program on it ended with ${end.killedBy ?? end.code}`
      const isWell = (end.code === 0 && !end.overtime) || (await queue.suspect(device, why, how.signal))
      return {end, isWell}
    }, how.signal)
    if (isWell) return end
    if (left > 0) return onBoard(args, how, left - 1)
    throw cannFailure('two boards fell ill under a program')
  }
  return {
    directory,
    run: (args = [], how = {}) => (refuse ? Promise.reject(refuse()) : onBoard(args, how)),
    runBeside: (command, how = {}) => start(command, how),
    dispose: () => discard(tools, folder),
  }
}
