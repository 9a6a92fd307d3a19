import {describe, expect, test} from 'vitest'
import {readProgram} from '../../../../pipelines/ascendcraft/language/check.ts'
import {bufferOperands, counterpartOf} from '../../../../pipelines/ascendcraft/language/check/check-operands.ts'
import {type ElementType, elementBytes} from '../../../../pipelines/ascendcraft/language/dtypes.ts'
import {readModule} from '../../../../pipelines/ascendcraft/language/parse.ts'
import {type PrimitiveName, primitives} from '../../../../pipelines/ascendcraft/language/primitives.ts'
import {flat, type Operation} from '../../../../pipelines/ascendcraft/lower/mentions.ts'
import {type Sketch, sketched} from '../../../helpers/interpreting.ts'

const types = Object.keys(elementBytes) as ElementType[]

function saidOf(sketch: Sketch): string[] {
  const outcome = readProgram(sketched(sketch))
  return outcome.ok ? [] : outcome.faults.map(({rule, message, mend}) => `${rule}: ${message}; ${mend}`)
}

test('operations with a scalar and those with a buffer in its place are told of each other', () => {
  const pairs = (Object.keys(primitives) as PrimitiveName[]).flatMap((name) => {
    const other = counterpartOf(name)
    return other === undefined ? [] : [`${name} ${other}`]
  })
  expect(pairs.sort()).toEqual([
    ...['add adds', 'adds add', 'compare compares', 'compares compare', 'div divs', 'divs div', 'max maxs', 'maxs max'],
    ...['min mins', 'mins min', 'mul muls', 'muls mul', 'select selects', 'selects select', 'sub subs', 'subs sub'],
  ])
})

describe('copies between GM and UB', () => {
  /** Copies x to y, both of one type, by way of buffers of another. */
  const copied = (type: ElementType, inUb: ElementType, more = '') => ({
    type,
    kernel: `x_ub = tl.alloc_ub(64, dtype=tl.${inUb})
y_ub = tl.alloc_ub(64, dtype=tl.${inUb})
with tl.copyin():
    tl.load(x_ptr, x_ub, count=32)
with tl.compute():
    tl.copy(y_ub, x_ub, count=32)
with tl.copyout():
    tl.store(y_ptr, y_ub, count=32${more})
`,
  })

  test.each(types.filter((type) => type !== 'bool'))('%s is moved to buffers of its own type alone', (type) => {
    expect(saidOf(copied(type, type))).toEqual([])
    const other = type === 'float32' ? 'int32' : 'float32'
    const moves = `moves ${type} of GM and ${other} of UB; allocate the buffer as tl.${type}, and tl.cast it`
    expect(saidOf(copied(type, other))).toEqual([`element-type: tl.load ${moves}`, `element-type: tl.store ${moves}`])
  })

  test('a bool of GM is a byte of UB', () => {
    expect(saidOf(copied('bool', 'uint8'))).toEqual([])
    expect(saidOf(copied('bool', 'int8'))[0]).toBe(
      'element-type: tl.load moves bool of GM and int8 of UB; allocate the buffer as tl.uint8, and tl.cast it',
    )
  })

  const addable = ['float32', 'float16', 'bfloat16', 'int32', 'int16', 'int8']
  test.each(types)('%s is added to where the hardware does it', (type) => {
    const said = saidOf(copied(type, type === 'bool' ? 'uint8' : type, ', atomic="add"'))
    const no = `element-type: ${type} cannot be added to in GM; use one of ${addable.join(', ')}`
    expect(said.filter((one) => one.startsWith('element-type'))).toEqual(addable.includes(type) ? [] : [no])
  })

  test.each([
    ['"max"', 'arguments: atomic is `"max"`; write atomic= one of "add"'],
    ['True', 'arguments: atomic is `True`; write atomic= one of "add"'],
  ])('atomic=%s is refused', (word, said) => {
    expect(saidOf(copied('float32', 'float32', `, atomic=${word}`))).toEqual([said])
  })

  test('an input is not stored to', () => {
    const sketch = copied('float32', 'float32')
    expect(saidOf({...sketch, kernel: sketch.kernel.replace('tl.store(y_ptr', 'tl.store(x_ptr + 8')})).toEqual([
      'store-to-input: x_ptr is the input x; store to an output, or to a workspace of the host',
    ])
  })

  test.each([
    [
      'tl.load(x_ptr',
      'tl.load(x_ub',
      '`x_ub` points to no tensor in GM; write tl.load(pointer + offset, buffer, count=...)',
    ],
    ['tl.load(x_ptr', 'tl.load(8', '`8` points to no tensor in GM; write tl.load(pointer + offset, buffer, count=...)'],
    [
      'tl.store(y_ptr',
      'tl.store(y_ub',
      '`y_ub` points to no tensor in GM; write tl.store(pointer + offset, buffer, count=...)',
    ],
    [
      'x_ptr, x_ub',
      'x_ptr, x_ptr',
      '`x_ptr` is no buffer; the source comes first: tl.load(pointer, buffer, count=...)',
    ],
    ['y_ptr, y_ub', 'y_ptr, y_ptr', '`y_ptr` is no buffer; load it into a buffer first'],
  ])('in place of %s, %s', (from, to, said) => {
    const sketch = copied('float32', 'float32')
    expect(saidOf({...sketch, kernel: sketch.kernel.replace(from, to)})).toContain(`operands: ${said}`)
  })
})

describe('buffers that an operation names', () => {
  const operandsOf = (operation: string) => {
    const read = readModule(sketched({kernel: `with tl.compute():\n    ${operation}`}))
    const found = read.ok ? flat(read.module.kernel.body) : []
    const one = found.find((statement): statement is Operation => statement.kind === 'operation')
    if (!one) throw new TypeError(`${operation} is none`)
    return bufferOperands(one).map(({name, kind}) => `${name} ${kind}`)
  }

  test.each<[string, string[]]>([
    ['tl.exp(a, b, count=8)', ['a out', 'b in']],
    ['tl.exp(a[8], b[n], count=8)', ['a out', 'b in']],
    ['tl.adds(a, b, c, count=8)', ['a out', 'b in']],
    ['tl.axpy(a, b, c, count=8)', ['a inout', 'b in']],
    ['tl.tanh(a, b, c, count=8)', ['a out', 'b in', 'c tmp']],
    ['tl.compare(a, b, c, mode="lt", count=8)', ['a mask-out', 'b in', 'c in']],
    ['tl.selects(a, b, c, d, count=8)', ['a out', 'b mask-in', 'c in']],
    ['tl.set(a, b, c)', ['a inout']],
    ['tl.exp(a, 1.0, count=8)', ['a out']],
    ['tl.exp(a, b + 8, count=8)', ['a out']],
    ['tl.exp(a, a, count=8)', ['a out', 'a in']],
  ])('%s', (operation, operands) => {
    expect(operandsOf(operation)).toEqual(operands)
  })
})
