import {createHash} from 'node:crypto'
import {existsSync} from 'node:fs'
import {readdir, readFile} from 'node:fs/promises'
import {dirname, join, relative, resolve} from 'node:path'
import {stringify} from 'yaml'
import {byCodeUnit} from '../engine/code-unit-order.ts'
import {PipelineError} from '../engine/errors.ts'
import {walk, writeWhole} from '../engine/files.ts'
import {nearest} from '../engine/nearest.ts'
import {JobRecord} from '../datasets/schema/job.ts'
import type {CheckpointEntry, Engine} from './engines/engine.ts'
import type {JobPlan} from './plan.ts'
import {quoted} from './backends/shell.ts'

const recordName = 'job.json'

/** Every job has its own folder here. */
export const jobsFolder = (out: string) => join(resolve(out), 'jobs')

/** The specification with all its values and their sources, from which the same job can be replanned. */
export const specPath = (folder: string) => join(folder, 'spec.yaml')

/** The command that starts a job again exactly as it was first started, with the same name and settings. */
export function againCommand(folder: string): string {
  const out = dirname(dirname(resolve(folder)))
  const elsewhere = out === resolve('runs') ? '' : ` --out ${quoted(out)}`
  return `ascend-cot train ${quoted(relative('', specPath(folder)))}${elsewhere}`
}

export const attemptFolder = (folder: string, number: number) => join(folder, 'attempts', String(number))

/**
 * A job's record before its first attempt.
 * @param parent the job that made its model
 */
export function recordOf(plan: JobPlan, parent: string | null): JobRecord {
  const {id, spec, model, data, arithmetic, output, versions} = plan
  const {name} = spec.model
  return {
    id,
    name: spec.name,
    method: spec.method,
    engine: spec.engine,
    backend: spec.backend.kind,
    spec: createHash('sha256').update(specText(plan)).digest('hex'),
    base: {
      name: name.value,
      revision: spec.model.revision ?? null,
      job: parent,
      path: model.path,
      adapter: model.adapter,
    },
    data: {
      source: spec.data.source,
      config: spec.data.config,
      split: spec.data.split,
      rows: data.rows,
      sha256: data.sha256,
      manifest: data.manifest,
    },
    versions: {...versions},
    arithmetic,
    output,
    attempts: [],
  }
}

/** `spec.yaml` of a job. */
export const specText = ({spec}: JobPlan) => stringify(spec, {lineWidth: 0})

export async function writeRecord(folder: string, record: JobRecord): Promise<void> {
  await writeWhole(join(folder, recordName), `${JSON.stringify(JobRecord.parse(record), null, 1)}\n`)
}

/** @throws PipelineError `job-missing`, or `record-invalid` when the file does not have this version's format */
export async function readRecord(folder: string): Promise<JobRecord> {
  const path = join(folder, recordName)
  if (!existsSync(path)) throw missing(`${folder} is not a job: it has no ${recordName}.`)
  try {
    return JobRecord.parse(JSON.parse(await readFile(path, 'utf8')))
  } catch (cause) {
    throw new PipelineError('record-invalid', `${path} is not a job record.`, {
      fix: 'Move its folder away; its checkpoints are in the folder `output`.',
      cause,
      evidence: {path},
    })
  }
}

/** All jobs of an output folder, by the time of their last submission. */
export async function findJobs(out: string): Promise<JobRecord[]> {
  const folder = jobsFolder(out)
  const names = await readdir(folder).catch(() => [])
  const found = names.filter((name) => existsSync(join(folder, name, recordName)))
  const records = await Promise.all(found.map((name) => readRecord(join(folder, name))))
  const latest = ({attempts, id}: JobRecord) => `${attempts.at(-1)?.submitted ?? ''} ${id}`
  return records.sort((one, other) => byCodeUnit(latest(one), latest(other)))
}

/**
 * A job by its id or the first characters of it, or the newest one by its name.
 * @throws PipelineError `job-missing`
 */
export async function findJob(out: string, given: string): Promise<JobRecord> {
  const jobs = await findJobs(out)
  const found = jobs.find(({id}) => id === given) ?? jobs.findLast(({name}) => name === given)
  if (found) return found
  const begun = jobs.filter(({id}) => id.startsWith(given))
  const [one, ...others] = given === '' ? [] : begun
  if (one && others.length === 0) return one
  const ids = (begun.length > 1 ? begun : jobs).map(({id}) => id)
  throw missing(
    begun.length > 1
      ? `${begun.length} jobs have ids that begin with ${given}.`
      : `There is no job ${given} in ${jobsFolder(out)}.`,
    ids,
    nearest(given, ids),
  )
}

function missing(message: string, ids: readonly string[] = [], meant?: string): PipelineError {
  const known = ids.length > 0 ? `Its jobs: ${ids.slice(-8).join(', ')}.` : 'Start one: `ascend-cot train <spec>`.'
  const fix = meant === undefined ? `${known} Give another output folder with --out.` : `Did you mean ${meant}?`
  return new PipelineError('job-missing', message, {fix})
}

/** Small files that name a checkpoint. */
const markers = ['latest_checkpointed_iteration.txt']

/** The checkpoint that a trainer would resume from, from its output folder; null without one. */
export async function lastCheckpoint(output: string, engine: Pick<Engine, 'lastCheckpoint'>): Promise<string | null> {
  if (!existsSync(output)) return null
  const entries: CheckpointEntry[] = []
  for await (const path of walk(output)) {
    const text = markers.includes(path) ? await readFile(join(output, path), 'utf8') : undefined
    entries.push(text === undefined ? {path} : {path, text})
  }
  const found = engine.lastCheckpoint(entries)
  return found === null ? null : join(output, found)
}
