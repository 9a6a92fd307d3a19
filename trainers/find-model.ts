import {existsSync} from 'node:fs'
import {readFile} from 'node:fs/promises'
import {join, resolve} from 'node:path'
import {PipelineError} from '../engine/errors.ts'
import {againCommand} from './job-folder.ts'
import {readShape} from './model-shape.ts'
import {shippedSpecs} from './read-spec.ts'
import type {PlannedModel} from './plan.ts'
import type {JobSpec} from './spec.ts'

/** A job that ran before, as far as another one starts from it. */
export interface EarlierJob {
  id: string
  folder: string
  spec: Pick<JobSpec, 'tuning'>
  model: Pick<PlannedModel, 'path' | 'adapter'>
  /** Its last checkpoint, absolute; null where it left none. */
  checkpoint: string | null
}

export interface ModelAccess {
  /** By its id, or the newest one of a name. */
  earlierJob(idOrName: string): Promise<EarlierJob | undefined>
  /** The folder in which the Hub's own tools keep models, where it is known. */
  modelCache?: string | undefined
}

export interface FoundModel extends PlannedModel {
  /** Where config, tokenizer and chat template lie on this machine; null where they are not at hand. */
  files: string | null
  /** The job that made it. */
  parent: EarlierJob | null
}

/**
 * Finds the model that a job starts from: a folder, a model of the Hub, or what an earlier job left.
 * @throws PipelineError `input-missing` for a folder, a job or a checkpoint that is not there
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
  // Where it started from an adapter itself, that one was merged into its base first.
  const path = model.adapter === null ? model.path : join(parent.folder, 'merged')
  const base = await folderOf(path, undefined, access)
  const files = existsSync(join(checkpoint, 'tokenizer.json')) ? checkpoint : base
  return {path, adapter: checkpoint, shape: await shapeIn(base), files, parent}
}

function noJob(given: string, shipped: readonly string[]): PipelineError {
  const first = shipped.includes(given) ? `Run it first: \`ascend-cot train ${given}\`; or name` : 'Name'
  return new PipelineError('input-missing', `There is no job ${given}.`, {
    fix: `${first} a job that \`ascend-cot train status\` lists, or a model: --set model.name=<folder>.`,
    scope: 'run',
  })
}

/** @param job one that left no checkpoint, so that nothing of it can be resumed */
export function leftNothing({id, folder}: {id: string; folder: string}): PipelineError {
  return new PipelineError('input-missing', `The job ${id} left no checkpoint.`, {
    fix:
      `Where it still runs, wait for one (\`ascend-cot train status ${id}\`); ` +
      `else start it again: \`${againCommand(folder)}\`.`,
    scope: 'run',
  })
}

const shapeIn = async (folder: string | null) => (folder === null ? null : readShape(folder))

const hubName = /^[\w-][\w.-]*\/[\w-][\w.-]*$/

async function folderOf(name: string, revision: string | undefined, {modelCache}: ModelAccess): Promise<string | null> {
  const folder = resolve(name)
  if (existsSync(join(folder, 'config.json'))) return folder
  if (!hubName.test(name) || existsSync(folder) || existsSync(resolve(name.split('/')[0] ?? '')))
    throw new PipelineError('input-missing', `${folder} is no folder of a model: it has no config.json.`, {
      fix: 'Name a folder as transformers saves it, a model of the Hub (owner/name), or job:<id>.',
      scope: 'run',
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
