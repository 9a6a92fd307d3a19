import {existsSync} from 'node:fs'
import {readdir, readFile} from 'node:fs/promises'
import {createHash} from 'node:crypto'
import {join, resolve} from 'node:path'
import {hubDataset, hubFiles, type HubAccess} from '../datasets/hub/hub.ts'
import {fetchDataset} from '../datasets/hub/hub-files.ts'
import {hashedFile} from '../datasets/hub/local-files.ts'
import {Manifest, manifestPath} from '../datasets/hub/manifest.ts'
import {PipelineError} from '../engine/errors.ts'
import type {JobSpec} from './spec.ts'

/** How to access data sets on the Hub. */
export interface DataAccess {
  hub(): Promise<HubAccess>
  /** Downloads are kept below it. */
  cache: string
  say?(line: string): void
}

/** The files of one configuration and split. */
export interface FoundData {
  /** The data set's folder. */
  root: string
  /** Absolute, in order. */
  files: readonly string[]
  /** SHA-256 of `manifest.json`; null without one. */
  manifest: string | null
}

/** Which rows of a data set. */
type WantedData = Pick<JobSpec['data'], 'source' | 'config' | 'split'>

/**
 * Finds the rows of a data set here or on the Hub, in the folders of a release: `data/<config>/<split>-….parquet`.
 * @throws PipelineError `input-missing`, or `input-invalid` when a file differs from the one in the manifest
 */
export async function findData(data: WantedData, access: DataAccess): Promise<FoundData> {
  const root = data.source.startsWith('hub:') ? await fetched(data, access) : resolve(data.source)
  if (!existsSync(root)) {
    throw missing(`There is no data set at ${root}.`, [
      'Make one with `npm start`, pass the folder that contains `dataset` with --out,',
      'or choose another: --set data.source=<folder>, or hub:<owner>/<name>@<commit>.',
    ])
  }
  const folder = join(root, 'data', data.config)
  const names = (await readdir(folder).catch(() => [])).filter((name) => isWanted(`data/${data.config}/${name}`, data))
  if (names.length === 0) throw missing(...(await othersIn(root, data)))
  const files = names.sort().map((name) => join(folder, name))
  return {root, files, manifest: await checkedManifest(root, files)}
}

const isWanted = (path: string, {config, split}: WantedData) =>
  path.startsWith(`data/${config}/${split}-`) && path.endsWith('.parquet')

async function othersIn(root: string, {config, split}: WantedData): Promise<[string, string[]]> {
  const configs = await readdir(join(root, 'data')).catch(() => [])
  return [
    `${root} has no rows of configuration ${config}, split ${split} (data/${config}/${split}-….parquet).`,
    [
      configs.length === 0 ? 'It contains no data set.' : `Its configurations: ${configs.join(', ')}.`,
      'Choose one with `data.config` and `data.split`, or run the release that makes it.',
    ],
  ]
}

/** A data set with a manifest must match its manifest. */
async function checkedManifest(root: string, files: readonly string[]): Promise<string | null> {
  const path = join(root, manifestPath)
  if (!existsSync(path)) return null
  const bytes = await readFile(path)
  const listed = new Map(Manifest.parse(JSON.parse(bytes.toString())).files.map((file) => [file.path, file.sha256]))
  for (const file of files) {
    const name = file.slice(root.length + 1)
    const {sha256} = await hashedFile(file)
    if (listed.get(name) === sha256) continue
    const seen = listed.has(name)
      ? `is ${sha256.slice(0, 12)}…, listed ${listed.get(name)?.slice(0, 12)}…`
      : 'is not listed'
    throw new PipelineError('input-invalid', `${name} ${seen} in ${path}.`, {
      fix: 'Export the data set again (recipe `card`), or download it again: one of its files was changed.',
      evidence: {path: file, sha256},
    })
  }
  return createHash('sha256').update(bytes).digest('hex')
}

const hubName = /^hub:([\w-][\w.-]*\/[\w-][\w.-]*)@([0-9a-f]{40})$/

async function fetched(data: WantedData, {hub, cache, say}: DataAccess): Promise<string> {
  const [, name, commit] = hubName.exec(data.source) ?? []
  if (name === undefined || commit === undefined) throw await unpinned(data.source, hub)
  const access = await hub()
  if (!(await hubDataset(access, name, commit)))
    throw missing(`${access.endpoint} has no visible data set ${name} at ${commit}.`, [
      'Check name and commit; for a private data set, set HF_TOKEN.',
    ])
  const files = await hubFiles(access, name, commit)
  const wanted = files.filter(({path}) => isWanted(path, data) || path === manifestPath || isDecontamination(path))
  const onFile = (path: string, bytes: number) => say?.(`fetching ${name} ${path} (${(bytes / 1e6).toFixed(1)} MB)`)
  return fetchDataset(access, {name, commit, files: wanted}, {cache, onFile})
}

const isDecontamination = (path: string) => path.startsWith('decontamination/')

/** A branch may have other rows tomorrow, so the fix suggests its current commit. */
async function unpinned(source: string, hub: DataAccess['hub']): Promise<PipelineError> {
  const [, name] = /^hub:([\w-][\w.-]*\/[\w-][\w.-]*)(?:@|$)/.exec(source) ?? []
  const found = name === undefined ? undefined : await hubDataset(await hub(), name)
  return new PipelineError('config-invalid', `data.source: expected hub:<owner>/<name>@<commit>, seen ${source}.`, {
    fix: found ? `Its newest commit: hub:${name}@${found.sha}.` : 'Append the 40 digits of a commit to the name.',
    evidence: {source},
  })
}

function missing(what: string, fix: readonly string[]): PipelineError {
  return new PipelineError('input-missing', what, {fix: fix.join(' ')})
}
