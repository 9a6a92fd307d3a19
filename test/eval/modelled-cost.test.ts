import {describe, expect, test} from 'vitest'
import type {Execution, RunTrace} from '../../datasets/schema/executor.ts'
import {largeRow, rowText} from '../../eval/modelled-cost.ts'
import modelledCost from '../../eval/modelled-cost.ts'
import {judged} from '../pipelines/preference/records.ts'
import {runStage} from '../helpers/run-stage.ts'
import {ran, scriptedExecutor, untouchedOutputs} from '../helpers/scripted-executor.ts'

describe('a large row', () => {
  test.each([
    ['the largest row grows by its first size', [{shape: '[4, 8]'}, {shape: '[2, 100]'}], 1000, '[10, 100]'],
    ['a size that no whole factor brings there stays below', [{shape: '[300]'}], 1000, '[900]'],
    ['a large row stays', [{shape: '[4, 8]'}, {shape: '[64, 64]'}], 4096, '[64, 64]'],
    ['a tuple is a shape', [{shape: '(8, 2)'}], 64, '(32, 2)'],
  ])('%s', (_, rows, elements, shape) => expect(largeRow(rows, elements)).toEqual({shape}))

  test('shapes that begin alike grow alike, others and other cells stay', () => {
    const row = {case_id: '3', x: '[16, 4]', y: '[16, 1]', weight: '[8, 4]', bias: '[4]', axis: '-1', list: '[2.5, 1]'}
    expect(largeRow([row], 640)).toEqual({...row, x: '[160, 4]', y: '[160, 1]'})
  })

  test('a row without shapes stays, a table without rows has none', () => {
    expect(largeRow([{n: '7'}], 100)).toEqual({n: '7'})
    expect(largeRow([], 100)).toBeUndefined()
  })

  test('is told without its number', () => {
    expect(rowText({case_id: '3', shape: '[8]', dtype: 'float32'})).toBe('shape [8], dtype float32')
  })
})

const work = {
  copiesIn: 1,
  copiesOut: 1,
  burstsIn: 1,
  burstsOut: 1,
  vectorInstructions: 1,
  vectorRepeats: 8,
  scalarAccesses: 0,
  waits: 0,
  drains: 0,
  tiles: 1,
}

function executorOf(trace: Partial<RunTrace>, over?: Execution) {
  return scriptedExecutor({
    run: (operatorCase, options) => {
      const done = ran(untouchedOutputs(operatorCase, options))
      return over ?? {...done, trace: {...done.trace, ...trace}}
    },
  })
}

const counted = {blocks: [{index: 0, readBytes: 4096, writtenBytes: 2048, work}]}

describe('modelled-cost', () => {
  test('a correct candidate is run once, on a large row, and gets its cost', async () => {
    const executor = executorOf(counted)
    const {outputs} = await runStage(modelledCost({executor, elements: 5000}), [judged()])
    expect(outputs[0]).toMatchObject({cost: {bottleneck: 'MTE2', readBytes: 4096, cores: 1, work}})
    expect(outputs[0]?.sizes).toMatch(/^shape \[\d+/)
    expect(executor.runs).toHaveLength(1)
    expect(executor.runs[0]?.inputs[0]?.length).toBeGreaterThan(5000)
    expect(executor.openBuilds()).toBe(0)
  })

  test('what is not correct is handed on, and not run', async () => {
    const executor = executorOf(counted)
    const wrong = judged({verdict: {outcome: 'mismatched', cases: [], executor: executor.identity}})
    expect((await runStage(modelledCost({executor}), [wrong])).outputs).toEqual([wrong])
    expect(executor.builds).toEqual([])
  })

  test('what does not come to its end at that size is dropped, and so is what the model lacks', async () => {
    const dropsOf = async (executor: ReturnType<typeof executorOf>) =>
      (await runStage(modelledCost({executor}), [judged()])).dropped
    expect(await dropsOf(executorOf({}, {outcome: 'crashed', cause: 'SIGSEGV', log: ''}))).toMatchObject([
      {reason: 'not-run-at-size', detail: expect.stringContaining('SIGSEGV') as string},
    ])
    expect(await dropsOf(executorOf({...counted, calls: {Mmad: 1}}))).toMatchObject([{reason: 'not-modelled'}])
    const python = judged()
    python.task = {...python.task, reference: {kind: 'pytorch', path: '/x/module.py'}}
    expect((await runStage(modelledCost({executor: executorOf(counted)}), [python])).dropped).toMatchObject([
      {reason: 'reference-needs-python'},
    ])
  })
})
