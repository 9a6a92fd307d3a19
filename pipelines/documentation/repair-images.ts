import {DocPage} from '../../datasets/schema/document.ts'
import {replaceImages} from '../../datasets/page-images.ts'
import type {ImageReader, ImageReading, PageImage} from '../../datasets/schema/page-image.ts'
import type {LanguageModel} from '../../engine/llm/model.ts'
import {loadPrompt, renderPrompt} from '../../engine/prompt.ts'
import {each, type Context, type Stage} from '../../engine/stage.ts'
import {latexReply} from './formulas/formula-reply.ts'
import {inPlace, shownText} from './formulas/in-place.ts'
import {pageFacts, type PageFacts} from './formulas/page-facts.ts'
import {settleByRule, settleReply, type Settled} from './formulas/settle-formula.ts'

const visionPrompt = loadPrompt(new URL('formulas/read-formula.md', import.meta.url))

interface RepairImagesOptions {
  /** Finds and reads the bytes of images. */
  images: ImageReader
}

/**
 * Formulas and texts in images become part of their page: texts by OCR, formulas by a vision model if one is
 * configured, otherwise from page and picture together. Whatever cannot be resolved stays an image; the page records
 * for every image what was read and decided. Counted as drops although the page is still used: `image-missing`,
 * `image-is-pointer`, `image-elsewhere`, `image-unreadable`, `image-too-large`, `image-too-slow`. Unresolved formulas
 * are counted by the next stage.
 */
export default function repairImages({images}: RepairImagesOptions): Stage<DocPage, DocPage> {
  return {
    name: 'documentation-repair-images',
    version: 2,
    options: {reader: images.fingerprint, prompt: visionPrompt},
    teacher: 'vision',
    input: DocPage,
    output: DocPage,
    run: each(async (page, context) => [page.images ? await repair(page, page.images, images, context) : page], {
      concurrency: 2,
    }),
  }
}

/** An image with what recognition made of its bytes. */
interface Looked {
  image: PageImage
  bytes?: Uint8Array
  reading?: ImageReading
}

async function repair(page: DocPage, found: PageImage[], images: ImageReader, context: Context): Promise<DocPage> {
  const facts = pageFacts(page)
  const settled: PageImage[] = []
  const known = new Map<string, PageImage>()
  // One after another: the bytes of all images of a page need not fit into memory.
  for (const image of found) {
    const key = `${image.kind} ${image.path}`
    const same = image.path === undefined ? undefined : known.get(key)
    const one = same ?? (await settle(await lookAt(image, images, context.signal), page, facts, context))
    known.set(key, one)
    settled.push({...one, file: image.file})
  }
  for (const {file, outcome} of settled)
    if (outcome.startsWith('image-')) context.drop({file}, outcome, `${page.origin.path}: ${file}`)
  return {...page, images: settled, markdown: withReadings(page, settled)}
}

async function lookAt(image: PageImage, images: ImageReader, signal: AbortSignal): Promise<Looked> {
  if (image.outcome !== 'unread' || image.path === undefined || image.sha256 === undefined) return {image}
  const bytes = await images.bytes(image.path, image.sha256)
  const reading = await images.read(bytes, image.kind === 'formula' ? 'formula' : 'figure', signal)
  return reading.refused === undefined ? {image, bytes, reading} : {image: {...image, outcome: reading.refused}}
}

async function settle({image, bytes, reading}: Looked, page: DocPage, facts: PageFacts, context: Context) {
  if (!bytes || !reading) return image
  if (image.kind !== 'formula') return asText(image, reading)
  const {text, confidence} = reading
  const found = await formulaOf(bytes, reading, page, facts, context)
  if ('how' in found) return {...image, text, outcome: 'repaired' as const, ...found}
  return {...image, text, confidence, outcome: 'unresolved' as const, ...found}
}

/** A refusal of the model's formula does not bind the rules, which look at the page themselves. */
async function formulaOf(
  bytes: Uint8Array,
  reading: ImageReading,
  page: DocPage,
  facts: PageFacts,
  {llm, signal}: Context,
): Promise<Settled> {
  if (!llm) return settleByRule(reading, facts)
  const seen = await askVision(bytes, reading, page, facts, {llm, signal})
  if ('how' in seen) return seen
  const ruled = await settleByRule(reading, facts)
  return 'how' in ruled ? ruled : seen
}

async function askVision(
  bytes: Uint8Array,
  reading: ImageReading,
  page: DocPage,
  facts: PageFacts,
  {llm, signal}: {llm: LanguageModel; signal: AbortSignal},
): Promise<Settled> {
  const names = facts.operands.flatMap(({result, sources}) => [result, ...sources])
  const content = renderPrompt(visionPrompt, {
    page: page.title,
    names: [...new Set(names)].join(', ') || 'none',
    text: page.markdown.slice(0, shownText),
  })
  const images = [{type: typeOf(bytes), base64: Buffer.from(bytes).toString('base64')}]
  const {text} = await llm.complete({messages: [{role: 'user', content, images}]}, signal)
  const reply = latexReply(text)
  return reply.ok ? settleReply(reply.latex, 'vision', reading, facts) : {reason: reply.reason}
}

function typeOf(bytes: Uint8Array): string {
  if (bytes[0] === 0x89) return 'image/png'
  if (bytes[0] === 0x47) return 'image/gif'
  return bytes[0] === 0x42 ? 'image/bmp' : 'image/jpeg'
}

/** A screenshot reads with few doubts and in whole lines; the labels of a diagram do not. */
const textConfidence = 0.8
const textLines = 3

function asText(image: PageImage, {text, confidence, lines}: ImageReading): PageImage {
  const isText = confidence >= textConfidence && (lines >= textLines || (lines > 0 && image.kind === 'text'))
  if (isText) return {...image, kind: 'text', outcome: 'repaired', how: 'ocr', text, confidence}
  return {...image, outcome: 'figure-kept', ...(text !== '' && {text, confidence})}
}

/** A formula takes the place of its image; a text is placed below it, marked as read from it. */
function withReadings({markdown, language}: DocPage, images: readonly PageImage[]): string {
  const repaired = new Map(images.filter(({outcome}) => outcome === 'repaired').map((image) => [image.file, image]))
  if (repaired.size === 0) return markdown
  return replaceImages(markdown, ({whole, file, isAlone, indent}) => {
    const image = repaired.get(file)
    if (!image) return whole
    if (image.latex !== undefined) return inPlace(image.latex, isAlone)
    // Within a table or a sentence there is no room for text lines.
    if (!isAlone || image.text === undefined) return whole
    const title = language === 'zh' ? '图中文字（识别）：' : 'Text in the image (recognised):'
    const lines = ['', `> ${title}`, ...image.text.split('\n').map((line) => `> ${line.trim()}`)]
    return [whole, ...lines.map((line) => `${indent}${line}`.trimEnd())].join('\n')
  })
}
