import type {SourceFile} from '../../datasets/schema/operator.ts'
import {withoutComments, withoutCommentsAndLiterals} from '../../cpp/code-pieces.ts'
import {activeText, chipMacros, type Macros} from '../../cpp/conditions.ts'
import {guardLines} from '../../cpp/include-guard.ts'
import {finder, isOnceOnly, readIncludes, type Include} from './includes.ts'

/** One file with everything that it includes from its project, as the preprocessor would see it. */
export interface Inlined {
  text: string
  /** Local files in the order in which they end: each comes after what it needs. */
  dependencies: string[]
  /** `"kernel_operator.h"`, `<cstdint>`: includes that stay, in order of first appearance. */
  externals: string[]
  /** Quoted headers that are neither in the project nor known to the SDK. */
  missing: string[]
  /** `a.h → b.h → a.h`, for cycles that no include guard breaks. */
  cycles: string[]
  /**
   * Headers without a guard that include each other twice double the text at each step: then it stops, and the text is
   * not whole.
   */
  tooLong: boolean
}

const mostCharacters = 4_000_000

/** The context of an include: file, conditions, enclosing files, and whether before any code. */
interface IncludePlace {
  path: string
  conditions: readonly string[]
  stack: readonly string[]
  early: boolean
}

/** Where files were inserted. Text under some conditions is available to everything under these and more. */
class PlacedFiles {
  readonly #places = new Map<string, (readonly string[])[]>()

  has(path: string, conditions: readonly string[]): boolean {
    const places = this.#places.get(path) ?? []
    return places.some((place) => place.every((condition) => conditions.includes(condition)))
  }

  add(path: string, conditions: readonly string[]): void {
    this.#places.set(path, [...(this.#places.get(path) ?? []), conditions])
  }
}

/**
 * Replaces the local includes of `target` by the files' texts, in place: conditions around an include are kept around
 * its text, and macros defined before it stay before it. Guarded files are inserted once, others each time, as by the
 * preprocessor. External includes move to the top if nothing relevant precedes them. Branches that Atlas A2 does not
 * take keep their include lines. @param until the file at whose end the text ends: includers only contribute what
 * precedes it
 */
export function inlineIncludes(
  target: string,
  files: ReadonlyMap<string, SourceFile>,
  until: string = target,
): Inlined {
  const find = finder([...files.keys()])
  const macros = chipMacros[target.startsWith('op_host/') ? 'host' : 'kernel']
  const result: Inlined = {text: '', dependencies: [], externals: [], missing: [], cycles: [], tooLong: false}
  let length = 0
  let ended = false
  const top: string[] = []
  const done = new PlacedFiles()
  const body = place(target, {conditions: [], stack: []})
  const text = [...top, ...(top.length > 0 ? [''] : []), ...body].join('\n').trimEnd()
  return {...result, text: `${text}\n${until === target ? '' : closing(text, macros)}`}

  function place(
    path: string,
    {conditions, stack}: {conditions: readonly string[]; stack: readonly string[]},
  ): string[] {
    const {text} = files.get(path) as SourceFile
    length += text.length + 100
    result.tooLong ||= length > mostCharacters
    if (result.tooLong) return []
    const lines = text.split('\n')
    const includes = new Map(readIncludes(path, text, find, macros).map((include) => [include.line, include]))
    const codeFrom = firstCodeLine(text, includes)
    const here = {path, conditions, stack: [...stack, path]}
    let cut = lines.length
    const output = lines.flatMap((line, index) => {
      if (ended) return []
      cut = index
      const include = includes.get(index)
      if (include) return replace(include, line, {...here, early: index < codeFrom})
      return /^\s*#\s*pragma\s+once\b/.test(line) ? [] : [line]
    })
    if (path === until && until !== target) output.push(`#define ${reached}`)
    const isNeeded = path !== until && (!ended || cut > codeFrom)
    if (isNeeded && !result.dependencies.includes(path)) result.dependencies.push(path)
    ended ||= path === until
    return [
      `// ===== ${path} =====`,
      ...(conditions.length > 0 && isOnceOnly(text) === 'pragma' ? guarded(path, output) : output),
    ]
  }

  function replace(include: Include, line: string, at: IncludePlace): string[] {
    if (!include.active) return [line]
    const conditions = [...at.conditions, ...include.conditions]
    // A branch for other tool chains may name missing headers; the compiler will say whether this one needs it.
    if (include.kind === 'missing' && conditions.length === 0) addOnce(result.missing, include.name)
    if (include.path === undefined) return external(include, line, {conditions, early: at.early})
    const {path} = include
    const once = isOnceOnly(files.get(path)?.text ?? '')
    if (at.stack.includes(path)) {
      if (once === undefined) addOnce(result.cycles, [...at.stack.slice(at.stack.indexOf(path)), path].join(' → '))
      return []
    }
    if (once !== undefined && done.has(path, conditions)) return []
    const text = place(path, {conditions, stack: at.stack})
    done.add(path, conditions)
    return text
  }

  function external(include: Include, line: string, at: Pick<IncludePlace, 'conditions' | 'early'>): string[] {
    const operand = include.quoted ? `"${include.name}"` : `<${include.name}>`
    if (include.kind !== 'missing') addOnce(result.externals, operand)
    if (at.conditions.length > 0 || !at.early) return [line]
    addOnce(top, `#include ${operand}`)
    return []
  }
}

const reached = 'INLINED_TO_ITS_END'

/** For a text that ends in the middle of files. It proves nothing about a file in an inactive branch. */
function closing(text: string, macros: Macros): string {
  const code = withoutComments(text)
  const count = (word: RegExp, of = code) => (of.match(word) ?? []).length
  const open = count(/^\s*#\s*if/gm) - count(/^\s*#\s*endif\b/gm)
  const plain = withoutCommentsAndLiterals(activeText(text, macros)).replace(/^\s*#.*(?:\\\n.*)*/gm, '')
  // A header may be included inside a namespace or a class.
  const spaces = Math.max(0, count(/\{/g, plain) - count(/\}/g, plain))
  return `${'#endif\n'.repeat(open)}${'};\n'.repeat(spaces)}#ifndef ${reached}\n#error "${reached}"\n#endif\n`
}

/**
 * The first line that is neither blank, comment, include, guard nor `#pragma once`: from there on, order may matter.
 */
function firstCodeLine(text: string, includes: ReadonlyMap<number, Include>): number {
  const lines = withoutComments(text).split('\n')
  const guard = guardLines(lines)
  const found = lines.findIndex((line, index) => {
    if (line.trim() === '' || includes.has(index) || index === guard?.open || /^\s*#\s*pragma\s+once\b/.test(line))
      return false
    return !(
      guard &&
      /^\s*#\s*define\s+\w+\s*$/.test(line) &&
      lines.slice(guard.open + 1, index).every((between) => between.trim() === '')
    )
  })
  return found < 0 ? lines.length : found
}

/**
 * A file that says `#pragma once` and is in a branch may be inserted again in another branch; a macro says the same in
 * one file.
 */
function guarded(path: string, lines: readonly string[]): string[] {
  const macro = `INLINED_${path.toUpperCase().replace(/\W+/g, '_')}`
  return [`#ifndef ${macro}`, `#define ${macro}`, ...lines, '#endif']
}

function addOnce(list: string[], value: string): void {
  if (!list.includes(value)) list.push(value)
}
