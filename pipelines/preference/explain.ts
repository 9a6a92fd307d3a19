import {LabelledCandidate} from '../../datasets/schema/candidate.ts'
import {DescribedCandidate, type OperatorFacts} from '../../datasets/schema/code-facts.ts'
import {writtenFiles} from '../../datasets/written-answer.ts'
import {textId} from '../../engine/ids.ts'
import {randomFrom, type Random} from '../../engine/random.ts'
import {each, type Stage} from '../../engine/stage.ts'

/** What a candidate's reasoning may be made of: neither its label, nor who wrote it, nor what was planted. */
export type Attempt = Pick<LabelledCandidate, 'task' | 'files'> & {facts: OperatorFacts}

interface ExplainOptions {
  /** Reasoning composed of what the attempt's own files say; undefined if there is nothing to say. Default: none. */
  reason?: (attempt: Attempt, random: Random) => string | undefined
  /** Raised when `reason` tells otherwise than before. */
  reasonVersion?: number | string
}

/**
 * Labelled candidate → the same with reasoning about its own code only: a wrong decision is described like a correct
 * one. A candidate without facts keeps the reasoning that it has, or none.
 */
export default function explain({
  reason,
  reasonVersion = 1,
}: ExplainOptions = {}): Stage<DescribedCandidate, LabelledCandidate> {
  return {
    name: 'explain',
    version: 1,
    options: {reason: reason ? reasonVersion : 0},
    input: DescribedCandidate,
    output: LabelledCandidate,
    run: each(({candidate, facts}, context): readonly LabelledCandidate[] => {
      if (!reason || !facts) return [candidate]
      const {task, files} = candidate
      const code = textId(JSON.stringify(writtenFiles(candidate)))
      const random = randomFrom(context.seed, 'explain', task.origin.path, code)
      return [{...candidate, reasoning: reason({task, files, facts}, random) ?? ''}]
    }),
  }
}
