import {familyOf} from '../../../cpp/interfaces.ts'
import type {Assignment, Call, FunctionSyntax} from '../../../cpp/syntax.ts'
import type {KernelFacts} from '../../../datasets/schema/code-facts.ts'
import type {Decision} from '../../../datasets/schema/decision.ts'
import {tensorOf} from '../variable.ts'
import {cleaned} from './cleaned.ts'

const fact = (code: string) => ({kind: 'fact' as const, code})

/** Longer pieces of code are not quoted. */
const longest = 80
const isShort = (...texts: string[]) => texts.every((one) => one !== '' && one.length <= longest)

/** How the content of tensors comes about beside plain formulas; of each kind the first of a file. */
export function filledDecisions({methods}: KernelFacts): Decision[] {
  const functions = methods.map(({syntax}) => syntax)
  const first = (find: (one: FunctionSyntax) => Decision[]) => functions.flatMap(find).slice(0, 1)
  return [...[intoZeros, normalised, masks, sameRow, padding].flatMap(first), ...chosen(functions)]
}

const text = ({name, args}: Call) => `${name}(${args.join(', ')})`
const statementOf = ({name, operator, value}: Assignment) => `${cleaned(name)} ${operator} ${cleaned(value)}`
const isZero = (value: string) => /^0(?:\.0*)?[fF]?$/.test(cleaned(value))

/** One instruction clears a tensor; of its elements the scalar unit sets those that are not zero. */
function intoZeros({calls, assignments}: FunctionSyntax): Decision[] {
  for (const fill of calls.filter(({name, args}) => name === 'Duplicate' && isZero(args[1] ?? ''))) {
    const tensor = fill.args[0] ?? ''
    const set = calls
      .slice(calls.indexOf(fill))
      .find(({name, receiver, loops}) => name === 'SetValue' && receiver === tensor && loops.length > 0)
    const place = cleaned(set?.args[0] ?? '')
    // A place that is worked out in several ways goes by its name.
    const made = assignments.filter(({name, value}) => name === place && !isZero(value))
    const at = made.length === 1 && made[0] ? cleaned(made[0].value) : place
    if (!set || !isShort(at) || (made.length === 0 && !/[-+*[]/.test(at))) continue
    const values = {tensor: cleaned(tensor), place: at, value: cleaned(set.args[1] ?? ''), fill: text(fill)}
    return [
      {
        ...{topic: 'elements', situation: 'into-zeros', subject: values.tensor, values},
        because: [fact(values.fill), fact(`${set.receiver}.SetValue(${set.args.join(', ')})`)],
      },
    ]
  }
  return []
}

/** A sum over one loop, by which a second one divides. */
function normalised({assignments}: FunctionSyntax): Decision[] {
  const sums = assignments.filter(({operator, loops}) => operator === '+=' && loops.length > 0)
  // What grows by a number counts something.
  for (const sum of sums.filter(({value}) => /[A-Za-z_]/.test(cleaned(value)))) {
    const quotient = assignments
      .slice(assignments.indexOf(sum))
      .find(({value, loops}) => cleaned(value).endsWith(` / ${sum.name}`) && loops.at(-1) !== sum.loops.at(-1))
    if (!quotient || quotient.loops.length === 0) continue
    const guard = quotient.branches.map(({condition}) => cleaned(condition)).find((one) => one.includes(sum.name))
    const [adding, statement] = [statementOf(sum), statementOf(quotient)]
    if (!isShort(adding, statement)) continue
    const values = {sum: sum.name, adding, statement, guard: guard !== undefined && isShort(guard) ? guard : ''}
    const because = [fact(adding), fact(statement)]
    return [{...{topic: 'elements', situation: 'normalised', subject: sum.name, values}, because}]
  }
  return []
}

const compared: Readonly<Record<string, string>> = {LT: '<', GT: '>', GE: '>=', LE: '<=', EQ: '==', NE: '!='}

/** Comparisons whose bits `And` and `Or` put together. */
function masks({calls, assignments}: FunctionSyntax): Decision[] {
  const views = new Map<string, string>()
  for (const {name, value} of assignments) {
    const [, of] = /^(\w+)\.(?:template )?ReinterpretCast</.exec(value) ?? []
    // Some name the tensor itself again afterwards.
    if (of !== undefined && views.get(of) !== name) views.set(name, of)
  }
  const base = (one: string): string => {
    const [, viewed = one] = /^(.+?)\.(?:template )?ReinterpretCast</.exec(one) ?? []
    return views.get(viewed) ?? viewed
  }
  const held = new Map<string, string>()
  const found: {call: Call; target: string; expression: string}[] = []
  for (const call of calls) {
    const [to = '', left = '', right = '', mode = ''] = call.args
    const sign = compared[/CMPMODE::(\w+)$/.exec(mode)?.[1] ?? '']
    const [one, other] = [held.get(base(left)), held.get(base(right))]
    const joint = {And: '&&', Or: '||'}[call.name]
    if (familyOf(call.name) === 'comparison' && sign !== undefined)
      held.set(base(to), `${cleaned(left)} ${sign} ${cleaned(right)}`)
    else if (joint !== undefined && one !== undefined && other !== undefined) {
      const bracketed = [one, other].map((part) => (/&&|\|\|/.test(part) ? `(${part})` : part))
      held.set(base(to), bracketed.join(` ${joint} `))
      found.push({call, target: cleaned(base(to)), expression: bracketed.join(` ${joint} `)})
    } else if (call.args.length > 1 && held.has(base(to))) held.delete(base(to))
  }
  const isSameCase = (one: Call) => calls.every(({name, branches}) => name !== one.name || branches.length === 0)
  const told = found.filter(({call, expression}) => isSameCase(call) && expression.length <= 2 * longest)
  const last = told.at(-1)
  if (!last) return []
  const parts = found.length > 1 ? found.length - 1 : 0
  const values = {target: last.target, expression: last.expression, api: last.call.name, more: parts}
  return [
    {
      ...{topic: 'instruction', situation: 'masks', subject: text(last.call), values},
      because: [fact(text(last.call)), {kind: 'rule', api: 'Compare', rule: 'one-bit-an-element'}],
    },
  ]
}

const binary = new Set(['Add', 'Sub', 'Mul', 'Div', 'Max', 'Min'])

/** `Add(tile[row * pitch], tile[row * pitch], bias, n)` in a loop over rows: one operand is the same for each. */
function sameRow({calls, loops}: FunctionSyntax): Decision[] {
  for (const call of calls.filter(
    ({name, loops: inside, branches}) => binary.has(name) && inside.length > 0 && branches.length === 0,
  )) {
    const header = loops[call.loops.at(-1) ?? -1]?.header ?? ''
    const [, row = ''] = /; (?:\+\+)?(\w+)(?:\+\+)?\)$/.exec(header) ?? []
    const isOfRow = (one = '') => new RegExp(String.raw`\[[^\]]*\b${row}\b`).test(one)
    const [to = '', left = '', right = '', count = ''] = call.args
    const same = [left, right].filter((one) => /^[A-Za-z_]\w*$/.test(one))
    const pitch = new RegExp(String.raw`\[${row} \* ([\w.>-]+)\]$`).exec(to)?.[1]
    if (row === '' || pitch === undefined || same.length !== 1 || ![left, right].some(isOfRow)) continue
    const values = {api: call.name, same: same[0] ?? '', rows: tensorOf(to), row, pitch, count: cleaned(count)}
    if (!isShort(values.count)) continue
    const because = [fact(text(call))]
    return [{...{topic: 'instruction', situation: 'same-row', subject: text(call), values}, because}]
  }
  return []
}

