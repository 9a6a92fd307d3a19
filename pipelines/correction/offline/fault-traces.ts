import {parseOperatorDefinitions} from '../../../cpp/op-def.ts'
import type {Edit} from '../../../datasets/schema/edit-facts.ts'
import type {SourceFile} from '../../../datasets/schema/operator.ts'
import type {TaskCase} from '../../../datasets/schema/task.ts'
import {Dtype, dtypeBytes} from '../../../datasets/schema/tensor.ts'
import type {Seen} from '../../../datasets/schema/verdict.ts'
import {type Bracketed, callsOf} from '../../facts/bracketed.ts'
import type {Message} from '../../telling/tell-message.ts'
import type {Observation} from '../observation.ts'
import {failedStatements, part, type Reason, type Scene, statementsIn, statementsOfFile, stepsOf} from './reason.ts'

/** What a run showed, and of which calls. */
interface Shown {
  observed: Observation
  cases: readonly TaskCase[]
}

const says = (situation: string, values: Message['values']): Message => ({topic: 'traces', situation, values})

/** How a fault leads to just what the run showed, with its numbers; nothing where they do not meet. */
export function traceOf(edit: Edit, reason: Reason, {observed, cases}: Shown, scene: Scene): Message[] {
  if (observed.kind === 'numbers') return wrongElement(observed, cases)
  if (observed.kind !== 'rule') return []
  const {tensor, seen, otherSize} = observed
  if (!seen) return []
  const [fault] = reason.fault
  const ofPart = fault?.situation === 'part' ? partTrace(fault, tensor, seen) : undefined
  const clues = {edit, fault, observed, cases: otherSize ? [] : cases, scene, values: seen.values}
  return ofPart ?? tracesBySituation[seen.situation]?.(clues) ?? []
}

interface Clues {
  edit: Edit
  fault: Message | undefined
  observed: Extract<Observation, {kind: 'rule'}>
  cases: readonly TaskCase[]
  scene: Scene
  values: Seen['values']
}

const tracesBySituation: Readonly<Record<string, (clues: Clues) => Message[]>> = {
  'alloc-deadlock': taken,
  'pipe-hazard': writtenIn,
  'wait-without-set': events,
  'unpaired-flag': events,
  'flag-set-twice': events,
  'deque-empty': emptied,
  'use-while-enqueued': handedOver,
  'use-after-free': usedOperand,
  'out-of-buffer': smallerBlock,
  'queue-not-initialised': skippedSetup,
  'length-in-elements': inElements,
  'too-much-padding': paddedElements,
  'unaligned-gm': rowAndGap,
  'foreign-tensor': numbered,
  'gm-overlap': (clues) => orElse(spilled(clues), elements(clues)),
  'gm-out-of-range': elements,
  'unwritten-output': (clues) => orElse(blocksInUb(clues), elements(clues)),
}

const orElse = (one: Message[], other: Message[]) => (one.length > 0 ? one : other)

/** `tensor[8]`: what the index comes to in bytes, which the executor counts. */
function partTrace({values: {from, right}}: Message, tensor: string, {situation, values}: Seen): Message[] | undefined {
  const [index, offset] = [Number(from), Number(tensor.split('+').at(-1))]
  const size = offset / index
  if (!Number.isInteger(size) || size === 0) return undefined
  const told = {from: index, size, offset, right: right as string}
  if (situation === 'unaligned-ub') return [says('part-unaligned', told)]
  if (situation === 'partial-overlap' && values['shift'] === offset)
    return [says('part-shift', {...told, shift: offset})]
  if (situation !== 'out-of-buffer' || values['from'] !== offset) return undefined
  const bytes = Number(values['bytes'])
  const left = bytes - offset
  return [says('part-behind', {...told, bytes, left, inside: left > 0 ? 'yes' : 'no'})]
}

function callOf(edit: Edit): Bracketed | undefined {
  const [statement] = statementsIn(edit)
  return statement && callsOf(statement)[0]
}

const fileOf = (path: string, files: readonly SourceFile[]) => files.find((one) => one.path === path)

