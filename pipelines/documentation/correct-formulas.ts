import {DocPage} from '../../datasets/schema/document.ts'
import {replaceImages} from '../../datasets/page-images.ts'
import type {ImageReader, LayoutPiece, PageImage} from '../../datasets/schema/page-image.ts'
import {loadPrompt, renderPrompt} from '../../engine/prompt.ts'
import {each, type Context, type Stage} from '../../engine/stage.ts'
import {latexReply} from './formulas/formula-reply.ts'
import {inPlace, shownText} from './formulas/in-place.ts'
import {pageFacts, type PageFacts} from './formulas/page-facts.ts'
import {settleReply} from './formulas/settle-formula.ts'

const prompt = loadPrompt(new URL('formulas/correct-formula.md', import.meta.url))

interface CorrectFormulasOptions {
  images: ImageReader
}

/**
 * Asks the documentation's model which formula an unresolved picture shows, given its recognised marks and the page.
 * The answer must match the picture itself. Without a model, pages pass unchanged. Counted as a drop although the page
 * is still used: `formula-unresolved`, for what no stage resolved.
 */
export default function correctFormulas({images}: CorrectFormulasOptions): Stage<DocPage, DocPage> {
  return {
    name: 'documentation-correct-formulas',
    version: 2,
    options: {reader: images.fingerprint, prompt},
    teacher: 'documentation',
    input: DocPage,
    output: DocPage,
    run: each(
      async (page, context) => {
        const corrected = await correct(page, images, context)
        noteUnresolved(corrected, context)
        return [corrected]
      },
      {concurrency: 16},
    ),
  }
}

async function correct(page: DocPage, images: ImageReader, context: Context): Promise<DocPage> {
  if (!context.llm || !page.images?.some(isOpen)) return page
  const facts = pageFacts(page)
  const settled: PageImage[] = []
  for (const image of page.images) settled.push(await settle(image, page, facts, images, context))
  const formulas = new Map(settled.flatMap(({file, how, latex}) => (how === 'text-model' ? [[file, latex]] : [])))
  const markdown = replaceImages(page.markdown, ({whole, file, isAlone}) => {
    const latex = formulas.get(file)
    return latex === undefined ? whole : inPlace(latex, isAlone)
  })
  return {...page, images: settled, markdown}
}

function noteUnresolved({origin, images = []}: DocPage, context: Context): void {
  for (const {file, outcome, reason = ''} of images) {
    const detail = `${origin.path}: ${file}${reason && ` (${reason})`}`
    if (outcome === 'unresolved') context.drop({file}, 'formula-unresolved', detail)
  }
}

const isOpen = ({outcome, kind, sha256}: PageImage) =>
  outcome === 'unresolved' && kind === 'formula' && sha256 !== undefined

async function settle(
  image: PageImage,
  page: DocPage,
  facts: PageFacts,
  images: ImageReader,
  {llm, signal}: Context,
): Promise<PageImage> {
  if (!llm || !isOpen(image) || image.path === undefined || image.sha256 === undefined) return image
  const reading = await images.read(await images.bytes(image.path, image.sha256), 'formula', signal)
  if (reading.refused !== undefined || !reading.layout) return image
  const content = renderPrompt(prompt, {
    reading: shown(reading.layout),
    page: page.title,
    text: page.markdown.slice(0, shownText),
  })
  const {text} = await llm.complete({messages: [{role: 'user', content}]}, signal)
  const reply = latexReply(text)
  if (!reply.ok) return {...image, reason: reply.reason}
  const found = await settleReply(reply.latex, 'text-model', reading, facts)
  if (!('how' in found)) return {...image, ...found}
  const {reason: _, ...rest} = image
  return {...rest, outcome: 'repaired', ...found}
}

/** In the notation that the prompt explains. */
function shown(layout: readonly LayoutPiece[]): string {
  const parts = layout.map((piece) => {
    if (piece.kind === 'run') return piece.text
    if (piece.kind === 'root') return `root(${shown(piece.inside)})`
    if (piece.kind === 'fraction') return `(${shown(piece.above)}) / (${shown(piece.below)})`
    if (piece.kind === 'big')
      return `[${piece.sign ?? 'tall sign'}, above: ${shown(piece.above)}, below: ${shown(piece.below)}]`
    return `${piece.kind === 'sup' ? '^' : '_'}{${shown(piece.row)}}`
  })
  return parts.join(' ')
}
