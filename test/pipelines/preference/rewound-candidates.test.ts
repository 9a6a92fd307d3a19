import {expect, test} from 'vitest'
import rewoundCandidates from '../../../pipelines/preference/rewound-candidates.ts'
import {loadTasks} from '../../../eval/tasks/operator-tasks.ts'
import {runStage} from '../../helpers/run-stage.ts'

const tasks = await loadTasks({root: 'sources/starter/tasks', operators: 'sources/starter/operators'}, () => [])
const task = tasks.find(({name}) => name === 'AbsDiff')!

test('a task gives its answer and as many slower versions as were asked for', async () => {
  const {outputs, dropped} = await runStage(rewoundCandidates({count: 2}), [task])
  expect(outputs.map(({sampler}) => sampler.kind)).toEqual(['answer', 'rewound', 'rewound'])
  expect(dropped).toEqual([])
})

test('a task without an answer is dropped by its name', async () => {
  const {outputs, dropped} = await runStage(rewoundCandidates(), [{...task, answer: []}])
  expect(outputs).toEqual([])
  expect(dropped).toEqual([{reason: 'no-answer', detail: 'AbsDiff has no verified answer to make slower'}])
})
