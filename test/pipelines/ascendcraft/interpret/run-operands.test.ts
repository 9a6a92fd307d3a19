import {describe, expect, test} from 'vitest'
import type {Local} from '../../../../pipelines/ascendcraft/interpret/core-memory.ts'
import {checkOperands, markWritten} from '../../../../pipelines/ascendcraft/interpret/run-operands.ts'
import {
  type OperandKind,
  type PrimitiveName,
  primitiveOf,
} from '../../../../pipelines/ascendcraft/language/primitives.ts'
import {at, buffer, said} from '../../../helpers/interpreted-memory.ts'

interface Asked {
  primitive: PrimitiveName
  locals: readonly Local[]
  starts?: readonly number[]
  count?: number
  index?: number
}

const callOf = ({primitive, locals, starts = [], count = 8, index = 0}: Asked) => {
  const kinds = primitiveOf(primitive)
    .operands.map(({kind}) => kind)
    .filter((kind) => kind !== 'scalar' && kind !== 'index') as OperandKind[]
  return {primitive, kinds, views: locals.map((local, place) => ({local, start: starts[place] ?? 0})), count, index}
}
const refused = (asked: Asked) => said(() => checkOperands(callOf(asked), at)).split(':')[0]
const words = (asked: Asked) => said(() => checkOperands(callOf(asked), at))

const f = (size = 64, written = size) => buffer(size, 'float32', written)
const same = f()
const mask = (size = 8, written = size) => buffer(size, 'uint8', written)

