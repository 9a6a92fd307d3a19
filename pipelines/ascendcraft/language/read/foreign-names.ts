import {primitives} from '../primitives.ts'

/** Names that other tile languages and Ascend C use, with what this one writes instead. */
const foreign: Record<string, string> = {
  rsqrt: 'tl.sqrt and then tl.reciprocal, or divide by the root',
  log: 'tl.ln',
  log2: 'tl.ln and then tl.muls by 1 / ln 2',
  log10: 'tl.ln and then tl.muls by 1 / ln 10',
  neg: 'tl.muls by -1.0',
  not: 'tl.select with the operands the other way round',
  pow: 'tl.mul for whole powers, else tl.ln, tl.muls and tl.exp',
  power: 'tl.mul for whole powers, else tl.ln, tl.muls and tl.exp',
  square: 'tl.mul(dst, src, src, count=...)',
  clamp: 'tl.maxs and then tl.mins',
  clip: 'tl.maxs and then tl.mins',
  where: 'tl.compare or tl.compares, and then tl.select or tl.selects',
  compare_scalar: 'tl.compares',
  fma: 'tl.mul_add',
  muladddst: 'tl.mul_add',
  sum: 'tl.reduce_sum',
  reduce_mean: 'tl.reduce_sum and then tl.muls by 1 / count',
  mean: 'tl.reduce_sum and then tl.muls by 1 / count',
  reduce_prod: 'tl.mul of the two halves of a buffer until one element is left',
  cumsum: 'tl.add over rows, or over shifted copies',
  fill: 'tl.duplicate',
  zeros: 'tl.duplicate',
  full: 'tl.duplicate',
  broadcast: 'tl.extract and then tl.duplicate',
  data_copy: 'tl.load, tl.store, or tl.copy within UB',
  datacopy: 'tl.load, tl.store, or tl.copy within UB',
  datacopypad: 'tl.load or tl.store: they take unaligned counts',
  extract_scalar: '`value = tl.extract(buffer, i)`',
  extract: '`value = tl.extract(buffer, i)`',
  set_scalar: 'tl.set',
  barrier: 'tl.sync_all()',
  create_vec_index: 'tl.arange',
  alloc_l1: 'tl.alloc_ub: matrix units are not part of the language',
}

/** What to write in place of an operation that the language does not have. */
export function mendOfOperation(name: string): string {
  const lower = name.toLowerCase().replace(/^tl\./, '')
  const bare = lower.replace(/^v(?=[a-z])/, '')
  const scalar = /^(\w+)_scalars?$/.exec(bare)?.[1]
  const candidates = [lower, bare, ...(scalar === undefined ? [] : [`${scalar}s`])]
  const known = candidates.find((one) => foreign[one] !== undefined)
  if (known !== undefined) return `write ${foreign[known]}`
  const own = candidates.find((one) => one in primitives)
  if (own !== undefined) return `write tl.${own}`
  const near = Object.keys(primitives).find((one) => isNear(one, lower))
  if (near !== undefined) return `write tl.${near}`
  return `use the operations of the page: ${Object.keys(primitives).join(', ')}`
}

/** Whether one letter too many, too few or wrong tells the words apart, or underscores. */
function isNear(one: string, other: string): boolean {
  const [a, b] = [one.replaceAll('_', ''), other.replaceAll('_', '')]
  if (a === b) return true
  if (Math.abs(a.length - b.length) > 1 || Math.min(a.length, b.length) < 3) return false
  let start = 0
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start++
  let end = 0
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++
  return Math.max(a.length, b.length) - start - end <= 1
}
