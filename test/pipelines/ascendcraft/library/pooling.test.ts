import {readFileSync} from 'node:fs'
import {expect, test} from 'vitest'
import {interpret} from '../../../../pipelines/ascendcraft/interpret/interpret.ts'
import {firstOutput, interpretedText, tensorsOf} from '../../../helpers/interpreting.ts'
import {checkedText, wave} from '../../../helpers/lowering.ts'

const folder = new URL('../../../../pipelines/ascendcraft/library/solutions/pooling/', import.meta.url)

interface Case {
  /** Batches, channels, then the axes that windows go along. */
  shape: number[]
  kernel: number
  stride: number
  padding: number
}

const cases: Case[] = [
  {shape: [1, 2, 57], kernel: 8, stride: 2, padding: 4},
  {shape: [3, 5, 31], kernel: 4, stride: 2, padding: 2},
  {shape: [2, 1, 7], kernel: 1, stride: 3, padding: 0},
  // A row that UB does not hold with its windows.
  {shape: [1, 1, 30_011], kernel: 8, stride: 1, padding: 4},
  {shape: [2, 3, 21, 19], kernel: 4, stride: 1, padding: 1},
  {shape: [1, 2, 33, 35], kernel: 11, stride: 11, padding: 0},
  {shape: [1, 1, 3, 3], kernel: 5, stride: 2, padding: 2},
  {shape: [1, 2, 9, 11, 13], kernel: 3, stride: 2, padding: 1},
  {shape: [2, 1, 5, 6, 7], kernel: 2, stride: 1, padding: 0},
  {shape: [7, 9, 4, 3, 5], kernel: 3, stride: 3, padding: 1},
]

/** Offsets of the window of one output along an axis, within the input. */
function windowAt(output: number, length: number, {kernel, stride, padding}: Case): number[] {
  const begin = output * stride - padding
  return Array.from({length: kernel}, (_, tap) => begin + tap).filter((at) => at >= 0 && at < length)
}

const across = (axes: readonly number[][]): number[][] =>
  axes.reduce<number[][]>((paths, axis) => paths.flatMap((path) => axis.map((at) => [...path, at])), [[]])

/** Windows of every output in order: the places of their elements. */
function windows(one: Case): number[][] {
  const [batches = 0, channels = 0, ...axes] = one.shape
  const counts = axes.map((length) => Math.floor((length + 2 * one.padding - one.kernel) / one.stride) + 1)
  const outputs = across([batches * channels, ...counts].map((count) => Array.from({length: count}, (_, at) => at)))
  return outputs.map(([plane = 0, ...output]) =>
    across(output.map((at, axis) => windowAt(at, axes[axis]!, one))).map((path) =>
      path.reduce((place, at, axis) => place * axes[axis]! + at, plane),
    ),
  )
}

test.each(['max', 'average'].flatMap((kind) => cases.map((one) => ({kind, ...one}))))(
  '$kind pooling of $shape by $kernel, every $stride, padded by $padding',
  ({kind, ...one}) => {
    const dimensions = one.shape.length - 2
    const text = readFileSync(new URL(`${kind}_pooling_${dimensions}d.py`, folder), 'utf8')
    // Below zero, so that a padding of zeros would be the largest of its window.
    const values = wave(one.shape.reduce((product, size) => product * size, 1)).map((value) => value - 3)
    const attributes = {kernel_size: one.kernel, stride: one.stride, padding: one.padding}
    const got = firstOutput(interpretedText(text, [{shape: one.shape, values}], {attributes}))
    const expected = windows(one).map((places) => {
      const taken = places.map((place) => values[place]!)
      // The padding counts in an average and not in a maximum.
      return kind === 'max'
        ? Math.max(...taken)
        : taken.reduce((sum, value) => sum + value, 0) / one.kernel ** dimensions
    })
    expect(got).toHaveLength(expected.length)
    const wrong = got.findIndex((value, at) => !(Math.abs(value - expected[at]!) <= 1e-5))
    expect([wrong, got[wrong], expected[wrong]]).toEqual([-1, undefined, undefined])
  },
)

test.each(['max', 'average'])('%s pooling of planes goes over all cores', (kind) => {
  const checked = checkedText(readFileSync(new URL(`${kind}_pooling_2d.py`, folder), 'utf8'))
  const inputs = tensorsOf(checked, [{shape: [1, 1, 97, 64], values: wave(97 * 64)}])
  const result = interpret(checked, {inputs, attributes: {kernel_size: 4, stride: 1, padding: 1}})
  expect(result.ok && result.meters.cores.length).toBeGreaterThan(40)
})

test.each([
  ['padding of at most half a window', {kernel_size: 3, stride: 1, padding: 2}],
  ['windows that the input holds', {kernel_size: 9, stride: 1, padding: 0}],
])('refuses %s', (why, attributes) => {
  const text = readFileSync(new URL('max_pooling_1d.py', folder), 'utf8')
  const result = interpretedText(text, [{shape: [1, 1, 7], values: wave(7)}], {attributes})
  expect(result.ok ? 'served' : result.fault.message).toContain(why)
})
