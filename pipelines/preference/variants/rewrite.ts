import {applyEdits, type Edit} from '../../../cpp/edit.ts'
import type {SourceFile} from '../../../datasets/schema/operator.ts'
import type {Random} from '../../../engine/random.ts'
import {viewSource, type SourceView} from '../mutations/source.ts'

/** One way to write code otherwise that is meant to do the same. It proves nothing: an executor judges the result. */
export interface Rewrite {
  /** Kebab-case. */
  name: string
  /** The files with some of their places rewritten, chosen at random; undefined where there is none. */
  apply(files: readonly SourceFile[], random: Random): SourceFile[] | undefined
}

type Side = 'op_host' | 'op_kernel'

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

/** An edit for each match in the code, with its text as it is written; what `replace` gives none for stays. */
export function editsOf(
  {code, text}: SourceView,
  pattern: RegExp,
  replace: (groups: readonly string[], match: RegExpMatchArray) => string | undefined,
): Edit[] {
  return [...code.matchAll(pattern)].flatMap((match) => {
    const [start, end] = [match.index, match.index + match[0].length]
    // A literal inside is blank in the code: the match does not know what it would carry over.
    if (text.slice(start, end) !== match[0]) return []
    const put = replace(
      [...match].map((group) => group ?? ''),
      match,
    )
    return put === undefined || put === match[0] ? [] : [{start, end, text: put}]
  })
}

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

/** Whether nothing but white space stands before a position on its line. */
export function startsLine(text: string, position: number): boolean {
  return text.slice(text.lastIndexOf('\n', position - 1) + 1, position).trim() === ''
}

/** Every line that is not blank, further in. */
export function indented(lines: string, by: string): string {
  return lines.replace(/^(?=[^\n])/gm, by)
}

export function wordPattern(name: string): RegExp {
  return new RegExp(String.raw`\b${name}\b`)
}
