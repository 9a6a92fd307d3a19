import type {LayoutPiece} from '../../../datasets/schema/page-image.ts'
import {latexLayout} from './latex-layout.ts'
import {distance, folded} from './match-layout.ts'
import type {PageFacts} from './page-facts.ts'
import {functionWords} from './read-layout.ts'

/** Why KaTeX does not parse it; undefined when it does. `strict` also refuses what LaTeX itself would. */
export async function latexProblem(latex: string, strict: boolean): Promise<string | undefined> {
  const {default: katex} = await import('katex')
  try {
    katex.renderToString(latex, {
      throwOnError: true,
      strict: strict ? 'error' : 'ignore',
      displayMode: true,
      output: 'mathml',
      // A page's macros may expand without end.
      maxExpand: 200,
    })
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/**
 * Why a formula does not fit its page, kebab-case; undefined when it does: every name in it is one of the page's, and
 * functions and numbered sources are complete.
 */
export function misfit(latex: string, facts: PageFacts, seen: readonly LayoutPiece[] | undefined): string | undefined {
  const layout = latexLayout(latex)
  if (!layout) return 'notation-unknown'
  const text = seen ? runsOf(seen).join(' ') : ''
  const unknown = rowsOf(layout).flatMap(({text: row, isScript}) =>
    (row.match(/[A-Za-zΑ-ω][\wΑ-ω]*/g) ?? []).filter((name) => !isKnown(name, facts, text, isScript)),
  )
  if (unknown.length > 0) return 'names-unknown'
  return arityProblem(latex, layout, facts)
}

/** Rows of marks, and whether they are an exponent or index. */
function rowsOf(layout: readonly LayoutPiece[], isScript = false): {text: string; isScript: boolean}[] {
  return layout.flatMap((piece) => {
    if (piece.kind === 'run') return [{text: piece.text, isScript}]
    if (piece.kind === 'root') return rowsOf(piece.inside, isScript)
    if (piece.kind === 'fraction') return [...rowsOf(piece.above, isScript), ...rowsOf(piece.below, isScript)]
    return piece.kind === 'big'
      ? [...rowsOf(piece.above, true), ...rowsOf(piece.below, true)]
      : rowsOf(piece.row, isScript || piece.kind === 'sub')
  })
}

const runsOf = (layout: readonly LayoutPiece[]) => rowsOf(layout).map(({text}) => text)

/** Juxtaposed names are a product: each part must be known. */
function isKnown(name: string, facts: PageFacts, seen: string, isScript: boolean): boolean {
  const isWord = (word: string) => {
    const plain = word.toLowerCase()
    if (facts.words.has(plain) || functionWords.includes(plain)) return true
    // e is a number, y a function of x; an index and a lone letter that the picture shows need no introduction, but
    // recognition takes x and z for each other.
    const isShown = name.length === 1 && !/[xz]/i.test(word) && seen.includes(word)
    return word.length === 1 && (/[exy]/.test(word) || (isScript && name.length === 1) || isGreek(word) || isShown)
  }
  const parses = [true]
  for (let end = 1; end <= name.length; end += 1)
    parses[end] = parses.slice(0, end).some((isParsed, start) => isParsed && isWord(name.slice(start, end)))
  return parses[name.length] === true
}

const isGreek = (letter: string) => /[Α-ω]/.test(letter)

const ofOne = /(?:exp|ln|log|sin|cos|tan|sinh|cosh|tanh|sqrt|abs|round|floor|ceil|erf)$/

function arityProblem(latex: string, layout: readonly LayoutPiece[], {operands}: PageFacts): string | undefined {
  const plain = latex.replace(/\\(?:left|right|mathrm|,|;|!)/g, '').replace(/[{}\\]/g, '')
  let depth = 0
  const calls: {name: string; commas: number}[] = []
  for (const [at, char] of [...plain].entries()) {
    if (char === '(') calls[(depth += 1)] = {name: /[A-Za-z]*$/.exec(plain.slice(0, at))?.[0] ?? '', commas: 0}
    else if (char === ',' && depth > 0) (calls[depth] as {commas: number}).commas += 1
    else if (char === ')') {
      if (depth === 0) return 'brackets-unbalanced'
      const {name, commas} = calls[depth] as {name: string; commas: number}
      if (ofOne.test(name) && commas > 0) return 'arity-unfit'
      depth -= 1
    }
  }
  if (depth !== 0) return 'brackets-unbalanced'
  const rows = runsOf(layout)
  const numbered = (name: string) => rows.some((row) => row.includes(name))
  const sets = operands
    .map(({sources}) => sources.filter((name) => /\d$/.test(name)))
    .filter((names) => names.length > 1)
  const isCut = (names: readonly string[]) => names.some(numbered) && !names.every(numbered)
  return sets.length > 0 && sets.every(isCut) ? 'arity-unfit' : undefined
}

/** How much of a formula's letters and digits was seen in the picture, wherever it stands: 0 to 1. */
export function shareSeen(latex: string, seen: readonly LayoutPiece[]): number {
  const layout = latexLayout(latex)
  if (!layout) return 0
  const expected = folded(runsOf(layout).join(''))
  return Math.max(0, 1 - distance(folded(runsOf(seen).join('')), expected) / Math.max(1, expected.length))
}
