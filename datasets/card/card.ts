import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {loadedBytes, type LoadedBytes} from '../parquet/arrow-bytes.ts'
import {walk, writeWhole} from '../../engine/files.ts'
import type {Context, Stage} from '../../engine/stage.ts'
import {loadPrompt, renderPrompt} from '../../engine/prompt.ts'
import {decontaminationSection, type HeldOutSources} from './card-decontamination.ts'
import {cardMetadata} from './card-metadata.ts'
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
  count,
  size,
  table,
} from './card-sections.ts'
import {trainingSection} from './card-training.ts'
import {readDecontamination} from '../contamination/decontamination-file.ts'
import {manifestPath, manifestText, textArtifact} from '../hub/manifest.ts'
import {Artifact, type CotSample} from '../schema/sample.ts'
import {readStats, type ConfigStats} from './stats.ts'
import {hashedFile} from '../hub/local-files.ts'
import type {Config} from '../schema/export.ts'
import {o200k} from '../tokens/token-count.ts'
import {viewNames, viewOf} from '../views/view-forms.ts'

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

/** Records that releases dropped, as files of the data set: `rejected/<recipe>.jsonl`, a line for each record. */
async function refusedFiles(directory: string): Promise<Artifact[]> {
  const folder = join(directory, 'rejected')
  const files: Artifact[] = []
  if (!existsSync(folder)) return files
  for await (const path of walk(folder)) {
    if (!path.endsWith('.jsonl')) continue
    const {bytes, sha256} = await hashedFile(join(folder, path))
    files.push({kind: 'report', path: `rejected/${path}`, rows: 0, bytes, sha256})
  }
  return files
}

/** The parts a data set can have. */
const parts: readonly {config: Config; kind?: CotSample['kind']; name: string}[] = [
  {config: 'sft', kind: 'documentation', name: 'documentation samples'},
  {config: 'sft', kind: 'kernel', name: 'kernel-level samples'},
  {config: 'sft', kind: 'project', name: 'project-level samples'},
  {config: 'sft', kind: 'evaluated', name: "samples in the benchmark's form"},
  {config: 'sft', kind: 'api-correction', name: 'corrections of code that did not compile'},
  {config: 'sft', kind: 'kernel-correction', name: 'corrections of operators that were wrong'},
  {config: 'sft', kind: 'optimisation', name: 'steps of optimisation'},
  {config: 'sft', kind: 'general', name: 'general chains of thought'},
  {config: 'dpo', name: 'preference pairs'},
  {config: 'apis', name: 'documented interfaces'},
  {config: 'errors', name: 'errors of candidates'},
  {config: 'kto', name: 'unpaired preferences'},
  {config: 'optimisation', name: 'pairs of faster and slower operators'},
]

/**
 * Errors are statistics, unpaired replies repeat those of pairs, and steps are extra: nothing is missing without them.
 */
const beside: ReadonlySet<string> = new Set(['errors', 'kto', 'optimisation'])

function rowsOf({config, kind}: (typeof parts)[number], stats: readonly ConfigStats[]): number {
  const found = stats.find((one) => one.config === config)
  if (!found) return 0
  if (kind === undefined) return found.splits.reduce((sum, {rows}) => sum + rows, 0)
  return (found.tallies['kind'] ?? []).find(([name]) => name === kind)?.[1] ?? 0
}

/** Which parts the export has and which it lacks: a release may cover only some of them. */
export function partsSection(stats: readonly ConfigStats[]): string {
  const counted = parts.map((part) => ({...part, rows: rowsOf(part, stats)}))
  const there = counted
    .filter(({rows}) => rows > 0)
    .map(({name, config, rows}) => `${count(rows)} ${name} (\`${config}\`)`)
  const missing = counted
    .filter(({rows, config, kind}) => rows === 0 && !beside.has(kind ?? config))
    .map(({name}) => name)
  if (there.length === 0) return ''
  const made = `Made of ${inWords(there, 'and')}.`
  return missing.length > 0 ? `${made} It has no ${inWords(missing, 'and no')}.` : made
}

