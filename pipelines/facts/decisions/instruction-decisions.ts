import {evaluate} from '../../../cpp/expressions.ts'
import {familyOf, interfaces} from '../../../cpp/interfaces.ts'
import type {Call} from '../../../cpp/syntax.ts'
import type {KernelFacts} from '../../../datasets/schema/code-facts.ts'
import type {Decision} from '../../../datasets/schema/decision.ts'
import {scopeOfFacts} from '../memory-plan.ts'
import {lastName} from '../settled-values.ts'
import {variableOf} from '../variable.ts'
import {cleaned} from './cleaned.ts'
import {elementTypeOf} from './element-type.ts'
import {isCopy} from './tile-values.ts'

/** What a choice of instruction answers: seen in one call, or in one and the next that works on the same tensor. */
interface Choice {
  situation: string
  /** The interface whose rule is behind it. */
  rule: readonly [api: string, rule: string]
  sees: (call: Call, next: Call | undefined, facts: KernelFacts) => Decision['values'] | undefined
  /** Of its words those for what is more special. */
  special?: (call: Call, facts: KernelFacts, next: Call | undefined) => string | undefined
}

const isCall = (call: Call | undefined, name: string): call is Call => call?.name === name
const on = (call: Call | undefined) => variableOf(call?.args[0] ?? '')
const argument = (call: Call, at: number) => cleaned(call.args[at] ?? '')
const isMinusOne = (text: string) => /^-1(?:\.0?)?$/.test(text)
const isShort = (...texts: string[]) => texts.every((one) => one !== '' && one.length <= 48)

/** Whether a number is known when the code is compiled. */
const isSettled = (text: string, facts: KernelFacts) =>
  Number.isFinite(Number(text.replace(/f$/, ''))) ||
  evaluate(text, scopeOfFacts(facts)) !== undefined ||
  /^[A-Z][A-Z\d_]*$/.test(lastName(cleaned(text)))

const selectBytes = interfaces.get('Select')?.ubTaken ?? 0

