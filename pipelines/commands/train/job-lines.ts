import type {JobRecord, MetricsLine} from '../../../datasets/schema/job.ts'
import type {Alarm} from '../../../trainers/alarms.ts'
import {clock} from '../../../engine/counted.ts'
import {curveChart, shortNumber} from './curve-chart.ts'

/** A job's state at one moment. */
export interface JobView {
  record: JobRecord
  curve: readonly MetricsLine[]
  alarms: readonly Alarm[]
  /** Since watching began. */
  seconds: number
  /** Optimiser steps per second while watched; undefined before two reports. */
  stepsPerSecond: number | undefined
  /** The last line of its log; '' for none. */
  said?: string
}

const signs = {queued: '○', running: '●', succeeded: '✓', failed: '✗', cancelled: '✗', lost: '?'}

export const signOf = ({attempts}: JobRecord): string => signs[attempts.at(-1)?.state ?? 'queued']

/** Title, curve, numbers and alarms, within a terminal of this width. */
export function jobFrame(view: JobView, width: number): string[] {
  const {record, curve, alarms} = view
  const last = record.attempts.at(-1)
  const detail = last?.detail ? `  ${last.detail}` : ''
  const points = curve.flatMap(({step, loss}) => (loss === null ? [] : [{x: step, y: loss}]))
  const chart = curveChart(points, {width, height: 6})
  return [
    `${signOf(record)} ${record.id}  ${last?.state ?? 'queued'}  ${clock(view.seconds)}${detail}`,
    ...chart,
    ...(curve.length > 0 ? [`  ${progressLine(view)}`] : waitingLines(view)),
    ...alarms.map(({says}) => `  ! ${says}`),
  ].map((line) => [...line].slice(0, width).join(''))
}

/** A step may take minutes, and the first one includes loading the model. */
function waitingLines({record, said = ''}: JobView): string[] {
  if (record.attempts.at(-1)?.state !== 'running') return []
  const steps = record.arithmetic.steps
  return [
    `  no step yet; each of the ${steps} steps is reported when it is done`,
    ...(said === '' ? [] : [`  its log ends with: ${said}`]),
  ]
}

/** `step 12/150  loss 0.512  lr 9e-7  grad 1.2  ETA 3:12`. */
export function progressLine({record, curve, stepsPerSecond}: JobView): string {
  const last = curve.at(-1)
  if (!last) return 'no step yet'
  const total = last.total || record.arithmetic.steps
  const left = Math.max(0, total - last.step)
  const open = record.attempts.at(-1)?.state === 'running'
  const pairs = ['rewards/margins', 'rewards/accuracies'].flatMap((name) => {
    const value = last.metrics[name]
    return value === undefined ? [] : [`${name.replace('rewards/', '')} ${shortNumber(value)}`]
  })
  return [
    `step ${last.step}/${total}`,
    `loss ${last.loss === null ? 'no number' : shortNumber(last.loss)}`,
    ...(last.learningRate === null ? [] : [`lr ${shortNumber(last.learningRate)}`]),
    ...(last.gradientNorm === null ? [] : [`grad ${shortNumber(last.gradientNorm)}`]),
    ...pairs,
    ...(open && left > 0 && stepsPerSecond ? [`ETA ${clock(left / stepsPerSecond)}`] : []),
  ].join('  ')
}
