import type {Branch, FunctionSyntax} from '../../../cpp/syntax.ts'
import type {KernelFacts} from '../../../datasets/schema/code-facts.ts'
import type {Decision, Fact} from '../../../datasets/schema/decision.ts'
import type {OperatorSource} from '../../../datasets/schema/operator.ts'
import {carriedBy} from './carried.ts'
import {bufferDecisions, depthDecisions, type TilingValues} from './buffer-decisions.ts'
import {cleaned, negated} from './cleaned.ts'
import {conversionDecisions} from './conversion-decisions.ts'
import {copyDecisions, placeDecisions} from './copy-decisions.ts'
import {filledDecisions} from './filled-decisions.ts'
import {instructionDecisions} from './instruction-decisions.ts'
import {type TileValue, tileValues} from './tile-values.ts'
import {orderDecisions} from './order-decisions.ts'
import {pathDecisions} from './path-decisions.ts'
import {scalarDecisions} from './scalar-decisions.ts'
import {shareDecisions} from './share-decisions.ts'
import {scalarReads, type Wait, waits} from './waits.ts'

/**
 * What a device file or function shows of its decisions; what it is given to work on is not asked.
 * @param tiling the host's values in a given call: the tile's bytes are worked out for it
 * @param widths bytes of the element types that the operator takes, where its definition is known
 */
export function kernelDecisions(
  source: OperatorSource,
  facts: KernelFacts,
  tiling: TilingValues = {},
  widths?: readonly number[],
): Decision[] {
  const all = [
    ...divisionDecisions(facts),
    ...formulaDecisions(facts),
    ...instructionDecisions(facts),
    ...conversionDecisions(facts),
    ...bufferDecisions(source, facts, tiling, widths),
    ...depthDecisions(source, facts),
    ...placeDecisions(facts),
    ...copyDecisions(facts),
    ...tailDecisions(facts),
    ...waitDecisions(facts),
    ...scalarReadDecision(source, facts),
    ...keyDecisions(source, facts),
    ...scalarDecisions(facts),
    ...shareDecisions(facts),
    ...filledDecisions(facts),
    ...pathDecisions(facts),
    ...orderDecisions(facts),
  ]
  return inOrder(most(all.filter((one) => !isSaid(one, all))))
}

/** More than these and a text is a list. */
const mostDecisions = 10

/** The first of every topic, then the second, and so on. */
function most(all: readonly Decision[]): Decision[] {
  const turn = (one: Decision) => all.filter(({topic}) => topic === one.topic).indexOf(one)
  return [...all].sort((one, other) => turn(one) - turn(other)).slice(0, mostDecisions)
}

/** What a decision on the right says as well: rounding down is described with the conversion back. */
const saysToo: Readonly<Record<string, string>> = {
  'conversion floor-whole': 'integer-part',
  'division dealt': 'in-turn',
  'division working': 'idle',
}

const isSaid = ({topic, situation}: Decision, all: readonly Decision[]) =>
  all.some((one) => one.situation === saysToo[`${topic} ${situation}`])

const order = ({topic}: Decision) => told.indexOf(topic)

/** What limits a kernel comes before what follows from it. */
const told: readonly Decision['topic'][] = [
  ...(['keys', 'workspace', 'division', 'formula', 'instruction', 'conversion', 'buffers', 'depth'] as const),
  ...(['rounding-up', 'places', 'copies', 'tail', 'elements', 'matmul', 'waits'] as const),
]

const inOrder = (all: readonly Decision[]) => [...all].sort((one, other) => order(one) - order(other))

const fact = (code: string): Fact => ({kind: 'fact', code})

/** Most formulas described; more become a list. */
const mostFormulas = 3

function formulaDecisions(facts: KernelFacts): Decision[] {
  const groups = new Map<string, TileValue[]>()
  for (const one of toldValues(tileValues(facts))) {
    const key = one.calls.map(({name}) => name).join()
    groups.set(key, [...(groups.get(key) ?? []), one])
  }
  return [...groups.values()]
    .sort(([one], [other]) => (other?.calls.length ?? 0) - (one?.calls.length ?? 0))
    .slice(0, mostFormulas)
    .map((all) => formulaDecision(all, facts))
}

