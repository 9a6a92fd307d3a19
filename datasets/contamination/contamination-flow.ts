import type {CodeBlock} from './code-forms.ts'
import {weightsOf, type CodeMatch, type Matched} from './contamination-code.ts'

/** When a function's data flow is a leak: this much of it, weighted by rarity, and little else. */
const flowRule = {links: 8, weight: 3, share: 0.9, ofText: 0.7} as const

/** One function of a reference: its links. */
interface FlowUnit {
  reference: number
  features: ReadonlySet<number>
}

/** The device functions of a reference that are long enough to be identified by data flow. */
export function flowUnits(
  blocks: readonly CodeBlock[],
  reference: number,
  innocent: Pick<ReadonlySet<number>, 'has'>,
): FlowUnit[] {
  return blocks
    .flatMap(({form}) => form.functions.filter(({isDevice}) => isDevice))
    .map(({links}) => ({reference, features: new Set(links.filter((link) => !innocent.has(link)))}))
    .filter(({features}) => features.size >= flowRule.links)
}

export const flowFeatures = (blocks: readonly Pick<CodeBlock, 'form'>[]): number[] =>
  blocks.flatMap(({form}) => form.functions.flatMap(({links}) => links))

/**
 * Finds single functions of references by data flow between statements: `y = end - start`, whose `y` is scaled by a
 * weight and added to `start`, is one formula under any names, while its statements are common. @param references their
 * number
 */
export function flowIndex(units: readonly FlowUnit[], references: number): (links: ReadonlySet<number>) => Matched {
  const weigh = weightsOf(units, references)
  const weights = units.map(({features}) => [...features].reduce((sum, link) => sum + weigh(link), 0))
  const holders = new Map<number, number[]>()
  for (const [number, {features}] of units.entries())
    for (const link of features) holders.set(link, [...(holders.get(link) ?? []), number])
  return (links) => {
    const shared = new Map<number, {found: number; weight: number}>()
    let all = 0
    for (const link of links) {
      const weight = weigh(link)
      all += weight
      for (const number of holders.get(link) ?? []) {
        const known = shared.get(number) ?? {found: 0, weight: 0}
        shared.set(number, {found: known.found + 1, weight: known.weight + weight})
      }
    }
    const enough = [...shared].filter(([, {found, weight}]) => found >= flowRule.links && weight >= flowRule.weight)
    const holds = enough.some(([number, {weight}]) => weight >= flowRule.share * (weights[number] ?? weight))
    const matches = enough
      .filter(([, {weight}]) => weight >= flowRule.ofText * all)
      .map(([number, {found, weight}]): CodeMatch => {
        const {reference, features} = units[number] as FlowUnit
        const share = weight / (weights[number] ?? weight)
        return {reference, of: 'flow', found, statements: features.size, share, weight}
      })
    const [leak] = matches
      .filter(({share}) => share >= flowRule.share)
      .sort((a, b) => b.weight - a.weight || a.reference - b.reference)
    const near = matches.reduce((most, {share}) => (share < flowRule.share ? Math.max(most, share) : most), 0)
    return {...(leak && {leak}), near, holds}
  }
}
