import {rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import type {Engine} from '../../trainers/engines/engine.ts'
import {readMetrics, takeMetrics} from '../../trainers/job-metrics.ts'
import {temporaryFolder} from '../helpers/temporary.ts'

/** A log of these lines; each step that is named is a report. */
function attemptOf(folder: string, attempt: number, lines: readonly string[]) {
  const read: number[] = []
  const ends = lines.map((_, at) => lines.slice(0, at + 1).join('\n').length + 1)
  return {
    read,
    source: {
      folder,
      attempt,
      engine: {
        progressOf(text: string): ReturnType<Engine['progressOf']> {
          const step = /^step (\d+)$/.exec(text)?.[1]
          return step
            ? {step: Number(step), total: 9, loss: 1, learningRate: null, gradientNorm: null, metrics: {}}
            : null
        },
      },
      async log(from: number) {
        read.push(from)
        return lines.map((text, at) => ({text, end: ends[at] ?? 0})).filter(({end}) => end > from)
      },
    },
  }
}

describe('what a job reports', () => {
  test('is taken once, however often its log is read, and from the byte that was read last', async () => {
    const folder = await temporaryFolder()
    const {source} = attemptOf(folder, 1, ['loading', 'step 1', 'saved'])
    const steps = [{step: 1, attempt: 1, at: 15}]
    expect(await takeMetrics(source)).toMatchObject(steps)
    expect(await takeMetrics(source)).toHaveLength(1)
    const later = attemptOf(folder, 1, ['loading', 'step 1', 'saved', 'step 2'])
    expect(await takeMetrics(later.source)).toMatchObject([...steps, {step: 2, attempt: 1, at: 28}])
    expect(later.read).toEqual([15, 28])
    // Another attempt has a log of its own.
    const again = attemptOf(folder, 2, ['step 2'])
    expect(await takeMetrics(again.source)).toMatchObject([{at: 15}, {at: 28}, {step: 2, attempt: 2, at: 7}])
    expect(again.read[0]).toBe(0)
    expect(readMetrics(folder)).toHaveLength(3)
  })

  test('is left to the process that is at it', async () => {
    const folder = await temporaryFolder()
    await takeMetrics(attemptOf(folder, 1, ['step 1']).source)
    writeFileSync(join(folder, 'lock'), '1 ')
    const late = attemptOf(folder, 1, ['step 1', 'step 2'])
    expect(await takeMetrics(late.source)).toMatchObject([{step: 1}])
    expect(late.read).toEqual([])
    rmSync(join(folder, 'lock'))
    expect(await takeMetrics(late.source)).toMatchObject([{step: 1}, {step: 2}])
  })

  test('is not taken for nothing where the folder cannot be written', async () => {
    const file = join(await temporaryFolder(), 'file')
    writeFileSync(file, '')
    await expect(takeMetrics(attemptOf(file, 1, ['step 1']).source)).rejects.toMatchObject({code: 'output-unwritable'})
  })
})
