/** A line of a text by its index, or a chain of `#if … #elif … #else … #endif`. */
export type Part = number | Chain

export interface Chain {
  arms: Arm[]
  /** The line of the `#endif`; after the last line if there is none. */
  end: number
}

export interface Arm {
  /** Undefined for `#else`. */
  condition: string | undefined
  /** First and last line of its directive. */
  lines: [first: number, last: number]
  body: Part[]
}

/** Lines as the preprocessor nests them. */
export function partsOf(lines: readonly string[]): Part[] {
  return new PartReader(lines).read()
}

/** A line that goes on with the one before it begins no directive, whatever it looks like. */
export function isDirective(lines: readonly string[], at: number): boolean {
  return /^\s*#/.test(lines[at] ?? '') && !goesOn(lines[at - 1] ?? '')
}

const goesOn = (line: string) => /\\\s*$/.test(line)

/** The directive that begins at a line, with its continuation lines. */
export function wholeDirective(lines: readonly string[], first: number): string {
  return lines
    .slice(first, lastLine(lines, first) + 1)
    .map((line) => line.replace(/\\\s*$/, ' '))
    .join('')
}

function lastLine(lines: readonly string[], first: number): number {
  let last = first
  while (last < lines.length - 1 && goesOn(lines[last] as string)) last += 1
  return last
}

/** The stack has room for twice as much; compilers need not take more than 256 levels (C++17, annex B). */
const deepest = 2500

class PartReader {
  readonly #lines: readonly string[]
  #at = 0
  #depth = 0

  constructor(lines: readonly string[]) {
    this.#lines = lines
  }

  /** Up to the end, or to the directive that ends the branch. */
  read(isInside = false): Part[] {
    const parts: Part[] = []
    while (this.#at < this.#lines.length) {
      const word = this.#directive()
      if (isInside && (word === 'elif' || word === 'else' || word === 'endif')) break
      if ((word === 'if' || word === 'ifdef' || word === 'ifndef') && this.#depth < deepest) {
        parts.push(this.#chain())
        continue
      }
      const last = word === undefined ? this.#at : lastLine(this.#lines, this.#at)
      while (this.#at <= last) parts.push(this.#at++)
    }
    return parts
  }

  #directive(): string | undefined {
    return isDirective(this.#lines, this.#at) ? /^\s*#\s*(\w+)/.exec(this.#lines[this.#at]!)?.[1] : undefined
  }

  #chain(): Chain {
    const arms: Arm[] = []
    this.#depth += 1
    do {
      const first = this.#at
      const last = lastLine(this.#lines, first)
      this.#at = last + 1
      const condition = conditionOf(wholeDirective(this.#lines, first))
      arms.push({condition, lines: [first, last], body: this.read(true)})
    } while (this.#directive() === 'elif' || this.#directive() === 'else')
    this.#depth -= 1
    return {arms, end: this.#at++}
  }
}

function conditionOf(directive: string): string | undefined {
  const [, word, rest = ''] = /^\s*#\s*(\w+)([^]*)$/.exec(directive) ?? []
  if (word === 'else') return undefined
  const name = rest.trim()
  return {ifdef: `defined(${name})`, ifndef: `!defined(${name})`}[word ?? ''] ?? name
}
