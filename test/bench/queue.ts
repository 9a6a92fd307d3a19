import {spawn, type ChildProcess} from 'node:child_process'
import {once} from 'node:events'
import {appendFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join, resolve} from 'node:path'
import {setTimeout as sleep} from 'node:timers/promises'
import {randomFrom} from '../../engine/random.ts'
import {openRun, readRunRecord} from '../../engine/run.ts'
import {startWorker, workedByQueue} from '../helpers/queue-run.ts'
import {badWay, startRedis} from '../helpers/redis.ts'

const random = randomFrom('bench queue')

/**
 * Candidates of the bundled tasks, judged by four worker processes of a queue of which one after another is killed,
 * over connections that are slow and cut, with a Redis that is restarted empty in the middle and a fifth worker whose
 * twin is another one; and the same in one process, unless it is there already. What the two runs kept is compared.
 */
export async function benchQueue(folder: string, candidatesPerTask: number): Promise<void> {
  for (const out of ['far', 'said.txt']) rmSync(join(folder, out), {recursive: true, force: true})
  const own = packageIn(join(folder, 'package'))
  const other = packageIn(join(folder, 'other'))
  appendFileSync(join(folder, 'other/dist/eval/twin/include/kernel_operator.h'), '\n// Another twin.\n')
  const size = ['--set', `samples.candidatesPerTask=${candidatesPerTask}`]
  const redis = await startRedis()
  const way = await badWay(redis.url, 2)
  const near = join(folder, 'near/candidates')
  const far = join(folder, 'far/candidates')
  const run = (out: string, ...more: string[]) =>
    ended(startIn(folder, own, ['run', 'candidates', '--out', out, ...cacheOf(folder, out), ...size, ...more]))
  const began = performance.now()
  const workers = workersOf(folder, way.url)
  try {
    const alone = run('near')
    for (let at = 0; at < 4; at += 1) workers.start(own)
    workers.start(other)
    const queued = run('far', '--workers', way.url, '--set', 'workers.recordsPerBatch=16')
    const faults = plant(far, queued, {workers, cut: way.cut, restart: redis.restart})
    const [code, aloneCode, planted] = await Promise.all([queued, alone, faults])
    console.log(`ended with ${code} and ${aloneCode} after ${((performance.now() - began) / 1000).toFixed(0)} s`)
    console.log(planted)
    if (code !== 0 || aloneCode !== 0) process.exitCode = 1
  } finally {
    workers.end()
    way.close()
    await redis.close()
  }
  if (!(await areSame(near, far))) process.exitCode = 1
}

/** The built package as it is now: a build meanwhile would make its workers unfit. */
export function packageIn(folder: string): string {
  rmSync(folder, {recursive: true, force: true})
  mkdirSync(folder, {recursive: true})
  for (const part of ['dist', 'package.json']) cpSync(part, join(folder, part), {recursive: true})
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  return join(folder, 'dist/pipelines/ascend-cot.js')
}

export const cacheOf = (folder: string, name: string) => ['--set', `cache=${resolve(folder, 'cache', name)}`]

