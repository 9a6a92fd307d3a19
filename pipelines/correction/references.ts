import {LabelledCandidate} from '../../datasets/schema/candidate.ts'
import {Failure} from '../../datasets/schema/correction.ts'
import {best} from '../../datasets/schema/label.ts'
import {byRequest} from '../../datasets/task-groups.ts'
import type {Context, Stage} from '../../engine/stage.ts'
import {changedLines, changesBetween} from './code-changes.ts'

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
  // A fault that no check saw may still be one: it is no model of what is right.
  const right = group.filter(({label, sampler}) => label === best && sampler.kind !== 'mutation')
  for (const failed of group.filter(({label}) => label !== best)) {
    const reference = nearest(failed, right)
    if (reference) yield {...failed, reference}
    else context.drop(failed, 'no-green', `${failed.task.name}: no candidate is correct`)
  }
}

function nearest(failed: LabelledCandidate, right: readonly LabelledCandidate[]): Failure['reference'] | undefined {
  const ranked = right.map((one) => ({one, distance: changedLines(changesBetween(failed.files, one.files))}))
  const [first] = ranked.sort((a, b) => a.distance - b.distance)
  if (!first) return undefined
  const {task: _, prompt: _prompt, canary: _canary, ...reference} = first.one
  return reference
}
