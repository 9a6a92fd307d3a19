import type {Expression} from '../language/ast.ts'
import {blockBytes, type ElementType} from '../language/dtypes.ts'
import {elementNames, elementsIn, perBlock} from './cpp-elements.ts'
import type {Facts} from './facts.ts'
import type {ScalarCode, Needs} from './scalar-code.ts'

/** A load or store with its operands as C++. */
export interface CopyCall {
  kind: 'load' | 'store'
  type: ElementType
  gm: string
  tensor: string
  offset: Expression | undefined
  named: Readonly<Record<string, Expression>>
  code: (expression: Expression) => ScalarCode
  facts: Facts
  needs: Needs
  /** A name for parameters of the copy that nothing else in the function has. */
  give: (wanted: string) => string
  /** Parameters in the statements just above, by their text. */
  known: Map<string, string>
}

/** Pass 3: copies of whole blocks. Copies that are not a multiple of 32 bytes are left to pass 4. */
export function plainCopy(call: CopyCall): string[] {
  const {named, code, type} = call
  const count = code(named['count'] as Expression)
  const [to, from] = call.kind === 'load' ? [call.tensor, call.gm] : [call.gm, call.tensor]
  if (!hasRows(named)) return [`DataCopy(${to}, ${from}, ${count.text})`]
  const unit = call.needs.constant(perBlock(type))
  const blocks = (one: ScalarCode) => `static_cast<uint16_t>(${product(one)} / ${unit})`
  const gap = (whole: ScalarCode | undefined) =>
    whole === undefined || whole.text === count.text
      ? '0'
      : `static_cast<uint16_t>((${whole.text} - ${operand(count)}) / ${unit})`
  const gmGap = gap(named['stride'] && code(named['stride']))
  const ubGap = gap(named['pitch'] && code(named['pitch']))
  const rows = code(named['rows'] as Expression).text
  const gaps = call.kind === 'load' ? [gmGap, ubGap] : [ubGap, gmGap]
  const text = `{${[`static_cast<uint16_t>(${rows})`, blocks(count), ...gaps].join(', ')}}`
  const {name, lines} = parameters(call, 'copyParams', 'DataCopyParams', text)
  return [...lines, `DataCopy(${to}, ${from}, ${name})`]
}

/** Pass 4: what may not fill its last block is copied by bytes. */
export function alignedCopy(call: CopyCall): string[] {
  if (isWhole(call)) return plainCopy(call)
  const {named, code, type} = call
  const params = parameters(call, 'copyParams', 'DataCopyExtParams', extParams(call))
  const element = elementNames(type).cpp
  if (call.kind === 'store') return [...params.lines, `DataCopyPad(${call.gm}, ${call.tensor}, ${params.name})`]
  const pad = named['pad']
  const padText = pad ? padding(call, code(pad)) : '{false, 0, 0, 0}'
  const pads = parameters(call, 'padParams', `DataCopyPadExtParams<${element}>`, padText)
  return [...params.lines, ...pads.lines, `DataCopyPad(${call.tensor}, ${call.gm}, ${params.name}, ${pads.name})`]
}

function hasRows(named: CopyCall['named']): boolean {
  return named['rows'] !== undefined && !(named['rows'].kind === 'number' && named['rows'].value === 1)
}

/** One row whose bytes and address are multiples of 32 for certain. Strides of many rows have no such bound. */
function isWhole({named, facts, type, offset}: CopyCall): boolean {
  const unit = elementsIn(blockBytes, type)
  const isMultiple = (one: Expression | undefined) => one === undefined || facts.of(one).divisor % unit === 0
  return !hasRows(named) && isMultiple(named['count']) && isMultiple(offset)
}

function extParams({kind, named, code, type, needs, facts}: CopyCall): string {
  const count = code(named['count'] as Expression)
  const size = `sizeof(${elementNames(type).cpp})`
  const bytes = count.text === '1' ? size : `${product(count)} * ${size}`
  const stride = named['stride'] && code(named['stride'])
  const pitch = named['pitch']
  const rows = hasRows(named) ? `static_cast<uint16_t>(${code(named['rows'] as Expression).text})` : '1'
  const gmGap =
    !hasRows(named) || stride === undefined || stride.text === count.text
      ? '0'
      : `static_cast<uint32_t>((${stride.text} - ${operand(count)}) * ${size})`
  const ubGap =
    !hasRows(named) || pitch === undefined
      ? '0'
      : pitchGap(code(pitch), count, facts.of(named['count'] as Expression).divisor, type, needs)
  const gaps = kind === 'load' ? [gmGap, ubGap] : [ubGap, gmGap]
  return `{${[rows, `static_cast<uint32_t>(${bytes})`, ...gaps, '0'].join(', ')}}`
}

/** Blocks between rows in UB. */
function pitchGap(pitch: ScalarCode, count: ScalarCode, divisor: number, type: ElementType, needs: Needs): string {
  if (pitch.text === count.text) return '0'
  const unit = needs.constant(perBlock(type))
  if (divisor % elementsIn(blockBytes, type) === 0)
    return `static_cast<uint32_t>((${pitch.text} - ${operand(count)}) / ${unit})`
  const filled = `${needs.helper('CeilDiv')}(${count.text}, ${unit})`
  return `static_cast<uint32_t>(${product(pitch)} / ${unit} - ${filled})`
}

/** `pad` fills the rest of the last block. */
function padding({named, code, type, needs}: CopyCall, value: ScalarCode): string {
  const count = code(named['count'] as Expression)
  const unit = needs.constant(perBlock(type))
  const rest = `${needs.helper('AlignUp')}(${count.text}, ${unit}) - ${operand(count)}`
  return `{true, 0, static_cast<uint8_t>(${rest}), ${padValue(value, type)}}`
}

function padValue({text, type: from}: ScalarCode, type: ElementType): string {
  if (type === 'bfloat16') return `ToBfloat16(${from === 'float' ? text : `${text}.0f`})`
  if (type === 'float32' && from !== 'float') return /^-?\d+$/.test(text) ? `${text}.0f` : `static_cast<float>(${text})`
  if (type === 'float32' || (from === 'int' && /^-?\d+$/.test(text) && type !== 'float16')) return text
  return `static_cast<${elementNames(type).cpp}>(${text})`
}

/** Declares parameters of a copy, unless the statements above have declared the same. */
function parameters(call: CopyCall, wanted: string, type: string, text: string): {name: string; lines: string[]} {
  const declared = `${type} ${text}`
  const before = call.known.get(declared)
  if (before !== undefined) return {name: before, lines: []}
  const name = call.give(wanted)
  call.known.set(declared, name)
  return {name, lines: [`const ${type} ${name}${text}`]}
}

/** As an operand of a product, or of a difference on its right. */
const product = ({text, level}: ScalarCode) => (level < 8 ? `(${text})` : text)
const operand = product
