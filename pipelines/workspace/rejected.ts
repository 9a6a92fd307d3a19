import {mkdir, open, rename, rm} from 'node:fs/promises'
import {dirname, join, resolve} from 'node:path'
import {personalDataIn} from '../../datasets/gates/personal-data.ts'
import {secretIn} from '../../datasets/gates/secrets.ts'
import {asOutputError, temporaryBeside} from '../../engine/files.ts'
import {openLedger} from '../../engine/ledger.ts'
import {ledgerFile, type RunRecord} from '../../engine/run.ts'
import type {Config} from './config.ts'
import {isRelease} from './runs.ts'
import {runDirectory} from './workspace.ts'

/** One record that a stage of a run dropped: a line of `rejected/<recipe>.jsonl` in the data set. */
interface Rejection {
  recipe: string
  stage: string
  reason: string
  detail: string
  /** Content id, for `ascend-cot inspect`. */
  id: string
  kind: string | null
  /** Where it came from; null when the record has no single place. */
  origin: unknown
}

/**
 * Writes what a finished run dropped next to the data set, by stage and id; removes an earlier run's file if nothing
 * was dropped. Omits the text of records, and details that must not be published.
 * @throws PipelineError `disk-full` or `output-unwritable`
 */
export async function writeRejected(config: Config, record: RunRecord): Promise<void> {
  if (config.export.rejected !== 'all' && !isRelease(record.recipe)) return
  const path = join(resolve(config.out), 'dataset', 'rejected', `${record.recipe}.jsonl`)
  const failed = (error: unknown) => Promise.reject(asOutputError(error, path))
  if (record.counts.every(({dropped}) => dropped === 0)) return rm(path, {force: true}).catch(failed)
  await mkdir(dirname(path), {recursive: true}).catch(failed)
  const temporary = temporaryBeside(path)
  const file = await open(temporary, 'w').catch(failed)
  try {
    for await (const one of rejections(runDirectory(config, record.recipe), record))
      await file.write(`${JSON.stringify(one)}\n`).catch(failed)
    await file.close()
    await rename(temporary, path).catch(failed)
  } catch (error) {
    await file.close().catch(() => undefined)
    await rm(temporary, {force: true})
    throw error
  }
}

async function* rejections(directory: string, {recipe, stages}: RunRecord): AsyncIterable<Rejection> {
  const ledger = openLedger(ledgerFile(directory))
  try {
    for (const {name, key} of stages) {
      for (const {input, drops} of ledger.stage(name, key).dropped()) {
        const about = subject(JSON.parse(input.json))
        for (const {reason, detail} of drops)
          yield {recipe, stage: name, reason, detail: await publishable(detail), id: input.id, ...about}
      }
    }
  } finally {
    ledger.close()
  }
}

/** What a record is about: itself, the row that it became, or the task that it answers. */
function subject(value: unknown): Pick<Rejection, 'kind' | 'origin'> {
  const {kind, origin, record, task} = (value ?? {}) as Record<string, unknown>
  if (origin !== undefined) return {kind: typeof kind === 'string' ? kind : null, origin}
  const inner = record ?? task
  return typeof inner === 'object' && inner !== null ? subject(inner) : {kind: null, origin: null}
}

async function publishable(detail: string): Promise<string> {
  const kind = (await secretIn(detail)) ?? personalDataIn(detail)
  return kind === undefined ? detail : `withheld: ${kind}`
}
