import {decode, encode, isInteger, valueRange} from '../datasets/dtype.ts'
import type {OperatorCase, TaskCase} from '../datasets/schema/task.ts'
import {dtypeBytes, elementCount, type TensorSpec} from '../datasets/schema/tensor.ts'
import {PipelineError} from '../engine/errors.ts'
import {canonicalJson} from '../engine/ids.ts'
import type {CaseSource, PreparedCase} from './cases.ts'
import type {InputFamily} from './reference/inputs.ts'
import {caseId} from './reference/typescript.ts'
import {seedOf, type Trial} from './run-case.ts'

type Outputs = readonly Uint8Array[]

/** Finds runs that refute degenerate answers: those of kernels that do not compute. */
export interface Separation {
  source: CaseSource
  seed: readonly (string | number)[]
  /** Whether a kernel may contain a row's attributes as constants, so that no trial changes them. */
  pinned: boolean
  /** Whether the task's own answer passes a trial; without one, every trial is acceptable. */
  serves(row: TaskCase, trial: Trial): Promise<boolean>
}

/** In the order of trials: more demanding families come later. */
const searched: readonly InputFamily[] = [
  'alike',
  'scalars',
  'normal',
  'boundary',
  'finite',
  'pierced',
  'infinite',
  'nan',
  'wide',
]
/** Most reference runs for one task whose rows do not suffice. */
const mostTries = 48
const leastTries = 12
/** Limit for all inputs of a search. */
const searchedBytes = 2 ** 26
const draws = 4

const always = 'the answer before'

/**
 * Runs in addition to the planned ones, by case id, so that each degenerate answer is refused by one of all of them: a
 * constant, a copy of an input, unchanged outputs, the mean of the correct answer, the correct answer of the previous
 * run, and one of several outputs left at zero. `alone`: those that the planned runs cannot distinguish from the
 * correct answer; `spared`: those that no run can.
 */
export async function separate(
  planned: ReadonlyMap<string, readonly Trial[]>,
  separation: Separation,
): Promise<{more: Map<string, Trial[]>; spared: string[]; alone: string[]}> {
  const {source} = separation
  const alive: Alive = {names: undefined, before: new Map()}
  let smallest: {row: TaskCase; bytes: number} | undefined
  for (const row of source.rows) {
    for (const trial of [{family: 'normal', row} as const, ...(planned.get(caseId(row)) ?? [])]) {
      if (alive.names?.size === 0) break
      const seen = await look(trial, separation, alive)
      if (seen && trial.row === row && !(smallest && smallest.bytes <= seen.bytes)) smallest = {row, bytes: seen.bytes}
      for (const name of seen?.refused ?? []) alive.names?.delete(name)
    }
  }
  const told = () => [...(alive.names ?? [])].sort()
  const alone = told()
  const more = new Map<string, Trial[]>()
  if (smallest) {
    const tries = Math.max(leastTries, Math.min(mostTries, Math.floor(searchedBytes / smallest.bytes)))
    await search(smallest.row, separation, {alive, more, tries})
  }
  return {more, spared: told(), alone}
}

async function search(
  row: TaskCase,
  separation: Separation,
  {alive, more, tries}: {alive: Alive; more: Map<string, Trial[]>; tries: number},
): Promise<void> {
  const own = await callOf({family: 'normal', row}, separation)
  let tried = 0
  // What only follows from a row's numbers never changes: a kernel may contain it.
  const isSought = (name: string) => !(separation.pinned && name === always)
  for await (const trial of trialsOf(row, separation.source)) {
    if (![...(alive.names ?? [])].some(isSought) || tried === tries) return
    tried += 1
    if (separation.pinned && (await callOf(trial, separation)) !== own) continue
    const before = new Map(alive.before)
    const seen = await look(trial, separation, alive)
    if (!seen?.refused.some(isSought) || !(await separation.serves(row, trial))) {
      alive.before = before
      continue
    }
    for (const name of seen.refused) alive.names?.delete(name)
    more.set(caseId(row), [...(more.get(caseId(row)) ?? []), trial])
  }
}

