import type {SourceFile} from '../../datasets/schema/operator.ts'
import {withoutComments} from '../../datasets/code-pieces.ts'
import {finder, guardLines, isOnceOnly, readIncludes, type Include} from './includes.ts'

/** One file with everything that it includes from its project, as the preprocessor would see it. */
interface Inlined {
  text: string
  /** Local files in the order in which they end: each stands after what it needs. */
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

/**
 * Replaces the local includes of `target` by the files' texts, in place: conditions around an include stay around its
 * text, and macros defined before it stay before it. Files that guard themselves come once; others come each time, as
 * the preprocessor has it. External includes move to the top where nothing stands before them that could matter;
 * elsewhere they stay.
 */
export function inlineIncludes(target: string, files: ReadonlyMap<string, SourceFile>): Inlined {
  const find = finder([...files.keys()])
  const result: Inlined = {text: '', dependencies: [], externals: [], missing: [], cycles: [], tooLong: false}
  let length = 0
  const top: string[] = []
  const done = new Set<string>()
  const body = place(target, {conditional: false, stack: []})
  return {...result, text: `${[...top, ...(top.length > 0 ? [''] : []), ...body].join('\n').trimEnd()}\n`}

  function place(path: string, {conditional, stack}: {conditional: boolean; stack: readonly string[]}): string[] {
    const {text} = files.get(path) as SourceFile
    length += text.length + 100
    result.tooLong ||= length > mostCharacters
    if (result.tooLong) return []
    const lines = text.split('\n')
    const includes = new Map(readIncludes(path, text, find).map((include) => [include.line, include]))
    const codeFrom = firstCodeLine(text, includes)
    const here = {path, conditional, stack: [...stack, path]}
    const output = lines.flatMap((line, index) => {
      const include = includes.get(index)
      if (include) return replace(include, line, {...here, early: index < codeFrom})
      return /^\s*#\s*pragma\s+once\b/.test(line) ? [] : [line]
    })
    if (path !== target && !result.dependencies.includes(path)) result.dependencies.push(path)
    return [
      `// ===== ${path} =====`,
      ...(conditional && isOnceOnly(text) === 'pragma' ? guarded(path, output) : output),
    ]
  }

  function replace(
    include: Include,
    line: string,
    at: {path: string; conditional: boolean; stack: readonly string[]; early: boolean},
  ): string[] {
    // A branch for other tool chains may name what nobody has; the compiler will say whether this one needs it.
    if (include.kind === 'missing' && !include.conditional && !at.conditional) addOnce(result.missing, include.name)
    if (include.path === undefined) return external(include, line, at)
    const {path} = include
    const once = isOnceOnly(files.get(path)?.text ?? '')
    if (at.stack.includes(path)) {
      if (once === undefined) addOnce(result.cycles, [...at.stack.slice(at.stack.indexOf(path)), path].join(' → '))
      return []
    }
    if (once !== undefined && done.has(path)) return []
    const conditional = at.conditional || include.conditional
    const text = place(path, {conditional, stack: at.stack})
    if (!conditional) done.add(path)
    return text
  }

  function external(include: Include, line: string, at: {conditional: boolean; early: boolean}): string[] {
    const operand = include.quoted ? `"${include.name}"` : `<${include.name}>`
    if (include.kind !== 'missing') addOnce(result.externals, operand)
    if (at.conditional || include.conditional || !at.early) return [line]
    addOnce(top, `#include ${operand}`)
    return []
  }
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
 * A file that says `#pragma once` and stands in a branch may come again in another branch; a macro says the same in one
 * file.
 */
function guarded(path: string, lines: readonly string[]): string[] {
  const macro = `INLINED_${path.toUpperCase().replace(/\W+/g, '_')}`
  return [`#ifndef ${macro}`, `#define ${macro}`, ...lines, '#endif']
}

function addOnce(list: string[], value: string): void {
  if (!list.includes(value)) list.push(value)
}
