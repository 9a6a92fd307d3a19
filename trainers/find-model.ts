import {existsSync} from 'node:fs'
import {readFile} from 'node:fs/promises'
import {join, resolve} from 'node:path'
import {PipelineError} from '../engine/errors.ts'
import {againCommand} from './job-folder.ts'
import {readShape} from './model-shape.ts'
import {shippedSpecs} from './read-spec.ts'
import type {PlannedModel} from './plan.ts'
import type {JobSpec} from './spec.ts'

/** The part of an earlier job that another one starts from. */
export interface EarlierJob {
  id: string
  folder: string
  spec: Pick<JobSpec, 'tuning'>
  model: Pick<PlannedModel, 'path' | 'adapter'>
  /** Its last checkpoint, absolute; null if it left none. */
  checkpoint: string | null
}

export interface ModelAccess {
  /** By its id, or the newest one of a name. */
  earlierJob(idOrName: string): Promise<EarlierJob | undefined>
  /** The folder in which the Hub's own tools keep models, if known. */
  modelCache?: string | undefined
}

export interface FoundModel extends PlannedModel {
  /** Local folder of config, tokenizer and chat template; null if they are not available. */
  files: string | null
  /** The job that made it. */
  parent: EarlierJob | null
}

/**
 * Finds the model that a job starts from: a folder, a model on the Hub, or an earlier job's model.
 * @throws PipelineError `input-missing` for a missing folder, job or checkpoint
 */
export async function findModel({name, revision}: JobSpec['model'], access: ModelAccess): Promise<FoundModel> {
  const given = name.value
  if (given.startsWith('job:')) return fromJob(given.slice('job:'.length), access)
  const files = await folderOf(given, revision, access)
  const isFolder = files !== null && files === resolve(given)
  return {path: isFolder ? files : given, adapter: null, shape: await shapeIn(files), files, parent: null}
}

async function fromJob(given: string, access: ModelAccess): Promise<FoundModel> {
  const parent = await access.earlierJob(given)
  if (!parent) throw noJob(given, await shippedSpecs())
  const {checkpoint, model, spec} = parent
  if (checkpoint === null) throw leftNothing(parent)
  if (spec.tuning.kind.value === 'full') {
    return {path: checkpoint, adapter: null, shape: await readShape(checkpoint), files: checkpoint, parent}
  }
  // If it started from an adapter itself, that adapter was merged into its base first.
  const path = model.adapter === null ? model.path : join(parent.folder, 'merged')
  const base = await folderOf(path, undefined, access)
  const files = existsSync(join(checkpoint, 'tokenizer.json')) ? checkpoint : base
  return {path, adapter: checkpoint, shape: await shapeIn(base), files, parent}
}

function noJob(given: string, shipped: readonly string[]): PipelineError {
  const first = shipped.includes(given) ? `Run it first: \`ascend-cot train ${given}\`; or choose` : 'Name'
  return new PipelineError('input-missing', `There is no job ${given}.`, {
    fix: `${first} a job that \`ascend-cot train status\` lists, or a model: --set model.name=<folder>.`,
  })
}

/** @param job a job without a checkpoint, which cannot be resumed */
export function leftNothing({id, folder}: {id: string; folder: string}): PipelineError {
  return new PipelineError('input-missing', `The job ${id} left no checkpoint.`, {
    fix:
      `If it is still running, wait for one (\`ascend-cot train status ${id}\`); ` +
      `otherwise start it again: \`${againCommand(folder)}\`.`,
  })
}

const shapeIn = async (folder: string | null) => (folder === null ? null : readShape(folder))

const hubName = /^[\w-][\w.-]*\/[\w-][\w.-]*$/

async function folderOf(name: string, revision: string | undefined, {modelCache}: ModelAccess): Promise<string | null> {
  const folder = resolve(name)
  if (existsSync(join(folder, 'config.json'))) return folder
  if (!hubName.test(name) || existsSync(folder) || existsSync(resolve(name.split('/')[0] ?? '')))
    throw new PipelineError('input-missing', `${folder} is not a model folder: it has no config.json.`, {
      fix: 'Give a folder saved by transformers, a model on the Hub (owner/name), or job:<id>.',
      evidence: {folder},
    })
  return modelCache === undefined
    ? null
    : cachedFolder(join(modelCache, `models--${name.replace('/', '--')}`), revision)
}

/** See https://huggingface.co/docs/huggingface_hub/guides/manage-cache. */
async function cachedFolder(repository: string, revision = 'main'): Promise<string | null> {
  const commit = await readFile(join(repository, 'refs', revision), 'utf8').catch(() => revision)
  const folder = join(repository, 'snapshots', commit.trim())
  return existsSync(join(folder, 'config.json')) ? folder : null
}
