import {interfaces} from '../../../cpp/interfaces.ts'
import type {Call, FunctionSyntax} from '../../../cpp/syntax.ts'
import type {KernelFacts, MoveFact} from '../../../datasets/schema/code-facts.ts'
import {tensorOf} from '../variable.ts'

/** Why one instruction has to wait for another: the tensor that both touch. */
export interface Wait {
  method: string
  /** The barrier or flag as it is written. */
  by: string
  kind: 'barrier' | 'flag'
  tensor: string
  /** The instruction that has to be finished, and its pipe. */
  first: string
  firstPipe: string
  next: string
  nextPipe: string
  /** The later one reads what the earlier one writes, writes what it still reads, or writes into what it fills. */
  hazard: 'reads' | 'overwrites' | 'refills'
}

interface Access {
  at: number
  call: Call
  pipe: string
  writes: string[]
  reads: string[]
}

/** Barriers and flags with the two instructions that they set in order, if both are in one function. */
export function waits(facts: KernelFacts): Wait[] {
  return facts.methods.flatMap(({syntax}) => waitsOf(syntax, facts.moves))
}

/** Flags with the instruction before them, where nothing of the function stands on the pipe that waits for it. */
export function pendingWaits({methods, moves, vectorCalls}: KernelFacts): Omit<Wait, 'hazard' | 'next'>[] {
  return methods.flatMap(({syntax: {name: method, calls}}) => {
    const accesses = calls.flatMap((call, at) => accessOf(call, at, method, moves) ?? [])
    return calls.flatMap((call, at) => {
      const sync = syncOf(call)
      const end = sync?.kind === 'flag' ? waitFor(calls, at, sync) : undefined
      if (!sync || end === undefined) return []
      const isLater = (one: Access) => one.at > end && sync.isThen(one.pipe)
      const first = accesses.findLast((one) => one.at < at && sync.isFirst(one.pipe) && leadsTo(one.call, call))
      const tensor = first?.writes[0] ?? ''
      const [firstPipe = '', nextPipe = ''] = sync.by.replace('HardEvent::', '').split('_')
      // A function of the file's own may have the name of an instruction.
      const isOwn = first?.pipe === 'V' && vectorCalls.every((one) => one.call.line !== first.call.line)
      if (!first || isOwn || tensor === '' || accesses.some(isLater) || end - at > 1) return []
      return [{method, by: sync.by, kind: sync.kind, tensor, first: first.call.name, firstPipe, nextPipe}]
    })
  })
}

/** A result of the vector unit that the scalar unit reads. */
interface ScalarRead {
  method: string
  tensor: string
  /** The instruction that writes it. */
  first: string
  /** The read as it is written. */
  by: string
  /** Whether the read waits by itself, a function before it does, or both leave that to the compiler. */
  how: 'helper' | 'before' | 'auto'
}

/** Reads without a flag in their own function. @param helpers text of files that the target includes */
export function scalarReads({methods, moves}: KernelFacts, helpers: readonly string[]): ScalarRead[] {
  const waiting = (name: string) =>
    methods.some(({syntax}) => syntax.name === name && isWaiting(syntax.body)) ||
    helpers.some((text) => isWaiting(bodyIn(text, name)))
  return methods.flatMap(({syntax: {name: method, calls}}) => {
    // What a flag of the function's own orders is described as a wait.
    if (calls.some(({name, templates}) => name === 'SetFlag' && templates.some(isOfScalar))) return []
    return calls.flatMap((call, at): ScalarRead[] => {
      const isDirect = call.name === 'GetValue'
      const tensor = tensorOf((isDirect ? call.receiver : call.args[0]) ?? '')
      if (tensor === '' || !(isDirect || waiting(call.name))) return []
      const writer = calls
        .slice(0, at)
        .flatMap((one, place) => accessOf(one, place, method, moves) ?? [])
        .findLast(({pipe, writes, call: one}) => pipe === 'V' && writes.includes(tensor) && leadsTo(one, call))
      const by = isDirect ? `${tensor}.GetValue(${call.args.join(', ')})` : `${call.name}(${call.args.join(', ')})`
      const read = {method, tensor, first: writer?.call.name ?? ''}
      const before = calls.slice((writer?.at ?? at) + 1, at).find(({templates}) => templates.some(isOfScalar))
      if (!writer) return []
      if (!isDirect) return [{...read, by, how: 'helper'}]
      return [
        before
          ? {...read, by: `${before.name}<${before.templates.join(', ')}>`, how: 'before'}
          : {...read, by, how: 'auto'},
      ]
    })
  })
}

