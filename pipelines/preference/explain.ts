import {LabelledCandidate} from '../../datasets/schema/candidate.ts'
import {writtenFiles} from '../../datasets/written-answer.ts'
import {textId} from '../../engine/ids.ts'
import {randomFrom, type Random} from '../../engine/random.ts'
import {each, type Stage} from '../../engine/stage.ts'

/** What a candidate's reasoning may be made of: neither its label, nor who wrote it, nor what was planted. */
type Attempt = Pick<LabelledCandidate, 'task' | 'files'>

interface ExplainOptions {
  /** Reasoning composed of what the attempt's own files say; undefined where nothing can be told. Default: none. */
  reason?: (attempt: Attempt, random: Random) => Promise<string | undefined>
  /** Raised when `reason` tells otherwise than before. */
  reasonVersion?: number
}

/**
 * Labelled candidate → the same with reasoning, of its own code alone: a wrong decision is told like a right one. What
 * a model wrote keeps the model's reasoning, or none: two authors' manners must not set the sides of a pair apart.
 */
export default function explain({
  reason,
  reasonVersion = 1,
}: ExplainOptions = {}): Stage<LabelledCandidate, LabelledCandidate> {
  return {
    name: 'explain',
    version: 1,
    options: {reason: reason ? reasonVersion : 0},
    input: LabelledCandidate,
    output: LabelledCandidate,
    run: each(async (candidate, context): Promise<readonly LabelledCandidate[]> => {
      if (!reason || candidate.sampler.kind === 'model' || candidate.reasoning !== '') return [candidate]
      const {task} = candidate
      const code = textId(JSON.stringify(writtenFiles(candidate)))
      const random = randomFrom(context.seed, 'explain', task.origin.path, code)
      const reasoning = await reason({task, files: candidate.files}, random)
      return [{...candidate, reasoning: reasoning ?? ''}]
    }),
  }
}
