import type {Expression, KernelStatement} from '../ast.ts'
import type {Bound} from './launch.ts'
import {anything, type Range, rangeOf, unionOf} from './ranges.ts'
import {type Statement, visitKernel} from './walk.ts'

/** Ranges of the kernel's scalar expressions, over all cores, all turns of its loops and all inputs. */
export function kernelRanges(
  body: readonly KernelStatement[],
  {ranges, cores}: Bound,
): (expression: Expression) => Range {
  const assigned = new Map<string, (Expression | Statement<'for'>)[]>()
  const add = (name: string, value: Expression | Statement<'for'>) =>
    assigned.set(name, [...(assigned.get(name) ?? []), value])
  visitKernel(body, (one) => {
    if (one.kind === 'assign') add(one.name, one.value)
    if (one.kind === 'for') add(one.variable, one)
  })
  const open = new Set<string>()
  const known = new Map<string, Range>()
  const of = (leaf: Expression): Range => {
    if (leaf.kind === 'call') return leaf.callee === 'extract' ? anything : coreRange(leaf.callee, cores)
    if (leaf.kind !== 'name') return anything
    const given = ranges.get(leaf.name) ?? known.get(leaf.name)
    if (given) return given
    const values = assigned.get(leaf.name)
    if (!values || open.has(leaf.name)) return anything
    open.add(leaf.name)
    const range = unionOf(values.map((value) => ('variable' in value ? loopRange(value, of) : rangeOf(value, of))))
    open.delete(leaf.name)
    if (open.size === 0) known.set(leaf.name, range)
    return range
  }
  return (expression) => rangeOf(expression, of)
}

function coreRange(callee: string, cores: Range): Range {
  return callee === 'program_id' ? {low: 0, high: Math.max(0, cores.high - 1)} : cores
}

/** Values of a loop's variable in turns that happen. */
function loopRange({start, stop}: Statement<'for'>, of: (leaf: Expression) => Range): Range {
  const low = rangeOf(start, of).low
  return {low, high: Math.max(low, rangeOf(stop, of).high - 1)}
}
