import {literalValue, tokenize} from './tokens.ts'
import type {Token} from './tokens.ts'

/** One `#…` line. */
interface Directive {
  /** `include`, `define`; `line` for a line marker. */
  name: string
  /** Where the line starts. */
  start: number
  /** The text after the name; for an `#include` by macro, its expansion. */
  tokens: readonly Token[]
}

/** A text as a compiler goes through it. */
export interface Expanded {
  directives: readonly Directive[]
  /**
   * Code with the candidate's own macros replaced, then the bodies of its macros and what its pragmas say; what does
   * not belong together is parted by tokens without text.
   */
  code: readonly Token[]
}

interface Macro {
  /** Undefined without parentheses. */
  parameters: readonly string[] | undefined
  body: readonly Token[]
}

type Macros = ReadonlyMap<string, readonly Macro[]>

/** What glibc's `sys/cdefs.h` provides to every includer. */
const systemMacros = '#define __CONCAT(x, y) x ## y\n#define __STRING(x) #x\n'

/** A macro that grows without end is cut off here. */
const mostTokens = 400_000

/**
 * Each text with the macros of all of them: which text includes which is not asked. A name with several definitions
 * expands to all of them, in sequence.
 */
export function expandSources(texts: readonly string[]): Expanded[] {
  const split = texts.map((text) => splitLines(tokenize(text)))
  const macros = new Map<string, Macro[]>()
  for (const {directives} of [splitLines(tokenize(systemMacros)), ...split]) {
    for (const {name, tokens} of directives) if (name === 'define') addMacro(macros, tokens)
  }
  return split.map(({directives, code}) => {
    const expander = new Expander(macros)
    const bodies = directives.flatMap(({name, tokens}) => {
      if (name === 'define') return [gap, ...bodyOf(tokens)]
      return name === 'pragma' ? [gap, ...tokens] : []
    })
    const expanded = expander.expand([...code, ...bodies])
    return {
      directives: directives.map((one) =>
        isInclude(one) && one.tokens[0]?.kind === 'word' ? {...one, tokens: expander.expand(one.tokens)} : one,
      ),
      code: [...expanded, ...pragmasIn(expanded)],
    }
  })
}

export function isInclude({name}: Directive): boolean {
  return name === 'include' || name === 'include_next' || name === 'import'
}

const gap: Token = {kind: 'mark', text: '', start: 0, end: 0, leads: true, spaced: true}

function splitLines(tokens: readonly Token[]): {directives: Directive[]; code: Token[]} {
  const directives: Directive[] = []
  const code: Token[] = []
  for (let at = 0; at < tokens.length; ) {
    const token = tokens[at] as Token
    if (!token.leads || token.text !== '#') {
      code.push(token)
      at += 1
      continue
    }
    let end = at + 1
    while (end < tokens.length && !tokens[end]?.leads) end += 1
    const [name, ...rest] = tokens.slice(at + 1, end)
    if (name) {
      const isNumber = name.kind === 'number'
      directives.push({
        name: isNumber ? 'line' : name.text,
        start: token.start,
        tokens: isNumber ? [name, ...rest] : rest,
      })
    }
    at = end
  }
  return {directives, code}
}

function addMacro(macros: Map<string, Macro[]>, tokens: readonly Token[]): void {
  const name = tokens[0]?.text
  const macro = macroOf(tokens)
  if (name === undefined || !macro) return
  const known = macros.get(name) ?? []
  const text = (one: Macro) => JSON.stringify([one.parameters, one.body.map((token) => token.text)])
  if (!known.some((one) => text(one) === text(macro))) macros.set(name, [...known, macro])
}

function macroOf([, open, ...rest]: readonly Token[]): Macro | undefined {
  if (open?.text !== '(' || open.spaced) return {parameters: undefined, body: open ? [open, ...rest] : []}
  const close = rest.findIndex(({text}) => text === ')')
  if (close < 0) return undefined
  const parameters = rest
    .slice(0, close)
    .filter(({kind}) => kind === 'word')
    .map(({text}) => text)
  const last = rest[close - 1]?.text === '...' && rest[close - 2]?.kind !== 'word' ? ['__VA_ARGS__'] : []
  return {parameters: [...parameters, ...last], body: rest.slice(close + 1)}
}

/** What a macro says by itself: its parameters are gaps. */
function bodyOf(tokens: readonly Token[]): Token[] {
  const macro = macroOf(tokens)
  return (macro?.body ?? []).map((token) =>
    macro?.parameters?.includes(token.text) ? {...gap, start: token.start} : token,
  )
}

/** A token, and the macros from which it came, which it does not name again. */
interface Pending {
  token: Token
  from: ReadonlySet<string>
}