/** What a copy fills the last block with. */
function padding({assignments, calls}: FunctionSyntax): Decision[] {
  if (!calls.some(({name}) => name === 'DataCopyPad')) return []
  const of = (field: string) => assignments.find(({name}) => name.endsWith(`.${field}`))
  const [right, value] = [of('rightPadding'), of('paddingValue')]
  const object = right?.name.replace(/\.\w+$/, '') ?? ''
  const isOn = assignments.some(
    (one) =>
      (one.name === object && /^\{?\s*true\b/.test(one.value)) || `${one.name} ${one.value}` === `${object}.isPad true`,
  )
  if (!right || !value || !isOn || !isShort(cleaned(right.value), cleaned(value.value))) return []
  const values = {right: statementOf(right), value: cleaned(value.value), number: cleaned(right.value)}
  const because = [fact(values.right), fact(statementOf(value))]
  return [{...{topic: 'copies', situation: 'padded', subject: values.right, values}, because}]
}

const operands = ['SetTensorA', 'SetTensorB', 'IterateAll']

/** Operands of a product that come from one place or another, as a branch decides; and where its result goes. */
function chosen(functions: readonly FunctionSyntax[]): Decision[] {
  const all = functions.flatMap(({calls}) => operands.map((name) => chosenOf(calls, name)))
  const found = operands.flatMap((name) => all.find((one) => one?.values['name'] === name) ?? [])
  return found.length > 0 ? [...found, ...functions.flatMap(({calls}) => shaped(calls)).slice(0, 1)] : []
}

/** The sizes of one product, given before each. */
function shaped(calls: readonly Call[]): Decision[] {
  const call = calls.find(({name, receiver}) => name === 'SetSingleShape' && receiver !== '')
  const sizes = call?.args.map(cleaned).join(', ') ?? ''
  if (!call || !isShort(sizes)) return []
  const values = {object: cleaned(call.receiver), sizes}
  const because = [fact(`${call.receiver}.SetSingleShape(${call.args.join(', ')})`)]
  return [{...{topic: 'matmul', situation: 'shaped', subject: values.object, values}, because}]
}

function chosenOf(calls: readonly Call[], name: string): Decision | undefined {
  const both = calls.filter((one) => one.name === name && one.receiver !== '')
  const [one, other] = both
  const [then, otherwise] = [one?.branches.at(-1), other?.branches.at(-1)]
  if (both.length !== 2 || !one || !other || !then || then.line !== otherwise?.line) return undefined
  if (then.arm !== 'then' || otherwise.arm !== 'else' || one.receiver !== other.receiver) return undefined
  const [first, second] = [one, other].map(({args}) => cleaned(args[0] ?? '')) as [string, string]
  const values = {object: cleaned(one.receiver), name, first, second, condition: cleaned(then.condition)}
  const isSame = first === second || tensorOf(first) === tensorOf(second)
  if (isSame || ![first, second].every((text) => text.length <= 110) || !isShort(values.condition)) return undefined
  const because = [one, other].map(({receiver, args}) => fact(`${receiver}.${name}(${args.join(', ')})`))
  const situation = name === 'IterateAll' ? 'chosen-target' : 'chosen-operand'
  return {...{topic: 'matmul', situation, subject: values.object, values}, because}
}
