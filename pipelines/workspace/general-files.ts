import {existsSync, statSync} from 'node:fs'
import {basename, dirname, join, resolve} from 'node:path'
import {fetchDataset} from '../../datasets/hub/hub-files.ts'
import {hashedFile} from '../../datasets/hub/local-files.ts'
import {defaultAllow} from '../../datasets/gates/licence-gate.ts'
import {isAllowed, licences} from '../../datasets/gates/licences.ts'
import type {GeneralFiles, GeneralSource} from '../../datasets/schema/general.ts'
import {PipelineError} from '../../engine/errors.ts'
import {findFiles} from '../../engine/input-files.ts'
import {describeCheckout} from '../../sources/checkout.ts'
import {formatOf, isUnread, readEndings} from '../../sources/general/file-format.ts'
import {findDataset, type FoundDataset} from '../../sources/general/hub-source.ts'
import {toldFiles} from '../../sources/general/told-files.ts'
import {licencesFor} from './config.ts'
import type {Workspace} from './workspace.ts'

/** The data sets that the AscendKernelGen paper cites (4.1.3), with the models that their titles name. */
const ofThePaper: readonly GeneralSource[] = [
  {dataset: 'Congliu/Chinese-DeepSeek-R1-Distill-data-110k', model: 'deepseek-r1'},
  {dataset: 'Hugodonotexit/math-code-science-deepseek-r1-en', model: 'deepseek-r1'},
  {dataset: 'voidful/reasoning_gemini_300k', model: 'gemini'},
]

type Needs = Pick<Workspace, 'config' | 'hub' | 'say'>

/**
 * The configured general data sets, or those of the paper. Licences are checked before anything is downloaded, shapes
 * before anything is run.
 * @throws PipelineError for a data set that is missing, of unknown shape, or whose licence is unknown or not allowed
 */
export async function generalFiles(needs: Needs): Promise<GeneralFiles[]> {
  const sources = await Promise.all((needs.config.sources.general ?? ofThePaper).map(withLicenceFile))
  const found = new Map<GeneralSource, FoundDataset>()
  for (const source of sources) {
    if (source.dataset !== undefined) found.set(source, await findDataset(await needs.hub(), source))
    checkLicence(nameOf(source), licenceOf(source, found.get(source)), needs)
  }
  const all: GeneralFiles[] = []
  for (const source of sources) {
    const dataset = found.get(source)
    all.push(dataset ? await filesOfHub(source, dataset, needs) : await filesOfFolder(source, needs))
  }
  return all
}

/** As for all other sources: without a stated licence, a folder's licence file counts. */
async function withLicenceFile(source: GeneralSource): Promise<GeneralSource> {
  if (source.root === undefined || source.licence !== undefined) return source
  const {licence} = await describeCheckout(source.root)
  return licence === 'NOASSERTION' ? source : {...source, licence}
}

const nameOf = ({dataset, root}: GeneralSource) => dataset ?? root ?? ''

/** SPDX identifiers of the Hub's licence keys; licences that the export knows have their own. */
const spdx: Readonly<Record<string, string>> = {
  'cc0-1.0': 'CC0-1.0',
  'cc-by-sa-4.0': 'CC-BY-SA-4.0',
  'cc-by-nc-4.0': 'CC-BY-NC-4.0',
  'odc-by': 'ODC-By-1.0',
  'gpl-3.0': 'GPL-3.0-only',
}

function licenceOf({licence}: GeneralSource, dataset: FoundDataset | undefined): string | undefined {
  if (licence !== undefined || dataset?.licence === undefined) return licence
  const key = dataset.licence.toLowerCase()
  return Object.entries(licences).find(([, {hub}]) => hub === key)?.[0] ?? spdx[key]
}