function taken({edit, values, scene}: Clues): Message[] {
  const queue = callOf(edit)?.receiver ?? ''
  const [allocs, frees] = ['AllocTensor', 'FreeTensor'].map((name) =>
    stepsOf(queue, name, fileOf(edit.path, scene.failed)),
  ) as [number[], number[]]
  if (queue === '' || allocs.length <= frees.length) return []
  const counted = {takes: allocs.length, gives: frees.length, blocks: Number(values['blocks'])}
  return [says('takes', {queue, allocs: [...new Set(allocs)], frees: [...new Set(frees)], ...counted})]
}

function emptied({edit, scene}: Clues): Message[] {
  const call = callOf(edit)
  const file = fileOf(edit.path, scene.failed)
  if (call?.name === 'EnQue' && edit.kind === 'replaced') {
    const queue = callsOf(edit.after)[0]?.receiver ?? ''
    const deques = stepsOf(queue, 'DeQue', file)
    return deques.length > 0 && queue !== call.receiver
      ? [says('goes-elsewhere', {queue, wrong: call.receiver, deques})]
      : []
  }
  if (call?.name !== 'DeQue' || call.receiver === '') return []
  return [says('puts', {queue: call.receiver, enques: stepsOf(call.receiver, 'EnQue', file)})]
}

function handedOver({edit, scene}: Clues): Message[] {
  const call = callOf(edit)
  const [tensor] = call?.args ?? []
  if (edit.kind !== 'moved' || call?.name !== 'EnQue' || tensor === undefined) return []
  const use = edit.passed.find(({text}) => callsOf(edit.statement).length > 0 && hasWord(text, tensor))
  if (!use) return []
  const deques = stepsOf(call.receiver, 'DeQue', fileOf(edit.path, scene.failed)).filter((line) => line > use.line)
  return [says('handed-over', {tensor, queue: call.receiver, use: use.line, deques})]
}

const hasWord = (text: string, word: string) => text.split(/\W+/).includes(word)

/** Places of operands, as the executor names them. */
const operands: Readonly<Record<string, number>> = {dst: 0, src: 1, src0: 1, src1: 2}

/** Which tensor of the code the message speaks of. */
function usedOperand({edit, fault, values: {operand, api}, scene}: Clues): Message[] {
  const {tensor, use} = fault?.values ?? {}
  const at = operands[`${operand}`]
  if (typeof tensor !== 'string' || typeof use !== 'number' || at === undefined) return []
  const calls = failedStatements(edit.path, scene).filter(({line}) => line === use)
  const isIt = calls.flatMap(callsOf).some(({name, args}) => name === api && args[at] === tensor)
  return isIt ? [says('operand', {operand: `${operand}`, api: `${api}`, tensor})] : []
}

/** The position of the other pipe's instruction that the copy does not wait for. */
function writtenIn({edit, values, scene}: Clues): Message[] {
  const call = callOf(edit)
  const [tensor, other] = [call?.args[operands[`${values['operand']}`] ?? -1], `${values['other']}`]
  const statements = failedStatements(edit.path, scene)
  const linesOf = (is: (one: Bracketed) => boolean) =>
    statements.flatMap((one) => (callsOf(one).some(is) ? [one.line] : []))
  const lines = linesOf(({name, args}) => name === other && args[0] === tensor)
  if (tensor === undefined || call?.name !== values['api'] || lines.length === 0) return []
  const enques = linesOf(({name, args}) => name === 'EnQue' && args[0] === tensor)
  const where = lines.includes(edit.line) ? part('in-same-line', {}) : part('in-lines', {lines})
  return [says('written-in', {tensor, other, where, enques})]
}

/** How often the code sets the event of the changed statement and how often it waits for it. */
function events({edit, scene}: Clues): Message[] {
  const call = callOf(edit)
  const eventOf = ({templates, args}: Bracketed) => `${templates}|${args.join()}`
  const all = scene.failed.flatMap(statementsOfFile).flatMap(callsOf)
  const count = (name: string) =>
    all.filter((one) => one.name === name && call && eventOf(one) === eventOf(call)).length
  const [sets, waits] = [count('SetFlag'), count('WaitFlag')]
  return sets === waits ? [] : [says('events', {sets, waits})]
}

