import {templateClose} from './brackets.ts'
import {pattern} from './pattern.ts'
import type {Token} from './tokens.ts'
import {endsStatement, foundIn, spanOf, type Call, type Range, type SourceView} from './source-view.ts'

/** A function with its body, found by its tokens. */
interface FunctionView {
  name: string
  /** From its first word, `template` lines included, to its closing brace. */
  start: number
  end: number
  args: Call['args']
  /** The text between the braces. */
  body: Range
}

/** `const LocalTensor<T> x = queue.DeQue<T>();` and the like. */
interface Declaration extends Range {
  /** Without `const`, `constexpr`, `static`. */
  type: string
  /** Where the type stands, and the name. */
  typeAt: Range
  name: string
  nameAt: Range
  /** Qualifiers such as `const ` as written; '' if none. */
  qualifier: string
  /** What is right of `=`, or between braces; undefined without either. */
  value: (Range & {text: string}) | undefined
  /** The enclosing function; undefined for members and declarations outside classes. */
  within: FunctionView | undefined
}

export function functionsOf(source: SourceView): FunctionView[] {
  return remembered(functionsKnown, source, () => source.calls.flatMap((call) => functionAt(source, call) ?? []))
}

function functionAt(source: SourceView, {name, from, to, args, template, receiver}: Call): FunctionView | undefined {
  const {tokens, partners} = source
  let open = to
  while (['const', 'override'].includes(tokens[open]?.text ?? '')) open += 1
  const close = partners[open] as number
  if (tokens[open]?.text !== '{' || close < 0 || template !== '') return undefined
  // `K<T>::Init(…) {` defines a member outside of its class.
  const named = receiver === '' || receiver.endsWith('::') ? from : open
  let head = named
  while (!endsStatement(tokens[head - 1]) && tokens[head - 1]?.text !== ':') head -= 1
  let type = named - 1
  while (['&', '*', '&&'].includes(tokens[type]?.text ?? '')) type -= 1
  if (type < head || !/^\w/.test(tokens[type]?.text ?? '')) return undefined
  const body = {start: (tokens[open] as Token).end, end: (tokens[close] as Token).start}
  return {name, start: (tokens[head] as Token).start, end: body.end + 1, args, body}
}

const qualifiers = new Set(['static', 'constexpr', 'const'])
const noTypes = new Set(
  'return using namespace else typedef delete goto public private case struct class break continue'.split(' '),
)

/** Declarations that begin their line: qualifiers, one type, one name, and a value or none. */
export function declarationsOf(source: SourceView): Declaration[] {
  return remembered(declarationsKnown, source, () => {
    const functions = functionsOf(source)
    return source.tokens.flatMap((token, at) => {
      const found = token.kind === 'word' && token.leads ? declarationAt(source, at) : undefined
      if (!found) return []
      const within = functions.find(({body}) => body.start <= found.start && found.end <= body.end)
      return [{...found, within}]
    })
  })
}

function declarationAt(source: SourceView, from: number): Omit<Declaration, 'within'> | undefined {
  const {tokens, text} = source
  let type = from
  while (qualifiers.has(tokens[type]?.text ?? '')) type += 1
  const name = typeEnd(source, type)
  const named = tokens[name]
  const value = name + 1
  if (noTypes.has(tokens[type]?.text ?? '') || named?.kind !== 'word' || !named.spaced) return undefined
  const stop = valueEnd(source, value)
  if (stop === undefined) return undefined
  const {start} = tokens[from] as Token
  const typeAt = spanOf(source, {from: type, to: name})
  const taken = {from: value + 1, to: tokens[value]?.text === '{' ? stop - 1 : stop}
  return {
    start,
    end: (tokens[stop] as Token).end,
    type: typeAt.text,
    typeAt,
    name: named.text,
    nameAt: named,
    qualifier: text.slice(start, typeAt.start),
    value: taken.from < taken.to ? spanOf(source, taken) : undefined,
  }
}

/** One past the type that begins at a token: `a::b<c, d>&`. */
function typeEnd({tokens}: SourceView, from: number): number {
  let at = from + 1
  while (tokens[at]?.text === '::' && tokens[at + 1]?.kind === 'word') at += 2
  const angle = templateClose(tokens, at)
  if (angle !== undefined) at = angle + 1
  return ['*', '&'].includes(tokens[at]?.text ?? '') ? at + 1 : at
}