/** What was checked, for the parts that exist. */
export function promise(stats: readonly ConfigStats[]): string {
  const words = {
    sft: 'the column `proof` states for every code answer whether it ran, compiled or was only parsed',
    dpo: 'every preference is based on what an executor observed',
    apis: 'every interface is described in the words of its page',
    errors: 'every error was observed by an executor',
    kto: 'every unpaired label is based on the colour that an executor observed',
    optimisation: 'both sides of every step are correct, and their times are modelled',
  }
  const checked = stats.map(({config}) => words[config])
  if (checked.length === 0) return ''
  const sentences = [...checked, 'each row names its source, and the executor if one judged it']
  return sentences.map((text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`).join(' ')
}

/** Limits of the parts that exist. */
export function limits(stats: readonly ConfigStats[]): string {
  const who = (...keys: string[]) =>
    new Set(stats.flatMap(({tallies}) => keys.flatMap((key) => (tallies[key] ?? []).map(([name]) => name))))
  const [teachers, rejected] = [who('teacher'), who('rejected_sampler')]
  const samplers = who('chosen_sampler', 'rejected_sampler')
  const lines = [
    ...(teachers.has('offline') ? [offline] : []),
    ...(teachers.has('model') || samplers.has('model') ? [model] : []),
    ...(stats.some(({config}) => config === 'dpo') ? [observed] : []),
    ...(rejected.has('mutation') ? [planted] : []),
    ...(stats.some(({config}) => config === 'apis') ? [index] : []),
    ...(stats.some(({tallies}) => tallies['tokenizer']?.some(([name]) => name === o200k.tokenizer))
      ? [`Token counts under ${o200k.tokenizer} are estimates: the target model has its own vocabulary.`]
      : []),
  ]
  return lines.map((line) => `- ${line}`).join('\n')
}

const offline =
  'Text by the offline teacher is composed from computed facts. It is as correct as the facts, ' +
  'but it has only one style; the column `teacher` marks it.'
const model =
  "Where a model wrote the text, that model's terms of use apply as well, and nobody has checked its reasoning. " +
  'The code was checked; the text was not.'
const observed =
  'The operators and tasks cover a small part of what NPU libraries contain; labels were observed only on the ' +
  "shapes in the tasks' test cases and on a few other sizes of each task."
const planted =
  'Rejected sides by `mutation` contain faults that were planted on purpose; ' +
  "a model's mistakes are distributed differently."

const index =
  'The index of interfaces was extracted from its pages by rules and not checked against headers: what is in a ' +
  'figure, or refers to another page for, is missing in its entry.'

function inWords(items: readonly string[], last: string): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} ${last} ${items.at(-1)}`
}

/** Which trainers read the data directly, the views next to it, and how to make the others. */
function viewSection(artifacts: readonly Artifact[], stats: readonly ConfigStats[]): string {
  const configs = stats.map(({config}) => config)
  const offered = viewNames.filter((name) => configs.some((config) => viewOf(name).forms[config]))
  const filesOf = (name: string) =>
    artifacts.filter(({kind, path, rows}) => kind === 'view' && rows > 0 && path.startsWith(`views/${name}/`))
  const there = offered.filter((name) => filesOf(name).length > 0)
  const isTrained = offered.some((name) => !viewOf(name).isJson)
  if (!isTrained && there.length === 0) return ''
  const missing = offered.filter((name) => !there.includes(name))
  const rows = there.map((name) => {
    const files = filesOf(name)
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
    const held = files.map(({config, split, rows}) => `${config} ${split} ${count(rows)}`).join(', ')
    return [`\`views/${name}\``, held, size(bytes), viewOf(name).use]
  })
  return [
    '## Trainers',
    ...(isTrained ? ['TRL takes `sft` (SFTTrainer) and `dpo` (DPOTrainer) directly, without any mapping.'] : []),
    ...(rows.length > 0
      ? [
          'The same rows in the formats of other trainers; `load_dataset` and the viewer do not find them:',
          table(['folder', 'rows', 'size', 'how to use it'], rows),
        ]
      : []),
    ...(artifacts.some(({path}) => path.startsWith('views/arrow/'))
      ? ['`views/arrow` has all columns as Arrow files (Feather, version 2), for tools that map them into memory.']
      : []),
    ...(missing.length > 0
      ? [
          `Available on demand, each about as large as the rows it repeats: ${missing.map(quoted).join(', ')}, by ` +
            `\`npx ascend-cot run card --set export.views=[${missing[0]}]\`.`,
        ]
      : []),
  ].join('\n\n')
}

const quoted = (name: string) => `\`${name}\``