const choices: readonly Choice[] = [
  {
    situation: 'copy',
    rule: ['Adds', 'neutral-scalar'],
    sees: (call) => {
      const [to, from, scalar] = [argument(call, 0), argument(call, 1), argument(call, 2)]
      return isCopy(call) && isShort(to, from) ? {api: call.name, to, from, scalar} : undefined
    },
  },
  {
    situation: 'subtract-from',
    rule: ['Muls', 'no-scalar-minuend'],
    sees: (call, next) => {
      if (!isCall(call, 'Muls') || !isMinusOne(argument(call, 2)) || !isCall(next, 'Adds')) return undefined
      const [x, c] = [argument(call, 1), argument(next, 2)]
      return on(call) === variableOf(next.args[1] ?? '') && isShort(x, c) && !c.startsWith('-') ? {x, c} : undefined
    },
  },
  {
    situation: 'no-subs',
    rule: ['Subs', 'not-on-atlas-a2'],
    sees: (call) => {
      const [x, c] = [argument(call, 1), argument(call, 2)]
      return isCall(call, 'Adds') && /^-[\w.]/.test(c) && isShort(x, c) ? {x, c, positive: c.slice(1)} : undefined
    },
  },
  {
    situation: 'square',
    rule: ['Mul', 'same-source-twice'],
    sees: (call) => {
      const [x, other] = [argument(call, 1), argument(call, 2)]
      return isCall(call, 'Mul') && x === other && isShort(x) ? {x} : undefined
    },
  },
  {
    situation: 'clamp',
    rule: ['Mins', 'bounds'],
    sees: (call, next) => {
      const isPair = (call.name === 'Mins' && next?.name === 'Maxs') || (call.name === 'Maxs' && next?.name === 'Mins')
      if (!isPair || !next || on(call) !== variableOf(next.args[1] ?? '')) return undefined
      const [high, low] = call.name === 'Mins' ? [call, next] : [next, call]
      const values = {x: argument(call, 1), high: argument(high, 2), low: argument(low, 2), last: next.name}
      return isShort(values.x, values.high, values.low) ? values : undefined
    },
    special: ({args: [, , bound = '']}, facts, next) =>
      [bound, next?.args[2] ?? ''].every((one) => isSettled(one, facts)) ? undefined : 'clamp-open',
  },
  {
    situation: 'nan-test',
    rule: ['Compare', 'nan-is-unequal'],
    sees: (call) => {
      const [x, other] = [argument(call, 1), argument(call, 2)]
      return isCall(call, 'Compare') && x === other && /\bEQ$/.test(call.args[3] ?? '') ? {x} : undefined
    },
  },
  {
    situation: 'integer-part',
    rule: ['Cast', 'CAST_FLOOR'],
    sees: (call, next) => {
      if (!isCall(call, 'Cast') || !isCall(next, 'Cast') || !/CAST_FLOOR/.test(call.args[2] ?? '')) return undefined
      const [x, whole, back] = [argument(call, 1), argument(call, 0), argument(next, 0)]
      return argument(next, 1) === whole && isShort(x, whole, back) ? {x, whole, back} : undefined
    },
  },
  {
    situation: 'reciprocal-factor',
    rule: ['Divs', 'not-on-atlas-a2'],
    sees: (call) => {
      const [x, c] = [argument(call, 1), argument(call, 2)]
      const divisor = /^1(?:\.0?)? \/ ([A-Za-z_][\w.>()-]*)$/.exec(c)?.[1]
      return isCall(call, 'Muls') && divisor !== undefined && isShort(x) ? {x, c, divisor} : undefined
    },
  },
  {
    situation: 'byte-offsets',
    rule: ['Gather', 'offsets-in-bytes'],
    sees: (call) => {
      const [to, from, offsets] = [argument(call, 0), argument(call, 1), argument(call, 2)]
      return isCall(call, 'Gather') && isShort(to, from, offsets) ? {to, from, offsets} : undefined
    },
  },
  {
    situation: 'whole-repeats',
    rule: ['Compare', '256-bytes'],
    sees: (call) => {
      const count = argument(call, 4)
      return familyOf(call.name) === 'comparison' && call.args.length === 5 && isShort(count)
        ? {api: call.name, count, mask: argument(call, 0)}
        : undefined
    },
  },
  {
    situation: 'select',
    special: ({args}, {methods}) => (elementTypeOf(args[2] ?? '', methods) === 'float' ? 'select-float' : undefined),
    rule: ['Select', 'tensor-and-scalar'],
    sees: (call) => {
      const [to, mask, kept, other] = [0, 1, 2, 3].map((at) => argument(call, at)) as [string, string, string, string]
      const isScalar = isCall(call, 'Select') && /TENSOR_SCALAR/.test(call.args[4] ?? '')
      return isScalar && isShort(to, mask, kept, other) ? {to, mask, kept, other, reserved: selectBytes} : undefined
    },
  },
  {
    situation: 'reduction',
    rule: ['ReduceMax', 'scratch'],
    sees: (call) => {
      const [to, from, work] = [0, 1, 2].map((at) => argument(call, at)) as [string, string, string]
      const isCounted = interfaces.get(call.name)?.operands[2]?.kind === 'tmp' && call.args.length >= 4
      // A sum by count leaves its scratch alone on this chip.
      const isReduction = /^Reduce(?:Max|Min)$/.test(call.name) && isCounted && !/^\d/.test(work)
      const isShared = work === to ? 'yes' : 'no'
      return isReduction && isShort(to, from, work) ? {api: call.name, to, from, work, isShared} : undefined
    },
  },
  {
    situation: 'approximate',
    rule: ['Reciprocal', 'accuracy'],
    sees: (call) => {
      const x = argument(call, 1)
      return (isCall(call, 'Rsqrt') || isCall(call, 'Reciprocal')) && isShort(x) ? {api: call.name, x} : undefined
    },
  },
  {
    situation: 'fill',
    rule: ['Duplicate', 'broadcast'],
    sees: (call, next) => {
      if (!isCall(call, 'Duplicate') || !next || !['Sub', 'Div', 'Max', 'Min'].includes(next.name)) return undefined
      const [filled, c] = [argument(call, 0), argument(call, 1)]
      const isFirst = argument(next, 1) === filled
      return isFirst && isShort(filled, c) ? {filled, c, api: next.name, x: argument(next, 2)} : undefined
    },
  },
]

/** Steps of Horner's scheme that make one. */
const leastSteps = 2

