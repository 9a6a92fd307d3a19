import {createHash} from 'node:crypto'
import {HostKernelPair, PairRequest} from '../../../datasets/schema/scenario.ts'
import type {Stage} from '../../../engine/stage.ts'

/**
 * Requests the kernel of each pair, and the whole operator of the first pair with the same code: a kernel with
 * constants differs by shape, host and kernel with tiling do not.
 */
export default function pairRequests(): Stage<HostKernelPair, PairRequest> {
  return {
    name: 'pair-requests',
    version: 1,
    input: HostKernelPair,
    output: PairRequest,
    async *run(pairs) {
      const known = new Set<string>()
      for await (const pair of pairs) {
        yield {pair, form: 'kernel-only'}
        const code = codeOf(pair)
        if (!known.has(code)) yield {pair, form: 'full'}
        known.add(code)
      }
    },
  }
}

/** Digest of what the pair is built from, and of how its tiling goes. */
function codeOf({operator, host, kernel, scenario}: HostKernelPair): string {
  const {dtypes, trace} = scenario
  const code = JSON.stringify([operator, host, kernel, Object.entries(dtypes).sort(), trace.tilingKey])
  return createHash('sha256').update(code).digest('hex')
}
