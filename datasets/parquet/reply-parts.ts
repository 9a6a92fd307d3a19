import type {ColumnType} from './column-types.ts'
import type {SourceFile} from '../schema/operator.ts'

const [opening, closing] = ['<think>\n', '\n</think>\n\n'] as const

/** Reasoning and answer of an assistant's turn, as `completion` joined them; no reasoning without a block. */
export function dividedReply(content: string): {reasoning: string; answer: string} {
  const end = content.indexOf(closing)
  if (!content.startsWith(opening) || end < 0) return {reasoning: '', answer: content}
  return {reasoning: content.slice(opening.length, end), answer: content.slice(end + closing.length)}
}

/** A file of an answer, by its place in the assistant's turn, or with its text if the turn lacks it. */
export interface LocatedFile {
  path: string
  /** First code point, and the one after the last, as indices of a Python string; null if `text` is present. */
  start: number | null
  end: number | null
  text: string | null
}

export const locatedFiles: ColumnType = {list: {struct: {path: 'string', start: 'int32', end: 'int32', text: 'string'}}}

/** Finds each file in the answer, after the previous one if its text occurs more than once. */
export function locateFiles(files: readonly SourceFile[], content: string): LocatedFile[] {
  const answerAt = content.length - dividedReply(content).answer.length
  let behind = answerAt
  return files.map(({path, text}) => {
    const next = content.indexOf(text, behind)
    const at = next >= 0 ? next : content.indexOf(text, answerAt)
    if (at < 0) return {path, start: null, end: null, text}
    behind = at + text.length
    const start = codePoints(content.slice(0, at))
    return {path, start, end: start + codePoints(text), text: null}
  })
}

/** The files again: as found by `locateFiles` in this content. A file that extends past the end is cut there. */
export function filesIn(content: string, located: readonly LocatedFile[]): SourceFile[] {
  const points = surrogates.test(content) ? [...content] : undefined
  const between = (start: number, end: number) => points?.slice(start, end).join('') ?? content.slice(start, end)
  return located.map(({path, start, end, text}) => ({path, text: text ?? between(start ?? 0, end ?? 0)}))
}

const surrogates = /[\ud800-\udfff]/

/** Python counts code points, JavaScript UTF-16 units. */
function codePoints(text: string): number {
  if (!surrogates.test(text)) return text.length
  let count = 0
  for (const _ of text) count += 1
  return count
}
