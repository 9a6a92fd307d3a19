import {createHash} from 'node:crypto'
import type {Build, ExecuteOptions, Execution, Executor, RunTrace} from '../../../datasets/schema/executor.ts'
import type {CallOrigin} from '../../../datasets/schema/contract.ts'
import type {OperatorCase} from '../../../datasets/schema/task.ts'
import type {DrawnInput} from '../../../datasets/schema/operator-call.ts'
import type {Scenario} from '../../../datasets/schema/scenario.ts'
import {isInteger, largestOf, valueRange} from '../../../datasets/dtype.ts'
import {dtypeBytes, elementCount, type TensorSpec} from '../../../datasets/schema/tensor.ts'
import type {Violation} from '../../../datasets/schema/verdict.ts'
import type {Checked} from '../formulas/checked-call.ts'
import type {Call} from './drawn-call.ts'
import type {Dtypes} from './dtype-columns.ts'
import {operatorCase} from '../../facts/operator-case.ts'
import {reductions, type Shape} from './roles.ts'

/** Why a call is not a scenario. */
export interface Refusal {
  outcome: 'launch-failed' | 'violated' | 'crashed' | 'timed-out' | 'unserved' | 'disagrees'
  message: string
}

type End = {ok: true; scenario: Scenario} | ({ok: false} & Refusal)
type Run = Extract<Execution, {outcome: 'ran'}>

export interface Subject {
  executor: Executor
  build: Build
  dtypes: Dtypes
  seed: string
  signal: AbortSignal
  /** Inputs that the host reads: no core has to. */
  hostRead?: ReadonlySet<string>
  /** The shapes of outputs that the operator's own inference gives, by their names. */
  inferred?(call: Call): ReadonlyMap<string, Shape>
  /** Whether the outputs are right. */
  check(ran: OperatorCase & {found: readonly Uint8Array[]}): Checked
}

/** How a call came about. */
export interface Drawn {
  origin: CallOrigin
  /** Whether its outputs have the shapes that its sources tell, and may have no others. */
  isWhole: boolean
}

interface Confirmed extends Pick<Drawn, 'origin'> {
  tolerant: boolean
  /** Whether an output came out longer or shorter than it was given, and inference does not say so. */
  isReshaped: boolean
}

const guessed: Drawn = {origin: {contract: 'none'}, isWhole: false}

/** Runs calls of one built operator. */
export class Trial {
  readonly #subject: Subject
  /** What outputs were that the operator's formula does not give. */
  readonly disagreements: string[] = []

  constructor(subject: Subject) {
    this.#subject = subject
  }

