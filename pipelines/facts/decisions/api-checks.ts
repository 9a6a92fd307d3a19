import type {DtypeList} from '../../../datasets/schema/code-facts.ts'
import type {Decision} from '../../../datasets/schema/decision.ts'
import {
  type ApiView,
  asksChip,
  bare,
  comparisonsIn,
  mentions,
  onlyCompares,
  parametersOf,
  type Refused,
} from './api-view.ts'
import {decided, fact, few, rule} from './host-view.ts'

/** What an interface refuses while a call is planned, by why it could not be computed. */
export function checkDecisions(view: ApiView): Decision[] {
  return [
    ...listDecisions(view),
    ...sameTypeDecision(view),
    ...fixedTypeDecision(view),
    ...promotionDecisions(view),
    ...rankDecisions(view),
    ...shapeDecisions(view),
    ...conditionDecisions(view),
    ...nullDecisions(view),
  ]
}

const mostTypes = 5

/** Lists that are chosen between, and what a list alone says. */
function listDecisions(view: ApiView): Decision[] {
  const chosen = chosenLists(view)
  if (chosen) return [chosen]
  const looked = view.checked('dtype-in')
  return view.facts.lists.slice(0, 4).flatMap((list) => {
    const tensors = few(looked.filter(([, name]) => name === list.name).map(([tensor = '']) => tensor))
    return tensors.length === 0 || list.dtypes.length === 0 ? [] : [listDecision(list, tensors)]
  })
}

const isReal = (dtype: string) => /FLOAT|BF16|DOUBLE/.test(dtype)

function listDecision({name, dtypes}: DtypeList, tensors: readonly string[]): Decision {
  const values = {list: name, tensors: [...tensors], dtypes: dtypes.slice(0, mostTypes), count: dtypes.length}
  const real = dtypes.filter(isReal).length
  const isComplex = dtypes.every((one) => isReal(one) || one.includes('COMPLEX'))
  const whole = real === 0 ? 'integers' : 'many'
  const mixed = isComplex ? 'complex' : whole
  const several = real === dtypes.length ? 'floats' : mixed
  const because = [fact(`${name} = {${dtypes.join(', ')}}`)]
  return decided('api-types', dtypes.length === 1 ? 'one' : several, name, values, because)
}

/** Two lists of which a question chooses, and what only one of them has. */
function chosenLists({facts: {lists}, statements}: ApiView): Decision | undefined {
  for (const list of lists) {
    for (const other of lists) {
      const more = other.dtypes.filter((one) => !list.dtypes.includes(one))
      const isWider =
        more.length > 0 && list.dtypes.length > 0 && list.dtypes.every((one) => other.dtypes.includes(one))
      const condition = isWider ? questionOf(statements, list.name, other.name) : undefined
      if (condition === undefined) continue
      const values = {
        ...{less: list.name, more: other.name, condition, dtypes: more.slice(0, mostTypes)},
        ...{users: few(other.users, 2), count: more.length},
      }
      const situation = asksChip(condition) ? 'by-chip' : 'by-case'
      const because = [list, other].map(({name, dtypes}) => fact(`${name} = {${dtypes.join(', ')}}`))
      const isNarrow = more.length === 1 && more[0] === 'DT_BF16' && situation === 'by-chip'
      return decided('api-types', isNarrow ? 'bfloat16-by-chip' : situation, other.name, values, because)
    }
  }
  return undefined
}

/** The question that decides which of two lists counts: by a branch around one of them, or by a choice. */
function questionOf(statements: ApiView['statements'], less: string, more: string): string | undefined {
  const naming = (name: string) => statements.filter(({text}) => mentions(text, name))
  const [one, other] = [naming(less), naming(more)]
  const both = one.find((each) => other.includes(each) && / \? /.test(each.text))
  const question = both?.text.split(' ? ')[0]?.replace(/^.*\breturn\b/, '')
  if (one.some(({branches}) => branches.some(({arm}) => arm === 'then'))) return both && few([question ?? ''], 1)[0]
  const inBranch = other
    .filter(({method}) => one.some((each) => each.method === method))
    .flatMap(({branches}) => branches.filter(({arm}) => arm === 'then').slice(-1))
    .map(({condition}) => condition)
  return few([question ?? '', ...inBranch], 1)[0]
}

/** Names that outputs have; the gradient of an output is an input. */
const isOutput = /^(?!grad_?[oO]ut)(?:out\w*|\w+Out|y\w?|dst|grad_?(?:[iI]n(?:put)?|Self|X)\w*)$/

/** What must have the type of something else. */
function sameTypeDecision(view: ApiView): Decision[] {
  const ofTensors = [
    ...view.checked('dtype-same').map(([one = '', other = '']) => [one, other]),
    ...view.checked('dtype-is').flatMap(([one = '', type = '']) => {
      const other = /^(\w+)->GetDataType\(\)$/.exec(type)?.[1]
      return other === undefined ? [] : [[one, other]]
    }),
  ]
  const names = few(ofTensors.filter((pair) => pair.every((one) => /^\w+$/.test(one))).flat(), 6)
  if (names.length < 2) return []
  const because = ofTensors.slice(0, 3).map(([one, other]) => fact(`${one}, ${other}`))
  const out = names.find((one) => isOutput.test(one))
  const two = out === undefined ? 'same-two' : 'same-out'
  const situation = names.length > 2 ? 'same-all' : two
  return [decided('api-types', situation, names[0] ?? '', {names, out: out ?? '', first: names[0] ?? ''}, because)]
}

