import {withoutComments} from './code-pieces.ts'
import {conditionValue, define, type Macros} from './conditions.ts'

/** Lines of a text by index, or a chain of `#if … #elif … #else … #endif`. */
type Part = number | Chain

interface Chain {
  arms: Arm[]
  /** First and last line of the `#endif`. */
  end: number
}

interface Arm {
  /** Undefined for `#else`. */
  condition: string | undefined
  lines: [first: number, last: number]
  body: Part[]
}

/**
 * The text without the directives that the macros settle and without the branches that these rule out, comments kept.
 * What cannot be told stays with its directives. Include guards go: an inlined text has each file once.
 */
export function resolveConditions(text: string, given: Macros): string {
  const lines = text.split('\n')
  const bare = withoutComments(text).split('\n')
  const parts = new PartReader(bare).read()
  return new Resolver(lines, bare, new Map(given)).emit(parts, true).join('\n')
}

class PartReader {
  readonly #bare: readonly string[]
  #at = 0

  constructor(bare: readonly string[]) {
    this.#bare = bare
  }

  /** Up to the end, or to the directive that ends the branch. */
  read(isInside = false): Part[] {
    const parts: Part[] = []
    while (this.#at < this.#bare.length) {
      const word = this.#directive()
      if (isInside && (word === 'elif' || word === 'else' || word === 'endif')) break
      if (word === 'if' || word === 'ifdef' || word === 'ifndef') parts.push(this.#chain())
      else parts.push(this.#at++)
    }
    return parts
  }

  #directive(): string | undefined {
    return /^\s*#\s*(if|ifdef|ifndef|elif|else|endif)\b/.exec(this.#bare[this.#at] ?? '')?.[1]
  }

  #chain(): Chain {
    const arms: Arm[] = []
    do {
      const first = this.#at
      while (/\\\s*$/.test(this.#bare[this.#at] ?? '')) this.#at += 1
      const last = this.#at++
      const condition = conditionOf(this.#bare.slice(first, last + 1).join('\n'))
      arms.push({condition, lines: [first, last], body: this.read(true)})
    } while (this.#directive() === 'elif' || this.#directive() === 'else')
    return {arms, end: this.#at++}
  }
}

function conditionOf(directive: string): string | undefined {
  const [, word, rest = ''] = /^\s*#\s*(\w+)([^]*)$/.exec(directive.replace(/\\\s*\n/g, ' ')) ?? []
  if (word === 'else') return undefined
  const name = rest.trim()
  return {ifdef: `defined(${name})`, ifndef: `!defined(${name})`}[word ?? ''] ?? name
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