/** `Adds` and `Mul` by one tensor in turns: a polynomial in it, from the highest coefficient down. */
function horner({vectorCalls}: KernelFacts): Decision[] {
  const calls = vectorCalls.map(({call}) => call)
  for (const [at, {name}] of calls.entries()) {
    if (name !== 'Adds') continue
    const [target, x] = [calls[at]?.args[0], calls[at + 1]?.args[2]]
    const isStep = (adds: Call | undefined, mul: Call | undefined) =>
      isCall(adds, 'Adds') &&
      isCall(mul, 'Mul') &&
      [adds.args[0], adds.args[1], mul.args[0], mul.args[1]].every((one) => one === target) &&
      mul.args[2] === x
    let steps = 0
    while (isStep(calls[at + 2 * steps], calls[at + 2 * steps + 1])) steps += 1
    if (steps < leastSteps || x === undefined || target === undefined) continue
    const values = {x: cleaned(x), target: cleaned(target), steps, powers: steps + 1}
    const because = calls.slice(at, at + 4).map(({name: one, args}) => `${one}(${args.join(', ')})`)
    return [
      {
        ...{topic: 'instruction', situation: 'horner', subject: values.target, values},
        because: because.map((code) => ({kind: 'fact', code})),
      },
    ]
  }
  return []
}

/** Choices of instructions that a rule of the device or of an interface explains; one of each kind. */
export function instructionDecisions(facts: KernelFacts): Decision[] {
  const {vectorCalls: calls} = facts
  const found = choices.flatMap(({situation: usual, rule: [api, rule], sees, special}): Decision[] => {
    const hits = calls.flatMap(({call}, at) => {
      const next = followerOf(calls, at)
      const values = sees(call, next, facts)
      return values ? [{call, next, values}] : []
    })
    const [first] = hits
    if (!first) return []
    const {name, args} = first.call
    const situation = special?.(first.call, facts, first.next) ?? usual
    const text = `${name}(${args.join(', ')})`
    return [
      {
        ...{topic: 'instruction', situation, subject: text},
        values: {...first.values, more: hits.length - 1},
        because: [
          {kind: 'fact', code: text},
          {kind: 'rule', api, rule},
        ],
      },
    ]
  })
  return [...horner(facts), ...found, ...atomics(facts), ...transposes(facts)]
}

/** The next instruction of the same function in the same branch. */
function followerOf(calls: KernelFacts['vectorCalls'], at: number): Call | undefined {
  const [one, next] = [calls[at], calls[at + 1]]
  const isSame =
    one?.method === next?.method && JSON.stringify(one?.call.branches) === JSON.stringify(next?.call.branches)
  return isSame ? next?.call : undefined
}

function transposes({vectorCalls, methods}: KernelFacts): Decision[] {
  const owner = methods.find(({syntax}) => syntax.calls.some(({name}) => name === 'TransDataTo5HD'))
  const call = owner?.syntax.calls.find(({name}) => name === 'TransDataTo5HD')
  if (!call) return []
  const more = vectorCalls.filter(({call: {name}}) => name === 'TransDataTo5HD').length
  const values = {method: owner?.syntax.name ?? '', more, to: cleaned(call.args[0] ?? '')}
  const code = `TransDataTo5HD(${call.args.join(', ')})`
  return [
    {
      ...{topic: 'instruction', situation: 'transpose', subject: 'TransDataTo5HD', values},
      because: [
        {kind: 'fact', code},
        {kind: 'rule', api: 'TransDataTo5HD', rule: '16-rows-of-32-bytes'},
      ],
    },
  ]
}

function atomics({atomics: calls, moves}: KernelFacts): Decision[] {
  // The messages are about sums.
  const first = calls.find((name) => name === 'SetAtomicAdd')
  const target = moves.find(({direction}) => direction === 'out')?.global
  if (first === undefined || target === undefined) return []
  const values = {api: first, target: cleaned(target).replace(/\[[^]*$/, '')}
  return [
    {
      ...{topic: 'instruction', situation: 'atomic', subject: first, values},
      because: [
        {kind: 'fact', code: first},
        {kind: 'rule', api: first, rule: 'read-modify-write'},
      ],
    },
  ]
}
