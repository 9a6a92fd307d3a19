import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {loadedBytes, type LoadedBytes} from '../parquet/arrow-bytes.ts'
import {walk, writeWhole} from '../../engine/files.ts'
import type {Context, Stage} from '../../engine/stage.ts'
import {loadPrompt, renderPrompt} from '../../engine/prompt.ts'
import {decontaminationSection, type HeldOutSources} from './card-decontamination.ts'
import {cardMetadata} from './card-metadata.ts'
import {limits, partsSection, promise} from './card-parts.ts'
import {cardPictures, type Picture} from './card-pictures.ts'
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
import {trainingSection} from './card-training.ts'
import {viewSection} from './card-views.ts'
import {readDecontamination} from '../contamination/decontamination-file.ts'
import {refusedFiles} from '../hub/refused-files.ts'
import {manifestPath, manifestText, textArtifact} from '../hub/manifest.ts'
import {Artifact} from '../schema/sample.ts'
import {readStats, type ConfigStats} from './stats.ts'

export interface CardOptions {
  /** Root of the data set. */
  directory: string
  /** Default `Ascend-CoT`. */
  title?: string
  /** What the stages of the runs behind the files dropped. */
  dropReasons?: readonly DropCount[]
  /** What each release was decontaminated against. */
  heldOut?: readonly HeldOutSources[]
  /** Commands that make the data set again. */
  regenerate: readonly string[]
  /** Licence texts by identifier, shipped if a row is under the licence: some licences demand a copy of themselves. */
  licenceTexts?: Readonly<Record<string, string>>
  /** The publisher's own Markdown, placed below the first sentences. */
  words?: string
  /** Copyright notices of the sources' files, by repository: licences require keeping them. */
  copyrights?: Readonly<Record<string, readonly string[]>>
  /** Pictures of kernels, shown behind those of the numbers. */
  timelines?: readonly Picture[]
}

const template = loadPrompt(new URL('card.md', import.meta.url))
const replyText = loadPrompt(new URL('card-reply.md', import.meta.url))

const defaults = {
  title: 'Ascend-CoT',
  dropReasons: [] as readonly DropCount[],
  heldOut: [] as readonly HeldOutSources[],
  words: '',
  licenceTexts: {} as Readonly<Record<string, string>>,
  copyrights: {} as Readonly<Record<string, readonly string[]>>,
  timelines: [] as readonly Picture[],
}

/**
 * Writes `README.md`, the card that the Hub reads, `NOTICES.md` and the licence texts it was given. Numbers are read
 * back from the Parquet files, so the card matches them. Yields the Parquet artifacts and then its own.
 */
export default function card(options: CardOptions): Stage<Artifact, Artifact> {
  const {directory, ...shape} = {...defaults, ...options}

  async function* run(files: AsyncIterable<Artifact>, {log}: Context): AsyncIterable<Artifact> {
    const artifacts: Artifact[] = []
    for await (const artifact of files) artifacts.push(artifact)
    const stats = await readStats(directory, artifacts)
    for (const path of await strangers(directory, artifacts)) {
      log.warn(`${path} does not belong to a release that the card describes: remove it, or run its release again.`, {
        path,
      })
    }
    if (stats.length === 0) log.warn('The data set is empty: no Parquet file was exported.', {directory})
    const shown: Described = {
      stats,
      artifacts,
      loaded: await loadedBytes(directory, artifacts),
      pictures: [...cardPictures(stats), ...shape.timelines],
    }
    const own: Artifact[] = await refusedFiles(directory)
    const told = await readDecontamination(
      directory,
      stats.map(({config}) => config),
    )
    for (const {path, text} of told) own.push(textArtifact('report', path, text))
    for (const [kind, path, text] of texts(shown, shape)) {
      await writeWhole(join(directory, path), text)
      own.push(textArtifact(kind, path, text))
    }
    const manifest = manifestText([...artifacts, ...own])
    await writeWhole(join(directory, manifestPath), manifest)
    yield* [...artifacts, ...own, textArtifact('manifest', manifestPath, manifest)]
  }

  const shaping = {
    directory,
    template: `${template}${replyText}`,
    ...shape,
    copyrights: Object.fromEntries(Object.entries(shape.copyrights).map(([name, lines]) => [name, [...lines]])),
    dropReasons: shape.dropReasons.map((drop) => ({...drop})),
    heldOut: shape.heldOut.map((one) => ({...one})),
    timelines: shape.timelines.map((one) => ({...one})),
  }
  return {name: 'card', version: 6, options: shaping, input: Artifact, output: Artifact, run}
}

/** Parquet files in the folder without a release run, e.g. because its run directory was deleted. */
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

/** The card's input. */
interface Described {
  stats: readonly ConfigStats[]
  artifacts: readonly Artifact[]
  loaded: LoadedBytes
  pictures: readonly Picture[]
}

/** All texts next to the data. */
function texts(shown: Described, options: PageOptions): [kind: Artifact['kind'], path: string, text: string][] {
  const {stats, pictures} = shown
  const used = new Set(stats.flatMap(({tallies}) => (tallies['licence'] ?? []).map(([licence]) => licence)))
  const licences = Object.entries(options.licenceTexts).filter(([id]) => used.has(id))
  const shipped = licences.map(([id]) => id)
  return [
    ['card', 'README.md', readme(shown, options, shipped)],
    ['licence', 'NOTICES.md', notices(stats, shipped, options.copyrights)],
    ...licences.map(
      ([id, text]) => ['licence', `LICENSES/${fileName(id)}`, text] as [Artifact['kind'], string, string],
    ),
    ...pictures.map(({path, svg}) => ['picture', path, svg] as [Artifact['kind'], string, string]),
  ]
}

function readme(
  {stats, artifacts, loaded, pictures}: Described,
  {title, dropReasons, heldOut, regenerate, words}: PageOptions,
  shipped: readonly string[],
): string {
  const replies = stats.some(({config}) => config === 'sft' || config === 'dpo')
  const page = renderPrompt(template, {
    metadata: cardMetadata(stats, loaded, title),
    title,
    promise: promise(stats),
    words: words.trim(),
    overview: overview(stats),
    parts: partsSection(stats),
    loading:
      stats.map(({config}) => `${config} = load_dataset("path/to/this/folder", "${config}")`).join('\n') ||
      '# nothing was exported',
    sections: configSections(stats),
    pictures: pictures.map(({path, title}) => `![${title}](${path})`).join('\n\n'),
    training: trainingSection(stats),
    views: viewSection(artifacts, stats),
    reply: replies ? replyText : '',
    executors: executorSection(stats),
    licences: licenceSection(stats, shipped),
    decontamination: decontaminationSection(heldOut, dropReasons),
    drops: dropSection(dropReasons),
    columns: columnSection(stats),
    regenerate: regenerate.join('\n'),
    limits: limits(stats),
  })
  return page.replace(/\n{3,}/g, '\n\n')
}
