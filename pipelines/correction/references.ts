import {LabelledCandidate} from '../../datasets/schema/candidate.ts'
import {Failure} from '../../datasets/schema/correction.ts'
import {best} from '../../datasets/schema/label.ts'
import {byRequest} from '../../datasets/task-groups.ts'
import type {Context, Stage} from '../../engine/stage.ts'
import {RightOnes} from './right-ones.ts'

/**
 * Labelled candidates → those that failed, each with the correct candidate of its request that is nearest to it.
 * Drops: `no-green`, no candidate of the request is correct.
 */
export default function references(): Stage<LabelledCandidate, Failure> {
  return {
    name: 'references',
    version: 1,
    input: LabelledCandidate,
    output: Failure,
    async *run(items, context) {
      for await (const group of byRequest(items)) yield* withReferences(group, context)
    },
  }
}

function* withReferences(group: readonly LabelledCandidate[], context: Context): Generator<Failure> {
  // An undetected fault may still be one, so it is not a model answer.
  const right = new RightOnes(group.filter(({label, sampler}) => label === best && sampler.kind !== 'mutation'))
  for (const failed of group.filter(({label}) => label !== best)) {
    const reference = right.nearest(failed)
    if (reference) yield {...failed, reference}
    else context.drop(failed, 'no-green', `${failed.task.name}: no candidate is correct`)
  }
}
