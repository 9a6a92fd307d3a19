import {beforeAll, describe, expect, test} from 'vitest'
import type {Candidate, JudgedCandidate} from '../../../datasets/schema/candidate.ts'
import type {OperatorTask} from '../../../datasets/schema/task.ts'
import type {Verdict} from '../../../datasets/schema/verdict.ts'
import {loadTasks} from '../../../eval/tasks/operator-tasks.ts'
import judge from '../../../eval/judge.ts'
import {realExecutor} from '../../helpers/real-executor.ts'
import {runStage} from '../../helpers/run-stage.ts'

const refuse = () => []
const tasks = [
  ...(await loadTasks({root: 'sources/starter/tasks', operators: 'sources/starter/operators'}, refuse)),
  ...(await loadTasks({root: 'sources/starter/heldout'}, refuse)),
]

function candidate(task: OperatorTask, files = task.answer): Candidate {
  return {
    task,
    sampler: {kind: 'answer'},
    prompt: 'Write it.',
    reasoning: '',
    files,
    written: files.map(({path}) => path),
  }
}

/** AbsDiff with one line of its kernel replaced. */
function spoiltAbsDiff(line: string, replacement: string): Candidate {
  const task = tasks.find(({name}) => name === 'AbsDiff')
  if (!task?.answer.some(({text}) => text.includes(line))) throw new Error(`AbsDiff no longer has "${line}"`)
  return candidate(
    task,
    task.answer.map(({path, text}) => ({path, text: text.replace(line, replacement)})),
  )
}

async function judged(candidates: readonly Candidate[]): Promise<JudgedCandidate[]> {
  return (await runStage(judge({executor: await realExecutor(), families: ['boundary'], concurrency: 2}), candidates))
    .outputs
}

/** The executor's own words, short enough to read in a test report. */
function summary(verdict: Verdict | undefined): string {
  switch (verdict?.outcome) {
    case undefined:
      return 'never judged'
    case 'compile-failed':
    case 'link-failed':
      return verdict.log.slice(0, 2000)
    case 'not-covered':
      return verdict.missing.join(', ')
    case 'mismatched':
      return verdict.cases.map((result) => `${result.case}: ${result.reason}`).join('\n')
    default:
      return JSON.stringify(verdict, null, 1).slice(0, 2000)
  }
}

describe('every operator of the starter corpus', () => {
  const verdicts = new Map<string, Verdict>()
  beforeAll(async () => {
    for (const {task, verdict} of await judged(tasks.map((task) => candidate(task)))) verdicts.set(task.name, verdict)
  }, 300_000)

  test.each(tasks.map((task) => [task.name, task] as const))(
    '%s is correct in all its cases on the real twin',
    (name, task) => {
      const verdict = verdicts.get(name)
      expect(verdict?.outcome, summary(verdict)).toBe('correct')
      const cases = verdict?.outcome === 'correct' ? verdict.cases.map((result) => result.case) : []
      expect(cases.sort()).toEqual(task.cases.map((row) => row['case_id']))
    },
  )
})

test('an operator that leaves out its tail, or misses an EnQue, is refuted', async () => {
  const [tailless, unqueued] = await judged([
    spoiltAbsDiff('if (tailLength > 0) {', 'if (false) {'),
    spoiltAbsDiff('outQueueZ_.EnQue(zLocal);', ''),
  ])
  expect(tailless?.verdict.outcome).toBe('mismatched')
  expect(unqueued?.verdict.outcome).toBe('violated')
}, 120_000)