function fixedTypeDecision(view: ApiView): Decision[] {
  const fixed = view
    .checked('dtype-is')
    .flatMap(([one = '', type = '']) => (/\bDT_\w+$/.test(type) ? [[one, bare(type)] as const] : []))
  const [first] = fixed
  if (!first) return []
  const own = fixed.filter(([, dtype]) => dtype === first[1])
  const values = {names: few(own.map(([name]) => name)), dtype: first[1]}
  const situation = /INT|BOOL/.test(first[1]) ? 'fixed-index' : 'fixed'
  return [
    decided(
      'api-types',
      situation,
      first[0],
      values,
      own.slice(0, 3).map(([name]) => fact(name)),
    ),
  ]
}

function promotionDecisions(view: ApiView): Decision[] {
  const asked = view.statements.find(({kind, text}) => kind === 'value' && /\bPromoteType\(/.test(text))
  const args = /\bPromoteType\((.*)\)$/.exec(asked?.text ?? '')?.[1]?.split(', ') ?? []
  const names = few(
    args.map((one) => one.replace(/->GetDataType\(\)$|_?[dD]type$/, '').replace(/^\(\*(\w+)\)\[.*$/, '$1')),
    3,
  )
  const converts = view.checked('dtype-converts').map(([one = '', other = '']) => `${short(one)} → ${short(other)}`)
  const others = names.filter((one) => one !== asked?.target)
  const isRefused = view.refused.some(({condition}) => condition.includes('DT_UNDEFINED'))
  const casts = few(view.named(/^Cast$/).flatMap(({args: [, type = '']}) => (type === asked?.target ? [type] : [])))
  const values = {names: others, target: asked?.target ?? '', refused: isRefused ? 'yes' : 'no', cast: casts.length}
  const because = [...names.map(fact), rule('PromoteType', 'common-type')]
  return [
    ...(asked && others.length > 0
      ? [decided('api-types', others.length > 1 ? 'promoted' : 'promoted-list', asked.target, values, because)]
      : []),
    ...(converts.length > 0
      ? [decided('api-types', 'converts', converts[0] ?? '', {pairs: few(converts, 3)}, few(converts, 3).map(fact))]
      : []),
  ]
}

const short = (text: string) => bare(text).replace(/->GetDataType\(\)$/, '')

/** How many dimensions are allowed. */
function rankDecisions(view: ApiView): Decision[] {
  return (['dims-at-most', 'dims-exactly', 'dims-at-least'] as const).flatMap((kind) => {
    const all = view.checked(kind)
    const limit = all[0]?.[1] ?? ''
    const tensors = few(
      all.filter(([, one]) => one === limit).map(([one = '']) => one),
      5,
    )
    const number = view.number(limit)
    if (tensors.length === 0 || number === undefined) return []
    const least = kind === 'dims-at-least' && number === 1 ? 'not-scalar' : kind
    const exact = kind === 'dims-exactly' && number === 0 ? 'scalar-only' : least
    const general = kind === 'dims-at-most' && number === 8 ? 'at-most-general' : exact
    const because = tensors.slice(0, 3).map((one) => fact(`${one}: ${limit}`))
    return [decided('api-shapes', general, limit, {tensors, number}, because)]
  })
}

function shapeDecisions(view: ApiView): Decision[] {
  const same = view.checked('shape-same').map(([one = '', other = '']) => [one, other])
  const given = view.checked('shape-is')
  const [broad] = [...view.checked('broadcast-to'), ...view.checked('broadcast')]
  const names = few(same.flat(), 6)
  const outs = few(
    given.map(([one = '']) => one),
    3,
  )
  const [, shape = ''] = given[0] ?? []
  const two = broad ? few(broad.slice(0, 2), 2) : []
  return [
    ...(two.length === 2 && broad
      ? [decided('api-shapes', 'broadcast', two[0] ?? '', {names: two, shape: broad[2] ?? ''}, two.map(fact))]
      : []),
    ...(names.length > 1
      ? [decided('api-shapes', names.length > 2 ? 'same-all' : 'same', names[0] ?? '', {names}, names.map(fact))]
      : []),
    ...(outs.length > 0 && shape.length <= 40
      ? [decided('api-shapes', 'expected', outs[0] ?? '', {names: outs, shape}, [fact(`${outs[0]}: ${shape}`)])]
      : []),
  ]
}

/** Why a call is refused by a condition of the file's own, in the order of description. */
const reasons = [
  ...(['int32', 'format-private', 'format', 'upper', 'range', 'axis'] as const),
  ...(['multiple', 'length', 'positive', 'rank', 'rank-agree', 'agree', 'chip', 'fixed-size'] as const),
]
type Reason = (typeof reasons)[number]

const mostReasons = 4

function conditionDecisions(view: ApiView): Decision[] {
  const found = view.refused.flatMap((one) => {
    const reason = reasonOf(one, view)
    return reason && one.condition.length <= 110 ? [{...one, ...reason}] : []
  })
  return reasons
    .flatMap((reason) => {
      const own = found.filter((one) => one.reason === reason)
      const [first] = own
      const conditions = few(
        own.filter(({isDemand}) => isDemand === first?.isDemand).map(({condition}) => condition),
        3,
      )
      if (!first || conditions.length === 0) return []
      const {name, number} = first
      const form = first.isDemand ? 'demand' : 'refusal'
      const values = {conditions, form, name, number: number ?? 0, method: first.statement.method}
      return [decided('api-checks', reason, conditions[0] ?? '', values, conditions.map(fact))]
    })
    .slice(0, mostReasons)
}

interface Found {
  reason: Reason
  name: string
  number?: number
}

function reasonOf({condition, expression, isDemand}: Refused, view: ApiView): Found | undefined {
  if (/nullptr|ACLNN_SUCCESS|ACL_SUCCESS|\bret\b|DT_|DataType|GRAPH_/.test(condition)) return undefined
  if (/INT32_MAX|INT_MAX/.test(condition)) return {reason: 'int32', name: ''}
  if (asksChip(condition)) return {reason: 'chip', name: ''}
  if (/^!?Check\w*\(/.test(condition)) return undefined
  if (/IsPrivateFormat/.test(condition)) return {reason: 'format-private', name: ''}
  if (/Format/.test(condition)) return !/ [!=]= /.test(condition) ? undefined : {reason: 'format', name: ''}
  const all = comparisonsIn(expression)
  const [one] = all
  if (!one || !onlyCompares(expression) || / & |"/.test(condition)) return undefined
  const number = view.number(one.right)
  const found = (reason: Reason): Found => ({reason, name: one.left, ...(number !== undefined && {number})})
  // A call on a call is not read, so its left side has no text.
  const isRank = condition.match(/GetDimNum\(\)\)? [<>=!]=? /g)?.length === all.length
  if (isRank || all.every(({left}) => /(?:GetDimNum\(\)|[dD]im(?:ension)?_?[nN]um\w*)/.test(left)))
    return found(number === undefined ? 'rank-agree' : 'rank')
  if (condition.includes(' % ')) return found('multiple')
  if (isBetween(all)) return found(/^(?:cur|real|wrap)?_?(?:dim|axis)$/i.test(one.left) ? 'axis' : 'range')
  if (/(?:->|\.)[sS]ize\(\)|[sS]ize_?[nN]um|[lL]en(?:gth)?\b/.test(one.left)) return found('length')
  if (all.every(({right, operator}) => isLeast(right, operator, isDemand))) return found('positive')
  if (all.every(({operator}) => /^[<>]/.test(operator)) && number !== undefined)
    return number > 1 && /^</.test(one.operator) === isDemand ? found('upper') : undefined
  const isEqual = all.every(({operator}) => operator === (isDemand ? '==' : '!='))
  if (!isEqual) return undefined
  return found(all.every(({right}) => view.number(right) === undefined) ? 'agree' : 'fixed-size')
}

/** Whether one value has a bound below and one above. */
function isBetween(all: ReturnType<typeof comparisonsIn>): boolean {
  const [one, other] = all
  if (!one || !other || all.length > 2 || one.left !== other.left || one.left === '?') return false
  return /^[<>]/.test(one.operator) && /^[<>]/.test(other.operator) && one.operator[0] !== other.operator[0]
}

function isLeast(side: string, operator: string, isDemand: boolean): boolean {
  if (/^[01](?:\.0)?\w?$/.test(side) && /^[<>]=?$/.test(operator)) return operator.startsWith('>') === isDemand
  return /^0(?:\.0)?\w?$/.test(side) && operator === (isDemand ? '!=' : '==')
}

/** Pointers that the caller may have omitted, and the status for that. */
function nullDecisions(view: ApiView): Decision[] {
  const subjects = view.checked('not-null').map(([one = '']) => one)
  const names = few(
    subjects.filter((one) => /^\w+$/.test(one)),
    6,
  )
  const status = view.facts.statuses.find(([, one]) => one === 'ACLNN_ERR_PARAM_NULLPTR')
  const others = view.facts.statuses.filter(([, one]) => one === 'ACLNN_ERR_PARAM_INVALID').length
  const optional = few(
    parametersOf(view.facts.functions, /\bacl\w+\s*\*$/).filter((one) => /Optional$/.test(one) && !names.includes(one)),
    4,
  )
  const values = {names, optional, others, count: names.length}
  if (names.length === 0) return []
  const because = names.slice(0, 4).map(fact)
  if (optional.length > 0) return [decided('api-checks', 'null-optional', names[0] ?? '', values, because)]
  const situation = status && others > 0 ? 'null-first' : 'null'
  return [decided('api-checks', situation, names[0] ?? '', values, because)]
}
