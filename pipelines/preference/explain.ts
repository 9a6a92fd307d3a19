import {LabelledCandidate} from '../../datasets/schema/candidate.ts'
import {DescribedCandidate, type OperatorFacts} from '../../datasets/schema/code-facts.ts'
import {writtenFiles} from '../../datasets/written-answer.ts'
import {textId} from '../../engine/ids.ts'
import {randomFrom, type Random} from '../../engine/random.ts'
import {each, type Stage} from '../../engine/stage.ts'
import {mutate} from './mutations.ts'

/**
 * What a candidate's reasoning may be made of: neither its label, nor who wrote it, nor what was planted. `place` is a
 * line that it argues for; in a right attempt one where a fault could be, so that it distinguishes no side.
 */
export type Attempt = Pick<LabelledCandidate, 'task' | 'files'> & {
  facts: OperatorFacts
  place?: {path: string; line: number} | undefined
}

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
    version: 2,
    options: {reason: reason ? reasonVersion : 0},
    input: DescribedCandidate,
    output: LabelledCandidate,
    run: each(({candidate, facts}, context): readonly LabelledCandidate[] => {
      if (!reason || !facts) return [candidate]
      const {task, files} = candidate
      const code = textId(JSON.stringify(writtenFiles(candidate)))
      const random = randomFrom(context.seed, 'explain', task.origin.path, code)
      const place = placeOf(candidate, randomFrom(context.seed, 'explain', 'place', task.origin.path, code))
      return [{...candidate, reasoning: reason({task, files, facts, place}, random) ?? ''}]
    }),
  }
}

/** Where a fault is, or in files without one where the mutation engine would plant it. */
function placeOf({sampler, files}: LabelledCandidate, random: Random): Attempt['place'] {
  if (sampler.kind === 'mutation') return sampler.place
  const [mutant] = mutate(files, 1, random)
  return mutant?.place
}
