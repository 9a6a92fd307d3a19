import {describe, expect, test} from 'vitest'
import type {MetricsLine} from '../../../datasets/schema/job.ts'
import {curveChart, shortNumber} from '../../../pipelines/commands/train/curve-chart.ts'
import {jobFrame, progressLine} from '../../../pipelines/commands/train/job-lines.ts'
import {recordOf} from '../../../trainers/job-folder.ts'
import {curveOf} from '../../../trainers/job-metrics.ts'
import {planOf} from '../../helpers/job-attempt.ts'

function lineOf(step: number, loss: number | null, more: Partial<MetricsLine> = {}): MetricsLine {
  return {step, total: 10, loss, learningRate: 1e-5, gradientNorm: 2, metrics: {}, attempt: 1, at: step, ...more}
}

const record = {
  ...recordOf(planOf('/jobs/tiny'), null),
  attempts: [
    {
      number: 1,
      handle: '1:2:3',
      submitted: '2026-01-01T00:00:00.000Z',
      state: 'running' as const,
      detail: '',
      resumedFrom: null,
    },
  ],
}

describe('a curve', () => {
  test('falls from the upper left to the lower right, its ends beside it', () => {
    const chart = curveChart(
      [0, 1, 2, 3].map((x) => ({x, y: 3 - x})),
      {width: 20, height: 4},
    )
    expect(chart).toEqual(['3 ┤⠉⠒⠤⣀', '  ┤    ⠉⠒⠢⢄⡀', '  ┤        ⠈⠑⠢⠤⣀', '0 ┤             ⠉⠒⠤⣀'])
  })

  test('of any length stays within its width, and none is drawn where there is no room', () => {
    for (const length of [2, 3, 79, 5000]) {
      const points = Array.from({length}, (_, x) => ({x, y: Math.sin(x / 50) * 1234}))
      for (const width of [20, 40, 120]) {
        const chart = curveChart(points, {width, height: 6})
        expect(chart).toHaveLength(6)
        expect(Math.max(...chart.map((line) => [...line].length))).toBeLessThanOrEqual(width)
      }
      expect(curveChart(points, {width: 10, height: 6})).toEqual([])
    }
    expect(curveChart([{x: 1, y: 1}], {width: 40, height: 6})).toEqual([])
    expect(
      curveChart(
        [
          {x: 1, y: 5},
          {x: 2, y: 5},
        ],
        {width: 40, height: 3},
      )[1],
    ).toMatch(/[⠁-⣿]/)
  })

  test('takes what a later attempt reported where two of them did', () => {
    const lines = [lineOf(1, 4), lineOf(2, 3), lineOf(3, 2), lineOf(3, 9, {attempt: 2}), lineOf(4, 8, {attempt: 2})]
    expect(curveOf(lines).map(({loss}) => loss)).toEqual([4, 3, 9, 8])
    expect(curveOf([...lines, lineOf(1, 7, {attempt: 3})]).map(({loss}) => loss)).toEqual([7])
  })
})

describe('a job in lines', () => {
  test('says before the first step what is waited for, and what its log said last', () => {
    const waiting = {record, alarms: [], seconds: 65, stepsPerSecond: undefined, curve: []}
    const [, line] = jobFrame(waiting, 200)
    expect(line).toBe('  no step yet; each of the 10 steps is reported when it is done')
    expect(jobFrame({...waiting, said: 'Loading 3 shards'}, 200).at(-1)).toBe('  its log ends with: Loading 3 shards')
    const [attempt] = record.attempts
    const queued = {...record, attempts: [{...(attempt as NonNullable<typeof attempt>), state: 'queued' as const}]}
    expect(jobFrame({...waiting, record: queued, said: 'x'}, 200)).toHaveLength(1)
  })

  const view = {record, alarms: [], seconds: 65, stepsPerSecond: 0.5}

  test('says how far it is and when it will be done', () => {
    expect(progressLine({...view, curve: [lineOf(4, 0.51234, {metrics: {'rewards/margins': 0.25, other: 1}})]})).toBe(
      'step 4/10  loss 0.5123  lr 1.00e-5  grad 2  margins 0.25  ETA 0:12',
    )
    expect(progressLine({...view, curve: [lineOf(4, null)], stepsPerSecond: undefined})).toContain('loss no number')
    expect(progressLine({...view, curve: []})).toBe('no step yet')
  })

  test('tells no time to come behind the last step, nor of a job that has ended', () => {
    const at = (step: number, more: object = {}) => progressLine({...view, ...more, curve: [lineOf(step, 1)]})
    expect(at(9)).toBe('step 9/10  loss 1  lr 1.00e-5  grad 2  ETA 0:02')
    expect(at(10)).toBe('step 10/10  loss 1  lr 1.00e-5  grad 2')
    const ended = {...record, attempts: [{...record.attempts[0]!, state: 'cancelled' as const}]}
    expect(at(9, {record: ended})).toBe('step 9/10  loss 1  lr 1.00e-5  grad 2')
  })

  test('takes the planned number of steps where the trainer does not say', () => {
    expect(progressLine({...view, curve: [lineOf(4, 1, {total: 0})]})).toContain('step 4/10')
  })

  test('fits any terminal', () => {
    const alarms = [{code: 'silent' as const, says: 'It has written nothing for 12 minutes.', fix: ''}]
    const curve = Array.from({length: 300}, (_, at) => lineOf(at, 4 - at / 100))
    for (const width of [20, 40, 80]) {
      const frame = jobFrame({...view, curve, alarms}, width)
      expect(Math.max(...frame.map((line) => [...line].length))).toBeLessThanOrEqual(width)
    }
    const frame = jobFrame({...view, curve, alarms}, 80)
    expect(frame[0]).toBe('● tiny-0123abcd  running  1:05')
    expect(frame.at(-1)).toBe('  ! It has written nothing for 12 minutes.')
  })

  test('numbers are short', () => {
    expect([0, 1.23456789, 1e-6, 123456, -0.5, 0.001].map(shortNumber)).toEqual([
      '0',
      '1.235',
      '1.00e-6',
      '1.23e+5',
      '-0.5',
      '0.001',
    ])
  })
})
