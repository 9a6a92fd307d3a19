import {vectorApis} from '../../../cpp/interfaces.ts'
import type {Assignment, Call, FunctionSyntax} from '../../../cpp/syntax.ts'
import type {KernelFacts} from '../../../datasets/schema/code-facts.ts'
import type {Decision} from '../../../datasets/schema/decision.ts'
import {cleaned, withoutBrackets} from './cleaned.ts'
import {stepsOf} from './order-decisions.ts'
import {stepsInOrder} from './steps-in-order.ts'

const fact = (code: string) => ({kind: 'fact' as const, code})

/** Longer pieces of code are not quoted. */
const longest = 80
const isShort = (...texts: string[]) => texts.every((one) => one !== '' && one.length <= longest)
const statementOf = ({name, operator, value}: Assignment) => `${cleaned(name)} ${operator} ${cleaned(value)}`

/** Which way a function takes: by type, by value, by turns; of each kind the first of a file. */
export function pathDecisions(facts: KernelFacts): Decision[] {
  const {methods, atomics, moves} = facts
  const functions = methods.map(({syntax}) => syntax)
  const isCopied = moves.some(({direction}) => direction === 'out')
  const adding = atomics.includes('SetAtomicAdd') && !isCopied ? [atomicSteps] : []
  const found = [indirect, clamped, turns, filledOnce, ...adding]
  return [...typePaths(facts, functions), ...found.flatMap((find) => functions.flatMap(find).slice(0, 1))]
}

const ofType = /IsSameType<|is_same(?:_v)?<|sizeof\(\w+\) == \d/

/** Conditions by type of one chain of branches; with none of them what is left is `else`. */
function chainOf({branches}: Call): string[] {
  const isChain = branches.slice(0, -1).every(({arm}) => arm === 'else')
  const conditions = branches.map(({condition}) => cleaned(condition))
  return isChain && conditions.every((one) => ofType.test(one)) ? conditions : []
}

const asked = (condition: string) => (condition.startsWith('!') ? withoutBrackets(condition.slice(1)) : condition)

/** Whether the branches around a call are taken where the condition of that number is the first that holds. */
function taken({branches}: Call, {body}: FunctionSyntax, chain: readonly string[], first: number): boolean | undefined {
  const code = body.replace(/\s+/g, '')
  const arms = branches.map(({condition, arm}): boolean | undefined => {
    const own = cleaned(condition)
    const at = chain.findIndex((known) => asked(known) === asked(own))
    const isOpposite = own.startsWith('!') !== (chain[at] ?? '').startsWith('!')
    // Of branches that are taken at run time nothing is settled before.
    const isSettled = code.includes(`ifconstexpr(${condition.replace(/\s+/g, '')})`)
    if (at < 0 || !isSettled || typeof arm === 'object') return undefined
    return ((at === first) !== isOpposite) === (arm === 'then')
  })
  if (arms.includes(false)) return false
  return arms.includes(undefined) ? undefined : true
}

/** What each element type is put through, where that is decided when the code is compiled. */
function typePaths({vectorCalls, steps}: KernelFacts, functions: readonly FunctionSyntax[]): Decision[] {
  const isVector = new Set(vectorCalls.map(({call}) => call.name))
  const isGiven = new Set(steps.flatMap(({call, from = ''}) => (from === '' ? [] : [call.name])))
  const alone = new Map(functions.map((one) => [one, new Set(stepsOf(one))]))
  const isStep = (call: Call, one: FunctionSyntax) =>
    (isVector.has(call.name) && /^(?:AscendC)?$/.test(call.receiver)) ||
    isGiven.has(call.name) ||
    alone.get(one)?.has(call) === true
  const chains = functions.flatMap(({calls}) => calls.map(chainOf)).filter(({length}) => length > 0)
  const longestFirst = [...chains].sort((one, other) => other.length - one.length)
  const distinct = chains.map((one) => longestFirst.find((other) => other[0] === one[0]) ?? one)
  for (const chain of new Map(distinct.map((one) => [one.join(), one])).values()) {
    const found = functions.flatMap((one) => pathsOf(one, {functions, isStep, chain}))
    const whole = found.filter(({length}) => found.every((other) => other.length <= length))
    // Functions that call one of these run the same.
    const calls = (one: FunctionSyntax, name: string) => one.calls.some((call) => call.name === name)
    const most = whole.find(({one}) => whole.every((other) => other.one === one || !calls(one, other.one.name)))
    if (most) {
      const values = {paths: most.paths}
      return [
        {
          ...{topic: 'conversion', situation: 'type-paths', subject: most.one.name, values},
          because: most.paths.map(fact),
        },
      ]
    }
  }
  return []
}

