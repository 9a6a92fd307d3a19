import {readExpression, type Expression} from '../../../cpp/evaluator.ts'
import type {Decision} from '../../../datasets/schema/decision.ts'
import {lastName} from '../settled-values.ts'
import {decided, fact, few, type HostView} from './host-view.ts'
import {written} from './size-forms.ts'

/** Why a call is refused, in the order of description. */
const reasons = [
  'capacity',
  'rank',
  'rank-limit',
  'types',
  'same-type',
  'fixed-size',
  'agree',
  'limit',
  'divisor',
  'positive',
  'platform',
] as const
type Reason = (typeof reasons)[number]

/** Most reasons used to describe one file's checks. */
const mostReasons = 3

/** What a file refuses, by why it cannot be served. */
export function refusalDecisions(view: HostView): Decision[] {
  const found = view.facts.refusals.flatMap(({condition}) => {
    const reason = reasonOf(condition, view)
    return reason ? [{condition, ...reason}] : []
  })
  return reasons
    .flatMap((reason) => {
      const own = found.filter((one) => one.reason === reason)
      const conditions = few(
        own.map(({condition}) => condition),
        3,
      )
      const [first] = own
      if (!first || conditions.length === 0) return []
      const values = {conditions, name: first.name, count: own.length}
      return [decided('host-refusal', reason, conditions[0] ?? '', values, conditions.map(fact))]
    })
    .slice(0, mostReasons)
}

function reasonOf(condition: string, view: HostView): {reason: Reason; name: string} | undefined {
  if (/supported\w*\.count\(/i.test(condition)) return {reason: 'types', name: ''}
  if (isOfRank(condition))
    return {reason: /[<>]/.test(condition.replaceAll('->', '.')) ? 'rank-limit' : 'rank', name: ''}
  const comparisons = comparisonsIn(readExpression(condition))
  const sides = comparisons.map(({parts}) => parts.map((one) => written(one)))
  const all = sides.flat()
  const [[left = '', right = ''] = []] = sides
  if (comparisons.length === 0) return undefined
  if (all.some((one) => view.hasUb(one)) && comparisons.some(({text}) => /^[<>]/.test(text)) && !isZero(right))
    return {reason: 'capacity', name: left}
  if (all.some((one) => /\bDT_|FORMAT_/.test(one))) return {reason: 'types', name: left}
  const zeros = comparisons.filter(({text, parts}) => /^(?:==|<=|<)$/.test(text) && isLeast(text, parts[1]))
  if (zeros.length === comparisons.length) return ofNothing(all, left, view)
  if (comparisons.every(({text}) => /^[<>]=?$/.test(text))) return {reason: 'limit', name: left}
  const isDifference = comparisons.every(({text}) => text === '!=')
  if (!isDifference) return undefined
  const isFixed = sides.every(([, other = '']) => view.number(other) !== undefined)
  const isSize = all.some((one) => /GetDim\(|dim/i.test(one))
  if (isFixed) return isSize ? {reason: 'fixed-size', name: left} : undefined
  // A member that holds a type may be the only tensor's.
  const isOfTypes = all.every((one) => /type/i.test(one))
  if (isOfTypes && all.some((one) => /_$|^this->/.test(one))) return undefined
  const isOpen = sides.every((pair) => pair.every((one) => view.number(one) === undefined && !one.includes('?')))
  return isOpen ? {reason: isOfTypes ? 'same-type' : 'agree', name: left} : undefined
}

/** Comparisons of ranks with numbers alone. */
function isOfRank(condition: string): boolean {
  const parts = condition.split(/\|\||&&/).map((one) => one.replace(/\(\)/g, '').replace(/[()]+/g, ' ').trim())
  return parts.every((one) => /(?:GetDimNum|[dD]im_?[nN]um|_rank|Rank)\s*(?:[!=<>]=?) [A-Z\d_]+U?$/.test(one))
}

const isZero = (text: string) => /^[01]\w?$/.test(text)
const isLeast = (operator: string, side: Expression | undefined) =>
  side?.kind === 'number' && (side.text === '0' || (operator === '<' && side.text === '1'))

function ofNothing(all: readonly string[], left: string, view: HostView): {reason: Reason; name: string} {
  const names = all.filter((one) => /^[\w.>-]+$/.test(one) && view.number(one) === undefined)
  const divisor = names.find((one) => view.divisors.has(lastName(one)))
  if (divisor !== undefined) return {reason: 'divisor', name: divisor}
  const isPlatform = names.length > 0 && names.every((one) => view.isCores(one) || view.hasUb(one))
  return {reason: isPlatform ? 'platform' : 'positive', name: left}
}

/** Comparisons of a condition, also inside of `&&` and `||`. */
function comparisonsIn(expression: Expression): Expression[] {
  const {kind, text, parts} = expression
  if (kind !== 'operation') return []
  if (/^(?:[<>]=?|[=!]=)$/.test(text))
    return parts[0]?.kind === 'number' && parts[1]?.kind !== 'number' ? [] : [expression]
  return text === '&&' || text === '||' ? parts.flatMap(comparisonsIn) : []
}
