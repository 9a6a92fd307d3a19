/**
 * Leniently parses a value that is not JSON: NaN and infinities, which are missing values; trailing or missing commas;
 * and what Python prints for lists and dictionaries.
 * @throws SyntaxError for anything else
 */
export function lenientJson(text: string): unknown {
  const reader = new Reader(text)
  const value = reader.value()
  reader.end()
  return value
}

const words: Readonly<Record<string, unknown>> = {
  true: true,
  True: true,
  false: false,
  False: false,
  null: null,
  None: null,
  NaN: null,
  nan: null,
  Infinity: null,
  inf: null,
}

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  '0': '\0',
  '\n': '',
}

const token = /\s*(?:([[\]{}:,])|(["'])|(-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)(?![\w.])|-?([A-Za-z]+))/y

class Reader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  value(): unknown {
    const [, mark, quote, number, word] = this.#next()
    if (mark === '[') return this.#list()
    if (mark === '{') return this.#fields()
    if (quote !== undefined) return this.#string(quote)
    if (number !== undefined) return Number(number)
    if (word !== undefined && word in words) return words[word]
    throw this.#unexpected()
  }

  end(): void {
    if (this.#text.slice(this.#at).trim() !== '') throw this.#unexpected()
  }

  #list(): unknown[] {
    const list: unknown[] = []
    while (!this.#passes(']')) {
      list.push(this.value())
      this.#passes(',')
    }
    return list
  }

  #fields(): Record<string, unknown> {
    const fields: [string, unknown][] = []
    while (!this.#passes('}')) {
      const name = this.value()
      if (!this.#passes(':')) throw this.#unexpected()
      fields.push([String(name), this.value()])
      this.#passes(',')
    }
    return Object.fromEntries(fields)
  }

  #string(quote: string): string {
    const pieces: string[] = []
    const stop = quote === '"' ? /["\\]/g : /['\\]/g
    for (;;) {
      stop.lastIndex = this.#at
      const found = stop.exec(this.#text)
      if (!found) throw this.#unexpected()
      pieces.push(this.#text.slice(this.#at, found.index))
      this.#at = found.index + 1
      if (found[0] === quote) return pieces.join('')
      pieces.push(this.#escaped())
    }
  }

  #escaped(): string {
    const code = /u([\da-fA-F]{4})|x([\da-fA-F]{2})|U([\da-fA-F]{8})/y
    code.lastIndex = this.#at
    const found = code.exec(this.#text)
    const digits = found?.slice(1).find((one) => one !== undefined)
    const letter = this.#text[this.#at] ?? ''
    this.#at += found?.[0].length ?? 1
    if (digits !== undefined) return String.fromCodePoint(Number.parseInt(digits, 16))
    return escapes[letter] ?? letter
  }

  #next(): RegExpExecArray {
    token.lastIndex = this.#at
    const found = token.exec(this.#text)
    if (!found) throw this.#unexpected()
    this.#at = token.lastIndex
    return found
  }

  #passes(mark: string): boolean {
    token.lastIndex = this.#at
    if (token.exec(this.#text)?.[1] !== mark) return false
    this.#at = token.lastIndex
    return true
  }

  #unexpected(): SyntaxError {
    return new SyntaxError(`no value at position ${this.#at}`)
  }
}
