import {basename, extname, join, resolve} from 'node:path'
import {DocPage} from '../../datasets/schema/document.ts'
import type {Origin} from '../../datasets/schema/origin.ts'
import type {PageImage} from '../../datasets/schema/page-image.ts'
import {SourceFolder} from '../../datasets/schema/source-folder.ts'
import {PipelineError} from '../../engine/errors.ts'
import {textId} from '../../engine/ids.ts'
import {findFiles, readInput, type Found} from '../../engine/input-files.ts'
import {ownModule} from '../../engine/own-package.ts'
import type {Context, Stage} from '../../engine/stage.ts'
import {isolate, type Isolated} from '../../engine/worker.ts'
import {describeCheckout, pathInCheckout, sourceBytes} from '../checkout.ts'
import {assertFolder} from '../input-folder.ts'
import type {Converted, RawPage} from './convert.ts'
import {readCrawl, type CrawledPage} from './crawl/crawl-origin.ts'
import {findImages} from './ocr/find-images.ts'
import {products, type Product} from './support.ts'

interface DocPagesOptions {
  /** The product whose text is kept, by the vendor's marker. Default `910b`, which is Atlas A2. */
  product?: string
  /** `drawn` picks pages from all over a folder, in an order that the run's seed decides. Default `path`. */
  order?: 'path' | 'drawn'
}

/**
 * Every `.html`, `.htm` and `.md` page below each folder of documentation, as Markdown. Pages of a crawled folder have
 * the addresses, dates and licence of the crawl. Drops: `encoding-unknown`, `empty-page`, `table-of-contents`,
 * `project-page`, `product-not-supported`; next to a crawl's own pages `not-crawled`; what cannot be read as
 * `name-not-utf-8`, `symbolic-link`, `not-a-file`, `unreadable`, `file-too-large`; what cannot be converted as
 * `nested-too-deeply`, `page-too-slow`, `page-needs-too-much-memory`, `page-not-converted`.
 * @throws PipelineError `input-missing` when a folder does not exist, `config-invalid` for a product without a name
 *   table
 */
export default function documentationPages({
  product = '910b',
  order = 'path',
}: DocPagesOptions = {}): Stage<SourceFolder, DocPage> {
  const wanted = products[product]
  if (!wanted) {
    throw new PipelineError(
      'config-invalid',
      `Product "${product}" is not known; known: ${Object.keys(products).join(', ')}.`,
      {fix: 'Choose one of the known products.', evidence: {product}},
    )
  }
  return {
    name: 'documentation-pages',
    version: 6,
    options: {product, order},
    input: SourceFolder,
    output: DocPage,
    async *run(folders, context) {
      for await (const folder of folders) yield* readFolder(folder, {product: wanted, order}, context)
    },
  }
}

const missing = {holds: 'documentation folder', fix: 'Check the path, or download the documentation first.'}

interface Reading {
  product: Product
  order: 'path' | 'drawn'
}

async function* readFolder(folder: SourceFolder, {product, order}: Reading, context: Context): AsyncIterable<DocPage> {
  const root = resolve(folder.root)
  await assertFolder(root, missing)
  const found = await describeCheckout(root)
  // A repository whose name differs from the checkout's is a separate corpus, wherever it is.
  const prefix =
    folder.repository === undefined || folder.repository === found.repository ? await pathInCheckout(root) : ''
  const checkout = {
    repository: folder.repository ?? found.repository,
    revision: folder.revision ?? found.revision,
    licence: folder.licence ?? found.licence,
  }
  const crawled = readCrawl(root)
  const convert = isolate<RawPage, Converted>(ownModule('./convert', import.meta.url), pageLimits, context.signal)
  const reader: Reader = {root, product, convert}
  try {
    // A few pages ahead, so that the next one is being converted while this one is processed.
    const waiting: Read[] = []
    for await (const entry of order === 'path' ? findFiles(root) : drawn(findFiles(root), context.seed)) {
      context.signal.throwIfAborted()
      const format = formatOf(entry)
      if (format === undefined) continue
      const known = crawled?.(entry.path)
      const origin = known ? originOf(known, folder) : {...checkout, path: prefix + entry.path}
      const isForeign = crawled !== undefined && known === undefined
      const page = {origin, outcome: isForeign ? notCrawled : read(entry, format, reader, known?.charset)}
      page.outcome.catch(() => undefined) // Reported when its turn comes; until then it must not count as unhandled.
      waiting.push(page)
      if (waiting.length > pagesAhead) yield* await decide(waiting.shift() as Read, product, context)
    }
    for (const page of waiting) yield* await decide(page, product, context)
  } finally {
    await convert.close()
  }
}

