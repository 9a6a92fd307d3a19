import type {ImageReading, LayoutPiece, PageImage} from '../../../datasets/schema/page-image.ts'
import {formulasOf} from './candidates-of.ts'
import {latexProblem, misfit, shareSeen} from './check-latex.ts'
import {normalLatex} from './latex-form.ts'
import {latexLayout} from './latex-layout.ts'
import {matchLayout} from './match-layout.ts'
import type {PageFacts} from './page-facts.ts'
import {readLayout} from './read-layout.ts'

/** What was decided about a formula: put into the page, or left as an image with the reason. */
export type Settled = Required<Pick<PageImage, 'latex' | 'confidence' | 'how'>> | {reason: string; latex?: string}

/** A rule's formula must be seen in the picture this well; 0 to 1. */
const likenessByRule = 0.7

/**
 * The one formula that both the page and its picture bear out: candidates come from the page's words, pseudo-code and
 * prototypes, and from recognition where all its words are the page's; the picture has to single one out.
 */
export async function settleByRule(reading: ImageReading, facts: PageFacts): Promise<Settled> {
  const {layout} = reading
  if (!layout || layout.length === 0) return {reason: 'nothing-recognised'}
  const direct = readLayout(layout, facts)
  const candidates = direct === undefined ? formulasOf(facts) : [direct, ...formulasOf(facts)]
  const fitting = new Map<string, Fit>()
  for (const latex of candidates) {
    const expected = latexLayout(latex)
    const match = expected && matchLayout(layout, expected)
    if (match && match.likeness >= likenessByRule && !fitting.has(normalLatex(latex)))
      fitting.set(normalLatex(latex), {latex, ...match})
  }
  const [best, ...others] = [...fitting.values()].sort((a, b) => a.differences - b.differences)
  if (!best) return {reason: 'no-reading-fits-the-page'}
  const rivals = others.filter(({differences}) => differences - best.differences < 2)
  // A product's sign and capitals are small differences of one meaning; any other doubt stays one.
  const isOpen = ({latex, differences}: Fit) => differences === best.differences || !isNearlySame(latex, best.latex)
  if (rivals.some(isOpen)) return {reason: 'several-readings-fit'}
  const problem = await faultOf(best.latex, facts, layout)
  return problem === undefined ? {latex: best.latex, confidence: best.likeness, how: 'rule'} : {reason: problem}
}

interface Fit {
  latex: string
  likeness: number
  differences: number
}

/** But for the sign of a product and for capitals. */
function isNearlySame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((latex) =>
    normalLatex(latex)
      .replace(/ ?(?:\\times|\\cdot|\*)/g, '')
      .toLowerCase(),
  )
  return a === b
}

/** A model that saw the picture is believed where the page knows the names and recognition saw most of the marks. */
const shareByVision = 0.5
/** A model that did not see it is believed where the picture has the formula's structure. */
const likenessByText = 0.6

/** Whether a model's formula is LaTeX, fits the page and is what the picture shows. */
export async function settleReply(
  latex: string,
  how: 'vision' | 'text-model',
  reading: ImageReading,
  facts: PageFacts,
): Promise<Settled> {
  const {layout = []} = reading
  const problem = await faultOf(latex, facts, layout)
  if (problem !== undefined) return {reason: problem, latex}
  const expected = latexLayout(latex)
  const match = expected && matchLayout(layout, expected)
  if (match && match.likeness >= likenessByText) return {latex, confidence: match.likeness, how}
  const share = shareSeen(latex, layout)
  if (how === 'vision' && share >= shareByVision && !contradicts(latex, layout))
    return {latex, confidence: share * 0.9, how}
  return {reason: 'picture-disagrees', latex}
}

async function faultOf(latex: string, facts: PageFacts, layout: readonly LayoutPiece[]): Promise<string | undefined> {
  if ((await latexProblem(latex, true)) !== undefined) return 'latex-invalid'
  return misfit(latex, facts, layout)
}

/**
 * Fraction bars, roots, and tall signs and brackets of a clear shape are the surest marks of a picture: a formula with
 * others of them is another formula.
 */
function contradicts(latex: string, layout: readonly LayoutPiece[]): boolean {
  const expected = latexLayout(latex) ?? []
  if ((['fraction', 'root'] as const).some((kind) => countOf(kind, layout) !== countOf(kind, expected))) return true
  const said = shapesOf(expected)
  return shapesOf(layout).some((shape) => {
    const at = said.indexOf(shape)
    // What follows it must follow there too.
    if (at >= 0) said.splice(0, at + 1)
    return at < 0
  })
}

/** Tall signs and brackets of a clear shape, in order; a bar may be a letter. */
function shapesOf(layout: readonly LayoutPiece[]): string[] {
  return layout.flatMap((piece) => {
    if (piece.kind === 'run') return [...piece.brackets.replaceAll('|', '')]
    if (piece.kind === 'root') return shapesOf(piece.inside)
    if (piece.kind === 'fraction') return [...shapesOf(piece.above), ...shapesOf(piece.below)]
    if (piece.kind !== 'big') return shapesOf(piece.row)
    return [...(piece.sign ? [piece.sign] : []), ...shapesOf(piece.above), ...shapesOf(piece.below)]
  })
}

function countOf(kind: LayoutPiece['kind'], layout: readonly LayoutPiece[]): number {
  return layout.reduce((sum, piece) => {
    const own = piece.kind === kind ? 1 : 0
    if (piece.kind === 'run') return sum + own
    if (piece.kind === 'root') return sum + own + countOf(kind, piece.inside)
    if (piece.kind === 'fraction' || piece.kind === 'big')
      return sum + own + countOf(kind, piece.above) + countOf(kind, piece.below)
    return sum + own + countOf(kind, piece.row)
  }, 0)
}
