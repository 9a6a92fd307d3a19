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
} from '../../../../pipelines/ascendcraft/interpret/core-memory.ts'
import {at, buffer, said} from '../../../helpers/interpreted-memory.ts'
import type {ElementType} from '../../../../pipelines/ascendcraft/language/dtypes.ts'

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
      'no more is read than it counts',
      [
        ['write', 0, 0, 0, 3],
        ['read', 0, 0, 0, 3],
      ],
      '',
    ],
    [
      'no more is added to than it counts',
      [
        ['write', 0, 0, 0, 3],
        ['add', 0, 1, 0, 3],
      ],
      '',
    ],
    [
      'no more is stored than it counts',
      [
        ['write', 1, 0, 3, 1],
        ['write', 0, 0, 0, 3],
        ['write', 1, 0, 3, 1],
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