function smallerBlock({fault, values: {from, to, bytes}}: Clues): Message[] {
  const [length, block] = [Number(to), Number(bytes)]
  const isBytes = fault?.topic === 'count-reasons' && fault.situation === 'bytes'
  if (!isBytes || from !== 0 || length % block !== 0 || length === block) return []
  return [says('smaller-block', {length, bytes: block, ratio: length / block})]
}

/** What a core that leaves too early does not come to. */
function skippedSetup({edit, fault, scene}: Clues): Message[] {
  if (fault?.situation !== 'opposite') return []
  const statements = failedStatements(edit.path, scene)
  const at = statements.findIndex(({line}) => line === edit.line)
  const end = statements.findIndex(({text}, index) => index > at && text === '}')
  const leaves = statements.slice(at + 1, end).some(({text}) => text === 'return;')
  const lines = statements
    .filter((one, index) => index > end && callsOf(one).some(({name}) => name === 'InitBuffer'))
    .map(({line}) => line)
  return leaves && lines.length > 0 ? [says('skipped', {lines})] : []
}

/** Changed fields of a structure, by name. */
function fieldsOf(fault: Message | undefined): Message['values'][] {
  const fields = fault?.values['fields']
  if (fault?.situation !== 'fields' || !Array.isArray(fields)) return []
  return (fields as Message[]).map(({values}) => values)
}

function inElements({fault, values: {given, size}}: Clues): Message[] {
  const isLength = fieldsOf(fault).some(({field}) => field === 'blockLen')
  return isLength
    ? [says('in-elements', {given: Number(given), size: Number(size), bytes: Number(given) * Number(size)})]
    : []
}

function paddedElements({fault, values}: Clues): Message[] {
  return fieldsOf(fault).flatMap(({field, wrong}) => {
    const bytes = Number(values[field === 'leftPadding' ? 'left' : 'right'])
    const given = Number(wrong)
    const size = bytes / given
    if (!/Padding$/.test(`${field}`) || !Number.isInteger(size) || bytes <= block) return []
    return [says('padded-elements', {given, size, bytes, blocks: bytes / block, most: block / size})]
  })
}

const block = 32

/** The case that ran, by its columns; lengths are those of its `shape`, types that of its `dtype`. */
function callOfCase(id: string, cases: readonly TaskCase[]): {shape: number[]; size?: number} {
  const row = cases.find((one) => one['case_id'] === id)
  const shape = /^\[[\d, ]*\]$/.test(row?.['shape'] ?? '') ? (JSON.parse(row!['shape']!) as number[]) : []
  const dtype = Dtype.safeParse(row?.['dtype']).data
  return {shape, ...(dtype && {size: dtypeBytes[dtype]})}
}

/** Bytes of an element of a tensor, where it has the type that a case names: that of the first input. */
function sizeOf(tensor: string, {size}: {size?: number}, {right}: Scene): number | undefined {
  const [definition] = right.flatMap(({text}) => parseOperatorDefinitions(text))
  const {inputs = [], outputs = []} = definition ?? {}
  const one = [...inputs, ...outputs].find(({name}) => name === tensor)
  const [only, ...more] = new Set(one?.dtypes)
  if (only !== undefined && more.length === 0) return dtypeBytes[only]
  return one?.dtypes.join() === inputs[0]?.dtypes.join() ? size : undefined
}

function rowAndGap({fault, observed, cases, values: {byte, size}}: Clues): Message[] {
  const {shape} = callOfCase(observed.case, cases)
  const row = shape.at(-1) ?? 0
  return fieldsOf(fault).flatMap(({field, wrong}) => {
    const [gap, rowBytes] = [Number(wrong), row * Number(size)]
    if (field !== 'srcStride' || rowBytes + gap !== byte) return []
    return [says('row-and-gap', {row, size: Number(size), rowBytes, gap, byte})]
  })
}