class Expander {
  readonly #macros: Macros
  #left = mostTokens

  constructor(macros: Macros) {
    this.#macros = macros
  }

  expand(tokens: readonly Token[], from: ReadonlySet<string> = new Set()): Token[] {
    const done: Token[] = []
    /** Last first. */
    const todo: Pending[] = tokens.map((token) => ({token, from})).reverse()
    for (let next = todo.pop(); next; next = todo.pop()) {
      const {token} = next
      const macros = token.kind === 'word' && !next.from.has(token.text) ? this.#macros.get(token.text) : undefined
      const made = macros && this.#left > 0 ? this.#replace(next, macros, todo) : undefined
      if (!made) {
        done.push(token)
        continue
      }
      this.#left -= made.length + 1
      for (const one of made.reverse()) todo.push(one)
    }
    return done
  }

  /** The expansion of a name; takes its arguments from the end of `todo`. Undefined when it has none but needs them. */
  #replace({token, from}: Pending, macros: readonly Macro[], todo: Pending[]): Pending[] | undefined {
    const called = macros.some(({parameters}) => parameters) ? takeArguments(todo) : undefined
    if (!called && macros.every(({parameters}) => parameters)) return undefined
    const inside = new Set([...from, token.text])
    return macros.flatMap(({parameters, body}) => {
      const given = new Map<string, readonly Token[]>()
      for (const [index, name] of (parameters ?? []).entries()) {
        const rest = index === (parameters?.length ?? 0) - 1 ? called?.slice(index) : called?.slice(index, index + 1)
        given.set(
          name,
          (rest ?? []).flatMap((one, place) => (place === 0 ? one : [comma, ...one])),
        )
      }
      const made = this.#fill(body, given, from)
      return made.map((one) => ({token: {...one, start: token.start, leads: false}, from: inside}))
    })
  }

  #fill(body: readonly Token[], given: ReadonlyMap<string, readonly Token[]>, from: ReadonlySet<string>): Token[] {
    const made: Token[] = []
    for (let at = 0; at < body.length; at += 1) {
      const token = body[at] as Token
      const next = body[at + 1]
      const argument = given.get(token.text)
      const behind = next && given.get(next.text)
      if (token.text === '##' && next && made.length > 0) {
        paste(made, behind ?? [next])
        at += 1
      } else if (token.text === '#' && behind) {
        made.push({...token, kind: 'string', text: quoted(behind)})
        at += 1
      } else if (argument) {
        made.push(...(next?.text === '##' ? argument : this.expand(argument, from)))
        // Nothing to paste to is still a place to paste to.
        if (argument.length === 0 && next?.text === '##') made.push({...token, kind: 'mark', text: ''})
      } else {
        made.push(token)
      }
    }
    return made
  }
}

/** What `#` makes of an argument. */
function quoted(argument: readonly Token[]): string {
  const written = argument.map(({text, spaced}, index) => (spaced && index > 0 ? ` ${text}` : text))
  return `"${written.join('').replaceAll(/["\\]/g, '\\$&')}"`
}

const comma: Token = {kind: 'mark', text: ',', start: 0, end: 0, leads: false, spaced: false}

function paste(made: Token[], [first, ...rest]: readonly Token[]): void {
  const left = made.pop()
  if (!left || !first) return void (left && made.push(left))
  // `, ## __VA_ARGS__` only drops a comma.
  const pasted = left.text === ',' ? [left, first] : tokenize(left.text + first.text)
  made.push(...pasted.map((token) => ({...token, start: first.start})), ...rest)
}

/**
 * The arguments of a call that starts at the end of `todo`, which loses them and changes too often to keep partners.
 */
function takeArguments(todo: Pending[]): Token[][] | undefined {
  if (todo.at(-1)?.token.text !== '(') return undefined
  const found: Token[][] = [[]]
  let depth = 1
  for (let at = todo.length - 2; at >= 0; at -= 1) {
    const {token} = todo[at] as Pending
    if (token.text === '(') depth += 1
    if (token.text === ')') depth -= 1
    if (depth === 0) {
      todo.length = at
      return found
    }
    if (token.text === ',' && depth === 1) found.push([])
    else found.at(-1)?.push(token)
  }
  return undefined
}

/** What `_Pragma("…")` says, as the tokens that it says it with. */
function pragmasIn(code: readonly Token[]): Token[] {
  return code.flatMap(({text, start}, index) => {
    const said = text === '_Pragma' ? code[index + 2] : undefined
    if (said?.kind !== 'string') return []
    return [gap, ...tokenize(literalValue(said)).map((token) => ({...token, start}))]
  })
}
