import {evaluate} from '../../../cpp/expressions.ts'
import type {KernelFacts} from '../../../datasets/schema/code-facts.ts'
import type {Decision} from '../../../datasets/schema/decision.ts'
import type {RunTrace} from '../../../datasets/schema/executor.ts'
import type {OperatorSource} from '../../../datasets/schema/operator.ts'
import {
  type MemoryPlan,
  memoryPlans,
  scopeOfFacts,
  sumOfBuffers,
  takenBeside,
  ubBytes,
  wholeBlocks,
} from '../memory-plan.ts'

export type TilingValues = RunTrace['tiling']

/**
 * Bytes of the unified buffer, and how long they let a tile be.
 * @param widths bytes of the element types that the operator takes, where its definition is known
 */
export function bufferDecisions(
  source: OperatorSource,
  given: KernelFacts,
  tiling: TilingValues,
  widths?: readonly number[],
): Decision[] {
  if (source.dependencies.some(({text}) => /\bInitBuffer\s*\(/.test(text)) || sharesPipe(given)) return []
  const facts = withWidth(given, widths)
  const beside = takenBeside(facts)
  const capacity = beside > 0 ? `${ubBytes} − ${beside}` : ubBytes
  return memoryPlans(facts).flatMap((plan): Decision[] => {
    const {parts, certain, isBase, most, perUnit, fixed, lengths, bases, owner} = plan
    if (!certain || isBase || bases.length > 0 || most === undefined) return []
    const unit = lengths.join(' × ')
    // A variable that already counts bytes has no elements.
    if (lengths.some((one) => /bytes|size/i.test(one))) return []
    const names = parts.map(({buffer}) => buffer.name)
    const shared = {owner, buffers: names.slice(0, 8), number: names.length, capacity, unit, fixed}
    const because = parts.map(({buffer: {name, count, bytes}}) => ({
      kind: 'fact' as const,
      code: `${name}: ${count} × ${bytes}`,
    }))
    const byType = widths?.length === 1 ? undefined : widthsOf(plan, facts)
    const quotient = Math.floor((ubBytes - beside - fixed) / perUnit)
    const limit = {perUnit: rounded(perUnit), ...sumOf(plan), quotient, most, cut: quotient - most}
    const values = {...shared, ...(byType ?? {...limit, ...taken(plan, tiling)})}
    return [{topic: 'buffers', situation: situationOf(fixed, byType), subject: unit, values, because}]
  })
}

/** A part of a kernel is given the pipe: the other parts have buffers of it too. */
const sharesPipe = ({methods}: KernelFacts) => {
  const owners = new Set(methods.map(({syntax}) => syntax.owner))
  const isGiven = methods.some(({syntax}) => syntax.parameters.some(({type}) => type.includes('TPipe')))
  return isGiven && (owners.size > 1 || methods.every(({role}) => role !== 'process'))
}

/** Where an operator takes one width alone, its types have that. */
function withWidth(facts: KernelFacts, widths: readonly number[] | undefined): KernelFacts {
  const [width, ...others] = widths ?? []
  if (width === undefined || others.length > 0) return facts
  return {...facts, types: facts.types.map(([name, bytes]) => [name, /^(?:DTYPE_|T$)/.test(name) ? width : bytes])}
}

function situationOf(fixed: number, widths: object | undefined): string {
  if (widths) return 'by-type'
  return fixed > 0 ? 'bound-fixed' : 'bound'
}

const sumOf = ({parts}: MemoryPlan) =>
  sumOfBuffers(
    parts.flatMap(({buffer: {name}, count, factor, lengths}) =>
      lengths.length > 0 ? {name, count, bytes: rounded(factor)} : [],
    ),
  )

const rounded = (value: number) => Math.round(value * 1000) / 1000

/** Where sizes name a type that the class is given: what elements of 2 and of 4 bytes come to. */
function widthsOf({sizes, owner}: MemoryPlan, facts: KernelFacts): Record<string, number> | undefined {
  const types = new Map(facts.types)
  const named = sizes.flatMap((one) => [...one.matchAll(/\bsizeof\(\s*(\w+)\s*\)/g)].map(([, name = '']) => name))
  const open = [...new Set(named)].filter((name) => types.has(name))
  if (open.length === 0) return undefined
  const of = (bytes: number) => {
    const given = [...facts.types, ...open.map((name): [string, number] => [name, bytes])]
    return memoryPlans({...facts, types: given}).find((one) => one.owner === owner)
  }
  const [two, four] = [of(2), of(4)]
  if (two?.most === undefined || four?.most === undefined) return undefined
  return {two: rounded(two.perUnit), mostTwo: two.most, four: rounded(four.perUnit), mostFour: four.most}
}

/** What the call's tile takes, where its length is a field of the tiling by the member's name. */
function taken({lengths, parts, fixed}: MemoryPlan, tiling: TilingValues): {at: number; bytes: number} {
  const values = lengths.map((one) => tiling[one.replace(/^.*[.>]|^m_|_$/g, '')])
  const at = values.reduce<number>((product, one) => product * (typeof one === 'number' ? one : 0), 1)
  const growing = parts.filter((part) => part.lengths.length > 0)
  return {at, bytes: growing.reduce((sum, {count, factor}) => sum + count * wholeBlocks(factor * at), fixed)}
}

/** Blocks of the queues that copies go through; not where the cube unit is waited for in every pass. */
export function depthDecisions({target, dependencies}: OperatorSource, facts: KernelFacts): Decision[] {
  if (facts.matrixCalls.length > 0) return []
  // Where the scalar unit waits for values, the copies that it issues wait as well.
  if ([target, ...dependencies].some(({text}) => /\.GetValue\s*\(/.test(text))) return []
  const scope = scopeOfFacts(facts)
  const queues = facts.buffers.filter(
    ({kind, position, bytes}) => kind === 'queue' && bytes !== '' && /^(?:VECIN|VECOUT)$/.test(position),
  )
  const two = queues.filter(({count}) => evaluate(count, scope) === 2)
  const isSingle =
    queues.some(({position}) => position === 'VECIN') && queues.every(({count}) => evaluate(count, scope) === 1)
  const names = [...new Set((isSingle ? queues : two).map(({name}) => name))]
  if (names.length === 0) return []
  const because = queues.slice(0, 4).map(({name, count}) => ({kind: 'fact' as const, code: `${name}, ${count}`}))
  const values = {queues: names.slice(0, 6), rounds: 0}
  return [{topic: 'depth', situation: isSingle ? 'single' : 'open', subject: names[0] ?? '', values, because}]
}
