import {applyEdits, type Edit} from '../../../cpp/edit.ts'
import type {SourceFile} from '../../../datasets/schema/operator.ts'
import type {Random} from '../../../engine/random.ts'
import {pattern, type Pattern} from '../../../cpp/pattern.ts'
import type {Token} from '../../../cpp/tokens.ts'
import {foundIn, viewSource, type Found, type Range, type SourceView} from '../../../cpp/source-view.ts'

/** One way to write code otherwise that is meant to do the same. It proves nothing: an executor judges the result. */
export interface Rewrite {
  /** Kebab-case. */
  name: string
  /** The files with some of their places rewritten, chosen at random; undefined if there are none. */
  apply(files: readonly SourceFile[], random: Random): SourceFile[] | undefined
}

type Side = 'op_host' | 'op_kernel'

export const unsignedTypes = new Set([8, 16, 32, 64].map((bits) => `uint${bits}_t`))
export const integerTypes = new Set([...unsignedTypes].flatMap((one) => [one, one.slice(1)]))
export const numberTypes = new Set([...integerTypes, 'float'])
export const variableTypes = new Set([...numberTypes, 'auto'])

/** A rewrite file by file. */
export function fileRewrite(
  name: string,
  sides: readonly Side[],
  edits: (source: SourceView, random: Random) => Edit[],
): Rewrite {
  return {
    name,
    apply(files, random) {
      const written = files.map((file) => {
        if (!sides.some((side) => file.path.startsWith(`${side}/`))) return file
        return {...file, text: applyEdits(file.text, edits(viewSource(file.path, file.text), random))}
      })
      return written.some((file, index) => file.text !== files[index]?.text) ? written : undefined
    },
  }
}

/**
 * A template with the holes of a pattern, or a function for a place's template; undefined leaves the place unchanged.
 */
type Put = string | ((found: Found) => string | undefined)

/** An edit for each place where a pattern of a table fits: its template with what the holes take. */
export function editsOf(
  source: SourceView,
  table: Readonly<Record<string, Put>>,
  takes: Pattern['takes'] = {},
): Edit[] {
  const puts = new Map(Object.entries(table).map(([form, put]) => [pattern(form, takes), put]))
  return foundIn(source, ...puts.keys()).flatMap((found) => {
    const put = puts.get(found.pattern)
    const template = isBare(source, found) && typeof put === 'function' ? put(found) : put
    if (typeof template !== 'string' || !isBare(source, found)) return []
    const text = template.replace(/\$+(\w+)/g, (_, name: string) => found.hole(name))
    return text === found.text ? [] : [{start: found.start, end: found.end, text}]
  })
}

/** Whether a range has no comment, literal or directive, which another text in its place would lose. */
export function isBare({code, text}: SourceView, {start, end}: Range): boolean {
  return code.slice(start, end) === text.slice(start, end)
}

/** Names right after one of some words: variables, parameters and functions of these types. */
export function namesBehind({tokens}: SourceView, words: ReadonlySet<string>): string[] {
  return tokens.filter((_, at) => words.has(tokens[at - 1]?.text ?? '')).map(({text}) => text)
}

/** Words of a range that are reached in no object and no scope. */
export function freeWords({tokens}: SourceView, {start, end}: Range): Token[] {
  const inside = (token: Token) => start <= token.start && token.end <= end
  return tokens.filter((token, at) => inside(token) && !['.', '->', '::'].includes(tokens[at - 1]?.text ?? ''))
}

/** Whole lines with nothing else but a comment: the lines, without the break of the last. */
interface Lines {
  line: Range
}

/** Statements on their own lines, in runs separated only by what `mayPart` accepts. */
export function runsOfLines<T extends Range>(
  source: SourceView,
  statements: readonly T[],
  mayPart: (between: string) => boolean,
): (T & Lines)[][] {
  const {code} = source
  const alone = statements.flatMap((one): (T & Lines)[] => {
    const start = code.lastIndexOf('\n', one.start - 1) + 1
    const next = code.indexOf('\n', one.end)
    const end = next < 0 ? code.length : next
    const isAlone = code.slice(start, one.start).trim() === '' && code.slice(one.end, end).trim() === ''
    return isAlone ? [{...one, line: {start, end}}] : []
  })
  return runsOf(alone, (last, next) => mayPart(source.text.slice(last.line.end, next.line.start)))
}

/** Runs, of two pieces at least, of which each is a neighbour of the next. */
export function runsOf<T>(pieces: readonly T[], areNeighbours: (last: T, next: T) => boolean): T[][] {
  const runs: T[][] = []
  for (const piece of pieces) {
    const last = runs.at(-1)?.at(-1)
    if (last && areNeighbours(last, piece)) runs.at(-1)?.push(piece)
    else runs.push([piece])
  }
  return runs.filter(({length}) => length > 1)
}

export const isBlank = (text: string): boolean => text.trim() === ''
/** The next line follows at once. */
export const isBreak = (text: string): boolean => text === '\n'

/** Each edit by the toss of a coin, and at least one. */
export function someOf(edits: readonly Edit[], random: Random): Edit[] {
  if (edits.length === 0) return []
  const sure = random.integer(0, edits.length - 1)
  return edits.filter((_, index) => index === sure || random.unit() < 0.7)
}

/** The white space that a position's line begins with. */
export function indentAt(text: string, position: number): string {
  const start = text.lastIndexOf('\n', position - 1) + 1
  return /^[ \t]*/.exec(text.slice(start, position))?.[0] ?? ''
}

/** Whether only white space precedes a position on its line. */
export function startsLine(text: string, position: number): boolean {
  return text.slice(text.lastIndexOf('\n', position - 1) + 1, position).trim() === ''
}

/** Every line that is not blank, further in. */
export function indented(lines: string, by: string): string {
  return lines.replace(/^(?=[^\n])/gm, by)
}

/** Words of a text, in order. */
export function wordsIn(text: string): string[] {
  return text.match(/\w+/g) ?? []
}
