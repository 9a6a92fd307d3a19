import {DescribedPair} from '../../datasets/schema/code-facts.ts'
import {HostKernelPair} from '../../datasets/schema/scenario.ts'
import {each, type Stage} from '../../engine/stage.ts'
import {factReader} from './fact-reader.ts'
import {sideOfPair} from './pair-source.ts'

/** A pair → the same with the facts of both sides. */
export default function pairFacts(): Stage<HostKernelPair, DescribedPair> {
  const read = factReader()
  return {
    name: 'pair-facts',
    version: 1,
    input: HostKernelPair,
    output: DescribedPair,
    run: each(async (pair) => {
      const host = await read.host(sideOfPair(pair, 'host'))
      return [{pair, host, kernel: await read.kernel(sideOfPair(pair, 'kernel'))}]
    }),
  }
}
