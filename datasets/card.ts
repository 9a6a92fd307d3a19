import {createHash} from 'node:crypto'
import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {walk, writeWhole} from '../engine/files.ts'
import type {Context, Stage} from '../engine/stage.ts'
import {loadPrompt, renderPrompt} from '../engine/prompt.ts'
import {cardMetadata} from './card-metadata.ts'
import {commandFor, limits, partsSection, promise} from './card-parts.ts'
import {
  columnSection,
  configSections,
  dropSection,
  executorSection,
  fileName,
  licenceSection,
  notices,
  overview,
  type DropCount,
} from './card-sections.ts'
import {Artifact} from './schema/sample.ts'
import {readStats, type ConfigStats} from './stats.ts'

export interface CardOptions {
  /** Root of the data set. */
  directory: string
  /** Default `Ascend-CoT`. */
  title?: string
  /** What the stages of the runs behind the files dropped. */
  dropReasons?: readonly DropCount[]
  /** Commands that make the data set again; default: one command for the parts that are there. */
  regenerate?: readonly string[]
  /**
   * Licence texts by identifier, shipped where a row is under it: a licence that demands a copy of itself is incomplete
   * without.
   */
  licenceTexts?: Readonly<Record<string, string>>
}

const template = loadPrompt(new URL('card.md', import.meta.url))

const defaults = {
  title: 'Ascend-CoT',
  dropReasons: [] as readonly DropCount[],
  regenerate: [] as readonly string[],
  licenceTexts: {} as Readonly<Record<string, string>>,
}

/**
 * Writes `README.md`, the card that the Hub reads, `NOTICES.md` and the licence texts it was given. Numbers are read
 * back from the Parquet files, so the card tells what is in them. Yields the Parquet artifacts and then its own.
 */
export default function card(options: CardOptions): Stage<Artifact, Artifact> {
  const {directory, ...shape} = {...defaults, ...options}

  async function* run(files: AsyncIterable<Artifact>, {log}: Context): AsyncIterable<Artifact> {
    const artifacts: Artifact[] = []
    for await (const artifact of files) artifacts.push(artifact)
    const stats = await readStats(directory, artifacts)
    for (const path of await strangers(directory, artifacts)) {
      log.warn(`${path} belongs to no release that the card describes: remove it, or run its release again.`, {path})
    }
    if (stats.length === 0) log.warn('The data set is empty: no Parquet file was exported.', {directory})
    yield* artifacts
    for (const [path, text] of Object.entries(pages(stats, shape))) {
      await writeWhole(join(directory, path), text)
      yield artifactOf(path, text)
    }
  }

  const shaping = {directory, template, ...shape, dropReasons: shape.dropReasons.map((drop) => ({...drop}))}
  return {name: 'card', version: 2, options: shaping, input: Artifact, output: Artifact, run}
}

/** Parquet files in the folder that no release run names, e.g. because its run directory was deleted. */
async function strangers(directory: string, artifacts: readonly Artifact[]): Promise<string[]> {
  const known = new Set(artifacts.map(({path}) => path))
  const found: string[] = []
  if (!existsSync(join(directory, 'data'))) return found
  for await (const path of walk(join(directory, 'data'))) {
    if (path.endsWith('.parquet') && !known.has(`data/${path}`)) found.push(`data/${path}`)
  }
  return found
}

type PageOptions = Required<Omit<CardOptions, 'directory'>>

/** All texts beside the data, by path. */
function pages(
  stats: readonly ConfigStats[],
  {title, dropReasons, regenerate, licenceTexts}: PageOptions,
): Record<string, string> {
  const used = new Set(stats.flatMap(({tallies}) => (tallies['licence'] ?? []).map(([licence]) => licence)))
  const texts = Object.entries(licenceTexts).filter(([id]) => used.has(id))
  const shipped = texts.map(([id]) => id)
  const readme = renderPrompt(template, {
    metadata: cardMetadata(stats, title),
    title,
    promise: promise(stats),
    overview: overview(stats),
    parts: partsSection(stats),
    loading:
      stats.map(({config}) => `${config} = load_dataset("path/to/this/folder", "${config}")`).join('\n') ||
      '# nothing was exported',
    sections: configSections(stats),
    executors: executorSection(stats),
    licences: licenceSection(stats, shipped),
    drops: dropSection(dropReasons),
    columns: columnSection(stats),
    regenerate: (regenerate.length > 0 ? regenerate : [commandFor(stats)]).join('\n'),
    limits: limits(stats),
  })
  const licences = Object.fromEntries(texts.map(([id, text]) => [`LICENSES/${fileName(id)}`, text]))
  return {'README.md': readme, 'NOTICES.md': notices(stats, shipped), ...licences}
}

function artifactOf(path: string, text: string): Artifact {
  const bytes = Buffer.from(text)
  return {
    kind: path === 'README.md' ? 'card' : 'licence',
    path,
    rows: 0,
    bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  }
}