  /**
   * A call as a scenario. Outputs that came out longer or shorter than they were given get the shape that the kernel
   * wrote; results that depend on the previous content of an output, or on the order of blocks, are refused. So is an
   * unrealistic call that leaves part of an input unread: its shape may be invalid for the operator.
   */
  async serve(call: Call, base: Shape, tolerant: boolean, drawn: Drawn = guessed): Promise<End> {
    const lost = call.inputs.find((spec) => !holdsValues(spec))
    if (lost) return unserved(`${lost.dtype} does not hold the values of ${lost.name}`)
    let fitted = call
    for (let round = 0; round < rounds; round += 1) {
      const first = await this.#run(fitted, {tolerant})
      if (first.outcome !== 'ran') {
        const longer = first.outcome === 'violated' && !drawn.isWhole ? lengthened(fitted, first.violation) : undefined
        if (!longer) return {ok: false, ...refusalOf(first)}
        fitted = longer
        continue
      }
      const second = await this.#run(fitted, {tolerant, poison: 'zero'})
      if (second.outcome !== 'ran') return {ok: false, ...refusalOf(second)}
      const written = fitted.outputs.map((spec, at) => writtenElements(spec, first.outputs[at], second.outputs[at]))
      if (written.includes(undefined)) return unserved('a part of an output is not written')
      if (written.every((count, at) => count === elementCount(fitted.outputs[at]?.shape ?? [])))
        return this.#confirmed(fitted, first, {
          tolerant,
          origin: drawn.origin,
          isReshaped: this.#isReshaped(fitted, call),
        })
      if (drawn.isWhole) return unserved('an output is longer than what is written')
      fitted = this.#shortened(fitted, written as number[], base)
      if (fitted.outputs.length === 0) return unserved('nothing is written to any output')
    }
    return unserved('no shape of the outputs fits what is written')
  }

  async #confirmed(call: Call, run: Run, {tolerant, origin, isReshaped}: Confirmed): Promise<End> {
    // A device may go on behind the end of a tensor; the tensor is too short for that.
    if (run.tolerated?.rule === 'gm-out-of-range') return unserved(`${run.tolerated.message}, which is tolerated`)
    const other = await this.#run(call, {tolerant, order: 'reverse'})
    if (other.outcome !== 'ran') return {ok: false, ...refusalOf(other)}
    const digests = digestsOf(run)
    if (digestsOf(other).some((digest, at) => digest !== digests[at]))
      return unserved('outputs depend on the order of blocks')
    if (run.trace.blocks.every(({writtenBytes}) => writtenBytes === 0)) return unserved('nothing is written')
    const {dtypes, seed, hostRead} = this.#subject
    const unread = unreadInputs(call, run).filter(({tensor}) => !hostRead?.has(tensor))
    if (!isRunElsewhere(origin) && unread.length > 0)
      return unserved(unread.map(({tensor, held, read}) => `${read} of ${held} bytes of ${tensor} are read`).join(', '))
    const checked = this.#subject.check({...this.#drawn(call), found: run.outputs})
    if (checked.outcome === 'disagrees') {
      this.disagreements.push(`${describe(call)}: ${checked.detail}`)
      return {ok: false, outcome: 'disagrees', message: checked.detail}
    }
    if (isReshaped && checked.outcome === 'none') return unserved('no source tells the shape of an output')
    const {inputs, attributes, outputs} = call
    const given = {dtypes: {...dtypes}, inputs: [...inputs], attributes, outputs: [...outputs]}
    const scenario = {...given, call: origin, formula: checked.outcome, ...(unread.length > 0 && {unread}), seed}
    const trace: RunTrace = run.trace
    return {ok: true, scenario: {...scenario, trace, ...(run.tolerated && {tolerated: run.tolerated}), digests}}
  }

  #run(call: Call, how: ExecuteOptions): Promise<Execution> {
    const {executor, build, signal} = this.#subject
    return executor.execute(build, this.#drawn(call), how, signal)
  }

  #isReshaped(fitted: Call, {outputs}: Call): boolean {
    const inferred = this.#inferred(fitted)
    const isAsTold = ({name, shape}: TensorSpec, at: number) =>
      [outputs[at]!.shape, inferred.get(name)].some((one) => String(one) === String(shape))
    return outputs.length !== fitted.outputs.length || !fitted.outputs.every(isAsTold)
  }

  #inferred(call: Call): ReadonlyMap<string, Shape> {
    return this.#subject.inferred?.(call) ?? new Map()
  }

  #shortened(call: Call, written: readonly number[], base: Shape): Call {
    const inferred = this.#inferred(call)
    const shapes = reductions.map((role) => role.shape(base))
    const outputs = call.outputs.flatMap((spec, at): TensorSpec[] => {
      const count = written[at] as number
      if (count === 0) return []
      if (count === elementCount(spec.shape)) return [spec]
      const own = inferred.get(spec.name)
      const known = [...(own ? [own] : []), ...shapes].find((shape) => elementCount(shape) === count)
      return [{...spec, shape: [...(known ?? [count])]}]
    })
    return {...call, outputs}
  }

  #drawn({inputs, attributes, outputs}: Call): OperatorCase {
    const {seed} = this.#subject
    return operatorCase({seed, inputs: [...inputs], attributes, outputs: [...outputs]}, 'scenario')
  }
}