/**
 * Of one formula in several branches or element types that with most steps; none that is a part of another one, nor one
 * of a branch that cannot be named.
 */
function toldValues(all: readonly TileValue[]): TileValue[] {
  const longestFirst = [...all].sort((one, other) => other.calls.length - one.calls.length)
  const isFirst = (one: TileValue) => longestFirst.find(({expression}) => expression === one.expression) === one
  const isPart = (one: TileValue) =>
    all.some((other) => other.expression.length > one.expression.length && isWithin(one, other))
  return all.filter((one) => placeIn(one) !== undefined && isFirst(one) && !isPart(one))
}

/** @param all that instructions of the same names compute: one, and those that are made like it */
function formulaDecision(all: readonly TileValue[], facts: KernelFacts): Decision {
  const [first, ...others] = all as [TileValue, ...TileValue[]]
  const {tensors: carried, situation, reduced} = carriedBy(first, facts)
  const one = {...first, overwritten: first.overwritten.filter((tensor) => !carried.includes(tensor))}
  const {method, target, expression, shared, calls, scratch, overwritten} = one
  const targets = new Set(others.map((other) => other.target).filter((other) => other !== target))
  return {
    ...{topic: 'formula', situation: situation ?? formulaSituation(one), subject: target},
    values: {
      ...{method, target, expression, instructions: calls.length, chain: calls.map(({name}) => name)},
      scratch: [...scratch, ...(scratch.length > 0 ? overwritten : [])].slice(0, 6),
      overwritten: overwritten.slice(0, 4),
      carried,
      reduced,
      parts: shared.map(({name, expression: part}) => `${name} = ${part}`),
      alike: [...targets].slice(0, 4),
      held: heldIn(one),
      where: placeIn(one) || 'none',
    },
    because: calls.map(({name, args}) => fact(`${name}(${args.join(', ')})`)),
  }
}

/** Whether a formula is a part of another one of the same function. */
const isWithin = (one: TileValue, other: TileValue) =>
  one.method === other.method && one.expression.length > 6 && other.expression.includes(one.expression)

/** Longer conditions are not quoted. */
const longestCondition = 70

/** The branch around the instructions; '' outside branches, undefined if too long to name. */
function placeIn({calls: [first]}: TileValue): string | undefined {
  const branches = first?.branches ?? []
  const text = branches.map(({condition, arm}) => armText(cleaned(condition), arm)).join(' && ')
  return text.length > longestCondition ? undefined : text
}

function armText(condition: string, arm: Branch['arm']): string {
  if (typeof arm === 'object') return `${condition} == ${arm.case}`
  return arm === 'else' ? negated(condition) : condition
}

