import {counted} from '../../engine/counted.ts'
import {join, resolve} from 'node:path'
import {OperatorTask} from '../../datasets/schema/task.ts'
import {taughtModes} from '../../eval/bench/load-benchmark.ts'
import {serveJudge} from '../../eval/serve/judge-service.ts'
import {benchmarkForm, operatorForm} from '../../eval/serve/reading.ts'
import {loadTasks} from '../../eval/tasks/operator-tasks.ts'
import {makeFolder} from '../../engine/files.ts'
import {PipelineError} from '../../engine/errors.ts'
import {textId} from '../../engine/ids.ts'
import {eventLog, openEventFile, silentLog} from '../../engine/log.ts'
import {ownVersion} from '../../engine/own-package.ts'
import {openRun} from '../../engine/run.ts'
import type {Config} from '../workspace/config.ts'
import {openWorkspace, trainingTasks, type Workspace} from '../workspace/workspace.ts'
import {makeExecutor} from './executor.ts'
import {endInOrder, endOfService, stopped, workspaceWorld, type World} from './world.ts'

interface ServeRequest {
  host: string
  port: number
  logSources: boolean
}

/**
 * `ascend-cot serve-judge`: verdicts and rewards over HTTP, until it is stopped; requests in progress are answered
 * first. Training tasks only: nothing may be learnt from a benchmark's tasks.
 */
export async function serve({host, port, logSources}: ServeRequest, config: Config, world: World): Promise<number> {
  const {tokenVariable, queue, mostMib, reward} = config.judge
  const token = world.env[tokenVariable]
  if (!token && !isLoopback(host)) throw needsToken(host, tokenVariable)
  const workspace = openWorkspace(config, (wanted) => makeExecutor(wanted, world), workspaceWorld(world))
  const tasks = byId(await tasksOf(config, workspace))
  const directory = join(resolve(config.out), 'judge')
  makeFolder(directory)
  const events = openEventFile(join(directory, 'events.jsonl'), (error) => {
    world.terminal.say(`warning: events.jsonl is no longer written (${String(error)}); judging continues`)
  })
  const [executor, modes] = [await workspace.executor('runs'), await taughtModes()]
  endInOrder(world)
  const service = await serveJudge({
    executor,
    tasks,
    forms: new Map([
      ['operator', operatorForm],
      ...Object.entries(modes).map(([name, mode]) => [name, benchmarkForm(mode)] as const),
    ]),
    rule: reward,
    host,
    port,
    token: token || undefined,
    directory,
    log: eventLog(silentLog, events, {service: 'judge'}, world.now),
    logSources,
    workers: config.executor.concurrency,
    queue,
    mostBytes: mostMib * 2 ** 20,
    requestSeconds: 60,
    // Kubernetes allows 30 s in all for a service to stop.
    drainSeconds: 20,
    version: ownVersion(),
    now: world.now,
  })
  const again = service.resumed === 0 ? '' : `; ${service.resumed} earlier requests are being judged`
  world.terminal.print(`judging ${counted(tasks.size, 'task')} at ${service.url}${again}`)
  await stopped(world.signal)
  world.terminal.say('answering pending requests, then stopping')
  await service.close()
  events.close()
  return endOfService(world)
}

async function tasksOf(config: Config, {found}: Workspace): Promise<OperatorTask[]> {
  const tasks: OperatorTask[] = []
  for (const folder of await trainingTasks(config)) tasks.push(...(await loadTasks(folder, () => [])))
  for (const {directory} of await found(['tasks'])) {
    const run = await openRun(directory)
    for (const {json} of run?.emitted() ?? []) tasks.push(OperatorTask.parse(JSON.parse(json)))
    run?.close()
  }
  // Without PyTorch, the judge computes references in TypeScript or runs the task's own answer.
  return tasks.filter(({reference}) => reference.kind !== 'pytorch')
}

/** The operator's name; if several tasks share an operator, with a part of the hash of their request. */
function byId(tasks: readonly OperatorTask[]): Map<string, OperatorTask> {
  const counts = new Map<string, number>()
  for (const {name} of tasks) counts.set(name, (counts.get(name) ?? 0) + 1)
  const idOf = ({name, origin, description}: OperatorTask) =>
    counts.get(name) === 1 ? name : `${name}-${textId(`${origin.path}\n${description}`).slice(0, 8)}`
  return new Map(tasks.map((task) => [idOf(task), task]))
}

const isLoopback = (host: string) => host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)

function needsToken(host: string, variable: string): PipelineError {
  return new PipelineError(
    'key-missing',
    `The judge runs code that clients send, and ${host} is reachable from other machines.`,
    {
      fix: `Set ${variable} to a token that clients must send, or serve on 127.0.0.1.`,
    },
  )
}
