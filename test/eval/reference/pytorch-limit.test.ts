import {chmod, writeFile} from 'node:fs/promises'
import {join, resolve} from 'node:path'
import {expect, onTestFinished, test} from 'vitest'
import type {Candidate} from '../../../datasets/schema/candidate.ts'
import pytorch from '../../../eval/reference/pytorch.ts'
import {loadTasks} from '../../../eval/tasks/operator-tasks.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'

/** Refuses every row, and says what it was asked. */
const standIn = `#!/usr/bin/env python3
import json, sys
print(json.dumps({'torch': 'stand-in'}), flush=True)
for line in sys.stdin:
    print(json.dumps({'unusable': 'too-large', 'detail': line}), flush=True)
`

async function asked(maxInputBytes?: number) {
  const folder = await temporaryFolder()
  const python = join(folder, 'python')
  await writeFile(python, standIn)
  await chmod(python, 0o755)
  const given = maxInputBytes === undefined ? {} : {maxInputBytes}
  const references = await pytorch({python, workDirectory: folder, ...given})
  onTestFinished(references.close)
  const [task] = await loadTasks({root: 'test/fixtures/pytorch-tasks'}, () => [])
  const candidate: Candidate = {
    ...{task: task!, sampler: {kind: 'answer'}, prompt: '', reasoning: ''},
    files: [task!.hostTemplate],
    written: [],
  }
  const questions: unknown[] = []
  const {rows} = await references.open(candidate, task!.cases.slice(0, 2), (_, why, detail) => {
    expect(why).toBe('too-large')
    questions.push(JSON.parse(detail ?? ''))
    return []
  })
  expect(rows).toEqual([])
  return {questions, identity: references.identity, task: task!}
}

test('Python is asked for each row, with the folder of the task and the seed and limit of all of them', async () => {
  const {questions, identity, task} = await asked()
  const root = resolve('test/fixtures/pytorch-tasks')
  const place = {
    root,
    validation: join(root, 'tasks/level1/Math/AddScaled/validation'),
    snake: 'add_scaled',
    rows: task.cases.slice(0, 2),
  }
  expect(questions).toEqual([0, 1].map((row) => ({do: 'describe', task: place, row, seed: 1, limit: 16_777_216})))
  expect(identity).toBe('torch stand-in, at most 16777216 bytes of input')
})

// JSON has no word for what never ends.
test.each([
  [1000, 1000],
  [Infinity, 2 ** 48],
])('of at most %d bytes of input Python is told %d', async (maxInputBytes, limit) => {
  const {questions} = await asked(maxInputBytes)
  expect(questions).toMatchObject([{limit}, {limit}])
})
