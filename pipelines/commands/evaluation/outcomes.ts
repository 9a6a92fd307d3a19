import {join} from 'node:path'
import {Candidate, JudgedCandidate} from '../../../datasets/schema/candidate.ts'
import {KernelTask} from '../../../datasets/schema/task.ts'
import type {TaskFolder} from '../../../eval/bench/npukernelbench.ts'
import {taskMatcher} from '../../../eval/bench/select-tasks.ts'
import {contentId} from '../../../engine/ids.ts'
import {openLedger, type Drop, type Outcome} from '../../../engine/ledger.ts'
import type {RunRecord} from '../../../engine/run.ts'

/** What became of one candidate: a verdict, or why there is none. Drops beside a verdict are cases that were left out. */
export interface JudgedAttempt {
  candidate: Candidate
  verdict: JudgedCandidate['verdict'] | undefined
  drops: readonly Drop[]
  failure: string | undefined
}

/** A task and its candidates; without any, `why` says why. */
export interface TaskOutcome {
  task: KernelTask
  attempts: JudgedAttempt[]
  why: {reason: string; detail: string} | undefined
}

/** The ways of all tasks through a run that judged, task by task: also of what no stage emitted. */
export function* taskOutcomes(
  directory: string,
  record: RunRecord,
  {folder, tasks}: {folder: TaskFolder; tasks: string},
): Generator<TaskOutcome> {
  const ledger = openLedger(join(directory, 'ledger.db'))
  try {
    const [loaded, , written, judged] = record.stages.map(({name, key}) => ledger.stage(name, key))
    const matches = taskMatcher(tasks)
    for (const {id, json} of loaded?.find(contentId(folder))?.outputs ?? []) {
      const task = KernelTask.parse(JSON.parse(json))
      if (!matches(task)) continue
      const outcome = written?.find(id)
      const attempts = (outcome?.outputs ?? []).map((candidate) =>
        attemptOf(Candidate.parse(JSON.parse(candidate.json)), judged?.find(candidate.id)),
      )
      yield {task, attempts, why: attempts.length > 0 ? undefined : reasonOf(outcome)}
    }
  } finally {
    ledger.close()
  }
}

function attemptOf(candidate: Candidate, outcome: Outcome | undefined): JudgedAttempt {
  const [judged] = outcome?.outputs ?? []
  return {
    candidate,
    drops: outcome?.drops ?? [],
    failure: outcome?.failure?.message,
    verdict: judged === undefined ? undefined : JudgedCandidate.parse(JSON.parse(judged.json)).verdict,
  }
}

function reasonOf(outcome: Outcome | undefined): {reason: string; detail: string} {
  if (outcome?.failure) return {reason: outcome.failure.code, detail: outcome.failure.message}
  return outcome?.drops.at(-1) ?? {reason: 'not-reached', detail: ''}
}
