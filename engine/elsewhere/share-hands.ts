import {randomBytes} from 'node:crypto'
import {existsSync, readFileSync} from 'node:fs'
import {readFile, rename} from 'node:fs/promises'
import {dirname, join} from 'node:path'
import {PipelineError} from '../errors.ts'
import {makeFolder, removeFolder, writeWhole} from '../files.ts'
import type {Envelope} from '../ids.ts'
import {realSleep} from '../llm/clock.ts'
import {fingerprintId} from './fingerprint.ts'
import type {Hands, Result, Wanted} from './hands.ts'
import {nameOf, named, readResults, recordsOf, Refusal, shareFolder, Wave, type ShareFolder} from './share-folder.ts'
import {shareWatch} from './share-watch.ts'
import type {TaskArray} from './task-array.ts'
import {readWorkOrder, type WorkOrder} from './work-order.ts'

interface Shares {
  wanted: Wanted
  order: WorkOrder
  array: TaskArray
  recordsPerShare: number
  now(): number
  /** Between two looks at the folder. Default 2000 ms. */
  poll?: number
}

/** How often a share is given out before its records fail; `resume` tries them again. */
const mostRounds = 3

/**
 * The tasks of an array on a shared folder. All records are written first, because an array has a fixed number of
 * tasks; the results of an earlier run that was stopped are collected before that.
 */
export function shareHands(shares: Shares): Hands {
  return {
    async *work(records) {
      const folder = shareFolder(shares.wanted.folder)
      const earlier = await earlierWave(folder, shares)
      if (earlier) yield* collectAll(folder, earlier, shares)
      await clear(folder)
      const wave = await writeShares(folder, records, shares)
      if (wave.shares === 0) return clear(folder)
      yield* collectAll(folder, wave, shares)
      await clear(folder)
    },
  }
}

/** What a stopped run left, if its results are still wanted. */
async function earlierWave(folder: ShareFolder, {order, array, wanted}: Shares): Promise<Wave | undefined> {
  if (!existsSync(folder.wave)) return undefined
  const wave = Wave.safeParse(JSON.parse(await readFile(folder.wave, 'utf8')))
  if (!wave.success) return undefined
  const asked = readWorkOrder(await readFile(folder.order, 'utf8'))
  if (fingerprintId(asked.fingerprint) === fingerprintId(order.fingerprint)) {
    wanted.log.info('collecting the shares of the run that was stopped', {folder: folder.root})
    return wave.data
  }
  await array.cancel(wave.data.arrays)
  return undefined
}

/** Renamed first: a task that is still alive would otherwise write into the next wave. */
async function clear({root}: ShareFolder): Promise<void> {
  if (!existsSync(root)) return
  const aside = `${root}.${process.pid}.old`
  await removeFolder(aside)
  await rename(root, aside)
  await removeFolder(aside)
}

async function writeShares(folder: ShareFolder, records: AsyncIterable<Envelope>, shares: Shares): Promise<Wave> {
  const {order, recordsPerShare} = shares
  // Made by the run: it could not remove what is in another user's folders.
  for (const path of [folder.root, dirname(folder.done(0)), dirname(folder.state(0)), folder.refused]) makeFolder(path)
  await writeWhole(folder.order, JSON.stringify(order))
  let [count, total, waiting] = [0, 0, [] as string[]]
  const write = async () => {
    await writeWhole(folder.in(count), `${waiting.join('\n')}\n`)
    count += 1
    waiting = []
  }
  for await (const {json} of records) {
    waiting.push(json)
    total += 1
    if (waiting.length >= recordsPerShare) await write()
  }
  if (waiting.length > 0) await write()
  return {shares: count, records: total, fingerprint: fingerprintId(order.fingerprint), arrays: []}
}

/** What is known of a share that has no result yet. */
interface Open {
  rounds: number
  /** Looks at which the scheduler did not have it. */
  missed: number
}