/** The semicolon behind `= value` or `{value}`, or at once; undefined if there is neither. */
function valueEnd({tokens, partners}: SourceView, from: number): number | undefined {
  let at = from
  if (tokens[at]?.text === '{') at = (partners[at] as number) + 1
  else if (tokens[at]?.text === '=') while (at < tokens.length && tokens[at]?.text !== ';') at += 1
  return tokens[at]?.text === ';' ? at : undefined
}

const localTensors = ['LocalTensor<$$type> $name', 'LocalTensor<$$type>& $name'].map((form) =>
  pattern(form, {type: (text) => !/[<>]/.test(text)}),
)
const behindName = new Set([';', '=', ',', ')'])

/** Names of LocalTensor in a file: variables and parameters. */
export function tensorsOf(source: SourceView): ReadonlyMap<string, string> {
  return remembered(tensorsKnown, source, () => {
    const found = foundIn(source, ...localTensors).filter(({to}) => behindName.has(source.tokens[to]?.text ?? ''))
    return new Map(found.map(({hole}) => [hole('name'), hole('type')]))
  })
}

/** What is before the brackets of `this->xGm_[start]`, and in them. */
export function partOf(text: string): {tensor: string; index: string} | undefined {
  const [, tensor, index] = /^([\w.:>-]+)\[([\s\S]*)\]$/.exec(text) ?? []
  return tensor === undefined || index === undefined ? undefined : {tensor, index}
}

/** Whether an argument is a tensor in UB: `xLocal`, `tile[r * n]`, `buffer.Get<float>()`. */
export function isTensor(source: SourceView, text: string): boolean {
  if (/\bGet<[\w\s]*>\(\)$/.test(text)) return true
  return tensorsOf(source).has(partOf(text)?.tensor ?? text)
}

type StatementCall = Call & {statement: Range}

/** Calls that are statements, of one of some names where these are given. */
export function statementCalls(source: SourceView, ...names: readonly string[]): StatementCall[] {
  return source.calls.filter(
    (call): call is StatementCall => call.statement !== undefined && (names.length === 0 || names.includes(call.name)),
  )
}

/** Names of the objects of a class template: `TQue<…> name;`. */
export function objectsOf(source: SourceView, ...classes: readonly string[]): {name: string; type: string}[] {
  const forms = classes.flatMap((one) => [`${one}<> $name;`, `${one}<$$type> $name;`])
  return foundIn(source, ...forms.map((form) => pattern(form))).map(({hole}) => ({
    name: hole('name'),
    type: hole('type'),
  }))
}

/** Whether a word occurs in the code of a range; default all of it. */
export function hasWord({tokens}: SourceView, word: string, range: Range = {start: 0, end: Infinity}): boolean {
  return tokens.some(({text, start, end}) => text === word && start >= range.start && end <= range.end)
}

/** Positions of a word in the code, as a member of something or not. */
export function usesOf({tokens}: SourceView, word: string): Range[] {
  return tokens.filter(({text}) => text === word)
}

/** Calls of the device's interface on tensors: named in capitals, asked of nothing or of AscendC, not defined here. */
export function interfaceCalls(source: SourceView): StatementCall[] {
  const own = new Set(functionsOf(source).map(({name}) => name))
  return statementCalls(source).filter(
    ({name, receiver, args}) =>
      /^[A-Z][a-z]/.test(name) &&
      (receiver === '' || receiver === 'AscendC::') &&
      !own.has(name) &&
      args.some(({text}) => isTensor(source, text)),
  )
}

const functionsKnown = new WeakMap<SourceView, FunctionView[]>()
const declarationsKnown = new WeakMap<SourceView, Declaration[]>()
const tensorsKnown = new WeakMap<SourceView, ReadonlyMap<string, string>>()

function remembered<T>(known: WeakMap<SourceView, T>, source: SourceView, make: () => T): T {
  const found = known.get(source)
  if (found !== undefined) return found
  const made = make()
  known.set(source, made)
  return made
}
