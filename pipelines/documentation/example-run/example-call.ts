import type {Dtype} from '../../../datasets/schema/tensor.ts'
import {freeNames} from '../free-names.ts'
import {functionsOf, stripComments, type SnippetFunction} from '../snippet.ts'
import type {Stated} from './page-result.ts'
import {wholeOf} from './stated-values.ts'

const dtypes = new Map<string, Dtype>([
  ['half', 'float16'],
  ['float', 'float32'],
  ['bfloat16_t', 'bfloat16'],
  ['int8_t', 'int8'],
  ['uint8_t', 'uint8'],
  ['int16_t', 'int16'],
  ['uint16_t', 'uint16'],
  ['int32_t', 'int32'],
  ['uint32_t', 'uint32'],
  ['int64_t', 'int64'],
  ['uint64_t', 'uint64'],
])

/** A parameter of the example that holds data. */
export interface Operand {
  name: string
  place: 'local' | 'global' | 'ubuf' | 'gm'
  /** As C++ writes it. */
  element: string
  dtype: Dtype
  stated: Stated[]
}

/** The example as a function, its operands, and what else has to be handed over. */
export interface Call {
  text: string
  /** In order; what is no operand is a queue, a buffer or the pipe. */
  parameters: SnippetFunction['parameters']
  operands: Operand[]
}

/**
 * The calls that an example may stand for, one for each guess at the types of its operands, with what the page says of
 * them. None where the page leaves out more than data: numbers, parameters, what an output is called.
 */
