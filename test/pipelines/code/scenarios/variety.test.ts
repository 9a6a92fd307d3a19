import {expect, test} from 'vitest'
import type {OperatorDefinition} from '../../../../cpp/op-def.ts'
import type {Scenario} from '../../../../datasets/schema/scenario.ts'
import type {Call} from '../../../../pipelines/code/scenarios/drawn-call.ts'
import type {Shape} from '../../../../pipelines/code/scenarios/roles.ts'
import type {Trial} from '../../../../pipelines/code/scenarios/trial.ts'
import {varied} from '../../../../pipelines/code/scenarios/variety.ts'

const same = {shape: (base: Shape) => base}
const definition: OperatorDefinition = {
  operator: 'Op',
  inputs: [
    {name: 'x', kind: 'required', dtypes: []},
    {name: 'm', kind: 'optional', dtypes: []},
    {name: 'b', kind: 'optional', dtypes: []},
    {name: 'c', kind: 'optional', dtypes: []},
  ],
  outputs: [{name: 'y', kind: 'required', dtypes: []}],
  attributes: ['p', 'q', 'r', 's'].map((name) => ({name, required: false, type: 'Bool', default: 'false'})),
  socs: [],
  shapeFromKernel: false,
}
const plan = {
  inputs: {x: same, m: 'absent' as const, b: 'absent' as const, c: 'absent' as const},
  outputs: {y: same},
  attributes: {p: false},
}

/** What tells scenarios apart: tiling key, blocks and one tiling value. */
type Traced = [key: number, blocks: number, rows: number]

function scenario([tilingKey, blockDim, rows]: Traced): Scenario {
  return {trace: {tilingKey, blockDim, tiling: {rows}}} as unknown as Scenario
}

const told = ({trace}: Scenario) => [trace.tilingKey, trace.blockDim, trace.tiling['rows']]

interface Served {
  calls: string[]
  scenarios: unknown[]
}

/** Draws with a build that answers each call in its turn; `undefined`, once nothing is left, refuses it. */
async function drawn(base: Shape, most: number, ends: readonly (Traced | 'violated' | undefined)[]): Promise<Served> {
  const calls: string[] = []
  const trial = {
    async serve({inputs, attributes}: Call, shape: Shape, tolerant: boolean) {
      const end = ends[calls.length]
      const given = inputs.map(({name}) => name).join('')
      calls.push(`${given} ${shape.join('×')} ${JSON.stringify(attributes)}${tolerant ? ' tolerant' : ''}`)
      if (end === 'violated') return {ok: false, outcome: 'violated', message: ''}
      return end ? {ok: true, scenario: scenario(end)} : {ok: false, outcome: 'crashed', message: ''}
    },
  } as unknown as Trial
  const found = {plan, base, tolerant: false, scenario: scenario([0, 1, 1])}
  const scenarios = await varied(found, {definition, dtypes: {}, trial, most})
  return {calls, scenarios: scenarios.map(told)}
}

const usual = '{"p":false}'

test('three sizes are tried first, two optional inputs, three attributes, then the other sizes', async () => {
  const {calls, scenarios} = await drawn([24, 128], 9, [])
  expect(scenarios).toEqual([[0, 1, 1]])
  expect(calls).toEqual([
    `x 7×33 ${usual}`,
    `x 48×256 ${usual}`,
    `x 129×100 ${usual}`,
    `xm 24×128 ${usual}`,
    `xb 24×128 ${usual}`,
    'x 24×128 {"p":true}',
    'x 24×128 {"p":false,"q":true}',
    'x 24×128 {"p":false,"r":true}',
    `x 3×6000 ${usual}`,
    `x 400×160 ${usual}`,
    `x 1×64 ${usual}`,
  ])
})

// Few elements, many, rows of no whole block, uneven shares.
test.each<[base: number[], sizes: string]>([
  [[9], '37 256 6000 40003 65536'],
  [[9, 9, 9], '3×5×33 8×32×128 2×48×260 17×40×64 1×3×2000'],
  [[9, 9, 9, 9], '2×8×8×8 3×5×7×9 4×32×16×16 1×64×30×20 8×16×4×64'],
  [[9, 9, 9, 9, 9], '1×16×2×8×8 2×8×4×8×16 1×3×5×7×9 1×32×4×16×16'],
  [[9, 9, 9, 9, 9, 9], ''],
])('a call about %j is drawn again with other sizes', async (base, sizes) => {
  const {calls} = await drawn(base, 9, [])
  const own = base.join('×')
  const shapes = calls.map((one) => one.split(' ')[1]).filter((one) => one !== own)
  expect(shapes.join(' ')).toBe(sizes)
})

test('scenarios of another tiling key are kept first, then of other blocks, then of other values', async () => {
  const ends: Traced[] = [
    [0, 1, 2],
    [0, 2, 1],
    [5, 1, 1],
    [0, 1, 1],
    [0, 1, 3],
  ]
  const all = [
    [0, 1, 1],
    [5, 1, 1],
    [0, 2, 1],
    [0, 1, 2],
    [0, 1, 3],
  ]
  for (const most of [1, 2, 3, 4, 5]) expect((await drawn([9], most, ends)).scenarios).toEqual(all.slice(0, most))
  expect((await drawn([9], 6, ends)).scenarios).toEqual(all)
})

test('no more is drawn once there are enough of a kind and two to choose from', async () => {
  const different: Traced[] = [2, 3, 4, 5, 6, 7, 8].map((rows) => [0, 1, rows])
  expect((await drawn([9], 3, different)).calls).toHaveLength(4)
  const alike: Traced[] = [...Array<Traced>(4).fill([0, 1, 1]), ...different]
  expect((await drawn([9], 2, alike)).calls).toHaveLength(5)
})

test('a call that broke a rule is tried once more past the rule, and no other', async () => {
  const {calls, scenarios} = await drawn([9], 3, ['violated', [0, 4, 1], undefined, 'violated', 'violated'])
  expect(calls.slice(0, 6)).toEqual([
    `x 37 ${usual}`,
    `x 37 ${usual} tolerant`,
    `x 256 ${usual}`,
    `x 6000 ${usual}`,
    `x 6000 ${usual} tolerant`,
    `xm 9 ${usual}`,
  ])
  expect(scenarios).toEqual([
    [0, 1, 1],
    [0, 4, 1],
  ])
})
