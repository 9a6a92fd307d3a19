import {join} from 'node:path'
import {createParquetFile} from '../datasets/parquet/parquet-file.ts'
import {PipelineError} from '../engine/errors.ts'
import {contentId} from '../engine/ids.ts'
import {formOf} from './data-form.ts'
import {findData, type DataAccess, type FoundData} from './data-source.ts'
import {findModel, type FoundModel, type ModelAccess} from './find-model.ts'
import type {JobPlan, Arithmetic} from './plan.ts'
import type {JobSpec} from './spec.ts'
import {chooseRows, type TrainingRows} from './training-rows.ts'

export interface PlanWorld extends DataAccess, ModelAccess {
  /** Holds a folder for each job. Absolute. */
  jobs: string
}

/** A plan with what it was made from, which the checks also use. */
export interface PlannedJob {
  plan: JobPlan
  rows: TrainingRows
  data: FoundData
  model: FoundModel
}

/** A resumed job: it keeps its name and folder, whatever else changed. */
interface Resumed {
  id: string
  folder: string
  output: string
  /** Folder of the checkpoint to resume from. */
  checkpoint: string
}

/**
 * The plan of a specification on this machine. Writes nothing except downloads from the Hub.
 * @param resumed null for a new job
 * @throws PipelineError saying what is missing, or what does not divide
 */
export async function makePlan(spec: JobSpec, world: PlanWorld, resumed: Resumed | null = null): Promise<PlannedJob> {
  const form = formOf(spec)
  const data = await findData(spec.data, world)
  const rows = await chooseRows(spec, data)
  checkHash(spec, rows)
  const model = await findModel(spec.model, world)
  const {path, adapter, shape} = model
  const arithmetic = arithmeticOf(spec, rows.count)
  const shaping = {...shapingOf(spec), model: {path, adapter}, data: rows.sha256, arithmetic: {...arithmetic}}
  const id = resumed?.id ?? `${spec.name}-${contentId({...shaping, form: form.map(({name}) => name)}).slice(0, 8)}`
  const folder = resumed?.folder ?? join(world.jobs, id)
  const plan: JobPlan = {
    id,
    spec,
    folder,
    output: resumed?.output ?? join(folder, 'output'),
    model: {path, adapter, shape},
    data: {
      files: [join(folder, 'data', 'train.parquet')],
      rows: rows.count,
      sha256: rows.sha256,
      manifest: data.manifest,
    },
    arithmetic,
    versions: {},
    resume: resumed?.checkpoint ?? null,
  }
  return {plan, rows, data, model}
}

/** What may change when a job is resumed: place, time and how often it is saved. */
const notShaping = ['description', 'environment', 'backend', 'checkpoints', 'allow', 'measure', 'next']

const shapingOf = (spec: JobSpec) =>
  Object.fromEntries(Object.entries(spec).filter(([key]) => !notShaping.includes(key)))

function checkHash({data}: JobSpec, {sha256, count}: TrainingRows): void {
  if (data.sha256 === undefined || data.sha256 === sha256) return
  const message = `The ${count} rows of ${data.source} have the hash ${sha256}, expected ${data.sha256} (data.sha256).`
  throw new PipelineError('input-invalid', message, {
    fix: 'Use the intended data set or, if other rows are intended, set data.sha256 to the new hash.',
    evidence: {seen: sha256, expected: data.sha256},
  })
}

const groupLimits = {rowGroupBytes: 32 * 1024 * 1024, rowGroupRows: 2000}

/**
 * Writes the rows of a job to the place that its plan names, in its trainer's form. The same plan gives the same bytes.
 */
export async function writeRows({plan, rows}: Pick<PlannedJob, 'plan' | 'rows'>): Promise<void> {
  const columns = formOf(plan.spec)
  const [path = ''] = plan.data.files
  const file = await createParquetFile(path, columns, {codec: 'zstd', ...groupLimits})
  try {
    for await (const row of rows.read())
      await file.write(Object.fromEntries(columns.map(({name, value}) => [name, value(row)])))
    await file.finish()
    await file.publish(path)
  } finally {
    await file.discard()
  }
}

type Needs = Pick<JobSpec, 'hardware' | 'parallel' | 'hyperparameters'>

/**
 * Devices, micro-batches and steps of a job for a number of rows.
 * @throws PipelineError `config-invalid` when they do not divide evenly, with the numbers and the nearest that do
 */
export function arithmeticOf({hardware, parallel, hyperparameters: h}: Needs, rows: number): Arithmetic {
  const world = hardware.nodes * hardware.devicesPerNode
  const dataParallel = dataParallelOf(world, parallel)
  const globalBatch = h.globalBatch.value
  const accumulation = accumulationOf(globalBatch, h.microBatch.value, dataParallel)
  const steps = h.steps?.value ?? Math.max(1, Math.ceil(((h.epochs?.value ?? 1) * rows) / globalBatch))
  return {
    world,
    dataParallel,
    accumulation,
    steps,
    // As transformers rounds, in favour of a slower start.
    warmupSteps: Math.ceil(roundedOff(h.warmupRatio.value * steps)),
    epochs: (steps * globalBatch) / rows,
  }
}

/** 0.07 × 100 is a little more than 7 in floating point. */
const roundedOff = (value: number) => Number(value.toFixed(9))

function dataParallelOf(world: number, {tensor, pipeline, context}: JobSpec['parallel']): number {
  const group = tensor.value * pipeline.value * context.value
  if (world % group === 0) return world / group
  const spelled = `tensor ${tensor.value} × pipeline ${pipeline.value} × context ${context.value}`
  const near = [Math.floor(world / group) * group, Math.ceil(world / group) * group].filter((one) => one > 0)
  throw new PipelineError('config-invalid', `${world} devices do not divide into groups of ${group} (${spelled}).`, {
    fix: `Use ${near.join(' or ')} devices (\`hardware\`), or a smaller \`parallel\`.`,
    evidence: {world, group},
  })
}

function accumulationOf(globalBatch: number, microBatch: number, dataParallel: number): number {
  const atOnce = microBatch * dataParallel
  if (globalBatch % atOnce === 0) return globalBatch / atOnce
  const spelled = `${dataParallel} data-parallel devices × ${microBatch} rows`
  const near = [Math.floor(globalBatch / atOnce) * atOnce, Math.ceil(globalBatch / atOnce) * atOnce]
  const micro = largestDivisor(globalBatch / dataParallel, microBatch)
  const fixes = [
    `Set \`hyperparameters.globalBatch\` to ${near.filter((one) => one > 0).join(' or ')}`,
    ...(micro === undefined ? [] : [`or \`hyperparameters.microBatch\` to ${micro}`]),
    ...(atOnce > globalBatch ? [`or use at most ${Math.floor(globalBatch / microBatch)} data-parallel devices`] : []),
  ]
  throw new PipelineError(
    'config-invalid',
    `A step of ${globalBatch} rows is not a multiple of ${atOnce}, the rows processed at once (${spelled}).`,
    {fix: `${fixes.join(', ')}.`, evidence: {globalBatch, microBatch, dataParallel}},
  )
}

/** The largest number up to `most` that divides `whole`; undefined when `whole` is not an integer. */
function largestDivisor(whole: number, most: number): number | undefined {
  if (!Number.isInteger(whole)) return undefined
  for (let one = Math.min(most, whole); one > 0; one -= 1) if (whole % one === 0) return one
  return undefined
}
