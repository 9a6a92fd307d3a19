import type {LayoutPiece} from '../../../datasets/schema/page-image.ts'
import {folded} from './match-layout.ts'
import type {PageFacts} from './page-facts.ts'

/** Words of formulas that no page has to introduce. */
export const functionWords = [
  ...['exp', 'ln', 'log', 'max', 'min', 'sin', 'cos', 'tan', 'sinh', 'cosh', 'tanh', 'sqrt', 'abs', 'sum', 'mean'],
  ...['round', 'floor', 'ceil', 'sign', 'erf', 'pow', 'mod', 'if', 'else', 'otherwise'],
]

const sure = 0.6

/**
 * The formula that recognition itself read, where every word of it is one of the page's, and every row was read with
 * confidence; undefined otherwise.
 */
export function readLayout(layout: readonly LayoutPiece[], {words}: PageFacts): string | undefined {
  const parts = layout.map((piece): string | undefined => {
    const within = (row: readonly LayoutPiece[]) => readLayout(row, {words} as PageFacts)
    if (piece.kind === 'run') return readRun(piece, words)
    if (piece.kind === 'root') return wrapped('\\sqrt', [within(piece.inside)])
    if (piece.kind === 'sup') return wrapped('^', [within(piece.row)])
    if (piece.kind === 'sub') return wrapped('_', [within(piece.row)])
    return piece.kind === 'fraction' ? wrapped('\\frac', [within(piece.above), within(piece.below)]) : undefined
  })
  return parts.length === 0 || parts.includes(undefined) ? undefined : parts.join('')
}

function wrapped(command: string, inner: readonly (string | undefined)[]): string | undefined {
  return inner.some((one) => one === undefined || one === '')
    ? undefined
    : command + inner.map((one) => `{${one}}`).join('')
}

const operators = new Map(
  Object.entries({
    '—': '-',
    '–': '-',
    '−': '-',
    '×': '\\times ',
    '*': '*',
    '<': '<',
    '>': '>',
  }),
)

function readRun({text, marks, parts, confidence}: Extract<LayoutPiece, {kind: 'run'}>, words: PageFacts['words']) {
  // A dotless i is a one, or an l.
  if (marks === 1 && (parts === 2) !== /^[ij=:;]$/.test(text)) return undefined
  const pieces = text.match(/[\p{L}_][\p{L}\p{N}_]*|\d+(?:\.\d+)?|[^\s]/gu) ?? []
  if (confidence < sure || [...pieces.join('')].length !== marks) return undefined
  const read = pieces.map((piece, at) => {
    if (/^[=+\-()/,|<>]$/.test(piece)) return piece
    if (operators.has(piece)) return operators.get(piece)
    if (/^\d/.test(piece)) return /^[012]$/.test(piece) || words.has(piece) ? piece : undefined
    const isBetween =
      at > 0 && at < pieces.length - 1 && /^[\w)]/.test(pieces[at - 1] ?? '') && /^[\w(]/.test(pieces[at + 1] ?? '')
    if (/^x$/i.test(piece) && isBetween) return words.has('x') ? undefined : '\\times '
    return wordFor(piece, words)
  })
  return read.includes(undefined) ? undefined : read.join('')
}

/** The one word of the page that looks like this; undefined if there is none, or two. */
function wordFor(piece: string, words: PageFacts['words']): string | undefined {
  const exact = words.has(piece.toLowerCase()) ? piece : undefined
  const alike = [...new Set([...words, ...functionWords])].filter((word) => folded(word) === folded(piece))
  const name = exact ?? (alike.length === 1 ? alike[0] : undefined)
  if (name === undefined) return undefined
  if (functionWords.includes(name) && /^(?:exp|ln|log|max|min|sin|cos|tan|sinh|cosh|tanh)$/.test(name))
    return `\\${name} `
  return name.length > 1 ? `\\mathrm{${name.replaceAll('_', '\\_')}}` : name
}