/** @param before a command that starts another one, as another user */
export function startIn(
  folder: string,
  command: string,
  args: readonly string[],
  before: readonly string[] = [],
): ChildProcess {
  const [program = '', ...line] = [...before, process.execPath, resolve(command), ...args]
  const child = spawn(program, line, {
    cwd: folder,
    env: {...process.env, ASCEND_COT_WORKERS__SILENCE_SECONDS: '8', ...(before.length > 0 && {HOME: folder})},
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (text: Buffer) => appendFileSync(join(folder, 'said.txt'), text))
  return child
}

export async function ended(child: ChildProcess): Promise<number | null> {
  const [code] = (await once(child, 'exit')) as [number | null]
  return code
}

function workersOf(folder: string, url: string) {
  const alive: {command: string; name: string; child: ChildProcess}[] = []
  let count = 0
  function start(command: string, name = `worker-${(count += 1)}`): void {
    const args = ['worker', '--queue', url, ...cacheOf(folder, name)]
    alive.push({command, name, child: startIn(folder, command, args)})
  }
  return {
    start,
    /** One of the four, whose successor has its cache. */
    replace(): void {
      const [one] = alive.splice(random.integer(0, 3), 1)
      one!.child.kill('SIGKILL')
      const last = alive.pop()!
      start(one!.command, one!.name)
      alive.push(last)
    },
    end(): void {
      for (const {child} of alive) child.kill('SIGKILL')
    },
  }
}

interface Faults {
  workers: {replace(): void}
  cut(): void
  restart(): Promise<void>
}

/** Until the run ends, and not before its workers have judged something. */
async function plant(directory: string, run: Promise<unknown>, {workers, cut, restart}: Faults) {
  const planted = {killed: 0, cut: 0, restarted: 0}
  let isOver = false
  const over = run.finally(() => (isOver = true))
  while (!isOver) {
    await Promise.race([over, sleep(10_000 + 20_000 * random.unit())])
    const [, candidates, judge] = existsSync(directory) ? ((await readRunRecord(directory))?.counts ?? []) : []
    if (isOver || !candidates || !judge?.written) continue
    if (planted.restarted === 0 && judge.written > candidates.written / 3) {
      await restart()
      planted.restarted += 1
    } else if (random.unit() < 0.5) {
      workers.replace()
      planted.killed += 1
    } else {
      cut()
      planted.cut += 1
    }
  }
  return planted
}

/** What was lost, kept twice or of other bytes, among all outputs and drops. */
export async function areSame(near: string, far: string): Promise<boolean> {
  const [one, other] = [await keptIn(near), await keptIn(far)]
  const found = new Set(other.rows)
  const lost = one.rows.filter((row) => !found.has(row)).length
  const twice = other.rows.length - found.size
  const same = JSON.stringify(one) === JSON.stringify(other)
  console.log(`${one.rows.length} candidates: ${lost} lost or of other bytes, ${twice} twice`)
  console.log(same ? 'the same bytes in the same order' : 'OTHER BYTES')
  return same
}

async function keptIn(directory: string) {
  const run = (await openRun(directory))!
  const rows = [...run.emitted()].map(({id, json}) => `${id} ${json}`)
  run.close()
  const counts = (await readRunRecord(directory))!.counts
  return {rows, counts: counts.map(({written, dropped, failed}) => ({written, dropped, failed}))}
}

/**
 * Memory of a run whose records wait in a queue, all of them at once or as many as its workers need, and of a run of
 * twice the records: what grows is held for each record. The worker is another process.
 */
export async function benchQueueMemory(records: number): Promise<void> {
  for (const ahead of ['usual', 'all'])
    for (const total of [records, 2 * records]) {
      const args = ['--expose-gc', '--import', 'tsx', 'test/bench/bench.ts', 'queue-memory-once', ahead, String(total)]
      const [code] = (await once(spawn(process.execPath, args, {stdio: 'inherit'}), 'exit')) as [number]
      if (code !== 0) throw new Error(`it ended with ${code}`)
    }
}

export async function benchQueueMemoryOnce(ahead: string, records: number): Promise<void> {
  const redis = await startRedis()
  const directory = mkdtempSync(join(tmpdir(), 'ascend-cot-bench-'))
  const most = {rss: 0, heapUsed: 0, external: 0}
  const measure = () => {
    const {rss} = process.memoryUsage()
    globalThis.gc?.()
    const {heapUsed, external} = process.memoryUsage()
    for (const [name, now] of Object.entries({rss, heapUsed, external}))
      most[name as keyof typeof most] = Math.max(most[name as keyof typeof most], now)
    return heapUsed
  }
  const look = setInterval(measure, 2000)
  const workers: ChildProcess[] = []
  let batches = 0
  const seen = ({waiting}: {waiting: number}) => {
    const isFull = ahead === 'usual' || (waiting > 0 && waiting === batches)
    batches = Math.max(batches, waiting)
    if (isFull && workers.length === 0)
      workers.push(spawn(process.execPath, ['--import', 'tsx', 'test/bench/bench.ts', 'queue-worker-once', redis.url]))
  }
  // Every number comes twice.
  const run = {url: redis.url, directory, total: 2 * records, seen, recordsPerBatch: 64, lease: 30_000}
  try {
    await workedByQueue({...run, ...(ahead === 'all' && {ahead: Infinity})})
    const sizes = [most.heapUsed, measure(), most.external, most.rss].map((one) => (one / 2 ** 20).toFixed(0))
    const [heap, end, outside, resident] = sizes
    console.log(
      `${records} records, at most ${batches} batches waiting: live heap at most ${heap} MB, ${end} MB at the end; ` +
        `${outside} MB outside of it; ${resident} MB resident`,
    )
  } finally {
    clearInterval(look)
    for (const one of workers) one.kill('SIGKILL')
    await redis.close()
    rmSync(directory, {recursive: true})
  }
}

/** A worker whose memory is not the run's. */
export async function benchQueueWorkerOnce(url: string): Promise<void> {
  await startWorker({url, lease: 30_000})
}
