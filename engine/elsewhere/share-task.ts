import {createHash} from 'node:crypto'
import {existsSync} from 'node:fs'
import {link, open, readFile, rm} from 'node:fs/promises'
import {hostname, userInfo} from 'node:os'
import {dirname, join} from 'node:path'
import {isSystemError, PipelineError} from '../errors.ts'
import {asOutputError, makeFolder, temporaryBeside, writeWhole} from '../files.ts'
import type {Envelope} from '../ids.ts'
import type {AnyStage} from '../pipeline.ts'
import type {Context} from '../stage.ts'
import {fingerprintId} from './fingerprint.ts'
import {sentResult} from './hands.ts'
import {ownHands} from './own-hands.ts'
import {
  endOfResults,
  nameOf,
  recordsOf,
  shareFolder,
  type Author,
  type Refusal,
  type ShareFolder,
  type TaskState,
} from './share-folder.ts'
import {ensureSame, readWorkOrder, type WorkOrder} from './work-order.ts'
import type {z} from 'zod'

interface Task {
  root: string
  share: number
  /** Makes the stage of an order on this machine, and gets its tools ready. */
  open(order: WorkOrder): Promise<{stage: AnyStage | undefined; capability: string; ready(): Promise<void>}>
  /** What the stage sees of the world. */
  context(order: WorkOrder, stage: AnyStage): Context
  now(): number
  say(text: string): void
}

/** How often a task says that it is alive. */
const beat = 5000

/**
 * Works on one share of a folder; a share that is finished already is left as it is.
 * @throws PipelineError `config-invalid` when this machine would give other results, `input-missing` without the share
 */
export async function runShare(task: Task): Promise<void> {
  const {share, say} = task
  const folder = shareFolder(task.root)
  const order = await orderOf(folder)
  if (!existsSync(folder.in(share))) throw noShare(folder, share)
  if (existsSync(folder.done(share))) return say(`share ${share} is finished already`)
  const by = author()
  try {
    const {stage, capability, ready} = await task.open(order)
    await ensureSame(order, stage)
    await ready()
    await work(task, {folder, order, by, capability, stage: stage as AnyStage})
  } catch (error) {
    if (isUnwritable(error, folder)) throw notShared(folder, by, error)
    if (error instanceof PipelineError && error.code !== 'interrupted') await refuse(folder, share, {by, error})
    throw error
  }
}

export const author = (): Author => ({host: hostname(), process: process.pid, user: userName()})

/** A container's user may have no name. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.() ?? 'unknown')
  }
}

async function orderOf({order, root}: ShareFolder): Promise<WorkOrder> {
  try {
    return readWorkOrder(await readFile(order, 'utf8'))
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause)
    throw new PipelineError('input-missing', `${root} is not a folder of shares: ${problem}`, {
      fix: 'Give the folder that `run --workers …` printed; it must be on a file system that this machine shares.',
      cause,
    })
  }
}

function noShare({root}: ShareFolder, share: number): PipelineError {
  return new PipelineError('input-missing', `${root} has no share ${share}.`, {
    fix: "Give the index of a share with --index; in an array, the scheduler's own variable is used.",
  })
}

/** Of what is in the folder of shares: a disk of this machine's own is another matter. */
function isUnwritable(error: unknown, {root}: ShareFolder): boolean {
  if (!(error instanceof PipelineError) || error.code !== 'output-unwritable') return false
  return String(error.evidence['path'] ?? '').startsWith(join(root, '/'))
}

function notShared({root}: ShareFolder, by: Author, cause: unknown): PipelineError {
  return new PipelineError('output-unwritable', `${by.user}@${by.host} may not write into ${root}.`, {
    fix:
      "Give the run's user and this one a group, the output folder that group (`chgrp`, `chmod g+rwxs`), " +
      'and start both with `umask 002`.',
    cause,
  })
}

/** Left for the run, which cannot see why a task ended. */
async function refuse(folder: ShareFolder, share: number, {by, error}: {by: Author; error: PipelineError}) {
  const refusal: z.infer<typeof Refusal> = {by, why: error.message, fix: error.fix}
  await writeWhole(join(folder.refused, `${nameOf(share)}-${by.host}-${by.process}.json`), JSON.stringify(refusal))
}

interface AtShare {
  folder: ShareFolder
  order: WorkOrder
  by: Author
  capability: string
  stage: AnyStage
}

async function work(task: Task, {folder, order, by, capability, stage}: AtShare): Promise<void> {
  const {share, now, say} = task
  const records = await recordsOf(folder.in(share))
  const state: TaskState = {by, capability, share, records: records.size, done: 0, startedAt: now(), seenAt: now()}
  const tell = () => writeWhole(folder.state(share), JSON.stringify({...state, seenAt: now()})).catch(() => undefined)
  await tell()
  const temporary = temporaryBeside(folder.done(share))
  makeFolder(dirname(temporary))
  const file = await open(temporary, 'wx').catch((error: unknown) => Promise.reject(asOutputError(error, temporary)))
  const beating = setInterval(() => void tell(), beat)
  try {
    const hash = createHash('sha256')
    await file.write(`${JSON.stringify({fingerprint: fingerprintId(order.fingerprint), share, by})}\n`)
    for await (const result of ownHands(stage, task.context(order, stage)).work(envelopes(records))) {
      const line = `${sentResult(result)}\n`
      hash.update(line)
      await file.write(line)
      state.done += 1
    }
    await file.write(`${endOfResults(records.size, hash)}\n`)
    await file.sync()
    // Before the run can see the file: it counts what the task says it did.
    await tell()
    say(await place(temporary, {folder, share, by}))
  } finally {
    clearInterval(beating)
    await file.close()
    await rm(temporary, {force: true})
    await tell()
  }
}

async function* envelopes(records: ReadonlyMap<string, string>): AsyncIterable<Envelope> {
  for (const [id, json] of records) yield {id, json}
}

/** A link never replaces a file: where two tasks had the share, the first result stays. */
async function place(temporary: string, {folder, share, by}: {folder: ShareFolder; share: number; by: Author}) {
  try {
    await link(temporary, folder.done(share))
    return `share ${share} is finished`
  } catch (error) {
    if (!isSystemError(error, 'EEXIST')) throw error
  }
  const [first, second] = await Promise.all([folder.done(share), temporary].map(resultLines))
  if (first === second) return `share ${share} was finished by another task with the same results`
  const kept = join(folder.refused, `${nameOf(share)}-${by.host}-${by.process}.jsonl`)
  makeFolder(folder.refused)
  await link(temporary, kept)
  return `share ${share} was finished by another task with other results: those of this one are in ${kept}`
}

/** Without the header, which names the task; the order of results is that of the share. */
const resultLines = async (file: string) => (await readFile(file, 'utf8')).replace(/^.*\n/, '')