async function* collectAll(folder: ShareFolder, wave: Wave, shares: Shares): AsyncIterable<Result> {
  const {wanted, array, poll = 2000} = shares
  const open = new Map(Array.from({length: wave.shares}, (_, share): [number, Open] => [share, {rounds: 0, missed: 0}]))
  const watch = shareWatch(folder, shares)
  const submit = async (numbers: readonly number[]) => {
    for (const number of numbers) Object.assign(open.get(number)!, {rounds: open.get(number)!.rounds + 1, missed: 0})
    wave.arrays.push(...(await array.submit(numbers)))
    // Written before anything is waited for: a run that is stopped finds its arrays again.
    await writeWhole(folder.wave, JSON.stringify(wave))
  }
  if (wave.arrays.length === 0) await submit([...open.keys()])
  wanted.log.info('shares were handed out', {shares: wave.shares, records: wave.records, folder: folder.root})
  while (open.size > 0) {
    if (wanted.signal.aborted) throw wanted.signal.reason
    // Asked before the folder is looked at: a task that ends in between is then not taken for lost.
    const live = await array.live(wave.arrays)
    for (const share of [...open.keys()]) {
      if (!existsSync(folder.done(share))) continue
      const results = await collected(folder, share, wave, shares)
      if (!results) continue
      open.delete(share)
      watch.finished(share)
      yield* results
    }
    const lost = live ? [...open].filter(([share, one]) => isLost(one, live.has(share))).map(([share]) => share) : []
    for (const share of lost.filter((one) => open.get(one)!.rounds >= mostRounds)) {
      open.delete(share)
      yield* givenUp(folder, share)
    }
    const again = lost.filter((share) => open.has(share))
    if (again.length > 0) {
      wanted.log.warn('shares without a result are handed out again', {shares: again.map(nameOf).join(' ')})
      await submit(again)
    }
    watch.look(open.keys())
    if (open.size > 0) await realSleep(poll, wanted.signal)
  }
}

/** A folder on a network shows files late, and a scheduler may forget a task for a moment. */
const patience = 3

function isLost(one: Open, isLive: boolean): boolean {
  one.missed = isLive ? 0 : one.missed + 1
  return one.missed >= patience
}

/** The results of a share; undefined when they are refused, and then moved away, so that the share is run again. */
async function collected(folder: ShareFolder, share: number, {fingerprint}: Wave, {wanted}: Shares) {
  const {stage, log} = wanted
  const records = await recordsOf(folder.in(share))
  try {
    const {results} = await readResults(folder.done(share), {number: share, fingerprint, stage, records})
    for (const refusal of folder.refusals(share)) {
      if (!refusal.endsWith('.jsonl')) continue
      log.warn('a second task had other results for a share; those of the first are used', {refused: refusal})
    }
    return results
  } catch (error) {
    const [firstLine = ''] = readFileSync(folder.done(share), 'utf8').split('\n', 1)
    const why = error instanceof Error ? error.message : String(error)
    log.warn('the results of a share were refused', {share: nameOf(share), why, by: authorIn(firstLine)})
    makeFolder(folder.refused)
    await rename(folder.done(share), join(folder.refused, `${nameOf(share)}-${randomBytes(4).toString('hex')}.cut`))
    return undefined
  }
}

function authorIn(line: string): string {
  const found = /"by":(\{[^}]*\})/.exec(line)?.[1]
  try {
    return found === undefined ? 'unknown' : named(Refusal.shape.by.parse(JSON.parse(found)))
  } catch {
    return 'unknown'
  }
}

/**
 * Records of a share that no task finished fail, and are tried again by `resume`.
 * @throws PipelineError when a task says that its machine is not fit for this run: the others would say the same
 */
async function* givenUp(folder: ShareFolder, share: number): AsyncIterable<Result> {
  const [last] = folder
    .refusals(share)
    .filter((name) => name.endsWith('.json'))
    .slice(-1)
  if (last !== undefined) {
    const {by, why, fix} = Refusal.parse(JSON.parse(await readFile(join(folder.refused, last), 'utf8')))
    throw new PipelineError('executor-failed', `Share ${share} was refused by ${named(by)}: ${why}`, {
      fix,
      scope: 'run',
    })
  }
  const failure = {
    code: 'executor-failed',
    message: `No task finished share ${share} in ${mostRounds} attempts.`,
    fix: `Read what the tasks printed in ${folder.log}, then run \`ascend-cot resume\`.`,
  }
  for (const [id, json] of await recordsOf(folder.in(share)))
    yield {input: {id, json}, outcome: {outputs: [], drops: [], failure}}
}
