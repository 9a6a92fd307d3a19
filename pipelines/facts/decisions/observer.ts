import {decode, isInteger} from '../../../datasets/dtype.ts'
import type {Observation} from '../../../datasets/schema/decision.ts'
import type {Build, Execution, Executor, Program, RunTrace} from '../../../datasets/schema/executor.ts'
import type {OperatorProject, SourceFile} from '../../../datasets/schema/operator.ts'
import type {HostKernelPair, Scenario} from '../../../datasets/schema/scenario.ts'
import {elementCount, type TensorSpec} from '../../../datasets/schema/tensor.ts'
import {executed} from '../executed.ts'
import {operatorCase} from '../operator-case.ts'

export interface Observing {
  executor: Executor
  /** Files of an operator as an executor builds them: host code may include files above its folder. */
  program(operator: Pick<OperatorProject, 'origin' | 'operator' | 'host' | 'kernel'>): Program
  /** Whether an output is as good as the expected one, and its worst element; both are the output's bytes. */
  compared(output: TensorSpec, expected: Uint8Array, found: Uint8Array): {ok: boolean; worst?: {index: number}}
  /** Modelled microseconds of a run; undefined where the model lacks something. */
  modelled(trace: RunTrace): number | undefined
}

/** Magnitude of inputs that are large: exponentials and squares of them leave every float type. */
const large = 1000

/** Elements of the call that times are modelled for. */
const longCall = 1 << 18

/** Runs a pair's program on its call, with large values and on a longer call, and alternatives to it. */
export class Observer {
  readonly #options: Observing
  readonly #pair: HostKernelPair
  readonly #signal: AbortSignal
  readonly #calls: {call: Scenario; large: Scenario | undefined; long: Scenario | undefined}
  #known: Promise<Known | undefined> | undefined

  constructor(options: Observing, pair: HostKernelPair, signal: AbortSignal) {
    this.#options = options
    this.#pair = pair
    this.#signal = signal
    const {scenario} = pair
    this.#calls = {call: scenario, large: largeCall(scenario), long: longerCall(scenario)}
  }

