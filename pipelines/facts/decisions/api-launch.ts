import {readExpression, type Expression} from '../../../cpp/evaluator.ts'
import type {ApiFacts} from '../../../datasets/schema/code-facts.ts'
import type {Decision} from '../../../datasets/schema/decision.ts'
import {type ApiView, areAlternatives, asksChip, bare, mentions, type PlacedStatement} from './api-view.ts'
import {decided, fact, few, rule} from './host-view.ts'
import {written} from './size-forms.ts'

/** What the layer below an interface decides: which unit works, what it is given, and where its result stands. */
export function launchDecisions(view: ApiView): Decision[] {
  if (view.facts.launches.length === 0) return []
  return [
    ...unitDecisions(view),
    ...outputDecisions(view),
    ...attributeDecision(view.facts),
    ...constantDecision(view),
    ...formsDecision(view),
    ...failureDecision(view),
  ]
}

/** Types for which the AI Core has a kernel on every chip, as the file's lists say. */
function coreTypes({facts: {lists}}: ApiView): {names: string[]; dtypes: string[]} {
  const used = lists.filter(({users, dtypes}) => users.length > 0 && dtypes.length > 0)
  const [first, ...others] = used
  const dtypes = (first?.dtypes ?? []).filter((one) => others.every((list) => list.dtypes.includes(one)))
  return {names: used.map(({name}) => name), dtypes}
}

function unitDecisions(view: ApiView): Decision[] {
  const {launches} = view.facts
  const units = new Set(launches.map(({unit}) => unit))
  const {names, dtypes} = coreTypes(view)
  const question = view.statements
    .flatMap(({branches}) => branches.map(({condition}) => condition))
    .find((one) => /AiCore|AICore|Support/.test(one))
  const isRefused = view.refused.some(({condition}) => /AiCore\w*Support/.test(condition))
  const operator = operatorOf(launches[0]?.text ?? '')
  const conditions = units.size === 2 ? unitChoice(view) : []
  const values = {operator, condition: conditions?.[0] ?? '', conditions: conditions ?? [], dtypes: dtypes.slice(0, 6)}
  const texts = launches.map(({text}) => text.slice(0, 80))
  const because = [...few(texts, 2), ...names].map(fact)
  const say = (situation: string) => [decided('api-unit', situation, operator, values, because)]
  if (units.size === 2) {
    if (!conditions) return []
    if (conditions.length === 0) return say('core-or-cpu-open')
    const isByType = conditions.length === 1 && dtypes.length > 0 && asksTypeOrChip(values.condition, view)
    return say(isByType ? 'core-or-cpu' : 'core-or-cpu-case')
  }
  if (units.has('AI CPU')) return say('cpu-only')
  return names.length === 1 && (isRefused || question !== undefined) ? say('core-only') : []
}

