import type {KernelFacts} from '../../datasets/schema/code-facts.ts'
import type {RunTrace} from '../../datasets/schema/executor.ts'

/** Rounds of the loop over all cores, by the times that queues were emptied, where each round empties each once. */
export function roundsOf({calls, blocks}: RunTrace, {methods}: KernelFacts): number | undefined {
  const sites = methods.flatMap(({syntax}) => syntax.calls.filter(({name}) => name === 'DeQue'))
  const rounds = (calls['DeQue'] ?? 0) / sites.length
  const isPlain = sites.length > 0 && sites.every(({branches, loops}) => branches.length + loops.length === 0)
  const isAll = blocks.every(({writtenBytes}) => writtenBytes > 0)
  return isPlain && isAll && Number.isInteger(rounds) && rounds >= blocks.length ? rounds : undefined
}
