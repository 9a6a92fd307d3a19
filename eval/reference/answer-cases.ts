import {decode, encode, isInteger, roundTo, valueRange} from '../../datasets/dtype.ts'
import type {Build, ExecuteOptions, Executor} from '../../datasets/schema/executor.ts'
import type {DrawnCall, DrawnInput} from '../../datasets/schema/operator-call.ts'
import type {OperatorCase, OperatorTask} from '../../datasets/schema/task.ts'
import type {Dtype, Tensor} from '../../datasets/schema/tensor.ts'
import {PipelineError} from '../../engine/errors.ts'
import {canonicalJson, contentId} from '../../engine/ids.ts'
import {randomFrom} from '../../engine/random.ts'
import type {CaseSource, OpenCases} from '../cases.ts'
import {describeStop} from '../run-case.ts'
import {compareOutputs} from './compare-outputs.ts'
import {drawValues, halfAlike, type InputFamily} from './inputs.ts'
import {byteLengths, Known} from './known.ts'
import {caseId} from './typescript.ts'

/** A task's own answer cannot serve as a reference. Says nothing about any candidate. */
export class UnfitAnswer extends PipelineError {
  /** Kebab-case. */
  readonly reason: string

  constructor(reason: string, detail: string) {
    super('input-invalid', detail, {fix: 'Skip the task: its own answer cannot serve as a reference.'})
    this.reason = reason
  }
}

/**
 * Opens tasks whose expected outputs are what their own answer computes: verified code, which the same executor runs on
 * the same inputs in a separate process, after the candidate. It is run twice, with other memory content and reversed
 * block order: outputs that depend on either are not a reference. Results are cached for the next candidate, so that an
 * answer is usually built once per task.
 */
export function answerCases(executor: Executor, mostBytes = 1 << 28): OpenCases {
  const known = new Known<Uint8Array[]>(mostBytes, byteLengths)
  return ({task}, given, skip) => {
    const calls = callsOf(task)
    const answer = new Answer(task, executor)
    const callOf = (row: OperatorTask['cases'][number]) => {
      const call = calls[caseId(row)]
      if (call) return call
      throw new TypeError(`${task.name}: case ${caseId(row)} has no call`)
    }
    const rows = given.filter((row) => {
      if (calls[caseId(row)]) return true
      skip(row, 'case-without-call', `${task.name}: nothing says how case ${caseId(row)} is called`)
      return false
    })
    const source: CaseSource = {
      rows,
      dtypes: (row) => callOf(row).dtypes,
      prepare(row, family, seed) {
        const call = callOf(row)
        const operatorCase = drawnCase(call, {id: caseId(row), family, seed})
        return Promise.resolve({
          operatorCase,
          async compare(seen, {literal}) {
            const key = contentId([answer.id, call, caseId(row), family, seed])
            const bytes = await known.get(key, () => answer.outputs(operatorCase, call.dtypes))
            const {outputs: specs} = operatorCase
            const expected = specs.map(({dtype}, at) => decode(bytes[at] ?? new Uint8Array(), dtype))
            return compareOutputs({specs, seen, expected}, {literal})
          },
          discard: () => Promise.resolve(),
        })
      },
      // Another size would be another call, and it is unknown which ones the answer is meant for.
      fresh: () => Promise.resolve(undefined),
      close: () => answer.close(),
    }
    return Promise.resolve(source)
  }
}

function callsOf({name, reference}: OperatorTask): Readonly<Record<string, DrawnCall>> {
  if (reference.kind === 'answer') return reference.calls
  throw new TypeError(`${name} has a reference besides its answer`)
}

interface Draw {
  id: string
  family: InputFamily
  seed: readonly (string | number)[]
}

/** The call with inputs of a family, none outside the call's range; given values are kept. */
export function drawnCase({inputs, attributes, outputs}: DrawnCall, {id, family, seed}: Draw): OperatorCase {
  const first = new Map<Dtype, Float64Array>()
  const tensors = inputs.map((input, at): Tensor => {
    const {name, dtype, shape, values} = input
    // Tensors of a list share a name, but have their own values.
    const place = inputs.slice(0, at).filter((one) => one.name === name).length
    const random = randomFrom(...seed, id, family, name, place)
    const drawn = values
      ? givenValues(values, dtype)
      : drawValues({name, dtype, shape}, family, random, domainOf(input))
    const other = family === 'alike' && !values ? first.get(dtype) : undefined
    if (!first.has(dtype)) first.set(dtype, drawn)
    const held = other ? halfAlike(drawn, {other, random, domain: domainOf(input)}) : drawn
    return {name, dtype, shape, data: encode(held, dtype)}
  })
  return {id, inputs: tensors, attributes, outputs}
}

const givenValues = (values: readonly number[], dtype: Dtype) =>
  isInteger(dtype) ? Float64Array.from(values) : roundTo(values, dtype)

/** Integers of a call are drawn from real numbers and rounded away from 0. */
function domainOf({dtype, range: [low, high]}: DrawnInput): readonly [number, number] {
  if (!isInteger(dtype)) return [low, high]
  const [least, most] = valueRange(dtype)
  const held = (value: number) => Math.min(Math.max(value < 0 ? Math.floor(value) : Math.ceil(value), least), most)
  return [held(low), held(high)]
}

const runs: readonly Required<Pick<ExecuteOptions, 'poison' | 'order'>>[] = [
  {poison: 'nan', order: 'forward'},
  {poison: 'zero', order: 'reverse'},
]

/** A task's own answer as a program, built for each requested combination of dtypes. */
class Answer {
  readonly id: string
  readonly #task: OperatorTask
  readonly #executor: Executor
  readonly #builds = new Map<string, Promise<Build>>()

  constructor(task: OperatorTask, executor: Executor) {
    this.id = contentId([task.name, task.answer])
    this.#task = task
    this.#executor = executor
  }

  /** @throws UnfitAnswer when it does not run, or two runs differ in a bit */
  async outputs(operatorCase: OperatorCase, dtypes: Readonly<Record<string, Dtype>>): Promise<Uint8Array[]> {
    const build = await this.#build(dtypes)
    const found: Uint8Array[][] = []
    for (const how of runs) {
      const run = await this.#executor.execute(build, operatorCase, how)
      if (run.outcome !== 'ran') throw new UnfitAnswer('answer-does-not-run', describeStop(run))
      found.push(run.outputs)
    }
    const [first = [], second = []] = found
    const differs = operatorCase.outputs.find((_, at) => !isSame(first[at], second[at]))
    if (differs) throw new UnfitAnswer('answer-unsteady', `two runs of the answer differ in ${differs.name}`)
    return first
  }

  async close(): Promise<void> {
    for (const building of this.#builds.values()) {
      const build = await building.catch(() => undefined)
      await build?.dispose()
    }
    this.#builds.clear()
  }

  #build(dtypes: Readonly<Record<string, Dtype>>): Promise<Build> {
    const key = canonicalJson(dtypes)
    const known = this.#builds.get(key) ?? this.#made(dtypes)
    this.#builds.set(key, known)
    return known
  }

  async #made(dtypes: Readonly<Record<string, Dtype>>): Promise<Build> {
    const {name, answer} = this.#task
    const attempt = await this.#executor.build({operator: name, files: answer, dtypes})
    if (attempt.ok) return attempt.build
    throw new UnfitAnswer('answer-does-not-build', attempt.verdict.outcome)
  }
}

function isSame(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  return a !== undefined && b !== undefined && Buffer.compare(a, b) === 0
}
