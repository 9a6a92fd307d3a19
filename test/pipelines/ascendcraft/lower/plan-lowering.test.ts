import {describe, expect, test} from 'vitest'
import {flat, type Stage} from '../../../../pipelines/ascendcraft/lower/mentions.ts'
import {parametersOf, planKernel} from '../../../../pipelines/ascendcraft/lower/plan-lowering.ts'
import {type Sketch, sketched} from '../../../helpers/interpreting.ts'
import {checkedText} from '../../../helpers/lowering.ts'

const planOf = (sketch: Sketch) => planKernel(checkedText(sketched(sketch)))

const indented = (text: string) => text.replace(/^(?=.)/gm, '    ')

interface Parts {
  before?: string
  load?: string
  compute?: string
  store?: string
}

/** A kernel of three stages; each part stands in front of what its stage does. */
function kernelOf({before = '', load = '', compute = '', store = ''}: Parts): string {
  return `x_ub = tl.alloc_ub(64, dtype=tl.float32)
y_ub = tl.alloc_ub(64, dtype=tl.float32)
${before}
with tl.copyin():
${indented(load)}
    tl.load(x_ptr, x_ub, count=8)
with tl.compute():
${indented(compute)}
    tl.exp(y_ub, x_ub, count=8)
with tl.copyout():
${indented(store)}
    tl.store(y_ptr, y_ub, count=8)
`
}
const times = (name: string) => `tl.muls(y_ub, x_ub, ${name}, count=8)`

describe('where a scalar of the kernel lives', () => {
  const scalars = {k: 'n', tile_length: 'n', unused: 'n'}

  test.each<[string, Parts, string[], handed: string[]]>([
    ['one of the launch is a member', {compute: times('k')}, ['k member k_'], []],
    ['one of several words', {compute: times('tile_length')}, ['tile_length member tileLength_'], []],
    ['one that nothing reads is none', {before: 'v = 1\nw = v'}, [], []],
    [
      'one that is set in front of the stages is handed to those that read it',
      {before: 'v = k + 1', compute: times('v')},
      ['k member k_', 'v local v'],
      ['compute v'],
    ],
    [
      'one that a stage sets and reads is its own',
      {compute: `v = k + 1\n${times('v')}`},
      ['k member k_', 'v local v'],
      [],
    ],
    [
      'one that each stage sets before it reads it is its own',
      {compute: `v = k + 1\n${times('v')}`, store: 'v = 0\nu = v * 2\nif u > 1:\n    v = u'},
      ['k member k_', 'v local v', 'u local u'],
      [],
    ],
    [
      'one that a stage sets for another is a member',
      {load: 'v = k + 1', compute: times('v')},
      ['k member k_', 'v member v_'],
      [],
    ],
    [
      'one that a stage changes for what stands outside is a member',
      {before: 'v = 1\nif v > k:\n    v = 2', compute: 'v = v + 1', store: 'w = v\nif w > 1:\n    w = w + v'},
      ['k member k_', 'v member v_', 'w local w'],
      [],
    ],
    [
      'the variable of a loop in a stage is its own',
      {compute: `for i in range(2):\n    ${times('i')}`},
      ['i local i'],
      [],
    ],
    [
      'the variable of loops in two stages is of each',
      {
        compute: `for i in range(2):\n    ${times('i')}`,
        load: 'for i in range(2):\n    tl.load(x_ptr + i, x_ub, count=8)',
      },
      ['i local i'],
      [],
    ],
  ])('%s', (_, parts, told, handed) => {
    const plan = planOf({kernel: kernelOf(parts), scalars})
    expect([...plan.scalars.values()].map(({name, place, cpp}) => `${name} ${place} ${cpp}`)).toEqual(told)
    const stages = flat(plan.body).filter((one): one is Stage => one.kind === 'stage')
    const given = stages.flatMap((stage) => parametersOf(stage, plan).map(({cpp}) => `${stage.stage} ${cpp}`))
    expect(given).toEqual(handed)
  })

  test('fields are those of the launch that something reads, in its order', () => {
    const plan = planOf({kernel: kernelOf({compute: `${times('tile_length')}\n${times('k')}`}), scalars})
    expect(plan.fields.map(({name, field, parameter}) => [name, field, parameter.type])).toEqual([
      ['k', 'k', 'int'],
      ['tile_length', 'tileLength', 'int'],
    ])
  })

  test('a member never has the name of another', () => {
    const plan = planOf({kernel: kernelOf({load: 'tile = k', compute: times('tile')}), scalars: {k: 'n', tile_: 'n'}})
    const names = [...plan.scalars.values()].map(({cpp}) => cpp)
    expect(new Set(names).size).toBe(names.length)
  })
})

