import {readFile, stat} from 'node:fs/promises'
import {extname, join, resolve} from 'node:path'
import {z} from 'zod'
import {DocPage} from '../../datasets/schema/document.ts'
import type {Origin} from '../../datasets/schema/origin.ts'
import {isSystemError, PipelineError} from '../../pipelines/core/errors.ts'
import {walk} from '../../pipelines/core/files.ts'
import type {Context, Stage} from '../../pipelines/core/stage.ts'
import {describeCheckout, pathInCheckout} from '../checkout.ts'
import {decodeText} from './encoding.ts'
import {htmlToMarkdown} from './html.ts'
import {cleanMarkdown} from './markdown.ts'
import {products, productSupport, type Product} from './support.ts'

/** A folder of documentation pages. What is not given is found from its version control and its licence file. */
export const DocFolder = z.strictObject({
  root: z.string().min(1),
  repository: z.string().optional(),
  revision: z.string().optional(),
  licence: z.string().optional(),
})
export type DocFolder = z.infer<typeof DocFolder>

export interface DocPagesOptions {
  /** The product whose text is kept, by the vendor's marker. Default `910b`, which is Atlas A2. */
  product?: string
}

/**
 * Every `.html`, `.htm` and `.md` page below each folder, in path order, as Markdown.
 * Drops: `encoding-unknown`, `empty-page`, `table-of-contents`, `project-page`, `product-not-supported`.
 * @throws PipelineError `input-missing` when a folder does not exist, `config-invalid` for a product without a name table
 */
export default function docPages({product = '910b'}: DocPagesOptions = {}): Stage<DocFolder, DocPage> {
  const wanted = products[product]
  if (!wanted) {
    throw new PipelineError('config-invalid', `Product "${product}" is not known; known: ${Object.keys(products).join(', ')}.`, {fix: 'Choose one of the known products.', scope: 'run', evidence: {product}})
  }
  return {
    name: 'doc-pages',
    version: 1,
    options: {product},
    input: DocFolder,
    output: DocPage,
    async *run(folders, context) {
      for await (const folder of folders) yield* readFolder(folder, wanted, context)
    },
  }
}

async function* readFolder(folder: DocFolder, product: Product, context: Context): AsyncIterable<DocPage> {
  const root = resolve(folder.root)
  await assertFolder(root)
  const found = await describeCheckout(root)
  // A repository that is named otherwise than the checkout is a corpus of its own, wherever it happens to lie.
  const prefix = folder.repository === undefined || folder.repository === found.repository ? await pathInCheckout(root) : ''
  for await (const path of walk(root)) {
    context.signal.throwIfAborted()
    const extension = extname(path).toLowerCase()
    if (extension !== '.html' && extension !== '.htm' && extension !== '.md') continue
    const origin: Origin = {
      repository: folder.repository ?? found.repository,
      revision: folder.revision ?? found.revision,
      path: prefix + path,
      licence: folder.licence ?? found.licence,
    }
    yield* readPage(await readFile(join(root, path)), origin, extension, product, context)
  }
}

function readPage(bytes: Uint8Array, origin: Origin, extension: string, product: Product, context: Context): readonly DocPage[] {
  const decoded = decodeText(bytes)
  if (!decoded) return context.drop({origin}, 'encoding-unknown', 'neither UTF-8, UTF-16 nor GB18030, or damaged by an earlier conversion')
  const page = extension === '.md' ? cleanMarkdown(decoded.text, product.marker) : htmlToMarkdown(decoded.text)
  const markdown = page.markdown
  const title = page.title || origin.path.slice(origin.path.lastIndexOf('/') + 1, -extension.length)
  const licence = declaredLicence(decoded.text) ?? origin.licence
  const record: DocPage = {origin: {...origin, licence}, title, language: language(`${title}\n${markdown}`), markdown}
  if (textLength(markdown) < 40) return context.drop(record, 'empty-page', `${textLength(markdown)} characters besides headings`)
  if (page.linkShare > 0.6 && !/^\s*```/m.test(markdown)) return context.drop(record, 'table-of-contents', `${Math.round(page.linkShare * 100)} % of the text is links`)
  if (isProjectPage(origin.path)) return context.drop(record, 'project-page', 'about the documentation project, not about Ascend C')
  const support = productSupport(markdown, product)
  if (support === 'unsupported' || (support === 'unsaid' && product.lacks.test(`${title} ${origin.path}`))) return context.drop(record, 'product-not-supported', product.marker)
  return [record]
}

async function assertFolder(root: string): Promise<void> {
  try {
    if ((await stat(root)).isDirectory()) return
  } catch (error) {
    if (!isSystemError(error, 'ENOENT') && !isSystemError(error, 'ENOTDIR')) throw error
  }
  throw new PipelineError('input-missing', `There is no documentation folder at ${root}.`, {
    fix: 'Check the path, or fetch the documentation first.',
    scope: 'run',
    evidence: {root},
  })
}

/** A licence that the page itself states, in a meta tag or an SPDX line of a comment. */
function declaredLicence(text: string): string | undefined {
  const head = text.slice(0, 4000)
  return /SPDX-License-Identifier:\s*([\w.+-]+)/.exec(head)?.[1] ?? /<meta\s+name="licen[cs]e"\s+content="([\w.+-]+)"/i.exec(head)?.[1]
}

/** How to contribute, what changed, under which terms: pages that every documentation repository carries beside its subject. */
function isProjectPage(path: string): boolean {
  return /(?:^|\/|_)(?:contributing|code-style|doc_design_rules|release[_-]?notes?|changelog|licen[cs]e|code_of_conduct|security|图片压缩指南)(?:\.\w+$|\/)/i.test(path)
}

function textLength(markdown: string): number {
  return markdown.replace(/^#.*$/gm, '').replace(/<[^>]*>|[\s|#>*-]/g, '').length
}

/** Chinese when Han characters are a tenth of the letters outside of code: API names are Latin in both languages. */
function language(markdown: string): 'zh' | 'en' {
  const prose = markdown.replace(/^\s*```[^]*?^\s*```/gm, '')
  const han = prose.match(/\p{Script=Han}/gu)?.length ?? 0
  const letters = prose.match(/\p{L}/gu)?.length ?? 0
  return letters > 0 && han / letters > 0.1 ? 'zh' : 'en'
}
