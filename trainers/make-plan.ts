import {join} from 'node:path'
import {createParquetFile} from '../datasets/parquet/parquet-file.ts'
import {PipelineError} from '../engine/errors.ts'
import {contentId} from '../engine/ids.ts'
import {arithmeticOf} from './batch-arithmetic.ts'
import {formOf} from './data-form.ts'
import {findData, type DataAccess, type FoundData} from './data-source.ts'
import {findModel, type FoundModel, type ModelAccess} from './find-model.ts'
import type {JobPlan} from './plan.ts'
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
