import type {DescribedPair, DescribedSource} from '../../datasets/schema/code-facts.ts'
import type {CheckedOperatorSource} from '../../datasets/schema/operator.ts'
import type {HostKernelPair} from '../../datasets/schema/scenario.ts'
import type {Stage} from '../../engine/stage.ts'
import sourceFacts from '../../pipelines/facts/source-facts.ts'
import pairFacts from '../../pipelines/facts/pair-facts.ts'
import {runStage} from './run-stage.ts'

/** With their facts, as a run keeps them: what is not a value, or is known by identity alone, does not come through. */
export const describedSources = (items: readonly CheckedOperatorSource[]): Promise<DescribedSource[]> =>
  kept(sourceFacts(), items)

export const describedPairs = (pairs: readonly HostKernelPair[]): Promise<DescribedPair[]> => kept(pairFacts(), pairs)

async function kept<In, Out>(stage: Stage<In, Out>, items: readonly In[]): Promise<Out[]> {
  const {outputs} = await runStage(stage, items)
  return JSON.parse(JSON.stringify(outputs)) as Out[]
}
