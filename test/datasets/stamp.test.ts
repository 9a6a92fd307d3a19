import {expect, test} from 'vitest'
import stamp from '../../datasets/stamp.ts'
import {collect, kernelSample, pair, recordingContext, sample, stream} from './rows.ts'

const runs = [
  {stages: {'documentation-pages': 3, 'documentation-cot': 9}},
  {stages: {flatten: 2, 'kernel-cot': 5}},
  {stages: {'operator-tasks': 4, pair: 1}},
]

test('a sample gets the stages of the run that made it, and keeps its own', async () => {
  const records = [sample({stages: {'documentation-cot': 1}}), kernelSample({stages: {'kernel-cot': 5}})]
  const stamped = await collect(stamp({config: 'sft', runs}).run(stream(records), recordingContext()))
  expect(stamped).toEqual([
    {...records[0], stages: {'documentation-pages': 3, 'documentation-cot': 1}},
    {...records[1], stages: {flatten: 2, 'kernel-cot': 5}},
  ])
})

test('a pair gets those of its run, and nothing where no run has its stages', async () => {
  const record = pair({stages: {pair: 1}})
  const stamped = (given: typeof runs, one = record) =>
    collect(stamp({config: 'dpo', runs: given}).run(stream([one]), recordingContext()))
  expect(await stamped(runs)).toEqual([{...record, stages: {'operator-tasks': 4, pair: 1}}])
  expect(await stamped([])).toEqual([record])
  expect(await stamped(runs.slice(0, 2))).toEqual([record])
  const unsaid = pair({stages: {}})
  expect(await stamped(runs, unsaid)).toEqual([unsaid])
})
