import {describe, expect, test} from 'vitest'
import type {OperatorDefinition} from '../../../../cpp/op-def.ts'
import type {Scenario} from '../../../../datasets/schema/scenario.ts'
import type {Call} from '../../../../pipelines/code/scenarios/drawn-call.ts'
import {findCall, isMistyped} from '../../../../pipelines/code/scenarios/search.ts'
import type {Refusal, Trial} from '../../../../pipelines/code/scenarios/trial.ts'

const definition: OperatorDefinition = {
  operator: 'Op',
  inputs: [{name: 'x', kind: 'required', dtypes: []}],
  outputs: [{name: 'y', kind: 'required', dtypes: []}],
  attributes: [],
  socs: [],
  shapeFromKernel: false,
}
const scenario = {seed: 'found'} as Scenario

type End = Refusal | 'ran'

/** Looks for a call of a build that answers each in its turn, the last answer for all that follow. */
async function found(ends: readonly End[], attempts = 99, given = definition) {
  const calls: string[] = []
  const trial = {
    async serve({inputs, outputs, attributes}: Call, base: readonly number[], tolerant: boolean) {
      const end = ends[Math.min(calls.length, ends.length - 1)] as End
      const shapes = [...inputs, ...outputs].map(({shape}) => shape.join('×'))
      const last = Object.values(attributes).map((one) => ` ${one}`)
      calls.push(`${base.join('×')}: ${shapes.join(' ')}${last.join('')}${tolerant ? ' tolerant' : ''}`)
      return end === 'ran' ? {ok: true, scenario} : {ok: false, ...end}
    },
  } as unknown as Trial
  return {calls, end: await findCall(given, {}, trial, attempts)}
}

const refused = (outcome: Refusal['outcome'], message = outcome as string): Refusal => ({outcome, message})
const [crashed, violated, unlaunched] = [refused('crashed'), refused('violated'), refused('launch-failed')]

test('the likeliest calls are tried first, none twice', async () => {
  const {calls, end} = await found([crashed])
  expect(calls).toEqual([
    '24×128: 24×128 24×128',
    '2×16×8×16: 2×16×8×16 2×16×8×16',
    '4×16×64: 4×16×64 4×16×64',
    '2048: 2048 2048',
    // Outputs of another shape are less likely than calls about another tensor.
    '24×128: 24×128 1',
    '1×16×4×8×16: 1×16×4×8×16 1×16×4×8×16',
    '2×16×8×16: 2×16×8×16 1',
    '4×16×64: 4×16×64 1',
    '2048: 2048 1',
    '24×128: 24×128 24×1',
    '1×16×4×8×16: 1×16×4×8×16 1',
    // The fourth shape of an output costs too much; so do a third with a call that is unlikely already.
  ])
  expect(end).toEqual({refusal: crashed, attempts: calls.length})
})

test('attributes are tried by their choices, inputs by their roles', async () => {
  const given: OperatorDefinition = {
    ...definition,
    inputs: [...definition.inputs, {name: 'm', kind: 'optional', dtypes: []}],
    attributes: [{name: 'keep', required: true, type: 'Bool', default: ''}],
  }
  const {calls} = await found([crashed], 9, given)
  expect(calls).toEqual([
    '24×128: 24×128 24×128 false',
    '24×128: 24×128 24×128 24×128 false',
    '24×128: 24×128 24×128 true',
    '2×16×8×16: 2×16×8×16 2×16×8×16 false',
    '4×16×64: 4×16×64 4×16×64 false',
    '2048: 2048 2048 false',
    '24×128: 24×128 1 false',
    '24×128: 24×128 128 24×128 false',
    '24×128: 24×128 24×128 24×128 true',
  ])
})

test('the first that runs is taken, as long as there are attempts', async () => {
  const {end} = await found([crashed, 'ran'])
  expect(end).toMatchObject({found: {base: [2, 16, 8, 16], tolerant: false, scenario, plan: {attributes: {}}}})
  expect(await found([crashed, 'ran'], 1)).toMatchObject({calls: [{}], end: {refusal: crashed, attempts: 1}})
  expect((await found([crashed], 0)).end).toEqual({
    refusal: refused('launch-failed', 'no call can be drawn'),
    attempts: 0,
  })
})

test('where none ran, up to six that broke a rule are tried past it', async () => {
  const six = await found([violated], 7)
  expect(six.calls).toHaveLength(7 + 6)
  expect(six.calls.slice(7)).toEqual(six.calls.slice(0, 6).map((one) => `${one} tolerant`))
  expect(six.end).toEqual({refusal: violated, attempts: 7})
  const second = await found([crashed, violated, crashed, 'ran'], 3)
  expect(second.end).toMatchObject({found: {base: [2, 16, 8, 16], tolerant: true, scenario}})
})

test('of all refusals the one that came furthest is told, the first of equals', async () => {
  const order: Refusal['outcome'][] = ['launch-failed', 'crashed', 'unserved', 'violated']
  const told = async (...ends: Refusal[]) => (await found(ends, ends.length)).end
  for (const [at, outcome] of order.entries()) {
    const further = order.slice(at + 1)
    for (const other of further) {
      expect(await told(refused(outcome), refused(other))).toMatchObject({refusal: {outcome: other}})
      expect(await told(refused(other), refused(outcome))).toMatchObject({refusal: {outcome: other}})
    }
    expect(await told(refused(outcome, 'a'), refused(outcome, 'b'))).toMatchObject({refusal: {message: 'a'}})
  }
  const late = refused('timed-out')
  expect(await told(unlaunched, late)).toMatchObject({refusal: late})
  expect(await told(crashed, late)).toMatchObject({refusal: crashed})
})

describe('no other call is tried', () => {
  const mistyped = refused('launch-failed', 'no column of DataType fits')
  test.each([refused('timed-out'), mistyped])('after %j', async (end) => {
    expect((await found([crashed, end])).calls).toHaveLength(2)
  })

  test('for a type that the definition lacks, and it is told as that', () => {
    expect(isMistyped(mistyped)).toBe(true)
    expect(isMistyped(refused('crashed', 'no column of DataType fits'))).toBe(false)
    expect(isMistyped(refused('launch-failed', 'that no column of DataType fits'))).toBe(false)
  })
})

test('what a tiling says that it wants is heard', async () => {
  const wish = refused('launch-failed', 'tiling failed\nop.cpp:1: only 3D is supported')
  const {calls} = await found([wish, 'ran'])
  expect(calls).toEqual(['24×128: 24×128 24×128', '4×16×64: 4×16×64 4×16×64'])
  const crash = {...wish, outcome: 'crashed' as const}
  expect((await found([crash, 'ran'])).calls[1]).toMatch(/^2×16×8×16/)
})
