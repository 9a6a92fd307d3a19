import {describe, expect, test} from 'vitest'
import type {OperatorDefinition} from '../../../../cpp/op-def.ts'
import {Wishes} from '../../../../pipelines/code/scenarios/search.ts'

const definition = {inputs: [{name: 'x'}, {name: 'gamma'}]} as OperatorDefinition
const same = {shape: (base: readonly number[]) => base}
const call = (base: number[], inputs = {}) => ({base, inputs, outputs: {}, attributeSet: 0})
const [flat, matrix, cube] = [call([4]), call([2, 3]), call([2, 3, 4])]

function heard(...messages: string[]): Wishes {
  const wishes = new Wishes(definition)
  for (const message of messages) wishes.hear(`tiling failed\n${message}`)
  return wishes
}

describe('a tiling that refuses a call says how many dimensions it wants', () => {
  test.each([
    'op: only 2D is supported',
    'op: 2-dim only',
    'op: must have 2 dims',
    'op: the rank should be 2',
    'op: dim num must be 2',
    'op: dimension number is not equal to 2, sorry',
  ])('%s', (message) => {
    expect([flat, matrix, cube].map((one) => heard(message).meets(one))).toEqual([false, true, false])
  })

  test.each(['op: no', 'op: 12 dims', 'op: 6D', 'op: rank of 2024'])('not by %s', (message) => {
    expect([flat, matrix, cube].every((one) => heard(message).meets(one))).toBe(true)
  })

  test('the first line tells of the refusal itself', () => {
    const wishes = new Wishes(definition)
    wishes.hear('only 2D is supported')
    expect(wishes.meets(flat)).toBe(true)
  })
})

test('the wish is about the input that the message names, after its place', () => {
  const wishes = heard('gamma.cpp:7: the rank of x should be 2')
  expect(wishes.meets(call([4], {x: same, gamma: same}))).toBe(false)
  expect(wishes.meets(call([4, 5], {x: same, gamma: {shape: () => [5]}}))).toBe(true)
  expect(wishes.meets(call([4], {}))).toBe(true)
  expect(wishes.meets(call([4], {x: 'absent'}))).toBe(true)
  expect(heard('op: xShape must have 2 dims').meets(call([4], {x: same}))).toBe(false)
})

test('a wish that is said again did not help, and is forgotten; a later one takes its place', () => {
  expect(heard('op: 2D only', 'op: 2D only').meets(flat)).toBe(true)
  const wishes = heard('op: 2D only', 'op: 3D only')
  expect([matrix, cube].map((one) => wishes.meets(one))).toEqual([false, true])
  const back = heard('op: 2D only', 'op: 3D only', 'op: 2D only')
  expect([matrix, cube].map((one) => back.meets(one))).toEqual([false, true])
})
