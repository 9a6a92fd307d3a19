import {codeWords} from '../../../datasets/contamination/normalize.ts'
import type {CodeDistance} from '../../../datasets/schema/sample.ts'

/** Code by its lines of tokens: a line ends with `;`, `{` or `}`, so that layout makes none. */
export interface TokenLines {
  lines: readonly (readonly string[])[]
  names: ReadonlySet<string>
}

export function tokenLines(text: string): TokenLines {
  const lines: string[][] = []
  let line: string[] = []
  const tokens = codeWords(text)
  for (const token of tokens) {
    line.push(token)
    if (!/^[;{}]$/.test(token)) continue
    lines.push(line)
    line = []
  }
  if (line.length > 0) lines.push(line)
  return {lines, names: new Set(tokens.filter(isName))}
}

/** Undefined when nothing differs but comments, layout and names. */
export function codeDistance(one: TokenLines, other: TokenLines): CodeDistance | undefined {
  const [from, to] = [comparable(one, other.names), comparable(other, one.names)]
  const lines = editDistance(from, to)
  return lines === 0 ? undefined : {lines, share: lines / (from.length + to.length)}
}

/** A name that the other side lacks may be a renamed one; what it names, its place tells. */
function comparable({lines}: TokenLines, known: ReadonlySet<string>): string[] {
  return lines.map((line) => line.map((token) => (isName(token) && !known.has(token) ? 'v' : token)).join(' '))
}

function isName(token: string): boolean {
  return /^[A-Za-z_]\w*$/.test(token)
}

/** Fewest lines to take out and put in (Myers 1986: time grows with the distance, and most sides are alike). */
function editDistance(from: readonly string[], to: readonly string[]): number {
  const furthest = new Map([[1, 0]])
  for (let distance = 0; ; distance += 1) {
    for (let diagonal = -distance; diagonal <= distance; diagonal += 2) {
      const above = furthest.get(diagonal + 1) ?? -1
      const left = furthest.get(diagonal - 1) ?? -1
      let at = diagonal === -distance || (diagonal !== distance && left < above) ? above : left + 1
      while (at < from.length && at - diagonal < to.length && from[at] === to[at - diagonal]) at += 1
      if (at >= from.length && at - diagonal >= to.length) return distance
      furthest.set(diagonal, at)
    }
  }
}
