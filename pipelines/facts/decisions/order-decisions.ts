import {interfaces} from '../../../cpp/interfaces.ts'
import type {Call, FunctionSyntax} from '../../../cpp/syntax.ts'
import type {KernelFacts} from '../../../datasets/schema/code-facts.ts'
import type {Decision, Rule} from '../../../datasets/schema/decision.ts'
import {cleaned} from './cleaned.ts'
import {pendingWaits} from './waits.ts'

/** What waits for what beyond the instructions of one function: other cores, other functions, the scalar unit. */
export function orderDecisions(facts: KernelFacts): Decision[] {
  const functions = facts.methods.map(({syntax}) => syntax)
  return [
    ...phases(functions),
    ...idleHalf(functions),
    ...functions.flatMap(handshakes).slice(0, 1),
    ...pending(facts),
    ...functions.flatMap(fences).slice(0, 2),
    ...functions.flatMap(twice).slice(0, 1),
  ]
}

const wait = (
  situation: string,
  subject: string,
  values: Decision['values'],
  [api, rule]: readonly [string, string],
): Decision => ({
  ...{topic: 'waits', situation, subject, values},
  because: [{kind: 'fact', code: subject}, {kind: 'rule', api, rule} satisfies Rule],
})

const named = ({receiver, name}: Call) => (receiver === '' || receiver === 'this' ? name : `${receiver}.${name}`)

/** Settings, waits, macros and scalar helpers. */
const noStep = /^(?:[Gg]et|[Ss]et|SyncAll|PipeBarrier|CrossCore|TILING|GET|REGIST|KERNEL|Min|Max|Ceil|static_cast|\W)/

/** Calls that are statements of their own and are no interface's: the steps of a function. */
export function stepsOf({calls, body}: FunctionSyntax): Call[] {
  const isAlone = ({name}: Call) => new RegExp(String.raw`[;{})]\s*(?:[\w>.-]+(?:\.|->))?${name}\s*[(<]`).test(body)
  return calls.filter(
    (one) =>
      !interfaces.has(one.name) &&
      one.result === undefined &&
      (one.receiver === '' || one.receiver === 'this' || /^op\w*$/.test(one.receiver)) &&
      !noStep.test(one.name) &&
      isAlone(one),
  )
}

function around(one: FunctionSyntax, from: Call, to: Call): {before: string; after: string} | undefined {
  const {calls} = one
  const [start, end] = [calls.indexOf(from), calls.indexOf(to)]
  const steps = stepsOf(one)
  const before = steps.findLast((step) => calls.indexOf(step) < start)
  const after = steps.find((step) => calls.indexOf(step) > end)
  if (!before || !after) return undefined
  const isSame = named(before) === named(after)
  const told = (step: Call) => (isSame ? `${named(step)}(${step.args.map(cleaned).join(', ')})` : named(step))
  return {before: told(before), after: told(after)}
}

export function phases(functions: readonly FunctionSyntax[]): Decision[] {
  const owner = functions.find(({calls}) => calls.some(({name}) => name === 'SyncAll'))
  const call = owner?.calls.find(({name, branches}) => name === 'SyncAll' && !branches.some(isOfHalf))
  const steps = owner && call ? around(owner, call, call) : undefined
  if (!steps) return []
  return [
    {
      ...{topic: 'waits', situation: 'cores', subject: 'SyncAll', values: steps},
      because: [
        {kind: 'fact', code: 'SyncAll()'},
        {kind: 'rule', api: 'SyncAll', rule: 'every-core'},
      ],
    },
  ]
}

/** Steps that two blocks take one after the other with other bounds: first whole pieces, then what is left. */
function twice(one: FunctionSyntax): Decision[] {
  const blocks = new Map<string, Call[]>()
  for (const step of stepsOf(one)) {
    const [outer] = step.branches.filter(({arm, condition}) => arm === 'then' && / < /.test(condition)).slice(-1)
    const key = JSON.stringify(outer ?? '')
    if (outer) blocks.set(key, [...(blocks.get(key) ?? []), step])
  }
  const [first, second] = [...blocks.values()]
  const condition = second?.[0]?.branches.map((branch) => branch.condition).join() ?? ''
  if (!first || !second || !/tail|rest|remain|last/i.test(condition)) return []
  const isOther = (step: Call) => second.find(({name, args}) => name === step.name && args.join() !== step.args.join())
  const common = [...new Set(first.map(({name}) => name))].filter((name) => second.some((step) => step.name === name))
  const changed = first.findLast((step) => common.includes(step.name) && isOther(step))
  const other = changed && isOther(changed)
  if (common.length < 3 || !changed || !other) return []
  const [whole, rest] = [changed, other].map((step) => `${step.name}(${step.args.map(cleaned).join(', ')})`)
  const because = [whole, rest].map((code = '') => ({kind: 'fact' as const, code}))
  const values = {steps: common.slice(0, 4), whole: whole ?? '', rest: rest ?? ''}
  return [{...{topic: 'tail', situation: 'same-steps', subject: changed.name, values}, because}]
}

