import {spawn, type ChildProcess} from 'node:child_process'
import {connect} from 'node:net'
import {mkdtempSync, readFileSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {once} from 'node:events'
import {formatFiles} from '../../datasets/operator-reply.ts'
import {operatorPaths} from '../../datasets/operator-request.ts'
import type {Candidate} from '../../datasets/schema/candidate.ts'
import type {Executor} from '../../datasets/schema/executor.ts'
import twin from '../../eval/executors/twin.ts'
import {openJudging} from '../../eval/serve/verdicts.ts'
import type {ScoredItem, ScoreReply} from '../../eval/serve/score-wire.ts'
import {loadTasks} from '../../eval/tasks/operator-tasks.ts'
import {PipelineError} from '../../engine/errors.ts'
import {randomFrom} from '../../engine/random.ts'
import candidates from '../../pipelines/preference/candidates.ts'
import {runStage} from '../helpers/run-stage.ts'

const clientCounts = [1, 8, 64]
const rounds = 3
const workers = 2
const requests = 10_000
const atOnce = 64
const seed = 'bench serve'

/**
 * Throughput, CPU time and latency of the judge's service beside the same judge called directly, pass by pass in turn;
 * then many requests with slow and vanishing clients and a process that is killed in the middle.
 * @param perPass candidates of a pass
 */
export async function benchServe(cacheDirectory: string, perPass: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-serve-'))
  const service = await startProcess(folder, cacheDirectory)
  try {
    const pool = await manyCandidates()
    console.log(`${pool.length} candidates of 20 tasks`)
    await besideDirect(service, pool.slice(0, perPass), {cacheDirectory, folder})
    await storm(service, pool.slice(0, 120))
  } finally {
    await service.kill('SIGKILL')
    rmSync(folder, {recursive: true, force: true})
  }
}

interface Pass {
  /** Seconds for each candidate. */
  wall: number
  /** CPU seconds for each candidate, of whoever judges and of its children; a client's own are not in it. */
  cpu: number
  latencies: number[]
  /** Candidates of which nothing was found out. */
  without: number
  /** Share of the time in which every worker of the service judged. */
  busy?: number
}

/** A pass of the service and one of the judge itself in turn, so that what else the machine does meets both. */
async function besideDirect(
  service: ServiceProcess,
  pool: readonly Candidate[],
  {cacheDirectory, folder}: {cacheDirectory: string; folder: string},
): Promise<void> {
  const executor = await twin({cacheDirectory: join(cacheDirectory, 'twin'), workDirectory: join(folder, 'work')})
  // Objects of compiled files are kept: whoever comes first pays for all. Seeds keep passes from knowing verdicts.
  await directly(pool, executor, 'warm-up')
  await served(service, pool, {clients: 2, seed: 0})
  const passes = new Map(clientCounts.map((clients) => [clients, {direct: [] as Pass[], served: [] as Pass[]}]))
  for (let round = 1; round <= rounds; round += 1) {
    for (const [clients, done] of passes) {
      done.direct.push(await directly(pool, executor, `${clients} ${round}`))
      done.served.push(await served(service, pool, {clients, seed: 100 * clients + round}))
    }
  }
  for (const [clients, {direct, served}] of passes) {
    const ratio = (of: (pass: Pass) => number) => ratios(direct.map(of), served.map(of))
    const latencies = served.flatMap((pass) => pass.latencies).sort((a, b) => a - b)
    const at = (share: number) => `${(latencies[Math.floor(share * (latencies.length - 1))]! / 1000).toFixed(2)} s`
    const all = [...direct, ...served]
    const usual = (sum(all.map(({cpu}) => cpu)) / all.length).toFixed(3)
    const without = [direct, served].map((passes) => sum(passes.map(({without}) => without))).join(' and ')
    console.log(
      `${clients} clients, ${rounds} passes of ${pool.length}: ` +
        `CPU for a verdict ${ratio(({cpu}) => cpu)} of direct (${usual} s), ` +
        `throughput ${ratio(({wall}) => 1 / wall)} of direct, p50 ${at(0.5)}, p99 ${at(0.99)}, ` +
        `without a verdict ${without}, ` +
        `workers judging ${served.map(({busy}) => `${Math.round(100 * (busy ?? 0))} %`).join(', ')} of the time`,
    )
  }
}

/** Of all passes together, and of each pair. */
function ratios(before: readonly number[], after: readonly number[]): string {
  const each = after.map((value, index) => (value / before[index]!).toFixed(2))
  return `${(sum(after) / sum(before)).toFixed(3)} (${each.join(', ')})`
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

async function manyCandidates(): Promise<Candidate[]> {
  const folder = {root: 'sources/starter/tasks', operators: 'sources/starter/operators'}
  const tasks = await loadTasks(folder, () => [])
  const {outputs} = await runStage(candidates({count: 20}), tasks)
  return randomFrom(seed).shuffle(outputs.filter((candidate) => completionOf(candidate) !== undefined))
}

/** The reply that a model would have sent; candidates with files beside those that are asked for have none. */
function completionOf({task, files}: Candidate): string | undefined {
  const asked = operatorPaths(task).flatMap((path) => files.filter((file) => file.path === path))
  return asked.length === files.length ? formatFiles(asked) : undefined
}

async function directly(pool: readonly Candidate[], executor: Executor, seed: string): Promise<Pass> {
  const judging = openJudging({executor, withCost: false})
  const signal = new AbortController().signal
  return measured(process.pid, pool, workers, async (candidate) => {
    const judged = judging.judge(candidate, {seed, anew: false}, signal)
    return judged.then(
      ({state}) => state === 'judged',
      (error: unknown) => {
        // As the service does: a task whose own answer does not pass gives no verdict for this draw of inputs.
        if (error instanceof PipelineError) return false
        throw error
      },
    )
  })
}

/** Every candidate in a request of its own. */
async function served(
  service: ServiceProcess,
  pool: readonly Candidate[],
  {clients, seed}: {clients: number; seed: number},
): Promise<Pass> {
  const before = await judgingSeconds(service.url())
  const pass = await measured(service.pid(), pool, clients, async (candidate) => {
    const {label} = await score(service.url(), candidate, {seed})
    return label !== 'infra_error'
  })
  const judging = (await judgingSeconds(service.url())) - before
  return {...pass, busy: judging / workers / (pass.wall * pool.length)}
}

/** That all workers together have spent on judging. */
async function judgingSeconds(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(/judge_seconds_sum\{step="judge"\} (\S+)/.exec(text)?.[1] ?? 0)
}

async function measured(
  pid: number,
  pool: readonly Candidate[],
  atOnce: number,
  /** Returns whether there was a verdict. */
  judge: (candidate: Candidate) => Promise<boolean>,
): Promise<Pass> {
  const latencies: number[] = []
  let without = 0
  const [began, cpu] = [performance.now(), cpuSeconds(pid)]
  await inParallel(pool, atOnce, async (candidate) => {
    const since = performance.now()
    if (!(await judge(candidate))) without += 1
    latencies.push(performance.now() - since)
  })
  return {
    wall: (performance.now() - began) / 1000 / pool.length,
    cpu: (cpuSeconds(pid) - cpu) / pool.length,
    latencies,
    without,
  }
}

/** Of a process and of its children that have ended: `utime`, `stime`, `cutime` and `cstime` of proc(5), in ticks. */
function cpuSeconds(pid: number): number {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')
  return sum(fields.split(' ').slice(11, 15).map(Number)) / ticksPerSecond
}

/** What Linux tells programs, whatever its own clock is. */
const ticksPerSecond = 100

interface Asked {
  seed: number
  key?: string
  signal?: AbortSignal
}

async function score(url: string, candidate: Candidate, {seed, key, signal}: Asked): Promise<ScoredItem> {
  const item = {id: '0', task_id: candidate.task.name, completion: completionOf(candidate), seed}
  const response = await fetch(`${url}/v1/score`, {
    method: 'POST',
    headers: {'content-type': 'application/json', ...(key && {'idempotency-key': key})},
    body: JSON.stringify({items: [item]}),
    ...(signal && {signal}),
  })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  const {items} = (await response.json()) as ScoreReply
  return items[0]!
}

/**
 * Requests by name over few sources, so that most are answered from what is known: one in twenty leaves at once, one in
 * a hundred sends its request in drops. After half of them the process is killed; what was refused with it is sent
 * again under the same name.
 */
async function storm(service: ServiceProcess, pool: readonly Candidate[]): Promise<void> {
  const random = randomFrom(seed, 'storm')
  const plans = Array.from({length: requests}, (_, index) => ({
    index,
    candidate: pool[index % pool.length]!,
    manner: random.integer(1, 100),
  }))
  const answers = new Map<number, string>()
  const counts = {asked: 0, again: 0, left: 0, dripped: 0}
  const memory = [service.memory()]
  const began = performance.now()
  const done = inParallel(plans, atOnce, async ({index, candidate, manner}) => {
    const key = `storm-${index}`
    if (manner === 1) {
      counts.dripped += 1
      await drip(service.url())
    }
    if (manner <= 6 && manner > 1) {
      counts.left += 1
      await score(service.url(), candidate, {seed: 1, key, signal: AbortSignal.timeout(5)}).catch(() => undefined)
    }
    for (;;) {
      try {
        counts.asked += 1
        answers.set(index, (await score(service.url(), candidate, {seed: 1, key})).label)
        return
      } catch {
        counts.again += 1
        await new Promise((later) => setTimeout(later, 200))
      }
    }
  })
  while (answers.size < requests / 2) await new Promise((later) => setTimeout(later, 20))
  memory.push(service.memory())
  await service.kill('SIGKILL')
  await service.start()
  await done
  memory.push(service.memory())
  const seconds = (performance.now() - began) / 1000
  const byCandidate = new Map<string, Set<string>>()
  for (const {index, candidate} of plans) {
    const text = completionOf(candidate) ?? ''
    byCandidate.set(text, (byCandidate.get(text) ?? new Set()).add(answers.get(index) ?? 'none'))
  }
  const unequal = [...byCandidate.values()].filter((labels) => labels.size > 1).length
  console.log(
    `${requests} requests, ${atOnce} at once, killed after half: ${answers.size} answered, ` +
      `${unequal} sources with two answers, ${counts.left} left early, ${counts.dripped} dripped, ` +
      `${counts.again} sent again; ${(requests / seconds).toFixed(0)}/s; ` +
      `memory ${memory.map((bytes) => `${Math.round(bytes / 2 ** 20)}`).join(', ')} MiB (start, half, end)`,
  )
}

/** A client that begins a request and never ends it. */
async function drip(url: string): Promise<void> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write('POST /v1/score HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{"i')
  await new Promise((later) => setTimeout(later, 50))
  socket.destroy()
}

async function inParallel<T>(items: readonly T[], workers: number, work: (item: T) => Promise<unknown>): Promise<void> {
  const queue = [...items]
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item)
  }
  await Promise.all(Array.from({length: workers}, worker))
}

