import {decode, encode, isInteger, roundTo, valueRange} from '../../../datasets/dtype.ts'
import type {Build, Execution, Executor} from '../../../datasets/schema/executor.ts'
import type {OperatorCase} from '../../../datasets/schema/task.ts'
import type {Tensor} from '../../../datasets/schema/tensor.ts'
import {elementsOf, exampleProgram} from './example-program.ts'
import {type Call, callsOf, type Operand} from './example-call.ts'
import {readPageResult} from './page-result.ts'
import {departure, expectationOf, filled, isFarFrom, wholeOf} from './stated-values.ts'

/**
 * How a page's example went. `reproduced`: every value that the page gives came out. `differs`: another value came out
 * where the page's place and inputs leave no doubt. `undecided`: the page tells too little to run it, or to judge.
 */
export interface ExampleRun {
  outcome: 'reproduced' | 'differs' | 'undecided'
  detail: string
}

/** Elements of an operand, at most: six of four bytes fit the unified buffer. */
const mostElements = 4096

/**
 * Runs the statements of an example with the values that its page gives, under every guess at the element types that
 * holds them.
 * @param result the text in which the page gives values of inputs and outputs
 */
export async function runExample(
  code: string,
  result: string,
  executor: Executor,
  signal: AbortSignal,
): Promise<ExampleRun> {
  const stated = readPageResult(result)
  if (!stated) return {outcome: 'undecided', detail: 'the values cannot be read'}
  const ends: ExampleRun[] = []
  for (const call of callsOf(code, stated)) {
    const end = await tryCall(call, code, executor, signal)
    if (end?.outcome === 'reproduced') return end
    if (end) ends.push(end)
  }
  const doubtful = ends.find(({outcome}) => outcome === 'undecided')
  return doubtful ?? ends[0] ?? {outcome: 'undecided', detail: 'the page does not tell all that the example needs'}
}

/** Undefined where the types are not the page's: they do not hold its values, or no such call exists. */
async function tryCall(
  call: Call,
  code: string,
  executor: Executor,
  signal: AbortSignal,
): Promise<ExampleRun | undefined> {
  const count = countOf(call, code)
  if (count > mostElements) return {outcome: 'undecided', detail: `${count} elements`}
  if (!call.operands.every((operand) => holdsStated(operand, count))) return undefined
  const results = call.operands.filter(({stated}) => stated.some(({role}) => role === 'output'))
  const built = await executor.build(exampleProgram(call, results, count), signal)
  if (!built.ok) return undefined
  try {
    return await judge(built.build, {call, results, count}, executor, signal)
  } finally {
    await built.build.dispose()
  }
}

interface Prepared {
  call: Call
  results: readonly Operand[]
  count: number
}

/**
 * What the page leaves out of its inputs is filled in two ways: a value that depends on it proves nothing against the
 * page.
 */
async function judge(
  build: Build,
  {call, results, count}: Prepared,
  executor: Executor,
  signal: AbortSignal,
): Promise<ExampleRun> {
  const found: Float64Array[][] = []
  for (const way of [0, 1]) {
    const how = {poison: way === 0 ? 'nan' : 'zero'} as const
    const run = await executor.execute(build, caseOf({call, results, count}, way), how, signal)
    if (run.outcome !== 'ran') return {outcome: 'undecided', detail: describe(run)}
    found.push(run.outputs.map((bytes, index) => decode(bytes, results[index]!.dtype)))
  }
  const ends = results.map((operand, index) => {
    const end = compare(operand, found[0]![index]!, found[1]![index]!)
    return end.outcome === 'differs' && isWrittenOften(call, operand) ? {...end, outcome: 'undecided' as const} : end
  })
  const worst = ends.find(({outcome}) => outcome === 'differs') ?? ends.find(({outcome}) => outcome === 'undecided')
  return worst ?? {outcome: 'reproduced', detail: ''}
}

function compare({name, dtype, stated}: Operand, found: Float64Array, again: Float64Array): ExampleRun {
  for (const one of stated.filter(({role}) => role === 'output')) {
    const [first, second] = [departure(found, one, dtype), departure(again, one, dtype)]
    if (first === undefined && second === undefined) continue
    if (first === undefined || first < 0 || first !== second || !Object.is(found[first], again[first]))
      return {outcome: 'undecided', detail: `${name}: what the page leaves out decides`}
    const written = expectationOf(one).head[first]!
    const value = found[first]!
    const detail = `${name}[${first}]: ${written.value} on the page, ${value} found (${dtype})`
    return {outcome: isFarFrom(value, written) ? 'differs' : 'undecided', detail}
  }
  return {outcome: 'reproduced', detail: ''}
}

/** Whether several calls of the example write an operand: the page does not say which of them its result is of. */
function isWrittenOften({text}: Call, {name}: Operand): boolean {
  return (text.match(new RegExp(String.raw`\(\s*${name}\s*,`, 'g')) ?? []).length > 1
}

function caseOf({call, results, count}: Prepared, way: number): OperatorCase {
  return {
    id: `page-${way}`,
    inputs: call.operands.map((operand) => inputOf(operand, count, way)),
    attributes: {},
    outputs: results.map(({name, dtype}) => ({name: `${name}Result`, dtype, shape: [count]})),
  }
}

function inputOf(operand: Operand, most: number, way: number): Tensor {
  const {name, dtype, stated} = operand
  const count = elementsOf(operand, most)
  const given = stated.find(({role}) => role === 'initial') ?? stated.find(({role}) => role === 'input')
  const raw = given ? filled(given, count, way) : Array<number>(count).fill(way)
  const values = isInteger(dtype) ? raw : roundTo(raw, dtype)
  return {name, dtype, shape: [count], data: encode(values, dtype)}
}

/** Elements that every operand gets: what the page's values or the numbers of its code ask for at most. */
function countOf({operands}: Call, code: string): number {
  const stated = operands.flatMap((operand) => operand.stated)
  const lengths = stated.map((one) => wholeOf(one, undefined)?.length ?? one.runs.flat().length)
  const numbers = (code.match(/(?<![\w.])\d{1,5}(?![\w.])/g) ?? []).map(Number)
  const most = Math.max(64, ...lengths, ...numbers)
  return Math.ceil(most / 32) * 32
}

function holdsStated({dtype, stated}: Operand, count: number): boolean {
  if (!isInteger(dtype)) return true
  const [least, most] = valueRange(dtype)
  const holds = (value: number) => Number.isInteger(value) && value >= least && value <= most
  return stated.every((one) => (wholeOf(one, count) ?? one.runs.flat().map(({value}) => value)).every(holds))
}

function describe(run: Exclude<Execution, {outcome: 'ran'}>): string {
  if (run.outcome === 'violated') return `${run.violation.rule}: ${run.violation.message}`
  return run.outcome === 'launch-failed' ? run.message : run.outcome
}
