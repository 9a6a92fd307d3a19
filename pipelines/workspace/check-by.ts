import type {Candidate, JudgedCandidate} from '../../datasets/schema/candidate.ts'
import type {Executor} from '../../datasets/schema/executor.ts'
import {PipelineError} from '../../engine/errors.ts'
import {contentId} from '../../engine/ids.ts'
import type {Context} from '../../engine/stage.ts'
import {confirmedBy} from '../../eval/confirm.ts'
import judge from '../../eval/judge.ts'

/** Judges one candidate inside another stage, by the same rules as all candidates. @param second confirms */
export function checkBy(executor: Executor, second?: Executor) {
  const first = judge({executor})
  const further = confirmedBy(second, {})
  const key = [first, ...further].flatMap(({name, version, options}) => [name, version, options ?? null])
  return {
    identity: contentId(key),
    async judge(candidate: Candidate, context: Context): Promise<JudgedCandidate> {
      const line = further.reduce((items, stage) => stage.run(items, context), first.run(one(candidate), context))
      for await (const judged of line) return judged
      throw new PipelineError('executor-failed', `${candidate.task.name}: the correction was not judged.`, {
        fix: 'Run `ascend-cot doctor` and resume.',
      })
    },
  }
}

async function* one(candidate: Candidate): AsyncIterable<Candidate> {
  yield candidate
}