/** Bytes of a row of the case that ran, in the output's layout. */
function rowBytesOf({observed, cases, scene, values}: Clues): number {
  const call = callOfCase(observed.case, cases)
  return (call.shape.at(-1) ?? 0) * (sizeOf(`${values['tensor']}`, call, scene) ?? 0)
}

/** A gap in UB, where it is what leads to the byte that the message names. */
function blocksInUb(clues: Clues): Message[] {
  const byte = clues.observed.api === 'DataCopyPad' ? clues.values['copied'] : undefined
  const rowBytes = Math.ceil(rowBytesOf(clues) / block) * block
  return fieldsOf(clues.fault).flatMap(({field, wrong}) => {
    const gap = Number(wrong)
    if (field !== 'srcStride' || rowBytes + gap * block !== byte) return []
    return [says('blocks-in-ub', {rowBytes, gap, gapBytes: gap * block, byte})]
  })
}

/** A gap in global memory, where the bytes that overlap are those that it pushes a row on. */
function spilled(clues: Clues): Message[] {
  const [from, to, rowBytes] = [Number(clues.values['from']), Number(clues.values['to']), rowBytesOf(clues)]
  return fieldsOf(clues.fault).flatMap(({field, wrong}) => {
    const gap = Number(wrong)
    if (field !== 'dstStride' || to - from !== gap || rowBytes === 0 || from % rowBytes !== 0) return []
    return [says('spilled', {from, to, gap, rowBytes, rows: from / rowBytes})]
  })
}

/** Which queue of the code the executor means by position and number. */
function numbered({edit, fault, values, scene}: Clues): Message[] {
  const [name, position = '', number = ''] = /^(\w+) queue (\d+)/.exec(`${values['owner']}`) ?? []
  const statements = failedStatements(edit.path, scene)
  const isAt = (queue: string) =>
    statements.some(({text}) => text.startsWith('TQue<') && text.includes(position) && text.endsWith(` ${queue};`))
  const set = statements.flatMap((one) =>
    callsOf(one).flatMap((call) => (call.name === 'InitBuffer' && call.args.length === 3 ? [{one, call}] : [])),
  )
  const it = set.filter(({call}) => isAt(plain(call.args[0]!)))[Number(number)]
  const queue = it && plain(it.call.args[0]!)
  if (name === undefined || queue === undefined || queue !== plain(`${fault?.values['right']}`)) return []
  return [says('numbered', {name, position, n: Number(number) + 1, queue, line: it!.one.line})]
}

const plain = (name: string) => name.replace(/^this->/, '')

/** Elements that a range of bytes holds, and the row of the first of them. */
function elements({observed, cases, scene, values: {tensor, from, to}}: Clues): Message[] {
  const call = callOfCase(observed.case, cases)
  const size = sizeOf(`${tensor}`, call, scene)
  const [first, behind] = [Number(from) / (size ?? Number.NaN), Number(to) / (size ?? Number.NaN)]
  if (size === undefined || !Number.isInteger(first) || !Number.isInteger(behind)) return []
  const length = call.shape.length > 1 ? (call.shape.at(-1) ?? 0) : 0
  const row = length > 0 ? Math.floor(first / length) : -1
  const range = {from: Number(from), to: Number(to), first, last: behind - 1}
  return [says('elements', {...range, size, tensor: `${tensor}`, row, length})]
}

/** The question only shows the row's own sizes. */
function wrongElement({failing}: Extract<Observation, {kind: 'numbers'}>, cases: readonly TaskCase[]): Message[] {
  const elements = failing.flatMap(({case: id, fault}) =>
    fault?.kind === 'element' && !fault.otherSize ? [{id, ...fault}] : [],
  )
  const [one] = elements
  if (!one) return []
  const {shape} = callOfCase(one.id, cases)
  const length = shape.length > 1 ? (shape.at(-1) ?? 0) : 0
  const place = length > 0 ? {row: Math.floor(one.index / length), column: one.index % length} : {row: -1, column: -1}
  const {id, output, index, seen, expected} = one
  return [says('wrong-element', {case: id, output, index, seen, expected, shape: shape.join(', '), ...place})]
}