export function callsOf(code: string, stated: readonly Stated[]): Call[] {
  const {body, types} = withoutOperandDeclarations(code)
  const isC = /\basc_[a-z]\w*\s*\(/.test(stripComments(code))
  const beside = stated.flatMap(({name, type}): [string, string][] =>
    type === undefined ? [] : [[name, isC ? `__ubuf__ ${type}*` : `LocalTensor<${type}>`]],
  )
  for (const [name, type] of [...typesInComments(code, isC), ...beside]) if (!types.has(name)) types.set(name, type)
  const calls = functionsOf(withAmount(body, stated), types).flatMap((candidate) => callOf(candidate, stated))
  return calls.filter(({text}, index) => calls.findIndex((other) => other.text === text) === index)
}

function callOf({text, parameters, guesses}: SnippetFunction, stated: readonly Stated[]): Call[] {
  if (guesses.length > 0) return []
  const operands = parameters.flatMap(operandOf)
  const others = parameters.filter(({name}) => operands.every((operand) => operand.name !== name))
  if (!others.every(({type}) => /^(?:TPipe|TBuf<.*>|TQue<.*>)&$/.test(type))) return []
  return assign(stated, operands, text) ? [{text, parameters, operands}] : []
}

function operandOf({name, type}: {name: string; type: string}): Operand[] {
  const [, container, pointed, element = ''] =
    /^(?:(LocalTensor|GlobalTensor)<|__(ubuf|gm)__ )(\w+)(?:>|\*)$/.exec(type) ?? []
  const dtype = dtypes.get(element)
  if (dtype === undefined) return []
  const place = pointed ?? (container === 'LocalTensor' ? 'local' : 'global')
  return [{name, place: place as Operand['place'], element, dtype, stated: []}]
}

/**
 * Gives every operand what the page says of it. A page may call an operand by another name than its example does:
 * `src` for `srcLocal`; what is left goes together in order, inputs with inputs and outputs with outputs. False when
 * something that the page tells has no operand.
 */
function assign(stated: readonly Stated[], operands: readonly Operand[], text: string): boolean {
  const data = operands.filter((operand) => !isScratch(operand))
  let left = stated.filter((one) => !isScalar(one, text))
  for (const isFor of [isNamed, isShortFor, isOnSide]) left = left.filter((one) => !give(one, data, isFor))
  return left.length === 0 && data.some((operand) => operand.stated.some(({role}) => role === 'output'))
}

type Fit = (operand: Operand, one: Stated) => boolean

const isNamed: Fit = ({name}, one) => name === one.name

const isShortFor: Fit = ({name, stated}, one) =>
  stated.every(({role}) => isResult(role) === isResult(one.role)) &&
  (stemOf(name).startsWith(stemOf(one.name)) || stemOf(one.name).startsWith(stemOf(name)))

/** `offset` of `offset_buf` and of `offsetLocal`. */
function stemOf(name: string): string {
  return name.replace(/_?(?:local|global|tensor|buf(?:fer)?|gm|ub)$/i, '')
}

const isOnSide: Fit = ({name, stated}, one) => stated.length === 0 && isOutputName.test(name) === isResult(one.role)

const isOutputName = /^(?:dst|out|y|z|res)|dst|out/i

function isResult(role: Stated['role']): boolean {
  return role !== 'input'
}

/** To the first operand that it fits and that has nothing of its kind yet. */
function give(one: Stated, operands: readonly Operand[], isFor: Fit): boolean {
  const owner = operands.find((operand) => operand.stated.every(({role}) => role !== one.role) && isFor(operand, one))
  owner?.stated.push(one)
  return owner !== undefined
}

/** A number that the example itself sets: `int16_t scalar = 2;`. */
function isScalar({runs, role}: Stated, text: string): boolean {
  const value = runs.length === 1 && runs[0]?.length === 1 ? runs[0][0]?.value : undefined
  return (
    role === 'input' &&
    value !== undefined &&
    (text.match(/(?<![\w.])\d+(?:\.\d+)?/g) ?? []).map(Number).includes(value)
  )
}

/** Room that a call works in; the page says nothing of what it holds. */
export function isScratch({name}: Operand): boolean {
  return /tmp|temp|work|shared/i.test(name)
}

const declared = new RegExp(
  [
    String.raw`^[^\S\n]*(?:AscendC::)?LocalTensor<(\w+)>\s+(\w+(?:\s*,\s*\w+)*)\s*;.*$`,
    String.raw`^[^\S\n]*__ubuf__\s+(\w+)\s+(\w+)\s*\[[^\]\n]*\]\s*;.*$`,
  ].join('|'),
  'gm',
)

/** Operands that the example declares and leaves empty, as pages do, are handed over full. */
function withoutOperandDeclarations(code: string): {body: string; types: Map<string, string>} {
  const types = new Map<string, string>()
  const body = code.replace(declared, (_, tensor?: string, names = '', raw?: string, array = '') => {
    for (const name of (names as string).match(/\w+/g) ?? []) types.set(name, `LocalTensor<${tensor}>`)
    if (raw !== undefined) types.set(array as string, `__ubuf__ ${raw}*`)
    return ''
  })
  return {body, types}
}

/** The number of elements that a page leaves open, where its operands are all equally long. */
function withAmount(code: string, stated: readonly Stated[]): string {
  const lengths = new Set(stated.filter(({role}) => role === 'input').map((one) => wholeOf(one, undefined)?.length))
  const [length = 0] = lengths
  if (lengths.size !== 1 || length < 2) return code
  const names = freeNames(stripComments(code)).filter((name) => /^(?:dataSize|calCount|count|dataLen)$/.test(name))
  return [...names.map((name) => `constexpr uint32_t ${name} = ${length};`), code].join('\n')
}

/** `// srcLocal数据类型为half，dstGlobal为half类型的GlobalTensor`. */
function typesInComments(code: string, isC: boolean): [string, string][] {
  const names = String.raw`((?:[A-Za-z_]\w*、)*[A-Za-z_]\w*)`
  const type = '(half|float|bfloat16_t|u?int\\d+_t)(?:类型)?(?:的(\\w*Tensor|GM))?'
  const said = new RegExp(`${names}(?:的)?(?:数据类型)?(?:为|是)(?:外部(?:输入|传入)的)?${type}`, 'g')
  return [...code.matchAll(said)].flatMap(([, list = '', element = '', place = '']) =>
    list.split('、').map((name): [string, string] => {
      const isGlobal = place.startsWith('G') || /global|gm$/i.test(name)
      if (isC) return [name, `__${isGlobal ? 'gm' : 'ubuf'}__ ${element}*`]
      return [name, `${isGlobal ? 'Global' : 'Local'}Tensor<${element}>`]
    }),
  )
}
