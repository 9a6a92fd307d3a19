import {hubDataset, hubFiles, type HubAccess, type HubDataset, type HubFile} from '../../datasets/hub/hub.ts'
import type {GeneralSource} from '../../datasets/schema/general.ts'
import {PipelineError} from '../../engine/errors.ts'
import {formatOf} from './file-format.ts'

/** A data set of the Hub, looked up but not downloaded. */
export interface FoundDataset {
  name: string
  commit: string
  /** The Hub's key of the licence on its card. */
  licence: string | undefined
  files: HubFile[]
}

/**
 * Finds a data set on the Hub and the files of the wanted configuration and split, at one commit.
 * @throws PipelineError `input-missing` when it, the configuration or the split is missing
 */
export async function findDataset(hub: HubAccess, source: GeneralSource): Promise<FoundDataset> {
  const {dataset: name = '', revision} = source
  const found = await hubDataset(hub, name, revision)
  if (!found) {
    const at = revision === undefined ? '' : ` at ${revision}`
    throw missing(`${hub.endpoint} has no visible data set ${name}${at}`, [
      'Check its name and revision in sources.general;',
      'for a private or gated one, accept its terms and set HF_TOKEN.',
    ])
  }
  const files = wantedFiles(await hubFiles(hub, name, found.sha), found, source)
  if (files.length > 0) return {name, commit: found.sha, licence: found.licence, files}
  const {config = 'default', split = 'train'} = source
  throw missing(`${name} has no Parquet, Arrow, JSON or CSV of configuration ${config}, split ${split}`, [
    `Its configurations: ${found.configs.map((one) => one.name).join(', ') || 'none are declared'}.`,
    'Choose one with config and split in sources.general.',
  ])
}

/** Files that the card declares; otherwise those whose path does not name another split or configuration. */
function wantedFiles(files: readonly HubFile[], {configs}: HubDataset, source: GeneralSource): HubFile[] {
  const {config, split = 'train'} = source
  const readable = files.filter(({path}) => formatOf(path) !== undefined && !/(^|\/)\./.test(path))
  const declared = config === undefined ? configs[0] : configs.find(({name}) => name === config)
  if (declared && declared.files.length > 0) {
    const patterns = declared.files.filter((one) => one.split === split).flatMap((one) => one.paths)
    return readable.filter(({path}) => patterns.some((pattern) => matches(path, pattern)))
  }
  if (config !== undefined && !declared && configs.length > 0) return []
  const inConfig = readable.filter(({path}) => config === undefined || `/${path}`.includes(`/${config}/`))
  const kept = inConfig.filter(
    ({path}) => splitOf(path) === split || (split === 'train' && splitOf(path) === undefined),
  )
  // Some hold the same rows in several formats.
  const best = (['parquet', 'arrow', 'jsonl', 'json', 'csv'] as const).find((format) =>
    kept.some(({path}) => formatOf(path) === format),
  )
  return kept.filter(({path}) => formatOf(path) === best)
}

function splitOf(path: string): string | undefined {
  const word = /(?:^|[/_.-])(train|training|test|testing|validation|valid|val|dev|eval)(?=[/_.-]|$)/i.exec(path)?.[1]
  const full: Record<string, string> = {training: 'train', testing: 'test', valid: 'validation', val: 'validation'}
  return word && (full[word.toLowerCase()] ?? word.toLowerCase())
}

/** `*` within a folder, `**` over folders: the patterns of a card. */
function matches(path: string, pattern: string): boolean {
  const expression = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*\*\/?|\*|\?/g, (mark) => ({'*': '[^/]*', '?': '[^/]'})[mark] ?? '.*')
  return new RegExp(`^${expression}$`).test(path)
}

function missing(what: string, fix: readonly string[]): PipelineError {
  return new PipelineError('input-missing', `${what}.`, {fix: fix.join(' ')})
}
