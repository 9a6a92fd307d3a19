import type {Stretch} from '../../../cpp/brackets.ts'
import {matchesOf, type Match, type Pattern} from '../../../cpp/pattern.ts'
import {tokenized, type Tokenized} from '../../../cpp/tokenized.ts'
import type {ExampleTensor} from '../../../datasets/schema/contract.ts'
import type {Dtype} from '../../../datasets/schema/tensor.ts'
import {dtypeOfConstant} from '../../../cpp/types.ts'
import {itemsIn, NameReader, numbersOf, type Names, type Written} from './written-values.ts'

/** One function of a test, with the values of its names. */
export interface TestBody {
  source: Tokenized
  stretch: Stretch
  globals: Names
}

/** The functions of a file that contain a word, and the values of names outside them. */
export function bodiesOf(text: string, word: RegExp): TestBody[] {
  const source = tokenized(text, word)
  const {tokens, partners} = source
  const stretches: Stretch[] = []
  for (let at = 0; at < tokens.length; at += 1) {
    const close = partners[at] ?? -1
    if (tokens[at]?.text !== '{' || close < 0 || tokens[at - 1]?.text !== ')') continue
    stretches.push({from: at + 1, to: close})
    at = close
  }
  if (stretches.length === 0) return []
  const outside = new NameReader(source, {from: 0, to: stretches[0]?.from ?? 0}).upTo(Infinity)
  return stretches.map((stretch) => ({source, stretch, globals: outside}))
}

/** A match in a function, with its places in the file and the values of names there. */
export interface Site {
  source: Tokenized
  match: Match
  names: Names
  line: number
  /** One past the last token of the function. */
  end: number
}

export function* sitesIn({source, stretch, globals}: TestBody, patterns: readonly Pattern[]): Generator<Site> {
  const {from, to} = stretch
  const partners = source.partners.slice(from, to).map((at) => at - from)
  const reader = new NameReader(source, stretch, globals)
  let line = 1
  let counted = 0
  for (const match of matchesOf({tokens: source.tokens.slice(from, to), partners}, patterns)) {
    const start = source.tokens[match.from + from]?.start ?? 0
    line += source.text.slice(counted, start).split('\n').length - 1
    counted = start
    yield {source, match: moved(match, from), names: reader.upTo(match.from + from), line, end: to}
  }
}

function moved({from, to, holes, pattern}: Match, by: number): Match {
  const places = Object.entries(holes).map(([name, one]) => [name, {from: one.from + by, to: one.to + by}])
  return {pattern, from: from + by, to: to + by, holes: Object.fromEntries(places) as Match['holes']}
}

/** The items in a pattern's hole. */
export function itemsAt({source, match, names}: Site, hole: string): Written[] {
  const stretch = match.holes[hole]
  return stretch ? itemsIn(source, stretch, names) : []
}

/** The word in a pattern's hole. */
export function wordAt({source, match}: Site, hole: string): string {
  return source.tokens[match.holes[hole]?.from ?? -1]?.text ?? ''
}

const statuses = new Map([
  ['GRAPH_SUCCESS', true],
  ['ACL_SUCCESS', true],
  ['ACLNN_SUCCESS', true],
  ['GRAPH_FAILED', false],
  ['GRAPH_PARAM_INVALID', false],
])
const isRefused = (word: string) => /^(?:ACLNN_ERR_|ACL_ERROR)/.test(word)

/** Whether what follows a site first expects the call to succeed. */
export function isExpectedToRun({source, match, end}: Site): boolean {
  for (let at = match.to; at < end; at += 1) {
    const word = source.tokens[at]?.text ?? ''
    const isOk = statuses.get(word)
    if (isOk !== undefined) return isOk
    if (isRefused(word)) return false
  }
  return true
}

/** Values of a tensor that are kept. */
export const mostValues = 64

/** An element type by its constant, of the graph engine or of the interface in C. */
export function dtypeOf(value: Written | undefined): Dtype | undefined {
  if (value?.kind !== 'name') return undefined
  const constant = value.name.replace(/^ACL_/, 'DT_')
  return dtypeOfConstant(constant)
}

const isSize = (one: number) => Number.isInteger(one) && one >= 0

/** `{{1, 5}, {1, 5}}`, as a storage shape has it twice, or `{1, 5}`; undefined if a size is unknown. */
export function shapeOf(value: Written | undefined): number[] | undefined {
  if (value?.kind === 'name' && value.name === 'StorageShape') return shapeOf({kind: 'list', items: value.args})
  const first = value?.kind === 'list' ? value.items[0] : undefined
  const list = first?.kind === 'list' ? first : value
  const sizes = numbersOf(list, 8)
  return sizes?.every(isSize) ? sizes : undefined
}

export function tensorOf(name: string, dtype: Dtype, shape: number[], values?: number[]): ExampleTensor {
  const count = shape.reduce((product, size) => product * size, 1)
  return {name, dtype, shape, ...(values?.length === count && count <= mostValues && {values})}
}

/** What an attribute is given; undefined if unknown. */
export function attributeOf(value: Written | undefined): boolean | number | string | number[] | undefined {
  if (value?.kind === 'number' || value?.kind === 'truth' || value?.kind === 'text') return value.value
  return value?.kind === 'list' || value?.kind === 'name' ? numbersOf(value, mostValues) : undefined
}