describe('what a kernel is left with', () => {
  const kinds = (parts: Parts) =>
    flat(planOf({kernel: kernelOf(parts), scalars: {k: 'n'}}).body).flatMap((one) =>
      one.kind === 'assign' ? [one.name] : [],
    )

  test.each<[string, Parts, string[]]>([
    ['what is read', {before: 'v = k', compute: times('v')}, ['v']],
    ['not what only what is not read reads', {before: 'v = k\nw = v\nu = w'}, []],
    ['not in a loop', {before: 'for i in range(k):\n    v = i'}, []],
    ['not in a branch', {before: 'if k > 1:\n    v = 1\nelse:\n    v = 2'}, []],
    ['not in a stage', {compute: 'v = 1'}, []],
    ['all values of a name that is read', {before: 'v = 1\nif k > 1:\n    v = 2', compute: times('v')}, ['v', 'v']],
    ['what counts itself', {before: 'v = 1\nfor i in range(k):\n    v = v + 1'}, ['v', 'v']],
  ])('%s', (_, parts, names) => {
    expect(kinds(parts)).toEqual(names)
  })
})

test('pointers and buffers have members of their own', () => {
  const kernel = `h_ub = tl.alloc_ub(8, dtype=tl.float32)\n${kernelOf({compute: 'tl.duplicate(h_ub, 0.0, count=8)'})}`
  const plan = planOf({kernel})
  expect([...plan.gm.values()]).toEqual([
    {name: 'x_ptr', argument: 'x', of: 'input', type: 'float32', member: 'xGm_'},
    {name: 'y_ptr', argument: 'y', of: 'output', type: 'float32', member: 'yGm_'},
  ])
  const told = [...plan.buffers.values()].map(({name, member, local, shared, blocks}) => [
    name,
    member,
    local,
    shared,
    blocks,
  ])
  expect(told).toEqual([
    ['h_ub', 'hBuf_', 'hLocal', 'hLocal_', 1],
    ['x_ub', 'xQueue_', 'xLocal', 'xLocal_', 1],
    ['y_ub', 'yQueue_', 'yLocal', 'yLocal_', 1],
  ])
})

describe('queues of one position share eight events', () => {
  /** Blocks of so many input buffers, which a loop loads, each of the given depth. */
  function blocksOf(depths: readonly (1 | 2)[], output = 2): (1 | 2)[] {
    const names = depths.map((_, at) => `a${at}`)
    const kernel = [
      ...names.map((name, at) => `${name} = tl.alloc_ub(8, dtype=tl.float32, depth=${depths[at]})`),
      `y = tl.alloc_ub(8, dtype=tl.float32, depth=${output})`,
      'for i in range(k):',
      '    with tl.copyin():',
      ...names.map((name) => `        tl.load(x_ptr + i * 8, ${name}, count=8)`),
      '    with tl.compute():',
      '        tl.duplicate(y, 0.0, count=8)',
      ...names.map((name) => `        tl.add(y, y, ${name}, count=8)`),
      '    with tl.copyout():',
      '        tl.store(y_ptr + i * 8, y, count=8)',
    ].join('\n')
    const {buffers} = planOf({kernel, scalars: {k: 'n'}})
    expect(buffers.get('y')?.blocks).toBe(output)
    return names.map((name) => buffers.get(name)!.blocks)
  }

  test.each<[(1 | 2)[], (1 | 2)[]]>([
    [[2], [2]],
    [
      [1, 2],
      [1, 2],
    ],
    [
      [2, 2, 2, 2],
      [2, 2, 2, 2],
    ],
    [
      [2, 2, 2, 1, 1],
      [2, 2, 2, 1, 1],
    ],
    // The last ones have one block where there are not enough.
    [
      [2, 2, 2, 2, 1],
      [2, 2, 2, 1, 1],
    ],
    [
      [2, 2, 2, 2, 2],
      [2, 2, 2, 1, 1],
    ],
    [
      [2, 2, 2, 2, 2, 2, 2, 2],
      [1, 1, 1, 1, 1, 1, 1, 1],
    ],
    [
      [1, 1, 1, 1, 1, 1, 1, 1],
      [1, 1, 1, 1, 1, 1, 1, 1],
    ],
  ])('of depths %j are %j', (depths, blocks) => {
    expect(blocksOf(depths)).toEqual(blocks)
  })

  test('and are no more than eight', () => {
    expect(() => blocksOf([1, 1, 1, 1, 1, 1, 1, 1, 1])).toThrow(
      'lowering: 9 queues where 8 events are: put tensors side by side',
    )
  })
})

test.each([
  [4, [2, 2, 2, 2]],
  [5, [2, 2, 2, 1, 1]],
  [6, [2, 2, 1, 1, 1, 1]],
  [8, [1, 1, 1, 1, 1, 1, 1, 1]],
])('%i queues of one position share eight events, the first with two blocks', (count, expected) => {
  const names = Array.from({length: count}, (_, at) => `u${at}`)
  const each = (text: (name: string) => string) => names.map(text).join('\n')
  const kernel = `${each((name) => `${name} = tl.alloc_ub(8, dtype=tl.float32)`)}
y_ub = tl.alloc_ub(8, dtype=tl.float32)
for i in range(4):
    with tl.copyin():
${indented(indented(each((name) => `tl.load(x_ptr, ${name}, count=8)`)))}
    with tl.compute():
${indented(indented(each((name) => `tl.exp(y_ub, ${name}, count=8)`)))}
    with tl.copyout():
        tl.store(y_ptr, y_ub, count=8)
`
  const {buffers} = planOf({kernel})
  expect(names.map((name) => buffers.get(name)?.blocks)).toEqual(expected)
})
