import {describe, expect, test} from 'vitest'
import {
  checkGlobalAdd,
  checkGlobalRead,
  checkGlobalWrite,
  checkInside,
  checkRead,
  checkStart,
  forget,
  type Global,
  globalOf,
  type Local,
} from '../../../../pipelines/ascendcraft/interpret/core-memory.ts'
import {checkOperands, markWritten} from '../../../../pipelines/ascendcraft/interpret/run-operands.ts'
import {Trouble} from '../../../../pipelines/ascendcraft/interpret/trouble.ts'
import type {ElementType} from '../../../../pipelines/ascendcraft/language/dtypes.ts'
import {
  type OperandKind,
  type PrimitiveName,
  primitiveOf,
} from '../../../../pipelines/ascendcraft/language/primitives.ts'

const at = {line: 7, column: 3}

/** The rule and what is said of it; '' where nothing is wrong. */
function said(run: () => void): string {
  try {
    run()
    return ''
  } catch (error) {
    if (!(error instanceof Trouble)) throw error
    const {rule, message, mend, line, column} = error.fault
    expect({line, column}).toEqual(at)
    return `${rule}: ${message} ${mend}`
  }
}

const buffer = (size: number, type: ElementType = 'float32', written = size): Local => ({
  name: 'b',
  type,
  values: new Float64Array(size),
  written: new Uint8Array(size).fill(1, 0, written),
})

describe('a stretch of a buffer', () => {
  test.each<[number, number, string]>([
    [0, 8, ''],
    [7, 1, ''],
    [0, 9, 'ub-bounds: it touches elements 0 to 8 of b, which has 8. Count fewer elements, or make the buffer larger.'],
    [8, 1, 'ub-bounds: it touches elements 8 to 8 of b, which has 8. Count fewer elements, or make the buffer larger.'],
    [
      -1,
      1,
      'ub-bounds: it touches elements -1 to -1 of b, which has 8. Count fewer elements, or make the buffer larger.',
    ],
  ])('from %i on %i lies inside', (start, count, fault) => {
    expect(said(() => checkInside({local: buffer(8), start}, count, at, 'it'))).toBe(fault)
  })

  test.each<[number, number, string]>([
    [0, 6, ''],
    [5, 1, ''],
    [0, 7, 'unwritten-ub: it reads element 6 of b, which nobody wrote. Write it before, or count fewer elements.'],
    [4, 4, 'unwritten-ub: it reads element 6 of b, which nobody wrote. Write it before, or count fewer elements.'],
    [7, 1, 'unwritten-ub: it reads element 7 of b, which nobody wrote. Write it before, or count fewer elements.'],
  ])('from %i on %i was written', (start, count, fault) => {
    expect(said(() => checkRead({local: buffer(8, 'float32', 6), start}, count, at, 'it'))).toBe(fault)
  })

  test.each<[ElementType, number, string]>([
    ['float32', 0, ''],
    ['float32', 8, ''],
    [
      'float32',
      4,
      'starts 16 bytes behind the start of b, not at a multiple of 32. Use an offset that is a multiple of 8.',
    ],
    ['float16', 16, ''],
    [
      'float16',
      8,
      'starts 16 bytes behind the start of b, not at a multiple of 32. Use an offset that is a multiple of 16.',
    ],
    ['uint8', 32, ''],
    [
      'uint8',
      31,
      'starts 31 bytes behind the start of b, not at a multiple of 32. Use an offset that is a multiple of 32.',
    ],
  ])('of %s at %i starts at a block', (type, start, fault) => {
    const words = said(() => checkStart({local: buffer(64, type), start}, at, 'it'))
    expect(words).toBe(fault && `ub-alignment: it ${fault}`)
  })

  test('is fresh once it is given out again', () => {
    const local = buffer(4)
    forget(local)
    expect([...local.written]).toEqual([0, 0, 0, 0])
  })
})

const global = (of: Global['of'], size = 4) =>
  globalOf({name: 'p', kind: 'gm', type: 'float32', argument: 'g', of, loaded: true, stored: true, added: false}, size)

type Step = [what: 'read' | 'write' | 'add', core: number, meetings: number, start?: number, count?: number]
const checks = {read: checkGlobalRead, write: checkGlobalWrite, add: checkGlobalAdd}

/** What the last of some steps is refused for. */
function lastOf(steps: readonly Step[], tensor = global('output')): string {
  const results = steps.map(([what, core, meetings, start = 0, count = 4]) =>
    said(() => checks[what](tensor, {start, count}, {core, meetings}, at)),
  )
  expect(results.slice(0, -1).filter((one) => one !== '')).toEqual([])
  return results.at(-1)!
}

const store = 'Store it before, by a core that all wait for with tl.sync_all().'

