import {describe, expect, test} from 'vitest'
import type {Candidate} from '../../../datasets/schema/candidate.ts'
import type {KernelTask} from '../../../datasets/schema/task.ts'
import type {Verdict} from '../../../datasets/schema/verdict.ts'
import {loadTasks} from '../../../eval/bench/npukernelbench.ts'
import judge from '../../../eval/judge.ts'
import {realExecutor} from '../../helpers/real-executor.ts'
import {runStage} from '../../helpers/run-stage.ts'

const refuse = () => []
const tasks = [
  ...await loadTasks({root: 'sources/starter/tasks', operators: 'sources/starter/operators'}, refuse),
  ...await loadTasks({root: 'sources/starter/heldout'}, refuse),
]

async function verdictOf(task: KernelTask, files = task.answer): Promise<Verdict> {
  const candidate: Candidate = {task, sampler: {kind: 'answer'}, prompt: 'Write it.', reasoning: '', files, written: files.map(({path}) => path)}
  const {outputs} = await runStage(judge({executor: await realExecutor()}), [candidate])
  return outputs[0]?.verdict as Verdict
}

/** The executor's own words, short enough to read in a test report. */
function summary(verdict: Verdict): string {
  switch (verdict.outcome) {
    case 'compile-failed': return verdict.log.slice(0, 2000)
    case 'link-failed': return verdict.log.slice(0, 2000)
    case 'not-covered': return verdict.missing.join(', ')
    case 'mismatched': return verdict.cases.map((result) => `${result.case}: ${result.reason}`).join('\n')
    default: return JSON.stringify(verdict, null, 1).slice(0, 2000)
  }
}

describe.each(tasks.map((task) => [task.name, task] as const))('%s', (_name, task) => {
  test.concurrent('is correct in every case on the real twin', async () => {
    const verdict = await verdictOf(task)
    expect(verdict.outcome, summary(verdict)).toBe('correct')
    expect(verdict.outcome === 'correct' && verdict.cases.map((result) => result.case)).toEqual(task.cases.map((row) => row['case_id']))
  }, 60_000)
})

test('an operator with its tail left out is refuted', async () => {
  const task = tasks.find(({name}) => name === 'AbsDiff')
  if (!task) throw new Error('AbsDiff is gone')
  const files = task.answer.map(({path, text}) => ({path, text: text.replace('if (tailLength > 0) {', 'if (false) {')}))
  const verdict = await verdictOf(task, files)
  expect(verdict.outcome).toBe('mismatched')
}, 60_000)