/** The row's own cells first, then alternatives that the reference accepts. */
async function* trialsOf(row: TaskCase, source: CaseSource): AsyncGenerator<Trial> {
  for (const draw of Array.from({length: draws}, (_, index) => index + 1))
    for (const family of searched) yield {family, row, draw}
  for await (const other of source.alike?.(row) ?? [])
    for (const draw of [1, 2]) yield {family: 'normal', row: other, draw}
}

/** What a kernel may know about a run before it reads a value. */
async function callOf(trial: Trial, {source, seed}: Separation): Promise<string | undefined> {
  const prepared = await source.prepare(trial.row, trial.family, seedOf(seed, trial)).catch(refusedByReference)
  if (!prepared) return undefined
  await prepared.discard()
  const {inputs, attributes, outputs} = prepared.operatorCase
  return canonicalJson([inputs.map(({name, dtype, shape}) => ({name, dtype, shape})), attributes, outputs])
}

function refusedByReference(error: unknown): undefined {
  if (!(error instanceof PipelineError) || error.code !== 'input-invalid') throw error
}

interface Alive {
  /** Degenerate answers that no run has refused; undefined before the first. */
  names: Set<string> | undefined
  /** The correct values of the previous run with outputs of the same sizes. */
  before: Map<string, Outputs>
}

/** Which of the living answers a run refuses; undefined if the reference has no result. */
async function look(
  trial: Trial,
  {source, seed}: Separation,
  alive: Alive,
): Promise<{refused: string[]; bytes: number} | undefined> {
  const prepared = await source.prepare(trial.row, trial.family, seedOf(seed, trial)).catch(refusedByReference)
  if (!prepared) return undefined
  try {
    const {operatorCase} = prepared
    const sizes = operatorCase.outputs.map(bytesOf).join()
    const {answers, known} = await answersWithoutWork(prepared, alive.before.get(sizes))
    alive.names ??= new Set([...answers.keys(), always])
    const refused: string[] = []
    for (const name of alive.names) {
      const outputs = answers.get(name)
      if (outputs && !(await prepared.compare(outputs, {literal: false})).hardened.ok) refused.push(name)
    }
    // Some rules refuse correct values at the limits of a type.
    const refusesAll = async () => known && !(await prepared.compare(known, {literal: false})).hardened.ok
    if (trial.draw !== undefined && refused.length > 0 && (await refusesAll())) return undefined
    if (known) alive.before.set(sizes, known)
    return {refused, bytes: operatorCase.inputs.reduce((sum, {data}) => sum + data.length, 0)}
  } catch (error) {
    return refusedByReference(error)
  } finally {
    await prepared.discard()
  }
}

/**
 * Answers to a run that take no work, by name, and the right one if it is known. @param before the right one of another
 * run with outputs of the same sizes
 */
export async function answersWithoutWork(
  prepared: PreparedCase,
  before?: Outputs,
): Promise<{answers: Map<string, Outputs>; known: Outputs | undefined}> {
  const {right, known} = await rightOf(prepared)
  return {answers: degenerates(prepared.operatorCase, {right, known}, before), known}
}

interface Right {
  /** Undefined if an output is not compared, or its content is unknown. */
  right: readonly (Uint8Array | undefined)[]
  /** All outputs, with uncompared ones as zeros; undefined if a compared one is unknown. */
  known: Outputs | undefined
}

async function rightOf(prepared: PreparedCase): Promise<Right> {
  const {outputs} = prepared.operatorCase
  const {right: told, expected} = await prepared.compare(outputs.map(zeros), {literal: false, right: true})
  const right = told ?? expected
  const isKnown = right.filter((one) => one !== undefined).length === expected.length
  return {right, known: isKnown ? outputs.map((spec, at) => right[at] ?? zeros(spec)) : undefined}
}