  /** What the pair's own program gives; undefined where it does not run. */
  known(): Promise<Known | undefined> {
    this.#known ??= this.#built([...this.#pair.host, this.#pair.kernel], async (run) => {
      const call = await run(this.#calls.call, true)
      if (call.outcome !== 'ran') return undefined
      const [big, long] = [await ran(run, this.#calls.large), await ran(run, this.#calls.long)]
      return {call, large: big, long}
    }).then((found) => (typeof found === 'string' ? undefined : found))
    return this.#known
  }

  /**
   * What another program does where the pair's own runs.
   * @param isTimed whether the long call is run as well, or only if its cores have several tiles
   */
  async observe(
    files: readonly SourceFile[],
    isTimed: boolean | 'by-tiles',
  ): Promise<{observed: Observation; modelled?: {before: number; after: number; elements: number}} | undefined> {
    const known = await this.known()
    if (!known) return undefined
    const found = await this.#built(files, async (run) => {
      const observed = await this.#compared(run, known)
      const isLong = isTimed === 'by-tiles' ? hasTiles(known.long) : isTimed
      const modelled = isLong && isSame(observed) ? await this.#timed(run, known) : undefined
      return {observed, ...(modelled && {modelled})}
    })
    if (found === '') return undefined
    return typeof found === 'string' ? {observed: {outcome: 'not-built', message: found}} : found
  }

  async #compared(run: Run, known: Known): Promise<Observation> {
    const call = await run(this.#calls.call)
    if (call.outcome !== 'ran') return stopped(call)
    const own = this.#difference('call', known.call, call)
    if (own?.outcome === 'wrong' || !this.#calls.large || !known.large) return own ?? {outcome: 'equal', large: false}
    const big = await run(this.#calls.large)
    if (big.outcome !== 'ran') return own ?? stopped(big)
    const other = this.#difference('large', known.large, big)
    return other?.outcome === 'wrong' ? other : (own ?? other ?? {outcome: 'equal', large: true})
  }

  async #timed(run: Run, {call, long}: Known) {
    // A lookup takes no longer with more rows to look into.
    if (!long || !this.#calls.long || moved(long) < 1.5 * moved(call)) return undefined
    const other = await run(this.#calls.long)
    if (other.outcome !== 'ran') return undefined
    const [before, after] = [long, other].map(({trace}) => this.#options.modelled(trace))
    const {inputs, outputs} = this.#calls.long
    const elements = Math.max(...[...inputs, ...outputs].map(({shape}) => elementCount(shape)))
    return before === undefined || after === undefined ? undefined : {before, after, elements}
  }

  #difference(inputs: 'call' | 'large', expected: Ran, found: Ran): Extract<Observation, {differ: number}> | undefined {
    const scenario = this.#calls[inputs] as Scenario
    for (const [at, output] of scenario.outputs.entries()) {
      const [right, other] = [expected.outputs[at], found.outputs[at]]
      if (!right || !other || Buffer.compare(right, other) === 0) continue
      const {ok, worst: named} = this.#options.compared(output, right, other)
      const worst = worstOf(decode(right, output.dtype), decode(other, output.dtype), named?.index)
      if (!worst) continue
      const outcome = ok ? 'close' : 'wrong'
      return {outcome, inputs, output: output.name, ...worst, at: heldAt(scenario, output, worst.index)}
    }
    return undefined
  }

  async #built<T>(files: readonly SourceFile[], use: (run: Run) => Promise<T>): Promise<T | string> {
    const {executor, program} = this.#options
    const {origin, operator, scenario, kernel: own} = this.#pair
    const [host, kernel] = [files.filter(({path}) => path !== own.path), files.filter(({path}) => path === own.path)]
    const made = {...program({origin, operator, host, kernel}), dtypes: scenario.dtypes}
    const built = await executor.build(made, this.#signal)
    // What an executor does not cover says nothing about the program.
    if (!built.ok) return built.verdict.outcome === 'compile-failed' ? messageOf(built.verdict.log) : ''
    try {
      return await use((call, traced) => this.#execute(built.build, call, traced))
    } finally {
      await built.build.dispose()
    }
  }

  #execute(build: Build, call: Scenario, traced = false): Promise<Execution> {
    const how = {tolerant: call.tolerated !== undefined, ...(traced && {traced})}
    return executed(this.#options.executor, build, operatorCase(call, 'scenario'), how, this.#signal)
  }
}

type Run = (call: Scenario, traced?: boolean) => Promise<Execution>
type Ran = Extract<Execution, {outcome: 'ran'}>

interface Known {
  call: Ran
  large: Ran | undefined
  long: Ran | undefined
}

async function ran(run: Run, call: Scenario | undefined): Promise<Ran | undefined> {
  const found = call && (await run(call))
  return found?.outcome === 'ran' ? found : undefined
}

/** Bytes of global memory that all cores read and write. */
const moved = ({trace}: Ran) => trace.blocks.reduce((sum, one) => sum + one.readBytes + one.writtenBytes, 0)

const hasTiles = (one: Ran | undefined) => one?.trace.blocks.some(({work}) => (work?.tiles ?? 0) > 1) === true

const isSame = ({outcome}: Observation) => outcome === 'equal' || outcome === 'close'

const messageOf = (log: string) => (/^.*?\berror: (.*)$/m.exec(log)?.[1] ?? log).trim().slice(0, 300)

function stopped(found: Exclude<Execution, {outcome: 'ran'}>): Observation {
  if (found.outcome !== 'violated') return {outcome: 'stopped', how: found.outcome}
  const {rule, api, message} = found.violation
  return {outcome: 'refused', rule, api, message}
}

/** Below the smallest normal value of half, its neighbours differ by much of their value. */
const smallest = 2 ** -14

const told = (value: number) => (Number.isFinite(value) ? value : String(value))

/**
 * The element that the comparison names; where that is none that differs, the one that differs most of its value. A
 * non-finite one comes before all others, but not where a non-finite one was expected.
 */
function worstOf(expected: Float64Array, found: Float64Array, named?: number) {
  let [index, worst, differ] = [-1, -1, 0]
  for (const [at, right] of expected.entries()) {
    const seen = found[at] ?? NaN
    if (Number.isNaN(right) || Object.is(right, seen) || right === seen) continue
    differ += 1
    const apart = Number.isFinite(seen) ? Math.abs(seen - right) / Math.max(Math.abs(right), smallest) : Infinity
    if (at === named || (index !== named && apart > worst)) [index, worst] = [at, apart]
  }
  if (index < 0) return undefined
  const [seen, right] = [found[index] as number, expected[index] as number]
  return {index, seen: told(seen), expected: told(right), differ, of: expected.length}
}

/** What all inputs hold at a place of the output; none where one of them does not tell which of its elements enter. */
export function heldAt(scenario: Scenario, output: TensorSpec, index: number): [string, number][] {
  const held = operatorCase(scenario, 'scenario').inputs.map(({name, dtype, data, shape}): [string, number] => {
    const at = placeIn(shape, output.shape, index)
    return [name, at === undefined ? NaN : (decode(data, dtype)[at] as number)]
  })
  return held.every(([, value]) => Number.isFinite(value)) ? held : []
}

/** The element that belongs to one of the output's: as many, one row for all, one a row, or one for all. */
function placeIn(shape: readonly number[], output: readonly number[], index: number): number | undefined {
  const [count, all] = [elementCount(shape), elementCount(output)]
  if (count === all) return index
  if (count === 1) return 0
  const own = shape.filter((length, at) => length > 1 || shape.slice(0, at).some((one) => one > 1))
  const isLast = own.every((length, at) => length === output.at(at - own.length))
  const rows = shape.slice(0, shape.findLastIndex((length) => length > 1) + 1)
  const isFirst = rows.every((length, at) => length === output[at])
  if (isLast === isFirst) return undefined
  return isLast ? index % count : Math.floor(index / (all / count))
}

/** The call with values of any size, on the side of 0 on which they were; undefined without floats to draw. */
function largeCall(scenario: Scenario): Scenario | undefined {
  const isDrawn = (input: Scenario['inputs'][number]) => !input.values && !isInteger(input.dtype)
  if (!scenario.inputs.some(isDrawn)) return undefined
  const inputs = scenario.inputs.map((input): Scenario['inputs'][number] => {
    const [low, high] = input.range
    return isDrawn(input) ? {...input, range: [low < 0 ? -large : low, high > 0 ? large : high]} : input
  })
  return {...scenario, seed: `${scenario.seed}, large`, inputs}
}

/**
 * The call with more of its first axis, where several tensors may share it; undefined where values are given, or where
 * there is no input, as of a range, whose length its attributes tell.
 */
function longerCall(scenario: Scenario): Scenario | undefined {
  const {inputs, outputs} = scenario
  if (inputs.length === 0) return undefined
  const widest = inputs.reduce((one, other) => (elementCount(other.shape) > elementCount(one.shape) ? other : one), {
    shape: [1],
  } as TensorSpec)
  const factor = Math.floor(longCall / elementCount(widest.shape))
  const [first] = widest.shape
  if (factor < 2 || first === undefined || inputs.some(({values}) => values)) return undefined
  const grown = <T extends TensorSpec>(one: T): T =>
    one.shape[0] === first && one.shape.length === widest.shape.length
      ? {...one, shape: [first * factor, ...one.shape.slice(1)]}
      : one
  return {...scenario, inputs: inputs.map(grown), outputs: outputs.map(grown)}
}