interface TypeSteps {
  functions: readonly FunctionSyntax[]
  isStep: (call: Call, within: FunctionSyntax) => boolean
  chain: readonly string[]
}

/** The steps of a function for each type; none where these are open, the same or too many to be read. */
function pathsOf(one: FunctionSyntax, {functions, isStep, chain}: TypeSteps) {
  const all = [...chain, 'else'].map((key, first) => {
    const runs = (call: Call, within: FunctionSyntax) => taken(call, within, chain, first)
    return {key, names: stepsInOrder(one, {functions, isStep, runs}) ?? []}
  })
  const paths = all.map(({key, names}) => `${key}: ${names.join(', ')}`)
  const isOther = new Set(all.map(({names}) => names.join())).size === all.length
  if (!isOther || all.some(({names}) => names.length === 0) || paths.some((text) => text.length > longestPath))
    return []
  const length = all.reduce((sum, {names}) => sum + names.length, 0)
  return [{one, length, paths}]
}

/** Longer paths are no overview. */
const longestPath = 130

/** A value from memory that is the place of the next one. */
function indirect({assignments}: FunctionSyntax): Decision[] {
  const reads = assignments.filter(({value}) => /\.GetValue\(/.test(value))
  for (const first of reads) {
    const usesIt = new RegExp(String.raw`\.GetValue\([^()]*\b${escaped(first.name)}\b[^()]*\)`)
    const next = reads.slice(reads.indexOf(first) + 1).find(({value}) => usesIt.test(value))
    if (!next || first.operator !== '=' || !/^\w+$/.test(first.name)) continue
    const [one, other] = [statementOf(first), statementOf(next)]
    if (!isShort(one, other)) continue
    const values = {index: first.name, first: one, next: other}
    return [
      {...{topic: 'elements', situation: 'indirect', subject: first.name, values}, because: [one, other].map(fact)},
    ]
  }
  return []
}

const clamps = [
  /^(?:Min|MIN|std::min)\((?:Max|MAX|std::max)\(([^(),]+), ([^(),]+)\), ([^(),]+)\)$/,
  /^(?:Max|MAX|std::max)\((?:Min|MIN|std::min)\(([^(),]+), ([^(),]+)\), ([^(),]+)\)$/,
]

/** An index or a weight that is limited on both sides by the scalar unit. */
function clamped({assignments}: FunctionSyntax): Decision[] {
  for (const one of assignments) {
    const text = cleaned(one.value)
    const [low, high] = clamps.map((form) => form.exec(text))
    const found = low ?? high
    const twice = twoSided(one, assignments)
    if (!(found || twice) || !isShort(statementOf(one))) continue
    const [, left = '', right = '', far = ''] = found ?? []
    const [x, near] = Number.isNaN(Number(left)) ? [left, right] : [right, left]
    const bounds = low ? {low: near, high: far} : {low: far, high: near}
    const values = twice ?? {x, ...bounds, statement: statementOf(one)}
    const because = [fact(values.statement)]
    return [{...{topic: 'tail', situation: 'clamped', subject: cleaned(one.name), values}, because}]
  }
  return []
}

/** `i = i > 0 ? i : 0` followed by `i = i < n ? i : n - 1`. */
function twoSided(one: Assignment, all: readonly Assignment[]) {
  const [, low] =
    new RegExp(String.raw`^${escaped(one.name)} > (\w+) \? ${escaped(one.name)} : \1$`).exec(one.value) ?? []
  const next = all[all.indexOf(one) + 1]
  if (low === undefined || next?.name !== one.name) return undefined
  const form = new RegExp(String.raw`^${escaped(one.name)} < ([\w.>-]+) \? ${escaped(one.name)} : (\1 - 1)$`)
  const [, , high] = form.exec(cleaned(next.value).replace(/\(([^()]*)\)$/, '$1')) ?? []
  return high === undefined ? undefined : {x: one.name, low, high, statement: [one, next].map(statementOf).join('; ')}
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** A flag that changes with every pass, so that two places take turns. */
function turns({assignments, calls, loops}: FunctionSyntax): Decision[] {
  const flip = assignments.find(
    ({name, operator, value, loops: inside}) =>
      inside.length > 0 &&
      ((operator === '=' &&
        new RegExp(String.raw`^(?:1 - ${escaped(name)}|!${escaped(name)}|${escaped(name)} \^ 1)$`).test(value)) ||
        (operator === '^=' && value === '1')),
  )
  const users = calls.filter(({args}) => flip && args.includes(flip.name)).map(({name}) => name)
  if (!flip || users.length === 0 || loops.length === 0) return []
  const values = {flag: cleaned(flip.name), statement: statementOf(flip), users: [...new Set(users)].slice(0, 3)}
  return [{...{topic: 'waits', situation: 'turns', subject: values.flag, values}, because: [fact(values.statement)]}]
}

/** One fill that many copies send out. */
function filledOnce({calls}: FunctionSyntax): Decision[] {
  for (const fill of calls.filter(({name, loops}) => name === 'Duplicate' && loops.length === 0)) {
    const tensor = fill.args[0] ?? ''
    const out = calls.find(
      ({name, args, loops}) => /^DataCopy(?:Pad)?$/.test(name) && args[1] === tensor && loops.length > 0,
    )
    const writes = ({name, args, receiver}: Call) =>
      (receiver === tensor && name === 'SetValue') ||
      (args[0] === tensor && (vectorApis.has(name) || /^DataCopy(?:Pad)?$/.test(name)))
    const isChanged = calls.some((one) => one !== fill && writes(one))
    const [to = ''] = cleaned(out?.args[0] ?? '').split('[')
    if (!out || isChanged || !isShort(to, tensor)) continue
    const values = {tensor, to, fill: `Duplicate(${fill.args.map(cleaned).join(', ')})`, copy: out.name}
    const because = [fact(`Duplicate(${fill.args.join(', ')})`), fact(`${out.name}(${out.args.join(', ')})`)]
    return [{...{topic: 'copies', situation: 'filled-once', subject: tensor, values}, because}]
  }
  return []
}

/** Steps between `SetAtomicAdd` and `SetAtomicNone`, whose copies add. */
function atomicSteps(one: FunctionSyntax): Decision[] {
  const {calls} = one
  const from = calls.findIndex(({name}) => name === 'SetAtomicAdd')
  const to = calls.findIndex(({name}, at) => at > from && name === 'SetAtomicNone')
  if (from < 0 || to < 0) return []
  const steps = stepsOf(one).filter((step) => calls.indexOf(step) > from && calls.indexOf(step) < to)
  const names = [...new Set(steps.map(({name}) => name))]
  if (names.length === 0 || names.length > 3) return []
  return [
    {
      ...{topic: 'instruction', situation: 'atomic-steps', subject: 'SetAtomicAdd', values: {steps: names}},
      because: [fact('SetAtomicAdd'), {kind: 'rule', api: 'SetAtomicAdd', rule: 'read-modify-write'}],
    },
  ]
}