interface ServiceProcess {
  url(): string
  pid(): number
  /** Resident bytes. */
  memory(): number
  start(): Promise<void>
  kill(signal: NodeJS.Signals): Promise<void>
}

async function startProcess(folder: string, cache: string): Promise<ServiceProcess> {
  let child: ChildProcess | undefined
  let url = ''
  const service: ServiceProcess = {
    url: () => url,
    pid: () => child?.pid ?? 0,
    memory() {
      const status = readFileSync(`/proc/${child?.pid}/status`, 'latin1')
      return Number(/^VmRSS:\s*(\d+)/m.exec(status)?.[1] ?? 0) * 1024
    },
    async start() {
      const port = url === '' ? '0' : new URL(url).port
      const args = [
        'dist/pipelines/ascend-cot.js',
        'serve-judge',
        '--port',
        port,
        '--out',
        folder,
        '--set',
        `cache=${cache}`,
      ]
      child = spawn(process.execPath, args, {stdio: ['ignore', 'pipe', 'inherit']})
      for await (const line of child.stdout!) {
        url = /at (\S+?)(;|\s|$)/.exec(String(line))?.[1] ?? url
        if (url !== '') return
      }
    },
    async kill(signal) {
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      child.kill(signal)
      await gone
    },
  }
  await service.start()
  return service
}
