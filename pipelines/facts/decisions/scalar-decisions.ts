import {evaluate} from '../../../cpp/expressions.ts'
import type {Assignment, Call, FunctionSyntax} from '../../../cpp/syntax.ts'
import type {KernelFacts} from '../../../datasets/schema/code-facts.ts'
import type {Decision, Fact} from '../../../datasets/schema/decision.ts'
import {scopeOfFacts} from '../memory-plan.ts'
import {cleaned} from './cleaned.ts'

const fact = (code: string): Fact => ({kind: 'fact', code})

/** What the scalar unit settles: sizes, borders, who works, and what waits for whom. */
export function scalarDecisions(facts: KernelFacts): Decision[] {
  return [
    ...idleDecisions(facts),
    ...roundingDecisions(facts),
    ...borderDecisions(facts),
    ...lastDecisions(facts),
    ...elementDecisions(facts),
    ...matmulDecisions(facts),
    ...workspaceDecisions(facts),
  ]
}

const longest = 100
const isPlain = (text: string) => text.length <= longest && !/[{};"]/.test(text)

function assignments({methods}: KernelFacts): Assignment[] {
  return methods.flatMap(({syntax}) => syntax.assignments).filter(({value}) => isPlain(value))
}

/** `n + step - 1`, or with a number `n + 31` for a step of 32. */
const raised = new RegExp(
  String.raw`\(((?:[\w.>[\]-]+(?:\(\))?)(?: \* (?:sizeof\(\w+\)|[\w.>-]+))?) \+ (?:([\w.>-]+) - 1|(\d+))\)` +
    String.raw` \/ ([\w.>-]+)(?: \* ([\w.>-]+))?`,
)

/** What a function rounds: values, and sizes that it passes on. */
function roundedTexts({methods}: KernelFacts): {name: string; text: string}[] {
  return methods.flatMap(({syntax: {assignments: all, calls}}) => [
    ...all.filter(({value}) => isPlain(value)).map(({name, value}) => ({name: cleaned(name), text: cleaned(value)})),
    ...calls.flatMap(({args}) =>
      args.filter(isPlain).map((one) => ({name: '', text: raised.exec(cleaned(one))?.[0] ?? ''})),
    ),
  ])
}

/** `(n + step - 1) / step` and the same times `step`; an example shows what plain division would give. */
function roundingDecisions(facts: KernelFacts): Decision[] {
  const scope = scopeOfFacts(facts)
  // Elements of 2 bytes in a block.
  const isOfBlock = (step: string) =>
    facts.methods.some(({syntax}) =>
      syntax.assignments.some(({name, value}) => name === step && /^32 \/ (?:sizeof|\w+$)/.test(cleaned(value))),
    )
  const found = new Map<string, Decision>()
  for (const {name, text} of roundedTexts(facts)) {
    const [, n = '', named, number, step = '', times] = raised.exec(text) ?? []
    // Cores are not filled one by one.
    if (step === '' || /core|block_?num/i.test(step)) continue
    if ((named ?? String(Number(number) + 1)) !== step || (times !== undefined && times !== step)) continue
    const size = evaluate(step, scope) ?? (isOfBlock(step) ? 16 : 64)
    if (!Number.isInteger(size) || size < 2) continue
    const some = 2 * size + Math.max(1, Math.floor(size / 3))
    const up = Math.floor((some + size - 1) / size)
    const situation = times === undefined ? 'pieces' : 'multiple'
    if (found.has(situation)) continue
    const result = times === undefined ? up : up * size
    const values = {name, statement: name === '' ? text : `${name} = ${text}`, n, step}
    found.set(situation, {
      ...{topic: 'rounding-up', situation, subject: name === '' ? text : name},
      values: {...values, size, some, result, plain: Math.floor(some / size), sum: some + size - 1},
      because: [fact(values.statement)],
    })
  }
  return [...found.values()]
}

/** A branch that cuts a length where it would pass a border: `if (a + b > n) b = n - a`. */
function borderDecisions(facts: KernelFacts): Decision[] {
  const hits = assignments(facts).flatMap(({name, operator, value, branches}) => {
    const inner = branches.at(-1)
    if (operator !== '=' || inner?.arm !== 'then') return []
    const condition = cleaned(inner.condition)
    const [, reach = '', border = ''] = /^([^<>=&|?]+) >=? ([^<>=&|?]+)$/.exec(condition) ?? []
    const left = cleaned(value)
    const isRest = border !== '' && left.startsWith(`${border} - `) && /[+]/.test(reach)
    return isRest ? [{name: cleaned(name), condition, border, left, reach: cleaned(reach)}] : []
  })
  const [first] = hits
  if (!first || first.condition.length + first.left.length > longest) return []
  const {name, condition, left} = first
  const statement = `if (${condition}) ${name} = ${left}`
  return [
    {
      ...{topic: 'tail', situation: 'border', subject: name},
      values: {...first, more: new Set(hits.map((one) => one.name)).size - 1},
      because: [fact(statement)],
    },
  ]
}

/** A branch for the last pass of a loop: `if (i == n - 1) length = rest`. */
function lastDecisions(facts: KernelFacts): Decision[] {
  for (const {name, operator, value, branches, loops} of assignments(facts)) {
    const inner = branches.at(-1)
    const condition = cleaned(inner?.condition ?? '')
    if (operator !== '=' || inner?.arm !== 'then' || loops.length === 0) continue
    const [, index = '', number = ''] = /^([\w.>-]+) == \(?([\w.>[\]-]+) - 1\)?$/.exec(condition) ?? []
    if (number === '') continue
    const values = {name: cleaned(name), condition, rest: cleaned(value), index, number}
    return [
      {
        ...{topic: 'tail', situation: 'last-pass', subject: values.name, values},
        because: [fact(`if (${condition}) ${values.name} = ${values.rest}`)],
      },
    ]
  }
  return []
}

const isBeyond = new RegExp(
  String.raw`^(?:AscendC::)?(?:GetBlockIdx\(\)|\w*[bB]lock_?I(?:dx|D|d)(?:_|Mix)?|\w*[cC]ore_?I(?:dx|D|d)_?)` +
    String.raw` >=? [\w.>-]+$`,
)

/** Cores that have nothing to do. */
function idleDecisions({methods}: KernelFacts): Decision[] {
  const conditions = methods.flatMap(({syntax: {conditions: all, body}}) =>
    all.flatMap(({text}) => {
      const flat = body.replace(/\s+/g, ' ')
      // Each of several conditions is enough to return; one of `?:` only chooses a value.
      if (flat.includes(`if (${text}) { return; }`)) return cleaned(text).split(' || ')
      return flat.includes(`if (${text})`) ? [cleaned(text)] : []
    }),
  )
  const idle = conditions.find((text) => isBeyond.test(text))
  if (idle === undefined) return []
  const [core = '', limit = ''] = idle.split(/ >=? /)
  return [
    {
      ...{topic: 'division', situation: 'idle', subject: idle},
      values: {condition: idle, core, limit},
      because: [fact(idle)],
    },
  ]
}

/** Single elements that the scalar unit reads and writes. */
function elementDecisions({methods}: KernelFacts): Decision[] {
  const inLoops = ({calls}: FunctionSyntax, api: string) =>
    calls.filter(({name, loops, receiver}) => name === api && loops.length > 0 && receiver !== '')
  for (const {syntax} of methods) {
    const writes = inLoops(syntax, 'SetValue')
    const reads = inLoops(syntax, 'GetValue')
    const chosen = writes.find(({branches}) => branches.some(({condition}) => condition.includes('GetValue(')))
    const moved = writes.find(({args: [, value = '']}) => reads.some((one) => isValueOf(one, value)))
    const written = chosen ?? moved
    const read = chosen ? reads[0] : reads.find((one) => isValueOf(one, moved?.args[1] ?? ''))
    const asked = chosen?.branches.find(({condition}) => condition.includes('GetValue('))?.condition
    const [from = '', to = ''] = [read?.args[0], written?.args[0]].map((one) => cleaned(one ?? ''))
    const isPlaced = [from, to].every((one) => /[A-Za-z]/.test(one) && one.length <= 60) && from !== to
    if (!read || !written || !(isPlaced || asked)) continue
    const values = {
      ...{from: cleaned(read.receiver), to: cleaned(written.receiver), method: syntax.name, index: from, place: to},
      condition: asked && asked.length <= 70 ? cleaned(asked) : '',
    }
    if (values.condition === '' && !isPlaced) continue
    const situation = values.condition === '' ? 'scattered' : 'by-value'
    const because = [fact(`${read.receiver}.GetValue(${read.args.join(', ')})`)]
    return [{topic: 'elements', situation, subject: values.to, values, because}]
  }
  return []
}

/** Whether a value that is written is the one that was read, by itself or through a variable. */
const isValueOf = ({receiver, result}: Call, value: string) =>
  (cleaned(value).startsWith(`${receiver}.GetValue(`) && !/\) [-+*/]/.test(value)) ||
  (result !== undefined && cleaned(value) === result)