const isOfHalf = ({condition, arm}: Call['branches'][number]) =>
  arm === 'then' && /^(?:AscendC::)?GetSubBlockIdx\(\) == 1$/.test(condition)

/** A core without work that calls `SyncAll` as often as the others and returns. */
function idleHalf(functions: readonly FunctionSyntax[]): Decision[] {
  for (const {calls, body} of functions) {
    const all = calls.filter(({name}) => name === 'SyncAll')
    const idle = all.filter(({branches}) => branches.length === 1 && branches.some(isOfHalf))
    const others = all.filter(({branches}) => branches.length === 0)
    const condition = idle[0]?.branches[0]?.condition
    const isReturn = /\{(?:\s*(?:AscendC::)?SyncAll\(\);)+\s*return;\s*\}/.test(body)
    if (condition === undefined || idle.length !== others.length || !isReturn) continue
    return [wait('cores-idle', condition, {condition, times: idle.length}, ['SyncAll', 'every-core'])]
  }
  return []
}

/** A flag to the partner core and the wait for its answer, between two steps. */
function handshakes(one: FunctionSyntax): Decision[] {
  const flags = one.calls.filter(({name}) => /^CrossCore(?:Set|Wait)Flag$/.test(name))
  const at = flags.findIndex(({name}, index) => name !== flags[index + 1]?.name && index + 1 < flags.length)
  const [first, second] = [flags[at], flags[at + 1]]
  if (!first || !second || JSON.stringify(first.branches) !== JSON.stringify(second.branches)) return []
  const isFirst = first.name === 'CrossCoreSetFlag'
  const set = isFirst ? first : second
  const awaited = isFirst ? second : first
  const [flag = '', other = ''] = [set, awaited].map(({args}) => cleaned(args[0] ?? ''))
  const pipe = set.templates[1] ?? ''
  if (flag === '' || other === '' || flag === other || !/^PIPE_\w+$/.test(pipe)) return []
  const inside = isFirst ? around(one, first, second) : between(one, first, second)
  if (!inside) return []
  const code = `CrossCoreSetFlag<${set.templates.join(', ')}>(${flag})`
  const situation = isFirst ? 'partner-asked' : 'partner-served'
  return [wait(situation, code, {...inside, flag, other, pipe}, ['CrossCoreSetFlag', 'after-its-pipe'])]
}

/** The steps of the side that waits first, works, and sets its flag. */
function between(one: FunctionSyntax, from: Call, to: Call): {steps: string[]} | undefined {
  const [start, end] = [one.calls.indexOf(from), one.calls.indexOf(to)]
  const inside = stepsOf(one).filter((step) => one.calls.indexOf(step) > start && one.calls.indexOf(step) < end)
  const steps = [...new Set(inside.map(named))]
  return steps.length > 0 && steps.length < 4 ? {steps} : undefined
}

/** Flags after which this function has nothing on the pipe that waits: what follows is its caller's. */
function pending(facts: KernelFacts): Decision[] {
  const [one] = pendingWaits(facts)
  if (!one) return []
  const {by, first, firstPipe, nextPipe, tensor, method} = one
  const values = {first, firstPipe, nextPipe, tensor, method}
  const situation = firstPipe === 'MTE3' && nextPipe === 'MTE2' ? 'flag-read-back' : 'flag-handed-on'
  return [wait(situation, by, values, [by, `${firstPipe}-${nextPipe}`])]
}

/** A helper that takes a value into a register: waits before it reads, and before the tensor may be written again. */
function fences({name: method, calls}: FunctionSyntax): Decision[] {
  const at = calls.findIndex(({name}) => name === 'GetValue')
  const read = calls[at]
  const isOf = (event: string) => (one: Call) => one.templates.some((text) => text.endsWith(event))
  const [before, after] = [calls.slice(0, at).findLast(isOf('V_S')), calls.slice(at + 1).find(isOf('S_V'))]
  if (!read || !before || !after || calls.some(({name}) => interfaces.get(name)?.pipes.includes('V'))) return []
  const by = `${cleaned(read.receiver)}.GetValue(${read.args.map(cleaned).join(', ')})`
  const text = ({name, templates}: Call) => `${name}<${templates.join(', ')}>`
  return [
    wait('fence-before', text(before), {method, by, fence: text(before)}, ['GetValue', 'V-S']),
    wait('fence-after', text(after), {method, by, fence: text(after)}, ['GetValue', 'S-V']),
  ]
}
