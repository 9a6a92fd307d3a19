import type {Candidate} from '../../datasets/schema/candidate.ts'
import type {Executor} from '../../datasets/schema/executor.ts'
import type {Verdict} from '../../datasets/schema/verdict.ts'
import {PipelineError} from '../../engine/errors.ts'
import {contentId} from '../../engine/ids.ts'
import type {Context} from '../../engine/stage.ts'
import judge from '../../eval/judge.ts'

/** Judges one candidate inside another stage, by the same rules as all candidates. */
export function checkBy(executor: Executor) {
  const stage = judge({executor})
  return {
    identity: contentId([stage.name, stage.version, stage.options ?? null]),
    async judge(candidate: Candidate, context: Context): Promise<Verdict> {
      for await (const {verdict} of stage.run(one(candidate), context)) return verdict
      throw new PipelineError('executor-failed', `${candidate.task.name}: the correction was not judged.`, {
        fix: 'Run `ascend-cot doctor` and resume.',
      })
    },
  }
}

async function* one(candidate: Candidate): AsyncIterable<Candidate> {
  yield candidate
}
