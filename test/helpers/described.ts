import type {DescribedPair, DescribedSource} from '../../datasets/schema/code-facts.ts'
import type {CheckedOperatorSource} from '../../datasets/schema/operator.ts'
import type {HostKernelPair} from '../../datasets/schema/scenario.ts'
import type {Language} from '../../datasets/voice.ts'
import type {Stage} from '../../engine/stage.ts'
import type {Random} from '../../engine/random.ts'
import {operatorReasoning} from '../../pipelines/code/offline/operator-reasoning.ts'
import {operatorFacts} from '../../pipelines/facts/candidate-facts.ts'
import {factReader} from '../../pipelines/facts/fact-reader.ts'
import type {WrittenOperator} from '../../pipelines/facts/operator-source.ts'
import sourceFacts from '../../pipelines/facts/source-facts.ts'
import pairFacts from '../../pipelines/facts/pair-facts.ts'
import {runStage} from './run-stage.ts'

/** With their facts, as a run keeps them: what is not a value, or is known by identity alone, does not come through. */
export const describedSources = (items: readonly CheckedOperatorSource[]): Promise<DescribedSource[]> =>
  kept(sourceFacts(), items)

export const describedPairs = (pairs: readonly HostKernelPair[]): Promise<DescribedPair[]> => kept(pairFacts(), pairs)

/** What an attempt's reasoning says, of the facts that are read of it. */
export async function reasonFrom(
  written: WrittenOperator,
  random: Random,
  language: Language = 'en',
): Promise<string | undefined> {
  const facts = await operatorFacts(written, factReader())
  return facts && operatorReasoning(written, facts, {language, random})
}

async function kept<In, Out>(stage: Stage<In, Out>, items: readonly In[]): Promise<Out[]> {
  const {outputs} = await runStage(stage, items)
  return JSON.parse(JSON.stringify(outputs)) as Out[]
}
