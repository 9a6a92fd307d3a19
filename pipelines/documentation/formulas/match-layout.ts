import type {LayoutPiece} from '../../../datasets/schema/page-image.ts'

/** How well a formula's layout is borne out by what was seen in its picture. */
interface Match {
  /** Share of marks that recognition read as expected, 0 to 1. */
  likeness: number
  /** Marks that it read as others, or not at all. */
  differences: number
}

type Run = Extract<LayoutPiece, {kind: 'run'}>

/**
 * Undefined if picture and formula differ in fractions, roots, scripts, tall signs, brackets, number of marks or
 * digits, where the shape of a tall sign or bracket is open, or where a row that was read with confidence says
 * something else.
 */
export function matchLayout(seen: readonly LayoutPiece[], expected: readonly LayoutPiece[]): Match | undefined {
  const pairs = pairsOf(seen, expected)
  if (!pairs?.every(isCompatible)) return undefined
  const marks = pairs.reduce((sum, [, one]) => sum + one.marks, 0)
  const differences = pairs.reduce((sum, [one, other]) => sum + differencesOf(one, other), 0)
  const likeness = marks === 0 ? 0 : Math.max(0, 1 - differences / marks)
  return {likeness, differences}
}

/** What an unsure reading of a single mark says weighs half. */
function differencesOf(seen: Run, expected: Run): number {
  const lost = expected.marks - seen.marks
  const marks = Math.min(expected.marks, distance(folded(seen.text), folded(expected.text)) + lost)
  return expected.marks === 1 && seen.confidence < 0.85 ? marks / 2 : marks
}

/** Rows side by side; undefined when the structures differ. */
function pairsOf(seen: readonly LayoutPiece[], expected: readonly LayoutPiece[]): [Run, Run][] | undefined {
  if (seen.length !== expected.length) return undefined
  const pairs: [Run, Run][] = []
  for (const [at, one] of seen.entries()) {
    const other = expected[at] as LayoutPiece
    const below = childPairs(one, other)
    if (!below) return undefined
    pairs.push(...below)
  }
  return pairs
}

function childPairs(one: LayoutPiece, other: LayoutPiece): [Run, Run][] | undefined {
  if (one.kind === 'run' && other.kind === 'run') return [[one, other]]
  if ((one.kind === 'sup' || one.kind === 'sub') && other.kind === one.kind) return pairsOf(one.row, other.row)
  if (one.kind === 'root' && other.kind === 'root') return pairsOf(one.inside, other.inside)
  if (one.kind === 'big' && other.kind === 'big' && one.sign !== other.sign) return undefined
  if ((one.kind === 'fraction' || one.kind === 'big') && other.kind === one.kind) {
    const above = pairsOf(one.above, other.above)
    const below = pairsOf(one.below, other.below)
    return above && below && [...above, ...below]
  }
  return undefined
}

function isCompatible([seen, expected]: [Run, Run]): boolean {
  if (!hasBrackets(seen.brackets, expected.brackets)) return false
  const [read, text] = [folded(seen.text), folded(expected.text)]
  const like = 1 - distance(read, text) / Math.max(1, text.length)
  // In a row of some length, letters may touch; a mark too many is a mark that the formula lacks.
  const touching = like < 0.7 ? 0 : Math.min(2, Math.floor(expected.marks / 5))
  if (seen.marks > expected.marks || seen.marks < expected.marks - touching) return false
  // The mark that is missing may be the sign of the product.
  if (seen.marks < expected.marks && /[×*·]/.test(expected.text)) return false
  // One operand or factor must not be taken for another, nor a sum for a difference.
  if (!sameOf(/[2-9]/g, seen.text, expected.text) || !sameOf(/[+]/g, seen.text, expected.text)) return false
  if (expected.marks === 1) return isSameMark(seen, expected)
  if (expected.marks === 2) return seen.confidence < 0.85 || like > 0
  if (like < 0.6 || (seen.confidence >= 0.85 && like < 0.75) || !hasWords(read, expected.text)) return false
  // The sign of a product is believed where it was read.
  if (/[*·]/.test(expected.text) && !sameOf(/[*·]/g, seen.text.replace(/[•∙]/g, '·'), expected.text)) return false
  if (expected.text.includes('×') && !sameOf(/x/g, read, text)) return false
  // Within a word, what looks like a figure is a letter; at its end it is the operand's number.
  return sameOf(/[01](?![0-9a-zA-Z])/g, read.replace(/1+/g, '1'), text.replace(/1+/g, '1'))
}

/** A bar may be seen in an l that has no serifs. */
function hasBrackets(seen: string, expected: string): boolean {
  const [bars, barsExpected] = [seen, expected].map((brackets) => brackets.split('|').length) as [number, number]
  return seen.replaceAll('|', '') === expected.replaceAll('|', '') && bars >= barsExpected
}

/** Words of three letters and more, such as max and min, each within a third of its letters. */
function hasWords(read: string, expected: string): boolean {
  const words = expected.match(/[A-Za-z]{3,}/g) ?? []
  return words.map(folded).every((word) => {
    const windows = Array.from({length: Math.max(1, read.length - word.length + 1)}, (_, at) =>
      distance(read.slice(at, at + word.length), word),
    )
    return Math.min(...windows) <= Math.floor(word.length / 3)
  })
}

/** Recognition is at a loss with one mark; whether it has a dot is seen. */
function isSameMark(seen: Run, expected: Run): boolean {
  if (seen.parts !== expected.parts) return false
  if (seen.text === 'j' || expected.text === 'j') return seen.text === expected.text
  const [read, text] = [folded(seen.text), folded(expected.text)]
  return seen.confidence < 0.85 || read === text || (isThin(text) && isThin(read))
}

/** A lone i, a bar or a bracket is read as any other of these, however sure recognition is. */
const isThin = (text: string) => /^[1()|,.:;-]*$/.test(text)

function sameOf(marks: RegExp, one: string, other: string): boolean {
  // Before letters, a figure is an s.
  const all = (text: string) => (text.replace(/[58](?=[A-Za-z])/g, 's').match(marks) ?? []).join('')
  return all(one) === all(other)
}

/** Marks that recognition takes for each other are one; italics are the most frequent cause. */
export function folded(text: string): string {
  return (
    text
      .normalize('NFKC')
      .replace(/\s/g, '')
      // Capitals of the same shape differ in size alone.
      .replace(/[CKMOPSUVWXYZ]/g, (letter) => letter.toLowerCase())
      .replace(/[×xzχ]/g, 'x')
      .replace(/[liI|!]/g, '1')
      .replace(/[oσQ]/g, '0')
      .replace(/β/g, 'B')
      .replace(/γ/g, 'y')
      .replace(/[—–−_~]/g, '-')
      .replace(/[€ε]/g, 'e')
      .replace(/[{[<⌊⌈]/g, '(')
      .replace(/[}\]>⌋⌉]/g, ')')
      .replace(/[’'`"”“*]/g, '')
  )
}

/** Insertions, deletions and replacements between two texts. */
export function distance(a: string, b: string): number {
  let row = Array.from({length: b.length + 1}, (_, at) => at)
  for (const [i, left] of [...a].entries()) {
    const next = [i + 1]
    for (const [j, right] of [...b].entries()) {
      const replaced = (row[j] as number) + (left === right ? 0 : 1)
      next.push(Math.min(replaced, (row[j + 1] as number) + 1, (next[j] as number) + 1))
    }
    row = next
  }
  return row[b.length] ?? a.length
}
