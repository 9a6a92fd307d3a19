import type {LayoutPiece} from '../../../datasets/schema/page-image.ts'
import {functionCommands, latexTokens} from './latex-form.ts'

/**
 * How a formula is laid out, as far as its marks can be counted; undefined for what this does not know: environments,
 * accents, stacked limits of words.
 */
export function latexLayout(latex: string): LayoutPiece[] | undefined {
  const reader: Reader = {tokens: latexTokens(latex), at: 0}
  try {
    const row = rowUntil(reader, () => false)
    return reader.at === reader.tokens.length ? row : undefined
  } catch (error) {
    if (error instanceof UnknownLatex) return undefined
    throw error
  }
}

interface Reader {
  tokens: readonly string[]
  at: number
}

class UnknownLatex extends Error {}

const signs: Readonly<Record<string, string>> = {
  '\\times': '×',
  '\\cdot': '·',
  '\\ast': '*',
  '\\pm': '±',
  '\\le': '≤',
  '\\leq': '≤',
  '\\ge': '≥',
  '\\geq': '≥',
  '\\neq': '≠',
  '\\ne': '≠',
  '\\approx': '≈',
  '\\in': '∈',
  '\\infty': '∞',
  '\\lfloor': '⌊',
  '\\rfloor': '⌋',
  '\\lceil': '⌈',
  '\\rceil': '⌉',
  '\\lvert': '|',
  '\\rvert': '|',
  '\\vert': '|',
  '\\mid': '|',
  '\\odot': '⊙',
  '\\otimes': '⊗',
  '\\oplus': '⊕',
  '\\partial': '∂',
  '\\ldots': '...',
  '\\dots': '...',
  '\\cdots': '...',
  '\\to': '→',
  '\\rightarrow': '→',
  '\\leftarrow': '←',
  '\\_': '_',
  '\\%': '%',
  '\\{': '{',
  '\\}': '}',
}

const greek: Readonly<Record<string, string>> = {
  alpha: 'α',
  beta: 'β',
  gamma: 'γ',
  delta: 'δ',
  epsilon: 'ε',
  varepsilon: 'ε',
  eta: 'η',
  theta: 'θ',
  lambda: 'λ',
  mu: 'μ',
  pi: 'π',
  rho: 'ρ',
  sigma: 'σ',
  tau: 'τ',
  phi: 'φ',
  varphi: 'φ',
  omega: 'ω',
  Delta: 'Δ',
  Gamma: 'Γ',
  Phi: 'Φ',
  Psi: 'Ψ',
  psi: 'ψ',
}

const [signOf, letterOf] = [new Map(Object.entries(signs)), new Map(Object.entries(greek))]

const ignored = new RegExp(
  [
    String.raw`^\\(?:left|right|big[lr]?|Big[lr]?|quad|qquad|displaystyle|limits|[,;:! ]`,
    '|mathrm|mathit|mathbf|operatorname|text|textrm|rm)$',
  ].join(''),
)

function rowUntil(reader: Reader, ends: (token: string) => boolean): LayoutPiece[] {
  const row: LayoutPiece[] = []
  while (reader.at < reader.tokens.length && !ends(reader.tokens[reader.at] as string)) {
    const token = reader.tokens[reader.at] as string
    reader.at += 1
    if (token === '_' || token === '^') addScript(row, token, group(reader))
    else if (token === '{') {
      const inner = rowUntil(reader, (one) => one === '}')
      reader.at += 1
      for (const piece of inner) push(row, piece)
    } else if (/^\\[dt]?frac$/.test(token)) {
      const above = group(reader)
      row.push({kind: 'fraction', above, below: group(reader)})
    } else if (token === '\\sqrt') {
      if (reader.tokens[reader.at] === '[') throw new UnknownLatex()
      row.push({kind: 'root', inside: group(reader)})
    } else if (token === '\\sum' || token === '\\prod')
      row.push({kind: 'big', sign: token === '\\sum' ? 'sum' : 'product', above: [], below: []})
    else if (!ignored.test(token) && token !== '~') push(row, run(textOf(token)))
  }
  return row
}

function textOf(token: string): string {
  if (token === '}' || token === '&' || token === '\\\\') throw new UnknownLatex()
  const sign = signOf.get(token) ?? letterOf.get(token.slice(1))
  if (sign !== undefined) return sign
  if (functionCommands.test(token)) return token.slice(1)
  if (token.startsWith('\\')) throw new UnknownLatex()
  return token
}

function run(text: string): LayoutPiece {
  const marks = [...text].length
  const brackets = text.replace(/[^()[\]{}|⌊⌋⌈⌉]/g, '')
  return {kind: 'run', text, marks, brackets, parts: marks + (text.match(/[ij=:;≤≥±%]/g)?.length ?? 0), confidence: 1}
}

/** An argument: a group, or one token. */
function group(reader: Reader): LayoutPiece[] {
  const token = reader.tokens[reader.at]
  if (token === undefined) throw new UnknownLatex()
  if (token !== '{') {
    const end = reader.at + 1
    return rowUntil(reader, () => reader.at >= end)
  }
  reader.at += 1
  const inner = rowUntil(reader, (one) => one === '}')
  if (reader.tokens[reader.at] !== '}') throw new UnknownLatex()
  reader.at += 1
  return inner
}

/** Neighbouring marks on one line are one run. */
function push(row: LayoutPiece[], piece: LayoutPiece): void {
  const last = row.at(-1)
  if (last?.kind === 'run' && piece.kind === 'run') row[row.length - 1] = run(last.text + piece.text)
  else row.push(piece)
}

/** For Σ, scripts are what is above and below it. */
function addScript(row: LayoutPiece[], mark: '_' | '^', script: LayoutPiece[]): void {
  const last = row.at(-1)
  if (last?.kind === 'big') last[mark === '_' ? 'below' : 'above'] = script
  else row.push({kind: mark === '_' ? 'sub' : 'sup', row: script})
}