/** Parts that are described in place: short ones of long formulas. */
function heldIn({calls, held, expression: whole}: TileValue): string[] {
  if (calls.length < 4) return []
  return held
    .filter(({expression}) => /[-+*/(]/.test(expression) && expression.length <= 70 && expression !== whole)
    .map(({name, expression}) => `${name} = ${expression}`)
    .slice(0, 5)
}

/** Where intermediate values stand. */
function formulaSituation({shared, scratch, overwritten, joins, repeats, calls}: TileValue): string {
  if (shared.length > 0) return repeats ? 'named' : 'shared'
  // Where a type changes, the result already needs its own tensor for that reason.
  const isTyped = calls.some(({name}) => name === 'Cast')
  if (scratch.length > 0) return joins && !isTyped ? 'scratch' : 'through'
  return overwritten.length > 0 ? 'over-inputs' : 'in-place'
}

/** Order that the compiler makes by itself, unless disabled. Source: page on synchronisation inside a core. */
const isInserted = ({firstPipe, nextPipe}: Wait) =>
  (firstPipe === 'V' && nextPipe === 'V') || firstPipe === 'S' || nextPipe === 'S'

function waitDecisions(facts: KernelFacts): Decision[] {
  const groups = new Map<string, Wait[]>()
  for (const one of waits(facts)) {
    const key = `${one.kind} ${one.firstPipe} ${one.nextPipe} ${one.hazard}`
    groups.set(key, [...(groups.get(key) ?? []), one])
  }
  return [...groups.values()].slice(0, 4).map((all): Decision => {
    const [one] = all as [Wait]
    const {kind, by, tensor, first, next, firstPipe, nextPipe, hazard, method} = one
    return {
      topic: 'waits',
      situation: `${kind}-${hazard}${kind === 'flag' && isInserted(one) ? '-auto' : ''}`,
      subject: by,
      values: {method, tensor, first, next, firstPipe, nextPipe, more: all.length - 1},
      because: [fact(by), {kind: 'rule', api: by.split(/[<:]/)[0] ?? by, rule: `${firstPipe}-${nextPipe}`}],
    }
  })
}

function scalarReadDecision({dependencies}: OperatorSource, facts: KernelFacts): Decision[] {
  const all = scalarReads(
    facts,
    dependencies.map(({text}) => text),
  )
  const [one] = all
  if (!one) return []
  const {how, ...values} = one
  return [
    {
      topic: 'waits',
      situation: `scalar-${how}`,
      subject: one.by,
      values: {...values, more: all.length - 1},
      because: [fact(one.by), {kind: 'rule', api: 'GetValue', rule: 'V-S'}],
    },
  ]
}

/** A loop over pieces that are dealt out to the cores in turn: `item += GetBlockNum()`. */
const isStride = (statement: string, index: string) =>
  statement.startsWith(`${index} += `) && /GetBlockNum\(\)/.test(statement)

const holdsIndex = /^(?:static_cast<[^<>]*>\()?(?:AscendC::)?GetBlockIdx\(\)\)?$/

/** Names for places, which are no amounts of work. */
const namesStart = /(?:start|begin|offset|first|base)(?:_|$|[A-Z])|(?:Start|Begin|Offset|First|Base)/

/** Where a core finds its share: `offset = GetBlockIdx() * share`. */
function divisionDecisions({split}: KernelFacts): Decision[] {
  const index = split.map(({statement}) => statement.split(' = ')).find(([, value = '']) => holdsIndex.test(value))?.[0]
  const names = ['GetBlockIdx()', 'AscendC::GetBlockIdx()', ...(index === undefined ? [] : [index])]
  const because = split.slice(0, 4).map(({statement}) => fact(statement))
  const base = {core: index === undefined ? 'GetBlockIdx()' : cleaned(index)}
  const found: Decision[] = []
  const inTurn = names.concat(base.core).some((one) => split.some(({statement}) => isStride(statement, one)))
  const given = (text: string) =>
    split.filter(({statement}) => cleaned(statement).startsWith(`${text.split(' ')[0]} `)).length
  for (const {statement, branches} of split) {
    const text = cleaned(statement)
    const [, target = '', more = '', rest = ''] =
      /^([\w.>[\]-]+) \+?= .* < .*\? *([\w.>-]+|\d+) *: *([\w.>-]+|\d+)\)?$/.exec(text) ?? []
    const uneven = more === base.core ? 'remainder-start' : 'remainder'
    const share = shareIn(text, names.map(cleaned))
    const isFound = (situation: string) => found.some((one) => one.situation === situation)
    if (text.length > 110) continue
    if (share !== undefined && branches.length === 0 && given(text) === 1 && !isFound('offset') && !isFound('in-turn'))
      found.push(division(inTurn ? 'in-turn' : 'offset', {...base, statement: text, share}, because))
    else if (target !== '' && (more === base.core || !namesStart.test(target)) && !isFound(uneven))
      found.push(division(uneven, {...base, statement: text, rest}, because))
    else if (branches.length === 1 && text.includes(' = ') && !isFound('case')) {
      const [{condition = ''} = {}] = branches
      // Other conditions, such as a share that is not 0, do not part the cores.
      if (condition.length <= 60 && names.some((one) => condition.includes(one)))
        found.push(division('case', {...base, statement: text, condition: cleaned(condition)}, because))
    }
  }
  return found.slice(0, 2)
}

