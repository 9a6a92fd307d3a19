import {CalledPair, HostKernelPair} from '../../../datasets/schema/scenario.ts'
import {canonicalJson, contentId} from '../../../engine/ids.ts'
import type {Context, Stage} from '../../../engine/stage.ts'
import type {Inline} from '../specialise/host-files.ts'
import {wholeOperator} from './three-files.ts'

interface SameCodeOptions {
  inline: Inline
  /** Calls of one code. Default 4. */
  most?: number
}

/**
 * Host-kernel pairs → one record for all pairs with the same code, whatever their calls. Pairs of an operator must
 * arrive together, as the stage that makes them emits them. Drops: `rule-broken` if the pair's own run broke a hardware
 * rule, and `over-limit`.
 */
export default function sameCode({inline, most = 4}: SameCodeOptions): Stage<HostKernelPair, CalledPair> {
  return {
    name: 'same-code',
    version: 1,
    options: {most},
    input: HostKernelPair,
    output: CalledPair,
    async *run(pairs, context) {
      let group: HostKernelPair[] = []
      for await (const pair of pairs) {
        if (group[0] && placeOf(group[0]) !== placeOf(pair)) {
          yield* joined(group, {inline, most, context})
          group = []
        }
        group.push(pair)
      }
      yield* joined(group, {inline, most, context})
    },
  }
}

const placeOf = ({operator, origin}: HostKernelPair) => canonicalJson([operator, origin])

interface Joining {
  inline: Inline
  most: number
  context: Context
}

function joined(group: readonly HostKernelPair[], {inline, most, context}: Joining): CalledPair[] {
  const byCode = new Map<string, CalledPair>()
  for (const pair of group) {
    const {operator, scenario} = pair
    if (scenario.tolerated) {
      context.drop(pair, 'rule-broken', `${operator}: ${scenario.tolerated.rule}`)
      continue
    }
    const code = codeOf(pair, inline)
    const known = byCode.get(code)
    if (!known) byCode.set(code, {pair, more: []})
    else if (known.more.length + 1 < most) known.more.push(scenario)
    else context.drop(pair, 'over-limit', `${operator} has more than ${most} calls of the same code`)
  }
  return [...byCode.values()]
}

/** Identity by the three files, if they can be written: reductions for several calls often differ in omitted parts. */
function codeOf(pair: HostKernelPair, inline: Inline): string {
  const {host, kernel, scenario} = pair
  const whole = wholeOperator(pair, inline, Infinity)
  const names = [scenario.inputs, scenario.outputs].map((specs) => specs.map(({name}) => name))
  return contentId([whole.ok ? whole.files : [host, kernel], scenario.dtypes, names])
}