const operatorOf = (launch: string) => bare(/_LIST_\w+\(\s*(\w+)/.exec(launch)?.[1] ?? '')

/** Statements that launch on a unit, or call a function of the file that does and uses no other unit. */
function sitesOf({statements, facts: {launches}}: ApiView, unit: 'AI Core' | 'AI CPU'): PlacedStatement[] {
  const here = unit === 'AI Core' ? /\bADD_TO_LAUNCHER_LIST_AICORE\s*\(/ : /\bADD_TO_LAUNCHER_LIST_AICPU\s*\(/
  const mixed = new Set(launches.filter((one) => one.unit !== unit).map(({method}) => method))
  const names = [...new Set(launches.map(({method}) => method))].filter((one) => !mixed.has(one))
  return statements.filter(
    ({text, method}) => here.test(text) || names.some((name) => name !== method && mentions(text, name)),
  )
}

/** What has to hold for the AI Core; none where callers choose, undefined where the file does and it cannot be read. */
function unitChoice(view: ApiView): string[] | undefined {
  const [cores, cpus] = [sitesOf(view, 'AI Core'), sitesOf(view, 'AI CPU')]
  const [core, another] = cores.filter(({method}) => cpus.some((one) => one.method === method))
  if (!core) return []
  const others = cpus.filter(({method}) => method === core.method)
  if (another || !others.every(({branches}) => areAlternatives(core.branches, branches))) return undefined
  const own = core.branches.filter(
    ({line, arm}) => !others.every(({branches}) => branches.some((one) => one.line === line && one.arm === arm)),
  )
  const all = own.flatMap(({condition}) => partsOf(readExpression(condition)) ?? [condition])
  const conditions = few(all, all.length)
  const isWhole = own.every(({arm}) => arm === 'then') && conditions.length === new Set(all).size
  return isWhole && !conditions.some((one) => one.includes('?')) ? conditions : undefined
}

/** What is joined by `&&`. */
function partsOf(expression: Expression): string[] | undefined {
  const {kind, text, parts} = expression
  if (kind !== 'operation' || text !== '&&') return undefined
  return parts.flatMap((one) => partsOf(one) ?? [written(one)])
}

const typeOrChip = (condition: string) =>
  condition.split(/ && | \|\| /).every((one) => asksChip(one) || /\bCheckType\(|[dD]ata?[tT]ype|DT_/.test(one))

/** Whether nothing else is tested, by the condition or by the function of the file that it calls. */
function asksTypeOrChip(condition: string, {facts: {functions}}: ApiView): boolean {
  const called = functions.find(({name}) => condition.startsWith(`${name}(`))
  if (!called) return typeOrChip(condition)
  return called.statements.every(
    ({kind, text, branches}) =>
      branches.every((one) => typeOrChip(one.condition)) &&
      (kind !== 'return' || /^(?:true|false)$/.test(text) || typeOrChip(text)),
  )
}

/** Where the result is: in its own tensor, of a shape that is known or inferred, or in one that is given. */
function outputDecisions(view: ApiView): Decision[] {
  const results = new Set(view.facts.launches.flatMap(({text}) => groupIn(text, 'OP_OUTPUT')))
  const read = new Set(view.facts.launches.flatMap(({text}) => groupIn(text, 'OP_INPUT')))
  const both = few(
    [...results].filter((one) => read.has(one)),
    3,
  )
  const isInPlace = view.facts.launches.every(({text}) => {
    const given = groupIn(text, 'OP_INPUT')
    return groupIn(text, 'OP_OUTPUT').some((one) => both.includes(one) && given.includes(one))
  })
  const made = view.statements.flatMap((one) => {
    const call = /\bAllocTensor\(/.test(one.text) ? allocIn(readExpression(one.text)) : undefined
    return call && results.has(one.target) ? [{target: one.target, args: call.texts}] : []
  })
  const infers = view.statements.some(({text}) => /^INFER_SHAPE\(/.test(text))
  const given = few(
    [...results].filter((one) => isGiven(one, view) && !made.some(({target}) => target === one)),
    3,
  )
  if (both.length > 0)
    return isInPlace ? [decided('api-output', 'in-place', both[0] ?? '', {names: both}, both.map(fact))] : []
  const [first] = made
  if (!first)
    return given.length > 0 && results.size === given.length
      ? [decided('api-output', 'given', given[0] ?? '', {names: given}, given.map(fact))]
      : []
  const alike = made.filter(({target}) => target === first.target)
  const isOneShape = infers || alike.every(({args}) => args[0] === first.args[0])
  const isCast = view.named(/^Cast$/).some(({target}) => target === first.target)
  return [
    ...(isOneShape ? madeDecision(first, made.length, infers) : []),
    ...(isCast || alike.some((one) => typeOf(one) !== typeOf(first)) ? [] : typeDecision(first)),
  ]
}

interface Made {
  target: string
  args: readonly string[]
}

function madeDecision({target, args}: Made, count: number, infers: boolean): Decision[] {
  const [shape = ''] = args
  const source = /^(\w+)->Get(?:View|Storage)Shape\(\)$/.exec(shape)?.[1]
  const values = {name: target, shape: shape.slice(0, 60), source: source ?? '', count}
  const because = [fact(`${target} = AllocTensor(${args.join(', ')})`)]
  if (infers) return [decided('api-output', 'inferred', target, values, [...because, rule('INFER_SHAPE', 'first')])]
  if (source !== undefined) return [decided('api-output', 'like', target, values, because)]
  if (/broadcast/i.test(shape)) return [decided('api-output', 'broadcast', target, values, because)]
  return /^\w+$/.test(shape) ? [decided('api-output', 'computed', target, values, because)] : []
}

const typeOf = ({args}: Made) => args.map(bare).find((one) => /^DT_/.test(one))

/** An output with a type that no input has. */
function typeDecision(made: Made): Decision[] {
  const {target} = made
  const dtype = typeOf(made)
  return dtype === undefined
    ? []
    : [decided('api-output', 'typed', target, {name: target, dtype}, [fact(`${target}: ${dtype}`)])]
}

function isGiven(name: string, {facts: {functions}}: ApiView): boolean {
  return functions.some(({parameters}) => parameters.some((one) => one.name === name))
}

function allocIn(expression: Expression): Expression | undefined {
  if (expression.kind === 'call' && /(?:->|\.)AllocTensor$/.test(expression.text)) return expression
  return expression.parts.map(allocIn).find((one) => one !== undefined)
}

/** The content of one of the groups of a launch: `OP_INPUT(x, size)`. */
function groupIn(launch: string, group: string): readonly string[] {
  const within = (one: Expression): readonly string[] | undefined =>
    one.kind === 'call' && one.text === group ? one.texts : one.parts.map(within).find((found) => found !== undefined)
  return within(readExpression(launch)) ?? []
}

/** Attributes are identified by position, on the AI CPU by name; other parts of launches are not described. */
function attributeDecision({launches}: ApiFacts): Decision[] {
  const named = launches.filter(({text}) => /OP_ATTR_NAMES\(\{/.test(text))
  const [first, ...others] = (named.length > 0 ? named : launches).map(({text}) => groupIn(text, 'OP_ATTR'))
  const given = few(first ?? [], 6)
  const isAlike = others.every((one) => one.join() === first?.join())
  if (given.length < 2 || !isAlike || !launches.some(({unit}) => unit === 'AI Core')) return []
  const constants = given.filter((one) => /^(?:-?[\d.]+f?|true|false|[A-Z][A-Z\d_]+)$/.test(one))
  const values = {attributes: given, count: given.length, constants}
  const fixed = constants.length > 0 ? 'attributes-fixed' : 'attributes'
  const because = [fact(`OP_ATTR(${given.join(', ')})`), rule('OP_ATTR', 'by-position')]
  return [decided('api-output', named.length > 0 ? 'attributes-named' : fixed, given[0] ?? '', values, because)]
}

/** Values that the host has and a kernel takes as a tensor. */
function constantDecision(view: ApiView): Decision[] {
  const made = view.statements.filter(({text}) => /->ConvertToTensor\(/.test(text))
  const names = few(
    made.map(({text}) => /ConvertToTensor\((?:&)?(\w+)/.exec(text)?.[1] ?? ''),
    3,
  )
  return names.length === 0
    ? []
    : [
        decided(
          'api-output',
          'constants',
          names[0] ?? '',
          {names},
          made.slice(0, 2).map(({text}) => fact(text)),
        ),
      ]
}

/** Kernels of one unit between which the chip chooses. */
function formsDecision(view: ApiView): Decision[] {
  const {registered} = view.facts
  for (const unit of ['AI Core', 'AI CPU'] as const) {
    const sites = sitesOf(view, unit).filter(({text}) => registered.includes(operatorOf(text)))
    for (const one of sites) {
      const chip = one.branches.find(({condition, arm}) => arm === 'then' && asksChip(condition))
      const other = chip && sites.find((each) => isOtherwise(each, one, chip.line))
      if (!chip || !other || few([chip.condition], 1).length === 0) continue
      const names = [operatorOf(one.text), operatorOf(other.text)]
      const because = [...names.map(fact), fact(chip.condition)]
      return [decided('api-unit', 'versions', names[0] ?? '', {names, condition: chip.condition}, because)]
    }
  }
  return []
}

/** Another kernel in the same function, where the question of a line is answered otherwise. */
function isOtherwise(other: PlacedStatement, one: PlacedStatement, line: number): boolean {
  const isThen = other.branches.some((each) => each.line === line && each.arm === 'then')
  return other.method === one.method && !isThen && operatorOf(other.text) !== operatorOf(one.text)
}

/** A task that could not be put on the list, by what success is: every file has it, so it is not evidence. */
function failureDecision(view: ApiView): Decision[] {
  const asked = view.refused.flatMap(({condition}) => /^(ret\w*) [!=]= (ACL(?:NN)?_SUCCESS)$/.exec(condition) ?? [])
  const [, status, success] = asked
  const condition = `${status} == ${success}`
  return status === undefined ? [] : [decided('api-unit', 'failure', condition, {condition}, [])]
}
