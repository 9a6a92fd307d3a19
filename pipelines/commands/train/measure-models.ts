import {counted} from '../../../engine/counted.ts'
import {readFile} from 'node:fs/promises'
import {existsSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {z} from 'zod'
import type {JobRecord} from '../../../datasets/schema/job.ts'
import {PipelineError} from '../../../engine/errors.ts'
import {makeFolder, writeWhole} from '../../../engine/files.ts'
import {contentId} from '../../../engine/ids.ts'
import {differencesTable, valuesTable, type ArmReadings} from '../../../eval/effect/effect-tables.ts'
import {findData, type DataAccess} from '../../../trainers/data-source.ts'
import type {JobSpec, Measure} from '../../../trainers/spec.ts'
import {measuredArm, untrained} from '../effect/effect-arm.ts'
import {effectMaterial} from '../effect/effect-material.ts'
import {EffectWorker} from '../effect/effect-worker.ts'
import {workspaceWorld, type World} from '../world.ts'
import {jobCheckpoint} from './job-checkpoint.ts'

/** Measurements of the models of a chain, and how they were made. */
const Measures = z.strictObject({
  notes: z.array(z.string()),
  columns: z.array(z.string()),
  rows: z.array(z.array(z.string())),
})
type Measures = z.infer<typeof Measures>

const measuresPath = (folder: string) => join(folder, 'measures.json')

/** undefined when a job's model was not measured. */
export async function readMeasures(folder: string): Promise<Measures | undefined> {
  const path = measuresPath(folder)
  return existsSync(path) ? Measures.parse(JSON.parse(await readFile(path, 'utf8'))) : undefined
}

interface Measuring {
  /** The first of them records the common base model. */
  jobs: readonly [JobRecord, JobRecord]
  spec: JobSpec
  measure: Measure
  out: string
  /** Files downloaded from the Hub are kept below it. */
  cache: string
}

const seed = 'measure'

/**
 * Measures the base model and each job's model on the same held-out texts, and stores the results with the last job.
 * Finished measurements are kept. If measuring is not possible here, it says so, and the model has no measurements.
 */
export async function measureModels(asked: Measuring, world: World): Promise<void> {
  const {terminal} = world
  if (asked.spec.backend.kind !== 'local') {
    terminal.say('Nothing was measured: the models were not trained on this machine.')
    return
  }
  Object.assign(world.interrupted, {says: 'measuring stopped; run the same command to continue', inOrder: false})
  try {
    await measureHere(asked, world)
  } catch (error) {
    if (!(error instanceof PipelineError) || world.signal.aborted) throw error
    terminal.say(`Nothing was measured: ${error.message}\n  → ${error.fix}`)
  }
}

async function measureHere({jobs, spec, measure, out, cache}: Measuring, world: World): Promise<void> {
  const {terminal, now} = world
  const [first, last] = jobs
  const folder = join(dirname(last.output), 'measured')
  makeFolder(folder)
  const worker = new EffectWorker(spec.environment.python, world)
  const access = {...workspaceWorld(world), cache}
  const sizes = {...measure, thoughts: 0}
  const {source: data} = first.data
  const base = first.base.adapter ?? first.base.path
  const wanted = {data, on: measure.on, raw: [], seed, sizes, folder, model: base}
  const material = await effectMaterial(wanted, access, worker)
  const place = join(folder, contentId(material.items).slice(0, 8))
  const models: [name: string, says: string, model: string][] = [['base', 'nothing', base]]
  for (const job of new Set(jobs))
    models.push([job.method, job.data.config, (await jobCheckpoint(`job:${job.id}`, out)).checkpoint])
  const readings: ArmReadings[] = []
  for (const [name, says, model] of models) {
    const own = {arm: untrained, order: 0, folder: join(place, name), model}
    // No training is involved.
    const training = {tokens: 0, by: 'tokens', window: 0, learningRate: 0, precision: 'fp32'} as const
    const one = await measuredArm({...own, material, training, seed, worker, now})
    readings.push({arm: name, says, tokens: 0, answerTokens: 0, orders: [one.readings]})
    terminal.say(
      `measured ${name}: ${counted(material.items.length, 'text')}, ${Math.round(one.spent.measureSeconds)} s`,
    )
  }
  const {rows, sameOperator, seen, share} = material.heldOut
  // A card must not reveal local paths; a manifest identifies the measured data.
  const others = await Promise.all(measure.on.map((one) => namedByManifest(one, access)))
  const from = others.length === 0 ? 'the test split of the training data set' : others.join(' and ')
  const notes = [
    `${counted(material.items.length, 'text')} of ${counted(rows, 'row')} of ${from} about operators that no ` +
      `training row covers; ${sameOperator} rows of trained operators and ${seen} of seen code were excluded. Of ` +
      `their runs of 32 tokens ${(100 * share).toFixed(2)} % occur in training rows.`,
    'Text and code in bits per byte (lower is better), weights in fp32; ranking and questions in % right. A pair is ' +
      'held-out code and the same code with one planted fault of equal length, which was not judged.',
    "Code after none, own or other: correct code after no reasoning, after its own row's, and after another row's.",
    'Differences are paired over files, rows, pairs or questions, with 95 % bootstrap intervals; * excludes 0.',
  ]
  await writeWhole(measuresPath(dirname(last.output)), `${JSON.stringify(sideBySide(readings, notes), null, 1)}\n`)
}

async function namedByManifest(source: string, access: DataAccess): Promise<string> {
  if (source.startsWith('hub:')) return source
  const {manifest} = await findData({source, config: 'sft', split: 'train'}, access)
  return manifest === null ? 'a data set without a manifest' : `the data set whose manifest has the SHA-256 ${manifest}`
}

/** One measure per row; next to each model's value, its difference from the base model. */
function sideBySide(readings: readonly ArmReadings[], notes: string[]): Measures {
  const [values, differences] = [valuesTable(readings), differencesTable(readings, 'base')]
  const names = differences.columns.slice(1)
  const at = values.columns.length - names.length
  const columns = readings.flatMap(({arm}) => (arm === 'base' ? [arm] : [arm, `${arm} − base`]))
  const rows = names.map((name, index) => [
    name,
    ...values.rows.flatMap((row) => {
      const difference = differences.rows.find(([arm]) => arm === row[0])?.[index + 1]
      return [row[at + index] ?? '', ...(difference === undefined ? [] : [difference])]
    }),
  ])
  return {notes, columns: ['measure', ...columns], rows}
}
