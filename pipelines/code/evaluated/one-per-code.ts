import {HostKernelPair} from '../../../datasets/schema/scenario.ts'
import type {Stage} from '../../../engine/stage.ts'
import {codeOf} from './pair-requests.ts'

/** Host-kernel pairs → of those with the same code, whatever their calls, the first. */
export default function onePerCode(): Stage<HostKernelPair, HostKernelPair> {
  return {
    name: 'one-per-code',
    version: 1,
    input: HostKernelPair,
    output: HostKernelPair,
    async *run(pairs, context) {
      const known = new Set<string>()
      for await (const pair of pairs) {
        const code = codeOf(pair)
        if (known.has(code)) context.drop(pair, 'same-code', pair.operator)
        else yield pair
        known.add(code)
      }
    },
  }
}
