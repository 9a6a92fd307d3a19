import {withoutComments} from './code-pieces.ts'
import {conditionValue, define, type Macros} from './conditions.ts'
import {type Arm, type Chain, type Part, partsOf} from './directives.ts'

/**
 * The text without the directives that the macros settle and without the branches that these rule out, comments kept.
 * Undecidable parts keep their directives. Include guards go: an inlined text has each file once.
 */
export function resolveConditions(text: string, given: Macros): string {
  const lines = text.split('\n')
  const bare = withoutComments(text).split('\n')
  return new Resolver(lines, bare, new Map(given)).emit(partsOf(bare), true).join('\n')
}

class Resolver {
  readonly #lines: readonly string[]
  readonly #bare: readonly string[]
  readonly #macros: Map<string, number | null>

  constructor(lines: readonly string[], bare: readonly string[], macros: Map<string, number | null>) {
    this.#lines = lines
    this.#bare = bare
    this.#macros = macros
  }

  emit(parts: readonly Part[], sure: boolean): string[] {
    return parts.flatMap((part) => {
      if (typeof part === 'object') return this.#chain(part, sure)
      define(this.#bare[part] ?? '', sure, this.#macros)
      return [this.#lines[part] ?? '']
    })
  }

  #chain({arms, end}: Chain, sure: boolean): string[] {
    const guard = this.#guard(arms)
    if (guard !== undefined) return this.#guarded(arms[0] as Arm, guard, sure)
    const kept: {arm: Arm; isTrue: boolean}[] = []
    for (const arm of arms) {
      const value = arm.condition === undefined ? true : conditionValue(arm.condition, this.#macros)
      if (value !== false) kept.push({arm, isTrue: value === true})
      if (value === true) break
    }
    const [first] = kept
    if (!first) return []
    if (first.isTrue) return this.emit(first.arm.body, sure)
    const output = kept.flatMap(({arm, isTrue}, index) => [
      ...this.#opening(arm, index, isTrue),
      ...this.emit(arm.body, false),
    ])
    return [...output, this.#lines[end] ?? '#endif']
  }

  #opening({condition, lines: [from, to]}: Arm, index: number, isTrue: boolean): string[] {
    if (isTrue) return ['#else']
    const own = this.#lines.slice(from, to + 1)
    const isSame = index === 0 ? !/^\s*#\s*elif\b/.test(own[0] ?? '') : true
    return isSame ? own : [`#if ${condition}`]
  }

  /** The macro of an include guard: `#ifndef X` and, first thing in it, `#define X` without a value. */
  #guard([arm, ...others]: readonly Arm[]): string | undefined {
    const macro = /^!\s*defined\s*\(?\s*(\w+)\s*\)?$/.exec(arm?.condition ?? '')?.[1]
    if (macro === undefined || others.length > 0) return undefined
    const first = arm?.body.find((part) => typeof part === 'object' || this.#bare[part]?.trim() !== '')
    const line = typeof first === 'number' ? this.#bare[first] : undefined
    return new RegExp(String.raw`^\s*#\s*define\s+${macro}\s*$`).test(line ?? '') ? macro : undefined
  }

  #guarded({body}: Arm, macro: string, sure: boolean): string[] {
    if (this.#macros.has(macro)) return []
    this.#macros.set(macro, 1)
    const define = new RegExp(String.raw`^\s*#\s*define\s+${macro}\s*$`)
    const rest = body.filter((part) => typeof part === 'object' || !define.test(this.#bare[part] ?? ''))
    return this.emit(rest, sure)
  }
}
