import {expect, test} from 'vitest'
import type {Progress} from '../../../datasets/schema/job.ts'
import {lossCurve} from '../../../pipelines/report/job-section.ts'

const step = (at: number, loss: number | null): Progress => ({
  step: at,
  total: 9,
  loss,
  learningRate: null,
  gradientNorm: null,
  metrics: {},
})

const line = (points: string) => `<polyline points="${points}" fill="none" stroke="currentColor"/>`
const figure = (
  lines: string,
  caption: string,
) => `<figure><svg viewBox="0 0 560 120" width="560" height="120" role="img"
aria-label="loss by step">${lines}
</svg><figcaption class="quiet">${caption}</figcaption></figure>
`

/** The points of all lines of a curve. */
const pointsOf = (progress: readonly Progress[]) =>
  [...(lossCurve(progress)?.html ?? '').matchAll(/points="([^"]*)"/g)].map(([, points = '']) => points.split(' '))

test('the highest loss is at the top of the picture and the first step at its left, within a margin', () => {
  expect(lossCurve([step(10, 4), step(20, 3), step(30, 2)])?.html).toBe(
    figure(line('6.0,6.0 280.0,60.0 554.0,114.0'), 'loss from step 10 to 30: highest 4.000, lowest\n2.000'),
  )
})

test('a loss that is no number leaves a gap, at an end nothing', () => {
  expect(lossCurve([step(0, null), step(1, 2), step(2, null), step(3, null), step(4, 1)])?.html).toBe(
    figure(line('143.0,6.0') + line('554.0,114.0'), 'loss from step 0 to 4: highest 2.000, lowest\n1.000'),
  )
})

test('one loss is no curve, and two are one', () => {
  expect(lossCurve([])).toBeUndefined()
  expect(lossCurve([step(1, 2), step(2, null)])).toBeUndefined()
  expect(pointsOf([step(1, 2), step(2, 1)])).toEqual([['6.0,6.0', '554.0,114.0']])
})

test('losses that never change, and steps that never change, lie at the beginning of their scale', () => {
  expect(pointsOf([step(1, 3), step(2, 3)])).toEqual([['6.0,6.0', '554.0,6.0']])
  expect(pointsOf([step(7, 3), step(7, 1)])).toEqual([['6.0,6.0', '6.0,114.0']])
})

test.each([
  [280, 280],
  [281, 141],
  [282, 142],
  [560, 281],
  [562, 188],
  [563, 189],
])('of %i steps %i are drawn, the last one always', (count, drawn) => {
  const progress = Array.from({length: count}, (_, at) => step(at, count - at))
  const [points = []] = pointsOf(progress)
  expect(points).toHaveLength(drawn)
  expect(points[0]).toBe('6.0,6.0')
  expect(points.at(-1)).toBe('554.0,114.0')
  const every = Math.ceil(count / 280)
  expect(points[1]?.split(',')[0]).toBe((6 + (every / (count - 1)) * 548).toFixed(1))
})
