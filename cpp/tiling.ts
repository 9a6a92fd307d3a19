import type {Stretch} from './brackets.ts'
import {argumentsAt, inBrackets, textOf, tokenized, type Tokenized} from './tokenized.ts'
import type {Token} from './tokens.ts'

/** A field of a structure of tiling data. */
export interface TilingField {
  /** As it is written: of a scalar, or the name of another structure. */
  type: string
  name: string
  /** Of an array: how many, as it is written. */
  size?: string
}

/** A tiling structure that host code declares by macro. */
export interface TilingBlock {
  name: string
  /** The whole block, from `BEGIN_TILING_DATA_DEF` to `END_TILING_DATA_DEF`. */
  text: string
  fields: TilingField[]
}

/** The blocks of a source in order. */
export function tilingBlocks(text: string): TilingBlock[] {
  const source = tokenized(text, /\bBEGIN_TILING_DATA_DEF\b/)
  const blocks: TilingBlock[] = []
  let begin: {name: string; from: number} | undefined
  for (const [at, {text: word}] of source.tokens.entries()) {
    if (word === 'BEGIN_TILING_DATA_DEF' && !begin) {
      const [name, ...more] = argumentsAt(source, at + 1)
      if (name && more.length === 0) begin = {name, from: at}
    } else if (word === 'END_TILING_DATA_DEF' && begin) {
      const {name, from} = begin
      blocks.push({name, text: textOf(source, {from, to: at + 1}), fields: macroFields(source, {from, to: at})})
      begin = undefined
    }
  }
  return blocks
}

/** The blocks with each behind those that it contains, and otherwise in order. */
export function containedFirst(blocks: readonly TilingBlock[]): TilingBlock[] {
  const ordered = new Set<TilingBlock>()
  const visit = (block: TilingBlock, around: readonly TilingBlock[]) => {
    if (ordered.has(block) || around.includes(block)) return
    const types = new Set(block.fields.map(({type}) => type.replace(/^(?:::)?optiling::/, '')))
    for (const other of blocks) if (types.has(other.name)) visit(other, [...around, block])
    ordered.add(block)
  }
  for (const block of blocks) visit(block, [])
  return [...ordered]
}

/** `TILING_DATA_FIELD_DEF(type, name)`, `…_ARR(type, size, name)` and `…_STRUCT(type, name)`. */
function macroFields(source: Tokenized, {from, to}: Stretch): TilingField[] {
  return source.tokens.slice(from, to).flatMap(({text: word}, index): TilingField[] => {
    if (!/^TILING_DATA_FIELD_DEF(?:_ARR|_STRUCT)?$/.test(word)) return []
    const [type, second, third] = argumentsAt(source, from + index + 1)
    if (type === undefined || second === undefined) return []
    if (!word.endsWith('_ARR')) return [{type, name: second}]
    return third === undefined ? [] : [{type, size: second, name: third}]
  })
}

/** What binds a structure to an operator, or to the tiling keys that an operator names `Operator_<key>`. */
interface TilingRegistration {
  text: string
  operator: string
  structure: string
}

/** The registrations of a source in order. */
export function tilingRegistrations(text: string): TilingRegistration[] {
  const source = tokenized(text, /\bREGISTER_TILING_DATA_CLASS\b/)
  return source.tokens.flatMap(({text: word}, at) => {
    const list = word === 'REGISTER_TILING_DATA_CLASS' ? inBrackets(source, at + 1, '(') : undefined
    if (!list) return []
    const [operator = '', structure = ''] = argumentsAt(source, at + 1)
    const whole = textOf(source, {from: at, to: list.to + 1})
    return [{text: whole, operator, structure: structure.replace(/^optiling::/, '')}]
  })
}

/** Plain structures of a source: `struct X { uint32_t a; float b[4]; … };` with no methods that matter for layout. */
export function plainStructures(text: string): Pick<TilingBlock, 'name' | 'fields'>[] {
  const source = tokenized(text, /\bstruct\b/)
  const {tokens, partners} = source
  return tokens.flatMap(({text: word}, at) => {
    if (word !== 'struct') return []
    const name = tokens[at + 1]?.text === 'alignas' ? (partners[at + 2] as number) + 1 : at + 1
    const body = inBrackets(source, name + 1, '{')
    return body ? [{name: (tokens[name] as Token).text, fields: plainFields(source, body)}] : []
  })
}

function plainFields(source: Tokenized, {from, to}: Stretch): TilingField[] {
  const {tokens, partners} = source
  const fields: TilingField[] = []
  for (let at = from; at < to; at += 1) {
    if (tokens[at]?.kind === 'word' && /^[;{}]$/.test(tokens[at - 1]?.text ?? '')) fields.push(...fieldAt(source, at))
    at = Math.max(at, partners[at] as number)
  }
  return fields
}

/** `a::b name`, `[size]`, `= value` or `{value}`, and a semicolon. */
function fieldAt(source: Tokenized, start: number): TilingField[] {
  const {tokens} = source
  let name = start + 1
  while (tokens[name]?.text === '::') name += 2
  if (tokens[name]?.kind !== 'word') return []
  const [type, own] = [textOf(source, {from: start, to: name}), (tokens[name] as Token).text]
  const size = inBrackets(source, name + 1, '[')
  const behind = size ? size.to + 1 : name + 1
  const value = inBrackets(source, behind, '{')
  let end = value ? value.to + 1 : behind
  if (tokens[end]?.text === '=') while (end < tokens.length && tokens[end]?.text !== ';') end += 1
  if (tokens[end]?.text !== ';') return []
  return [{type, name: own, ...(size && {size: textOf(source, size)})}]
}