describe('cores meet in global memory', () => {
  test.each<[string, Step[], string]>([
    [
      'a core reads what it wrote',
      [
        ['write', 0, 0],
        ['read', 0, 0],
      ],
      '',
    ],
    ['nobody wrote', [['read', 0, 0]], `unwritten-gm: Core 0 loads element 0 of g, which nobody wrote. ${store}`],
    [
      'nobody wrote the last one',
      [
        ['write', 3, 0, 0, 3],
        ['read', 3, 0],
      ],
      `unwritten-gm: Core 3 loads element 3 of g, which nobody wrote. ${store}`,
    ],
    [
      'another core wrote, and they have not met',
      [
        ['write', 0, 0],
        ['read', 1, 0],
      ],
      'gm-race: Core 1 loads element 0 of g, which another core stores without a tl.sync_all() between. ' +
        'Put tl.sync_all() between the store and the load.',
    ],
    [
      'another core wrote, and they have met',
      [
        ['write', 0, 0],
        ['read', 1, 1],
      ],
      '',
    ],
    [
      'two cores read',
      [
        ['write', 0, 0],
        ['read', 1, 1],
        ['read', 2, 1],
      ],
      '',
    ],
    [
      'a core writes twice',
      [
        ['write', 0, 0],
        ['write', 0, 0],
      ],
      '',
    ],
    [
      'two cores write',
      [
        ['write', 0, 0],
        ['write', 1, 0],
      ],
      'gm-race: Core 1 stores element 0 of g, which another core stores too. ' +
        'Give each core elements of its own, or store with atomic="add".',
    ],
    [
      'two cores write one element of theirs',
      [
        ['write', 0, 0, 0, 2],
        ['write', 1, 0, 1, 3],
      ],
      'gm-race: Core 1 stores element 1 of g, which another core stores too. ' +
        'Give each core elements of its own, or store with atomic="add".',
    ],
    [
      'two cores write apart',
      [
        ['write', 0, 0, 0, 2],
        ['write', 1, 0, 2, 2],
      ],
      '',
    ],
    [
      'two cores write one after the other',
      [
        ['write', 0, 0],
        ['write', 1, 1],
      ],
      '',
    ],
    [
      'one reads what another then writes',
      [
        ['write', 0, 0],
        ['read', 0, 1],
        ['write', 1, 1],
      ],
      'gm-race: Core 1 stores element 0 of g, which another core loads without a tl.sync_all() between. ' +
        'Put tl.sync_all() between the load and the store.',
    ],
    [
      'a core writes what it read',
      [
        ['write', 0, 0],
        ['read', 0, 1],
        ['write', 0, 1],
      ],
      '',
    ],
    [
      'two cores read, and the first of them writes',
      [
        ['write', 0, 0],
        ['read', 0, 1],
        ['read', 1, 1],
        ['write', 0, 1],
      ],
      'gm-race: Core 0 stores element 0 of g, which another core loads without a tl.sync_all() between. ' +
        'Put tl.sync_all() between the load and the store.',
    ],
    [
      'two cores read, and the second of them writes',
      [
        ['write', 0, 0],
        ['read', 0, 1],
        ['read', 1, 1],
        ['write', 1, 1],
      ],
      'gm-race: Core 1 stores element 0 of g, which another core loads without a tl.sync_all() between. ' +
        'Put tl.sync_all() between the load and the store.',
    ],
    [
      'what was read before the last meeting counts no more',
      [
        ['write', 0, 0],
        ['read', 0, 1],
        ['write', 1, 2],
      ],
      '',
    ],
    [
      'nor does who read it then',
      [
        ['write', 0, 0],
        ['read', 0, 1],
        ['read', 1, 2],
        ['write', 1, 2],
      ],
      '',
    ],
    [
      'nothing is there to be added to',
      [['add', 0, 0]],
      'unwritten-gm: Core 0 adds to element 0 of g, which nobody wrote. ' +
        'Store a first value, then tl.sync_all(), then add.',
    ],
    [
      'all cores add',
      [
        ['write', 0, 0],
        ['add', 0, 1],
        ['add', 1, 1],
        ['add', 2, 1],
      ],
      '',
    ],
    [
      'a core adds to what it wrote',
      [
        ['write', 0, 0],
        ['add', 0, 0],
      ],
      '',
    ],
    [
      'a core adds to what another one writes',
      [
        ['write', 0, 0],
        ['add', 1, 0],
      ],
      'gm-race: Core 1 adds to element 0 of g, which another core stores without a tl.sync_all() between. ' +
        'Put tl.sync_all() between the first value and the additions.',
    ],
    [
      'a sum is read before all have met',
      [
        ['write', 0, 0],
        ['add', 0, 1],
        ['read', 0, 1],
      ],
      'gm-race: Core 0 loads element 0 of g, which another core stores without a tl.sync_all() between. ' +
        'Put tl.sync_all() between the store and the load.',
    ],
    [
      'a sum is read behind a meeting',
      [
        ['write', 0, 0],
        ['add', 0, 1],
        ['read', 1, 2],
      ],
      '',
    ],
    [
      'behind the end',
      [['write', 0, 0, 1, 4]],
      'gm-bounds: A store touches elements 1 to 4 of g, which has 4. Let the last tile count only what is left.',
    ],
    [
      'before the start',
      [['add', 0, 0, -1, 2]],
      'gm-bounds: A store touches elements -1 to 0 of g, which has 4. Let the last tile count only what is left.',
    ],
    ['the last element', [['write', 0, 0, 3, 1]], ''],
  ])('%s', (_, steps, fault) => expect(lastOf(steps)).toBe(fault))

  test('an input was written before, and is read by all', () => {
    const steps: Step[] = [
      ['read', 0, 0],
      ['read', 1, 0],
      ['read', 2, 0, 3, 2],
    ]
    expect(lastOf(steps, global('input'))).toBe(
      'gm-bounds: A load touches elements 3 to 4 of g, which has 4. Let the last tile count only what is left.',
    )
    expect(global('input')).toMatchObject({name: 'g', type: 'float32', of: 'input', written: new Uint8Array(4).fill(1)})
    expect(global('input').writers).toHaveLength(0)
    expect(global('workspace').written).toEqual(new Uint8Array(4))
  })
})

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
      'overlap: tl.reduce_sum has b as a source and scratch, in parts that overlap. Use another buffer for one of them.',
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
