import {Candidate, JudgedCandidate} from '../../../datasets/schema/candidate.ts'
import {OperatorTask} from '../../../datasets/schema/task.ts'
import type {TaskFolder} from '../../../datasets/schema/source-folder.ts'
import {classifyCandidate, type Failure} from '../../../eval/taxonomy.ts'
import {taskMatcher} from '../../../eval/tasks/select-tasks.ts'
import {contentId} from '../../../engine/ids.ts'
import type {StageLedger} from '../../../engine/ledger.ts'
import type {Drop, Outcome} from '../../../engine/ledger-records.ts'
import type {OpenRun} from '../../../engine/run.ts'
import {stageNames, type Sampling} from '../../recipes/evaluation/sampling.ts'

/** The outcome of one candidate: a verdict, or why there is none. Drops next to a verdict are skipped cases. */
export interface JudgedAttempt {
  candidate: Candidate
  verdict: JudgedCandidate['verdict'] | undefined
  /** How it failed; undefined when it did not, or has no verdict. */
  fault?: Failure | undefined
  drops: readonly Drop[]
  failure: string | undefined
}

/** A task and its candidates; without candidates, `why` says why. */
export interface TaskOutcome {
  task: OperatorTask
  attempts: JudgedAttempt[]
  why: {reason: string; detail: string} | undefined
}

interface Judged {
  folder: TaskFolder
  /** Glob over task paths and names. */
  tasks: string
  sampling: Pick<Sampling, 'kind'>
}

/** The outcomes of a judging run, task by task, including records that no stage emitted. */
export function* taskOutcomes(run: OpenRun, {folder, tasks, sampling}: Judged): Generator<TaskOutcome> {
  const stage = (name: string) => {
    const found = run.stage(name)
    if (!found) throw new TypeError(`the run ${run.record.recipe} has no stage ${name}`)
    return found
  }
  const judged = stage(stageNames.judged)
  const confirmed = run.stage('confirm')
  const sampled = stage(stageNames.sampled[sampling.kind])
  const matches = taskMatcher(tasks)
  for (const {id, json} of stage(stageNames.tasks).find(contentId(folder))?.outputs ?? []) {
    const task = OperatorTask.parse(JSON.parse(json))
    if (!matches(task)) continue
    const outcome = sampled.find(id)
    const attempts = (outcome?.outputs ?? []).map((candidate) =>
      attemptOf(Candidate.parse(JSON.parse(candidate.json)), [
        ...through([judged, ...(confirmed ? [confirmed] : [])], candidate.id),
      ]),
    )
    yield {task, attempts, why: attempts.length > 0 ? undefined : reasonOf(outcome)}
  }
}

/** What became of a record in stages that give at most one for one. */
function* through(stages: readonly Pick<StageLedger, 'find'>[], id: string): Generator<Outcome> {
  let at: string | undefined = id
  for (const stage of stages) {
    const outcome: Outcome | undefined = at === undefined ? undefined : stage.find(at)
    if (outcome) yield outcome
    at = outcome?.outputs[0]?.id
  }
}

function attemptOf(candidate: Candidate, outcomes: readonly Outcome[]): JudgedAttempt {
  const last = outcomes.at(-1)
  const [output] = last?.outputs ?? []
  const judged = output && JudgedCandidate.parse(JSON.parse(output.json))
  return {
    candidate,
    // Both judges skip the same cases.
    drops: (judged === undefined ? last : outcomes[0])?.drops ?? [],
    failure: last?.failure?.message,
    verdict: judged?.verdict,
    fault: judged && classifyCandidate(judged),
  }
}

function reasonOf(outcome: Outcome | undefined): {reason: string; detail: string} {
  if (outcome?.failure) return {reason: outcome.failure.code, detail: outcome.failure.message}
  return outcome?.drops.at(-1) ?? {reason: 'not-reached', detail: ''}
}
