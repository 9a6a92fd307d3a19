import {readFileSync} from 'node:fs'
import {expect, test} from 'vitest'
import type {Candidate} from '../../../../datasets/schema/candidate.ts'
import {loadTasks} from '../../../../eval/tasks/operator-tasks.ts'
import {modeOf} from '../../../../eval/bench/load-benchmark.ts'
import benchmark from '../../../../eval/bench/npukernelbench/benchmark.ts'
import judge from '../../../../eval/judge.ts'
import {scoredFiles} from '../../../../eval/candidates/attempt.ts'
import {realExecutor} from '../../../helpers/real-executor.ts'
import {runStage} from '../../../helpers/run-stage.ts'

// The prompt of the kernel-only mode shows a reply; a model that does the same must be right.

const prompt = readFileSync('eval/bench/npukernelbench/kernel-only.md', 'utf8')
const [task] = await loadTasks(
  {root: 'test/fixtures/example-tasks', repository: 'ascend-cot/fixtures', licence: 'Apache-2.0'},
  () => [],
)

async function outcomeOf(text: string): Promise<string | undefined> {
  if (!task) throw new Error('the task of the example is gone')
  const candidate: Candidate = {
    task,
    sampler: {kind: 'answer'},
    prompt: 'p',
    reasoning: '',
    ...scoredFiles(task, {reasoning: '', text}, modeOf(benchmark, 'kernel-only')),
  }
  const {outputs} = await runStage(judge({executor: await realExecutor(), sizes: 'pinned'}), [candidate])
  return outputs[0]?.verdict.outcome
}

test('the reply of the example is judged correct', async () => {
  expect(await outcomeOf(prompt.slice(prompt.indexOf('# Example'), prompt.indexOf('# File 1')))).toBe('correct')
})

test('the same without its last tile is not', async () => {
  expect(
    await outcomeOf(
      prompt
        .slice(prompt.indexOf('# Example'))
        .replace('tile < TilingDataDef::tiles', 'tile + 1 < TilingDataDef::tiles'),
    ),
  ).toBe('mismatched')
})

test('it is the case that the example names', () => {
  expect(prompt).toContain('case_id;shape;dtype\n0;[48, 1024];float16\n')
  expect(task?.cases).toEqual([{case_id: '0', shape: '[48, 1024]', dtype: 'float16'}])
})
