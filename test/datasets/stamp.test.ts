import {expect, test} from 'vitest'
import stamp from '../../datasets/stamp.ts'
import {collect, kernelSample, pair, recordingContext, sample, stream} from './rows.ts'

const versions = {
  documentation: {'doc-pages': 3, 'documentation-cot': 9},
  kernel: {flatten: 2},
  pair: {'kernel-tasks': 4},
}

test('a sample gets the stages of the run that made its kind, and keeps its own', async () => {
  const records = [sample({stages: {'documentation-cot': 1}}), kernelSample({stages: {'kernel-cot': 5}})]
  const stamped = await collect(stamp({config: 'sft', versions}).run(stream(records), recordingContext()))
  expect(stamped).toEqual([
    {...records[0], stages: {'doc-pages': 3, 'documentation-cot': 1}},
    {...records[1], stages: {flatten: 2, 'kernel-cot': 5}},
  ])
})

test('a pair gets those of its runs, and nothing where none are known', async () => {
  const record = pair({stages: {pair: 1}})
  expect(await collect(stamp({config: 'dpo', versions}).run(stream([record]), recordingContext()))).toEqual([
    {...record, stages: {'kernel-tasks': 4, pair: 1}},
  ])
  expect(await collect(stamp({config: 'dpo', versions: {}}).run(stream([record]), recordingContext()))).toEqual([
    record,
  ])
})