/** The same files in an order independent of their paths, so that the first few are a sample of all. */
async function* drawn(files: AsyncIterable<Found>, seed: string): AsyncIterable<Found> {
  const all: {place: string; file: Found}[] = []
  for await (const file of files) all.push({place: textId(`${seed}\n${file.path}`), file})
  yield* all.sort((a, b) => (a.place < b.place ? -1 : 1)).map(({file}) => file)
}

/** A folder's configuration overrides its crawl's data. */
function originOf({origin}: CrawledPage, {repository, revision, licence}: SourceFolder): Origin {
  const {path} = origin
  return {
    repository: repository ?? origin.repository,
    revision: revision ?? origin.revision,
    path,
    licence: licence ?? origin.licence,
  }
}

const notCrawled: Promise<Outcome> = Promise.resolve({
  refused: {reason: 'not-crawled', detail: 'the crawl of this folder does not know it'},
})

const pagesAhead = 4

// A page of median size takes 2 ms and the largest known one half a second; the limits are for what no page does.
const pageLimits = {seconds: 60, heapMegabytes: 1024, idleSeconds: 10}

type Format = RawPage['format']

/** Undefined for files that are not pages: pictures, scripts, files of another kind that cannot be read. */
function formatOf({path, refused, ...entry}: Found): Format | 'folder' | undefined {
  const extension = extname(path).toLowerCase()
  if (refused && 'folder' in entry && entry.folder) return 'folder'
  if (extension === '.md') return 'markdown'
  return extension === '.html' || extension === '.htm' ? 'html' : undefined
}

type Refused = {reason: string; detail: string}
type Outcome = {refused: Refused} | (Extract<Converted, {title: string}> & {images: PageImage[]; refused?: undefined})

interface Read {
  origin: Origin
  outcome: Promise<Outcome>
}

interface Reader {
  root: string
  product: Product
  convert: Isolated<RawPage, Converted>
}

async function read(
  {path, refused}: Found,
  format: Format | 'folder',
  reader: Reader,
  charset: string | undefined,
): Promise<Outcome> {
  const {root, product, convert} = reader
  if (refused || format === 'folder') return {refused: refused ?? {reason: 'not-a-file', detail: 'a folder'}}
  const bytes = await readInput(join(root, path), sourceBytes)
  if (!Buffer.isBuffer(bytes)) return {refused: bytes}
  const answer = await convert.call({bytes, format, product: product.marker, charset})
  if (!answer.ok) return {refused: {reason: reasons[answer.why], detail: answer.detail}}
  const page = answer.value
  return page.refused ? page : {...page, images: await findImages(page.markdown, root, path)}
}

const reasons = {
  'too-slow': 'page-too-slow',
  'too-much-memory': 'page-needs-too-much-memory',
  threw: 'page-not-converted',
} as const

async function decide({origin, outcome}: Read, product: Product, context: Context): Promise<readonly DocPage[]> {
  const page = await outcome
  if (page.refused) return context.drop({origin}, page.refused.reason, `${origin.path}: ${page.refused.detail}`)
  const {markdown, language, headingLines, lineCount, images} = page
  const title = page.title || basename(origin.path, extname(origin.path))
  const record: DocPage = {
    origin: {...origin, licence: page.licence ?? origin.licence},
    title,
    language,
    markdown,
    headingLines,
    lineCount,
    ...(images.length > 0 && {images}),
  }
  const refuse = (reason: string, detail: string) => context.drop(record, reason, `${origin.path}: ${detail}`)
  if (page.length < 40) return refuse('empty-page', `${page.length} characters besides headings`)
  const links = Math.round(page.linkShare * 100)
  if (page.linkShare > 0.6 && !page.hasCode) return refuse('table-of-contents', `${links} % of the text is links`)
  if (isProjectPage(origin.path)) return refuse('project-page', 'about the documentation project, not about Ascend C')
  const isForeign = () => product.lacks.test(`${title} ${origin.path}`)
  const isUnsupported = page.support === 'unsupported' || (page.support === 'unsaid' && isForeign())
  return isUnsupported ? refuse('product-not-supported', product.marker) : [record]
}

const projectPages = [
  'contributing|code-style|doc_design_rules|release[_-]?notes?|changelog',
  'licen[cs]e|code_of_conduct|security|图片压缩指南',
]
const projectPage = new RegExp(String.raw`(?:^|\/|_)(?:${projectPages.join('|')})(?:\.\w+$|\/)`, 'i')

/**
 * How to contribute, what changed, under which terms: pages that every documentation repository has in addition to its
 * subject.
 */
function isProjectPage(path: string): boolean {
  return projectPage.test(path)
}