/**
 * Whether the scalar unit reads values, and whether a copy brought all of them: no vector instruction wrote them. If
 * so, whether a flag makes it wait for copies.
 */
export function readsOf({methods, moves, synchronisation}: KernelFacts): 'none' | 'copied' | 'flagged' | 'computed' {
  const reads = methods.flatMap(({syntax: {name: method, calls, assignments}}) =>
    calls.flatMap((call, at): boolean[] => {
      if (call.name !== 'GetValue') return []
      const tensor = tensorOf(call.receiver)
      const isWritten = calls
        .slice(0, at)
        .flatMap((one, place) => accessOf(one, place, method, moves) ?? [])
        .some(({pipe, writes}) => pipe === 'V' && writes.includes(tensor))
      const isTaken = assignments.some(({name, value}) => name === tensor && /\bDeQue\b/.test(value))
      return [isTaken && !isWritten]
    }),
  )
  if (reads.length === 0) return 'none'
  if (!reads.every(Boolean)) return 'computed'
  return synchronisation.some(({call}) => call.templates.some((one) => /\bMTE2_S$/.test(one))) ? 'flagged' : 'copied'
}

const isOfScalar = (event: string) => /\bV_S$/.test(event)

const isWaiting = (body: string) => /\bGetValue\s*\(/.test(body) && /\bV_S\b/.test(body)

/** From a function's name in front of parameters to the end of its braces at the start of a line. */
const bodyIn = (text: string, name: string) =>
  new RegExp(`\\b${name}\\s*\\([^;{}]*\\)\\s*\\{[^]*?\\n\\}`).exec(text)?.[0] ?? ''

function waitsOf({name: method, calls}: FunctionSyntax, moves: readonly MoveFact[]): Wait[] {
  const accesses = calls.flatMap((call, at) => accessOf(call, at, method, moves) ?? [])
  return calls.flatMap((call, at): Wait[] => {
    const sync = syncOf(call)
    if (!sync) return []
    const end = sync.kind === 'flag' ? waitFor(calls, at, sync) : at
    if (end === undefined) return []
    const worked = accesses.filter((one) => sync.isFirst(one.pipe)).map((one) => one.at)
    const since = sync.kind === 'barrier' ? lastSame(calls, at, worked) : -1
    const isBefore = (one: Access) => one.at < at && one.at > since && sync.isFirst(one.pipe)
    const before = accesses.filter((one) => isBefore(one) && leadsTo(one.call, call)).reverse()
    const after = accesses.filter((one) => one.at > end && sync.isThen(one.pipe) && leadsTo(call, one.call))
    const isBarrier = sync.kind === 'barrier'
    const found =
      meeting(before, after, isBarrier ? nextSame(calls, at) : undefined) ??
      (isBarrier ? undefined : refilled(before, after))
    return found ? [{method, by: sync.by, kind: sync.kind, ...found}] : []
  })
}

interface Sync {
  kind: Wait['kind']
  by: string
  event: string
  isFirst: (pipe: string) => boolean
  isThen: (pipe: string) => boolean
}

function syncOf({name, templates: [given = '']}: Call): Sync | undefined {
  if (name === 'PipeBarrier') {
    const pipe = /PIPE_(\w+)$/.exec(given)?.[1]
    if (pipe === undefined || pipe === 'ALL') return undefined
    const is = (one: string) => one === pipe
    return {kind: 'barrier', by: `PipeBarrier<${given}>`, event: '', isFirst: is, isThen: is}
  }
  const [, first, then] = /(?:^|::)([A-Z0-9]+)_([A-Z0-9]+)$/.exec(given) ?? []
  if (name !== 'SetFlag' || first === undefined) return undefined
  return {
    kind: 'flag',
    by: `HardEvent::${first}_${then}`,
    event: given,
    isFirst: (one) => one === first,
    isThen: (one) => one === then,
  }
}

/** Where the flag is waited for, in a branch that the setting one leads to. */
function waitFor(calls: readonly Call[], at: number, {event}: Sync): number | undefined {
  const index = calls.findIndex((one, place) => place > at && one.name === 'WaitFlag' && one.templates[0] === event)
  return index < 0 ? undefined : index
}

/** A barrier covers everything up to the next of its kind. */
function nextSame(calls: readonly Call[], at: number): number {
  const {name, templates} = calls[at] as Call
  const index = calls.findIndex(
    (one, place) => place > at && one.name === name && one.templates.join() === templates.join(),
  )
  return index < 0 ? calls.length : index
}

/**
 * The barrier before, followed by work of the pipe, if every path to this one passes it: what it waited for is done.
 */
function lastSame(calls: readonly Call[], at: number, worked: readonly number[]): number {
  const {name, templates, branches} = calls[at] as Call
  const here = new Set(branches.map((one) => JSON.stringify(one)))
  return calls.findLastIndex(
    (one, place) =>
      worked.some((work) => place < work && work < at) &&
      one.name === name &&
      one.templates.join() === templates.join() &&
      one.branches.every((each) => here.has(JSON.stringify(each))),
  )
}

/** Whether every path, or some path, through one also passes the other: not two arms of one branch. */
function leadsTo(one: Call, other: Call): boolean {
  return one.branches.every(({line, arm}) =>
    other.branches.every((each) => each.line !== line || JSON.stringify(each.arm) === JSON.stringify(arm)),
  )
}

function meeting(before: readonly Access[], after: readonly Access[], end = Number.POSITIVE_INFINITY) {
  for (const then of after) {
    if (then.at >= end) return undefined
    for (const first of before) {
      const read = then.reads.find((one) => first.writes.includes(one))
      if (read !== undefined) return described(first, then, read, 'reads')
      const written = then.writes.find((one) => first.reads.includes(one))
      if (written !== undefined && first.pipe !== then.pipe) return described(first, then, written, 'overwrites')
    }
  }
  return undefined
}

/** The vector unit fills a tensor of which the scalar unit then sets single elements. */
function refilled(before: readonly Access[], after: readonly Access[]) {
  for (const then of after) {
    const tensor = then.call.name === 'SetValue' ? then.writes[0] : undefined
    const first = before.find(({pipe, writes}) => pipe === 'V' && tensor !== undefined && writes.includes(tensor))
    if (first && tensor !== undefined) return described(first, then, tensor, 'refills')
  }
  return undefined
}

function described(first: Access, then: Access, tensor: string, hazard: Wait['hazard']) {
  const [one, other] = [first.call.name, then.call.name]
  return {tensor, first: one, firstPipe: first.pipe, next: other, nextPipe: then.pipe, hazard}
}

const sourceKinds = new Set(['in', 'inout', 'mask-in'])
const targetKinds = new Set(['out', 'inout', 'mask-out', 'tmp'])

function accessOf(call: Call, at: number, method: string, moves: readonly MoveFact[]): Access | undefined {
  const {name, args, receiver} = call
  const move = moves.find((one) => one.method === method && one.api === name && isMoved(call, one))
  const [first = '', second = ''] = args.map(tensorOf)
  if (move) return {at, call, pipe: pipes[move.direction], writes: [first], reads: [second]}
  if (name === 'GetValue' || name === 'SetValue') {
    const own = [tensorOf(receiver)]
    return {at, call, pipe: 'S', writes: name === 'SetValue' ? own : [], reads: name === 'GetValue' ? own : []}
  }
  const api = interfaces.get(name)
  if (!api?.pipes.includes('V') || api.family === 'movement' || args.length < 2 || receiver !== '') return undefined
  const of = (kinds: ReadonlySet<string>) => api.operands.flatMap(({kind}, index) => (kinds.has(kind) ? index : []))
  const [writes, reads] = api.operands.length > 0 ? [of(targetKinds), of(sourceKinds)] : [[0], [1]]
  const variables = (places: readonly number[]) => places.map((place) => tensorOf(args[place] ?? '')).filter(Boolean)
  return {at, call, pipe: 'V', writes: variables(writes), reads: variables(reads)}
}

const isMoved = ({args: [first = '', second = '']}: Call, {local, global}: MoveFact) =>
  (first === local && second === global) || (first === global && second === local)

const pipes = {in: 'MTE2', out: 'MTE3', inside: 'V'} as const