/** The cube unit, driven by an object that was set up with its tiling. */
function matmulDecisions({methods, matrixCalls}: KernelFacts): Decision[] {
  const calls = methods.flatMap(({syntax}) => syntax.calls)
  // Of operands that differ by branch, the first is not the one.
  const of = (name: string) => {
    const found = calls.filter((one) => one.name === name && one.receiver !== '')
    return new Set(found.map(({args}) => args.join())).size === 1 ? found[0] : undefined
  }
  const [left, right, all, tail, single] = ['SetTensorA', 'SetTensorB', 'IterateAll', 'SetTail', 'SetSingleShape'].map(
    of,
  )
  if (!matrixCalls.includes('IterateAll') || !left || !right || !all) return []
  const object = cleaned(left.receiver)
  const values = {
    ...{object, left: cleaned(left.args[0] ?? ''), right: cleaned(right.args[0] ?? ''), to: cleaned(all.args[0] ?? '')},
    tail: (single ?? tail)?.args.map(cleaned).join(', ') ?? '',
  }
  if ([values.left, values.right, values.to, values.tail].some((one) => one.length > longest)) return []
  return [
    {
      ...{topic: 'matmul', situation: matmulSituation(tail, single), subject: object, values},
      because: [fact(`${all.receiver}.IterateAll(${all.args.join(', ')})`)],
    },
  ]
}

function matmulSituation(tail: Call | undefined, single: Call | undefined): string {
  if (single) return 'sized'
  return tail ? 'with-tail' : 'whole'
}

function workspaceDecisions({methods}: KernelFacts): Decision[] {
  const call = methods.flatMap(({syntax}) => syntax.calls).find(({name}) => name === 'GetUserWorkspace')
  if (!call) return []
  const values = {variable: call.result ?? '', argument: call.args[0] ?? ''}
  return values.variable === ''
    ? []
    : [
        {
          ...{topic: 'workspace', situation: 'user', subject: values.variable, values},
          because: [fact(`${values.variable} = GetUserWorkspace(${values.argument})`)],
        },
      ]
}
