import {LabelledCandidate, verdictsOf} from '../../datasets/schema/candidate.ts'
import {best} from '../../datasets/schema/label.ts'
import {UnpairedReply} from '../../datasets/schema/unpaired.ts'
import {byRequest} from '../../datasets/task-groups.ts'
import {writtenAnswer, writtenFiles} from '../../datasets/written-answer.ts'
import {randomFrom} from '../../engine/random.ts'
import type {Context, Stage} from '../../engine/stage.ts'
import {distinct, isFit} from './pair.ts'

export interface UnpairedOptions {
  /** Replies to one prompt. Default 12: a task that is easy to get wrong must not fill the data set. */
  maxPerTask?: number
}

/**
 * Labelled candidates → single replies, desirable or undesirable, each reply to a prompt once. Replies to one prompt
 * come with reasoning only if all of them have it: otherwise its presence would reveal the label. Above the limit,
 * desirable and undesirable ones are kept in equal numbers, if possible. Reads one task at a time. Drops:
 * `reply-without-code`, `equivalent-mutant` (a planted fault was not observed), `rewound`, `same-code`, `over-limit`.
 */
export default function unpaired({maxPerTask = 12}: UnpairedOptions = {}): Stage<LabelledCandidate, UnpairedReply> {
  return {
    name: 'unpaired',
    version: 1,
    options: {maxPerTask},
    input: LabelledCandidate,
    output: UnpairedReply,
    tally: ({label}) => String(label === best),
    async *run(items, context) {
      for await (const group of byRequest(items)) {
        const read = group
          .filter((candidate) => isFit(candidate, false, context))
          .map((candidate) => ({candidate, answer: writtenAnswer(candidate)}))
        const fit = distinct(read, context).map(({candidate}) => candidate)
        const kept = balanced(fit, maxPerTask, context)
        const reasoned = kept.every(({reasoning}) => reasoning !== '')
        for (const candidate of kept) yield replyOf(candidate, reasoned, context)
      }
    },
  }
}

/** At most this many, in order: half of them desirable, or more if there are too few others. */
function balanced(candidates: readonly LabelledCandidate[], most: number, context: Context): LabelledCandidate[] {
  const origin = candidates[0]?.task.origin.path ?? ''
  const random = randomFrom(context.seed, 'unpaired', origin)
  const [good, bad] = [true, false].map((wanted) =>
    random.shuffle(candidates.filter(({label}) => (label === best) === wanted)),
  ) as [LabelledCandidate[], LabelledCandidate[]]
  const fromGood = Math.min(good.length, Math.max(Math.ceil(most / 2), most - bad.length))
  const kept = new Set([...good.slice(0, fromGood), ...bad.slice(0, most - fromGood)])
  for (const candidate of candidates.filter((one) => !kept.has(one)))
    context.drop(candidate, 'over-limit', `${candidate.task.name}: at most ${most} of ${candidates.length}`)
  return candidates.filter((one) => kept.has(one))
}

function replyOf(candidate: LabelledCandidate, reasoned: boolean, {stages}: Context): UnpairedReply {
  const {task, prompt, reasoning, label, sampler} = candidate
  return {
    task: task.name,
    prompt,
    reasoning: reasoned ? reasoning : '',
    answer: writtenAnswer(candidate),
    files: writtenFiles(candidate),
    label,
    sampler,
    ...verdictsOf(candidate),
    origin: task.origin,
    stages,
  }
}
