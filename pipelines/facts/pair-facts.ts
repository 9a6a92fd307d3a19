import {DescribedPair} from '../../datasets/schema/code-facts.ts'
import {HostKernelPair} from '../../datasets/schema/scenario.ts'
import {each, type Stage} from '../../engine/stage.ts'
import {hostFacts} from './host-facts.ts'
import {kernelFacts} from './kernel-facts.ts'
import {sideOfPair} from './pair-source.ts'

/** A pair with the facts of both sides, each read once. */
export default function pairFacts(): Stage<HostKernelPair, DescribedPair> {
  return {
    name: 'pair-facts',
    version: 1,
    input: HostKernelPair,
    output: DescribedPair,
    run: each(async (pair) => {
      const host = await hostFacts(sideOfPair(pair, 'host'))
      return [{pair, host, kernel: await kernelFacts(sideOfPair(pair, 'kernel'))}]
    }),
  }
}