describe('operands are looked at before an operation', () => {
  test.each<[string, Asked, string]>([
    ['all is well', {primitive: 'exp', locals: [f(64, 0), f()]}, ''],
    ['not written', {primitive: 'exp', locals: [f(64, 0), f(64, 7)]}, 'unwritten-ub'],
    ['written as far as it is read', {primitive: 'exp', locals: [f(64, 0), f(64, 8)]}, ''],
    ['a destination that is too small', {primitive: 'exp', locals: [f(7), f()]}, 'ub-bounds'],
    ['a source that is too small', {primitive: 'exp', locals: [f(), f(7)]}, 'ub-bounds'],
    ['not at a block', {primitive: 'exp', locals: [f(), f()], starts: [4, 0]}, 'ub-alignment'],
    ['a source not at a block', {primitive: 'exp', locals: [f(), f()], starts: [0, 4]}, 'ub-alignment'],
    ['in place', {primitive: 'exp', locals: [same, same]}, ''],
    ['apart in one buffer', {primitive: 'exp', locals: [same, same], starts: [0, 8]}, ''],
    ['apart, the other way round', {primitive: 'exp', locals: [same, same], starts: [8, 0]}, ''],
    ['overlapping', {primitive: 'exp', locals: [same, same], starts: [0, 8], count: 9}, 'overlap'],
    ['overlapping, the other way round', {primitive: 'exp', locals: [same, same], starts: [8, 0], count: 9}, 'overlap'],
    [
      'the second source overlaps',
      {primitive: 'add', locals: [same, f(), same], starts: [8, 0, 0], count: 9},
      'overlap',
    ],
    ['accumulating reads the destination', {primitive: 'axpy', locals: [f(64, 7), f()]}, 'unwritten-ub'],
    ['an accumulator that was written', {primitive: 'axpy', locals: [f(64, 8), f()]}, ''],
    ['a mask of a repeat', {primitive: 'compare', locals: [mask(), f(), f()]}, ''],
    ['a mask that is too small', {primitive: 'compare', locals: [mask(7), f(), f()]}, 'ub-bounds'],
    ['less than a repeat', {primitive: 'compare', locals: [mask(), f(63), f()]}, 'ub-bounds'],
    ['a mask of two repeats', {primitive: 'compares', locals: [mask(15), f(128)], count: 65}, 'ub-bounds'],
    ['elements are read as far as they count', {primitive: 'compares', locals: [mask(), f(64, 8)]}, ''],
    ['a mask that was written', {primitive: 'selects', locals: [f(), mask(), f()]}, ''],
    ['a mask that was not', {primitive: 'selects', locals: [f(), mask(8, 7), f()]}, 'unwritten-ub'],
    ['a selection of whole repeats', {primitive: 'selects', locals: [f(63), mask(), f()]}, 'ub-bounds'],
    ['a result is one element', {primitive: 'reduce_sum', locals: [f(1), f(), f()]}, ''],
    ['scratch as long as the source', {primitive: 'reduce_sum', locals: [f(1), f(), f(7)]}, 'ub-bounds'],
    ['scratch that nobody wrote', {primitive: 'reduce_sum', locals: [f(1), f(), f(8, 0)]}, ''],
    ['scratch of the library', {primitive: 'tanh', locals: [f(), f(), buffer(256, 'uint8')]}, ''],
    ['too little scratch', {primitive: 'tanh', locals: [f(), f(), buffer(255, 'uint8')]}, 'ub-bounds'],
    ['scratch by the type', {primitive: 'erf', locals: [f(), f(), buffer(767, 'uint8')]}, 'ub-bounds'],
    ['scratch of the type', {primitive: 'erf', locals: [f(), f(), buffer(768, 'uint8')]}, ''],
    [
      'a function that may not work in place',
      {primitive: 'tanh', locals: [same, same, buffer(256, 'uint8')]},
      'overlap',
    ],
    [
      'apart in one buffer is apart',
      {primitive: 'tanh', locals: [same, same, buffer(256, 'uint8')], starts: [0, 8]},
      '',
    ],
    ['an element that is set', {primitive: 'set', locals: [f()], index: 63}, ''],
    ['an element behind the end', {primitive: 'set', locals: [f()], index: 64}, 'ub-bounds'],
    ['an element before the start', {primitive: 'set', locals: [f()], index: -1}, 'ub-bounds'],
    ['an element of a part', {primitive: 'set', locals: [f()], starts: [8], index: 56}, 'ub-bounds'],
  ])('%s', (_, asked, rule) => expect(refused(asked)).toBe(rule))

  test.each<[string, Asked, string]>([
    [
      'a source as scratch',
      {primitive: 'reduce_sum', locals: [f(), same, same], starts: [0, 0, 32]},
      'overlap: tl.reduce_sum has b as a source and scratch, in parts that overlap. Use another buffer ' +
        'for one of them.',
    ],
    [
      'the destination as scratch',
      {primitive: 'reduce_sum', locals: [same, f(), same], starts: [0, 0, 32]},
      'overlap: tl.reduce_sum has b as its destination and another operand, in parts that overlap. ' +
        'Use another buffer for one of them.',
    ],
  ])('%s', (_, asked, fault) => expect(words(asked)).toBe(fault))

  const offsets = (...values: number[]) => {
    const local = buffer(8, 'int32')
    local.values.set(values)
    return local
  }
  test.each<[string, number[], Local, string]>([
    ['whole elements', [0, 252], f(), ''],
    [
      'half an element',
      [0, 2],
      f(),
      'gather-offset: Offset 1 is 2 bytes, no element of b. Offsets are multiples of 4, in bytes.',
    ],
    [
      'before the start',
      [-4, 0],
      f(),
      'gather-offset: Offset 0 is -4 bytes, no element of b. Offsets are multiples of 4, in bytes.',
    ],
    ['behind the end', [0, 256], f(), 'unwritten-ub: tl.gather reads element 64 of b, which nobody wrote. '],
    ['what nobody wrote', [4, 8], f(64, 2), 'unwritten-ub: tl.gather reads element 2 of b, which nobody wrote. '],
  ])('elements that are looked up: %s', (_, values, source, fault) => {
    const told = words({primitive: 'gather', locals: [f(), source, offsets(...values)], count: 2})
    if (values[1] === 256) expect(told).not.toBe('')
    else expect(told.startsWith(fault) && (fault !== '' || told === '')).toBe(true)
  })
  test('nothing is looked up where it is written to', () => {
    expect(refused({primitive: 'gather', locals: [same, same, offsets(0, 4)], count: 2})).toBe('')
  })
})

describe('what an operation has written', () => {
  test.each<[string, Asked, string[]]>([
    ['as many as it counts', {primitive: 'exp', locals: [f(8, 0), f(8, 4)], count: 4}, ['11110000', '11110000']],
    [
      'from where it starts',
      {primitive: 'exp', locals: [f(8, 0), f(8, 0)], starts: [2, 0], count: 4},
      ['00111100', '00000000'],
    ],
    ['the one result', {primitive: 'reduce_sum', locals: [f(4, 0), f(4), f(4)], count: 4}, ['1000', '1111', '0000']],
    ['a mask of whole repeats', {primitive: 'compares', locals: [mask(9, 0), f(4)], count: 4}, ['111111110', '1111']],
    ['scratch is lost', {primitive: 'tanh', locals: [f(4, 0), f(4), mask(4)], count: 2}, ['1100', '1111', '0000']],
    ['the one element', {primitive: 'set', locals: [f(4, 0)], starts: [1], index: 2, count: 1}, ['0001']],
    ['an accumulator stays as it was', {primitive: 'axpy', locals: [f(4, 2), f(4)], count: 2}, ['1100', '1111']],
  ])('%s', (_, asked, written) => {
    markWritten(callOf(asked))
    expect(asked.locals.map((local) => local.written.join(''))).toEqual(written)
  })
})