const rounds = 4

/** A test that was written for one type passes values that another type rounds away: 65536 in float16. */
function holdsValues({dtype, values}: DrawnInput): boolean {
  if (!values) return true
  if (!isInteger(dtype)) return values.every((one) => !Number.isFinite(one) || Math.abs(one) <= largestOf(dtype))
  const [least, most] = valueRange(dtype)
  return values.every((one) => Number.isInteger(one) && one >= least && one <= most)
}

/** Tests of tilings and of inference pass shapes that no kernel is run with. */
function isRunElsewhere({contract, place}: CallOrigin): boolean {
  return contract === 'example' && !/tiling|infer_?shape/i.test(place?.path ?? '')
}

function describe({inputs, attributes}: Call): string {
  const tensors = inputs.map(({dtype, shape}) => `${dtype}[${shape.join(', ')}]`)
  return `${tensors.join(' ')} ${JSON.stringify(attributes)}`
}

/** Inputs of which the cores read less than they hold; of a list, all its tensors together. */
function unreadInputs({inputs}: Call, run: Run): NonNullable<Scenario['unread']> {
  const bytes = ({dtype, shape}: TensorSpec) => dtypeBytes[dtype] * elementCount(shape)
  return [...new Set(inputs.map(({name}) => name))].flatMap((tensor) => {
    const seen = run.inputs?.filter(({name}) => name === tensor) ?? []
    const held = inputs.filter(({name}) => name === tensor).reduce((sum, one) => sum + bytes(one), 0)
    const read = seen.reduce((sum, {readBytes}) => sum + readBytes, 0)
    return seen.length > 0 && read < held ? [{tensor, held, read}] : []
  })
}

const unserved = (message: string): End => ({ok: false, outcome: 'unserved', message})

function refusalOf(run: Exclude<Execution, Run>): Refusal {
  if (run.outcome === 'violated')
    return {outcome: 'violated', message: `${run.violation.rule}: ${run.violation.message}`}
  if (run.outcome === 'launch-failed') return {outcome: 'launch-failed', message: run.message}
  if (run.outcome === 'crashed') return {outcome: 'crashed', message: run.cause}
  return {outcome: 'timed-out', message: `more than ${run.limitSeconds} s`}
}

function digestsOf({outputs}: Run): string[] {
  return outputs.map((bytes) => createHash('sha256').update(bytes).digest('hex'))
}

/**
 * Elements of an output that a launch wrote, by two runs over different patterns: all up to the last one that came out
 * equal; undefined when one before it did not.
 */
function writtenElements(spec: TensorSpec, a: Uint8Array | undefined, b: Uint8Array | undefined): number | undefined {
  if (!a || !b) return undefined
  const step = dtypeBytes[spec.dtype]
  const count = elementCount(spec.shape)
  if (Buffer.compare(a, b) === 0) return count
  const equal = (at: number) => a.subarray(at * step, (at + 1) * step).every((byte, i) => byte === b[at * step + i])
  let end = count
  while (end > 0 && !equal(end - 1)) end -= 1
  for (let at = 0; at < end; at += 1) if (!equal(at)) return undefined
  return end
}

/** A launch that went past an output's end is tried with twice the length; undefined where it broke something else. */
function lengthened(call: Call, {rule, tensor}: Violation): Call | undefined {
  const named = (spec: TensorSpec) => rule === 'gm-out-of-range' && spec.name === tensor
  const inPlace = call.inputs.some(({name}) => name === tensor)
  if (inPlace || !call.outputs.some(named)) return undefined
  const longer = (shape: readonly number[]) =>
    shape.length === 0 ? [2] : [...shape.slice(0, -1), (shape.at(-1) ?? 1) * 2]
  return {...call, outputs: call.outputs.map((spec) => (named(spec) ? {...spec, shape: longer(spec.shape)} : spec))}
}
