import {createHash} from 'node:crypto'
import {join} from 'node:path'
import {writeWhole} from '../pipelines/core/files.ts'
import type {Context, Stage} from '../pipelines/core/stage.ts'
import {loadPrompt, renderPrompt} from '../pipelines/core/prompt.ts'
import {cardMetadata} from './card-metadata.ts'
import {
  columnSection, configSections, dropSection, executorSection, fileName, licenceSection, notices, overview, type DropCount,
} from './card-sections.ts'
import {Artifact} from './schema/sample.ts'
import {readStats, type ConfigStats} from './stats.ts'

export interface CardOptions {
  /** Root of the data set. */
  directory: string
  /** Default `Ascend-CoT`. */
  title?: string
  /** What the stages of all runs refused. */
  dropReasons?: readonly DropCount[]
  /** Commands that make the data set again. */
  regenerate?: readonly string[]
  /** Licence texts to ship, by identifier: a licence that demands a copy of itself is incomplete without. */
  licenceTexts?: Readonly<Record<string, string>>
}

const template = loadPrompt(new URL('card.md', import.meta.url))

const defaults = {
  title: 'Ascend-CoT',
  dropReasons: [] as readonly DropCount[],
  regenerate: ['npx ascend-cot run documentation kernels candidates preference release-sft release-dpo card'],
  licenceTexts: {} as Readonly<Record<string, string>>,
}

/**
 * Writes `README.md`, the card that the Hub reads, `NOTICES.md` and the licence texts it was given. Numbers are read back from the
 * Parquet files, so the card tells what is in them. Yields the Parquet artifacts and then its own.
 */
export default function card(options: CardOptions): Stage<Artifact, Artifact> {
  const {directory, ...shape} = {...defaults, ...options}

  async function* run(files: AsyncIterable<Artifact>, {log}: Context): AsyncIterable<Artifact> {
    const artifacts: Artifact[] = []
    for await (const artifact of files) artifacts.push(artifact)
    const stats = await readStats(directory, artifacts)
    if (stats.length === 0) log.warn('The data set is empty: no Parquet file was exported.', {directory})
    yield* artifacts
    for (const [path, text] of Object.entries(pages(stats, shape))) {
      await writeWhole(join(directory, path), text)
      yield artifactOf(path, text)
    }
  }

  return {name: 'card', version: 1, options: {directory, template, ...shape, dropReasons: shape.dropReasons.map((drop) => ({...drop}))}, input: Artifact, output: Artifact, run}
}

/** All texts beside the data, by path. */
function pages(stats: readonly ConfigStats[], {title, dropReasons, regenerate, licenceTexts}: Required<Omit<CardOptions, 'directory'>>): Record<string, string> {
  const readme = renderPrompt(template, {
    metadata: cardMetadata(stats, title),
    title,
    overview: overview(stats),
    loading: stats.map(({config}) => `${config} = load_dataset("path/to/this/folder", "${config}")`).join('\n') || '# nothing was exported',
    sections: configSections(stats),
    executors: executorSection(stats),
    licences: licenceSection(stats, Object.keys(licenceTexts)),
    drops: dropSection(dropReasons),
    columns: columnSection(stats),
    regenerate: regenerate.join('\n'),
  })
  const texts = Object.entries(licenceTexts).map(([id, text]) => [`LICENSES/${fileName(id)}`, text] as const)
  return {'README.md': readme, 'NOTICES.md': notices(stats, Object.keys(licenceTexts)), ...Object.fromEntries(texts)}
}

function artifactOf(path: string, text: string): Artifact {
  const bytes = Buffer.from(text)
  return {kind: path === 'README.md' ? 'card' : 'licence', path, rows: 0, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex')}
}