/** By name. Excludes answers that need unknown facts about a run. */
function degenerates(
  {inputs, outputs}: OperatorCase,
  {right, known}: Right,
  before: Outputs | undefined,
): Map<string, Outputs> {
  const found = new Map<string, Outputs>([
    ['zeros', outputs.map(zeros)],
    ['ones', outputs.map((spec) => filled(spec, 1))],
  ])
  for (const name of new Set(inputs.map((input) => input.name))) {
    const members = inputs.filter((input) => input.name === name && input.data.length > 0)
    const copies = outputs.map((spec, at) => copied(spec, members[at % members.length]))
    if (isWhole(copies)) found.set(`a copy of ${name}`, copies)
  }
  const untouched = untouchedOutputs(inputs, outputs)
  if (untouched) found.set('outputs left as they were', untouched)
  if (known && outputs.some(({shape}) => elementCount(shape) > 1))
    found.set(
      'the mean',
      outputs.map((spec, at) => filled(spec, meanOf(decode(known[at] as Uint8Array, spec.dtype)))),
    )
  if (before?.length === outputs.length && outputs.every((spec, at) => before[at]?.length === bytesOf(spec)))
    found.set(always, before)
  const names = new Set(outputs.flatMap(({name}, at) => (right[at] ? [name] : [])))
  if (known && names.size > 1)
    for (const name of names)
      found.set(
        `zeros in ${name}`,
        outputs.map((spec, at) => (spec.name === name ? zeros(spec) : (known[at] as Uint8Array))),
      )
  return found
}

function isWhole(outputs: readonly (Uint8Array | undefined)[]): outputs is Outputs {
  return outputs.every((one) => one !== undefined)
}

const bytesOf = ({shape, dtype}: TensorSpec) => elementCount(shape) * dtypeBytes[dtype]
const zeros = (spec: TensorSpec) => new Uint8Array(bytesOf(spec))

/** Converted to integers: towards zero, saturating. */
function held(value: number, {dtype}: TensorSpec): number {
  if (!isInteger(dtype)) return value
  const [low, high] = valueRange(dtype)
  return Number.isNaN(value) ? 0 : Math.min(Math.max(Math.trunc(value), low), high)
}

function filled(spec: TensorSpec, value: number): Uint8Array {
  const count = elementCount(spec.shape) * (spec.dtype === 'complex64' ? 2 : 1)
  return encode(new Float64Array(count).fill(held(value, spec)), spec.dtype)
}

function meanOf(values: Float64Array): number {
  const numbers = values.filter(Number.isFinite)
  return numbers.length === 0 ? 0 : numbers.reduce((sum, value) => sum + value, 0) / numbers.length
}

/** Element by element, cycling if there are too few. */
function copied(spec: TensorSpec, input: OperatorCase['inputs'][number] | undefined): Uint8Array | undefined {
  if (!input) return undefined
  if (input.dtype === spec.dtype && input.data.length === bytesOf(spec)) return input.data
  const values = decode(input.data, input.dtype)
  const count = elementCount(spec.shape) * (spec.dtype === 'complex64' ? 2 : 1)
  const made = Float64Array.from({length: count}, (_, at) => held(values[at % values.length] as number, spec))
  return encode(made, spec.dtype)
}
/** Outputs with an input's name have its bytes, others those of fresh memory; undefined without the former. */
function untouchedOutputs(given: OperatorCase['inputs'], outputs: OperatorCase['outputs']): Outputs | undefined {
  if (!outputs.some(({name}) => given.some((input) => input.name === name))) return undefined
  const taken = new Map<string, number>()
  return outputs.map((spec) => {
    const at = taken.get(spec.name) ?? 0
    taken.set(spec.name, at + 1)
    const input = given.filter(({name}) => name === spec.name)[at]
    return (input && copied(spec, input)) ?? zeros(spec)
  })
}