const division = (situation: string, values: Decision['values'], because: Decision['because']): Decision => ({
  ...{topic: 'division' as const, situation, subject: String(values['statement'] ?? ''), values, because},
})

/** What the index of a core is multiplied by, where a statement places a core and does nothing else. */
function shareIn(statement: string, names: readonly string[]): string | undefined {
  const [, value = ''] = statement.split(' = ')
  const factors = value.split(' * ').map((one) => one.trim())
  const at = factors.findIndex((one) => names.includes(one))
  const others = factors.filter((_, place) => place !== at)
  return at >= 0 && others.length === 1 && /^[\w.>-]+$/.test(others[0] ?? '') ? others[0] : undefined
}

const choosesLength = / < .* \? |\?.*(?:tail|remain|last)|\bmin(?:[iuf]\d+)?\(|[=!]= .* - 1\)? \?/i
const boundsByZero = / < 0\)? \? 0 : /
const namesPlace = /(?:core(?:s|num|number|idx|id)?|idx|index|key)_?\d*$/i

const isLength = /len|count|cnt|num|size|elem|rows|cols|batch|tile|rest|cur/i

/** The statement that gives the last piece its length. */
function tailDecisions({methods}: KernelFacts): Decision[] {
  // The number of a piece may be a parameter.
  const isOfPiece = (value: string, {parameters}: FunctionSyntax) =>
    parameters.some(({name}) => new RegExp(`^\\(?${name} [=!]= .* - 1\\)? \\?`).test(value))
  const chosen = methods
    .flatMap(({syntax}) => syntax.assignments.map((one) => ({...one, syntax})))
    .find(
      ({name, value, loops: inside, syntax}) =>
        (inside.length > 0 || isOfPiece(value, syntax)) &&
        value.length <= 100 &&
        choosesLength.test(value) &&
        !boundsByZero.test(value) &&
        !namesPlace.test(name) &&
        isLength.test(name),
    )
  if (!chosen) return []
  const {name, value} = chosen
  const values = {statement: `${cleaned(name)} = ${cleaned(value)}`, name: cleaned(name)}
  return [{topic: 'tail', situation: 'open', subject: values.name, values, because: [fact(values.statement)]}]
}

/** What an entry runs in each case: by tiling key, each with its own binary, or by tiling values. */
function keyDecisions({target}: OperatorSource, {tilingKeys, variants}: KernelFacts): Decision[] {
  const cases = variants.filter(({branches}) => branches.length > 0)
  const chosen = [...new Set(cases.map(({text}) => cleaned(text)))]
  if (chosen.length < 2) return []
  const asked = cases.map(({branches}) => cleaned(asking(branches)?.condition ?? ''))
  const isByKey = asked.every((one) => one.includes('TILING_KEY_IS'))
  const field = asked.map((one) => /^([\w.>-]+) == /.exec(one)?.[1]).find((one) => one !== undefined)
  // One key may select several texts, which the preprocessor distinguishes by types.
  const isOneEach = !isByKey || new Set(asked).size === chosen.length
  const isByType = isByKey && /^\s*#\s*(?:el)?if\b.*\bORIG_DTYPE_/m.test(target.text)
  if (!(isOneEach || isByType) || (!isByKey && field === undefined)) return []
  const values = {keys: tilingKeys.slice(0, 6), number: chosen.length, variants: chosen.slice(0, 3), field: field ?? ''}
  const byKey = isOneEach ? 'several' : 'by-key-and-type'
  const situation = isByKey ? byKey : 'by-field'
  return [{topic: 'keys', situation, subject: field ?? '', values, because: asked.slice(0, 2).map(fact)}]
}

/** The innermost branch; the one of the key around `if ASCEND_IS_AIV`. */
function asking(branches: readonly Branch[]): Branch | undefined {
  const last = branches.at(-1)
  const isOwn = last !== undefined && (!/^ASCEND_IS/.test(last.condition) || branches.length === 1)
  return isOwn ? last : branches.findLast(({condition}) => condition.includes('TILING_KEY_IS'))
}