function checkLicence(name: string, licence: string | undefined, {config}: Needs): void {
  const allowed = licencesFor(config, 'sft') ?? defaultAllow
  if (licence !== undefined && isAllowed(licence, allowed)) return
  const what =
    licence === undefined
      ? `The licence of ${name} is unknown, so a release would refuse its rows`
      : `${name} is under ${licence}, which releases refuse; allowed are ${allowed.join(', ')}`
  throw new PipelineError('config-invalid', `${what}.`, {
    fix:
      licence === undefined
        ? `Find out what its authors allow and state it: for a folder, with --set 'sources.general=[{root: <folder>, ` +
          `licence: <SPDX identifier>}]' or a LICENSE file in it. Otherwise remove it.`
        : `Remove it from sources.general, or, if you may publish it, allow it with --set export.licences=[…].`,
    evidence: {name, licence: licence ?? null},
  })
}

async function filesOfHub(source: GeneralSource, dataset: FoundDataset, needs: Needs): Promise<GeneralFiles> {
  const hub = await needs.hub()
  const onFile = (path: string, bytes: number) => needs.say(`fetching ${dataset.name} ${path} (${megabytes(bytes)})`)
  const root = await fetchDataset(hub, dataset, {cache: resolve(needs.config.cache), onFile})
  const origin = {
    repository: `https://huggingface.co/datasets/${dataset.name}`,
    revision: dataset.commit,
    licence: licenceOf(source, dataset) ?? '',
  }
  return described(source, {root, origin, files: dataset.files}, needs)
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`

async function filesOfFolder(source: GeneralSource, needs: Needs): Promise<GeneralFiles> {
  const path = resolve(source.root ?? '')
  if (!existsSync(path)) throw nothingThere(path, 'does not exist')
  const isFile = statSync(path).isFile()
  const root = isFile ? dirname(path) : path
  const listed = isFile ? [basename(path)] : await dataFiles(root)
  const files = listed.filter((one) => formatOf(one) !== undefined)
  const unread = listed.filter((one) => formatOf(one) === undefined)
  if (files.length === 0) throw nothingThere(path, nothingRead(unread))
  for (const one of unread) needs.say(`warning: ${one} is skipped: files of this type are not read. ${unpackIt}`)
  const {repository = basename(root), revision = 'unversioned', licence = ''} = source
  return described(
    source,
    {root, origin: {repository, revision, licence}, files: files.map((one) => ({path: one}))},
    needs,
  )
}

const unpackIt = `Unpack it, or convert it to ${readEndings}.`

/** Links to files are followed, as in the Hub's own cache, where files are links to their bytes. */
async function dataFiles(root: string): Promise<string[]> {
  const paths: string[] = []
  for await (const {path, refused, ...found} of findFiles(root)) {
    const isLink = refused?.reason === 'symbolic-link' && 'folder' in found && !found.folder
    if ((refused && !isLink) || /(^|\/)\./.test(path)) continue
    if (formatOf(path) !== undefined || isUnread(path)) paths.push(path)
  }
  return paths
}

function nothingRead(unread: readonly string[]): string {
  const [first] = unread
  if (first === undefined) return 'holds no Parquet, Arrow, JSON or CSV file'
  const more = unread.length > 1 ? ` and ${unread.length - 1} more` : ''
  return `holds no readable file, only ${first}${more}`
}

interface Found {
  root: string
  origin: GeneralFiles['origin']
  /** With a known hash, the bytes need not be read. */
  files: readonly {path: string; sha256?: string}[]
}

async function described(
  source: GeneralSource,
  {root, origin, files: found}: Found,
  {say}: Pick<Needs, 'say'>,
): Promise<GeneralFiles> {
  const files: GeneralFiles['files'] = []
  for (const {path, sha256: known} of found) {
    const sha256 = known ?? (await hashedFile(join(root, path))).sha256
    files.push({path, format: formatOf(path) ?? 'jsonl', sha256})
  }
  const warn = (text: string) => say(`warning: ${text}`)
  const told = await toldFiles(files, source.columns, {root, name: nameOf(source), warn})
  const {model, turns, system} = source
  return {root, ...told, origin, ...(model && {model}), ...(turns && {turns}), ...(system && {system})}
}

function nothingThere(root: string, what: string): PipelineError {
  return new PipelineError('input-missing', `${root} ${what}.`, {
    fix: `Give a folder or file of ${readEndings}, with --general or in sources.general.`,
  })
}
