import {spawn, type ChildProcess} from 'node:child_process'
import {createHash} from 'node:crypto'
import {mkdtempSync, readFileSync} from 'node:fs'
import {rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {createInterface} from 'node:readline'
import {asyncBufferFromFile, parquetReadObjects} from 'hyparquet'
import {compressors} from 'hyparquet-compressors'
import {walk} from '../../engine/files.ts'
import type {Random} from '../../engine/random.ts'
import type {ChatServerStats} from './chat-server.ts'
import {programOf} from './program.ts'

export interface CrashPlan {
  records: number
  inFlight: number
  kills: number
  /** Milliseconds that the teacher takes, e.g. `50-150`. */
  latency: string
  random: Random
}

export interface CrashResult {
  records: number
  kills: number
  /** Requests that the endpoint saw in the run that was killed. */
  served: number
  resent: number
  /**
   * Requests that the kills cut off before their reply was sent; the rest of `resent` had been answered but not yet
   * kept.
   */
  cutOff: number
  lost: number
  duplicates: number
  /** Whether the Parquet files equal those of a run that was left alone, byte for byte. */
  identical: boolean
  secondsUninterrupted: number
  secondsKilled: number
}

/**
 * Runs a pipeline twice against a real endpoint, once in peace and once killed at random instants, and compares what is
 * left.
 */
export async function crash(plan: CrashPlan): Promise<CrashResult> {
  const folder = mkdtempSync(join(tmpdir(), 'ascend-cot-crash-'))
  try {
    const peaceful = await inPeace(plan, join(folder, 'peace'))
    const killed = await withKills(plan, join(folder, 'kills'), peaceful.seconds)
    const numbers = await questionNumbers(join(folder, 'kills', 'run', 'dataset'))
    const distinct = new Set(numbers).size
    return {
      records: plan.records,
      kills: killed.kills,
      served: killed.served,
      resent: killed.served - plan.records,
      cutOff: killed.cutOff,
      lost: plan.records - distinct,
      duplicates: numbers.length - distinct,
      identical:
        (await hashOf(join(folder, 'peace', 'run', 'dataset'))) ===
        (await hashOf(join(folder, 'kills', 'run', 'dataset'))),
      secondsUninterrupted: peaceful.seconds,
      secondsKilled: killed.seconds,
    }
  } finally {
    await rm(folder, {recursive: true, force: true})
  }
}

async function inPeace(plan: CrashPlan, folder: string): Promise<{seconds: number}> {
  const server = await startServer(plan.latency)
  const child = startRun(plan, folder, server.url)
  const end = ended(child)
  await Promise.race([begun(child), end])
  const started = performance.now()
  const code = await end
  server.stop()
  if (code !== 0) throw new Error(`the uninterrupted run ended with ${String(code)}`)
  return {seconds: (performance.now() - started) / 1000}
}

async function withKills(
  plan: CrashPlan,
  folder: string,
  expectedSeconds: number,
): Promise<{kills: number; served: number; cutOff: number; seconds: number}> {
  const server = await startServer(plan.latency)
  const started = performance.now()
  let kills = 0
  for (;;) {
    const child = startRun(plan, folder, server.url)
    const end = ended(child)
    if (kills < plan.kills) {
      // On average the kills together let half of the work pass: some come before the first request, some during the
      // last ones.
      await Promise.race([begun(child), end])
      const wait = (plan.random.unit() * expectedSeconds * 1000 * 1.5) / plan.kills
      const finished = await Promise.race([
        end.then(() => true),
        new Promise<false>((resolve) => setTimeout(() => resolve(false), wait)),
      ])
      if (!finished) {
        child.kill('SIGKILL')
        kills += 1
        await end
        continue
      }
    }
    const code = await end
    if (code !== 0) throw new Error(`a resumed run ended with ${String(code)}`)
    if (kills >= plan.kills) break
    kills += 1 // Finished before its kill: the next round resumes a finished run, which must be harmless too.
  }
  const {requests, replies} = await server.stats()
  server.stop()
  return {kills, served: requests, cutOff: requests - replies, seconds: (performance.now() - started) / 1000}
}

function startRun({records, inFlight}: CrashPlan, folder: string, url: string): ChildProcess {
  const args = [
    programOf('test/helpers/crash-run.ts'),
    join(folder, 'run'),
    join(folder, 'replies.db'),
    url,
    String(records),
    String(inFlight),
  ]
  return spawn(process.execPath, args, {stdio: ['ignore', 'pipe', 'inherit']})
}

/** When the program has loaded and is about to work. */
function begun(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => child.stdout?.once('data', () => resolve()))
}

function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.once('exit', (code) => resolve(code)))
}

async function startServer(latency: string) {
  const child = spawn(
    process.execPath,
    [programOf('test/helpers/chat-server.ts'), '--port', '0', '--latency', latency],
    {stdio: ['ignore', 'pipe', 'inherit']},
  )
  const [first] = await new Promise<[string]>((resolve) =>
    createInterface({input: child.stdout}).once('line', (line) => resolve([line])),
  )
  const {port, url} = JSON.parse(first) as {port: number; url: string}
  return {
    url,
    stats: async () => (await (await fetch(`http://127.0.0.1:${port}/stats`)).json()) as ChatServerStats,
    stop: () => child.kill('SIGKILL'),
  }
}

async function* parquetFiles(folder: string): AsyncIterable<string> {
  for await (const path of walk(folder)) if (path.endsWith('.parquet')) yield join(folder, path)
}

async function hashOf(folder: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const file of parquetFiles(folder)) hash.update(readFileSync(file))
  return hash.digest('hex')
}

async function questionNumbers(folder: string): Promise<string[]> {
  const numbers: string[] = []
  for await (const file of parquetFiles(folder)) {
    const rows = await parquetReadObjects({file: await asyncBufferFromFile(file), compressors, columns: ['path']})
    numbers.push(...rows.map((row) => row['path'] as string))
  }
  return numbers
}
