import type {Candidate} from '../../../datasets/schema/candidate.ts'
import {JudgedCandidate} from '../../../datasets/schema/candidate.ts'
import type {Executor} from '../../../datasets/schema/executor.ts'
import type {Score} from '../../../datasets/schema/score.ts'
import type {KernelTask} from '../../../datasets/schema/task.ts'
import answers from '../../../eval/answers.ts'
import kernelTasks, {type TaskFolder} from '../../../eval/bench/npukernelbench.ts'
import selectTasks from '../../../eval/bench/select-tasks.ts'
import judge from '../../../eval/judge.ts'
import type {PytorchReferences} from '../../../eval/reference/pytorch.ts'
import score from '../../../eval/score.ts'
import {fromRun} from '../../../engine/from-run.ts'
import {Pipeline} from '../../../engine/pipeline.ts'
import type {FinishedRun} from '../../../engine/run.ts'
import type {Stage} from '../../../engine/stage.ts'
import candidates from '../../preference/candidates.ts'
import replies from '../../preference/replies.ts'
import type {Author} from './request.ts'

export interface Judging {
  recipe: string
  folder: TaskFolder
  /** Glob over task paths and names. */
  tasks: string
  author: Author
  /** At most so many rows of each task; a model's tasks carry theirs already. */
  cases: number | undefined
  executor: Executor
  references: PytorchReferences | undefined
  concurrency: number
}

/** Tasks of the checkout → candidates → verdicts. */
export function judging({
  recipe,
  folder,
  tasks,
  author,
  cases,
  executor,
  references,
  concurrency,
}: Judging): Pipeline<JudgedCandidate> {
  return Pipeline.from(recipe, [folder], kernelTasks())
    .via(selectTasks({pattern: tasks}))
    .via(written(author))
    .via(
      judge({
        executor,
        tolerant: true,
        concurrency,
        ...(references && {pytorch: references}),
        ...(author.kind === 'answers' && cases !== undefined ? {cases} : {}),
      }),
    )
}

/** Verdicts of a finished run → pass@k and failures by class. */
export function scoring(recipe: string, judged: FinishedRun, ks: readonly number[]): Pipeline<Score> {
  return Pipeline.from(recipe, [judged], fromRun(JudgedCandidate)).via(score({ks}))
}

function written(author: Author): Stage<KernelTask, Candidate> {
  switch (author.kind) {
    case 'answers':
      return answers()
    case 'model':
      return candidates({count: author.samples, evaluation: author.evaluation})
    case 'file':
      return replies({file: author.path, evaluation: author.evaluation})
  }
}
