import {availableParallelism} from 'node:os'
import type {Executor} from '../../../datasets/schema/executor.ts'
import type {DrawnCall, DrawnInput} from '../../../datasets/schema/operator-call.ts'
import {CalledPair} from '../../../datasets/schema/scenario.ts'
import {OperatorTask} from '../../../datasets/schema/task.ts'
import {each, type Context, type Stage} from '../../../engine/stage.ts'
import type {Inline} from '../specialise/host-files.ts'
import {fullForm} from './full-form.ts'
import {purposeText, requestedTask, speakerOf} from './requested-task.ts'
import {decode, isInteger} from '../../../datasets/dtype.ts'
import type {SourceFile} from '../../../datasets/schema/operator.ts'
import {BuiltOnce, type Judging} from './judged-files.ts'

interface PairTasksOptions {
  executor: Executor
  inline: Inline
  /** Longest answer, in UTF-8 bytes. Default 60,000: what a training context holds. */
  mostBytes?: number
}

/**
 * Host-kernel pair → the task of writing it, a case for each call: the request in the form in which a benchmark asks
 * for a whole operator, and for an answer the pair in three files, built and run here. What it computes is the task's
 * reference. Drops: `entry-named-otherwise`, `tiling-in-no-header`, `host-in-pieces`, `definition-unread`,
 * `source-too-long` and `whole-not-right` as the three files do; `purpose-unknown` and `no-definition` if there is
 * nothing to request.
 */
export default function pairTasks(options: PairTasksOptions): Stage<CalledPair, OperatorTask> {
  const {executor, mostBytes = 60_000} = options
  return {
    name: 'pair-tasks',
    version: 2,
    options: {executor: executor.identity, mostBytes},
    input: CalledPair,
    output: OperatorTask,
    run: each((called, context) => taskOf(called, {...options, mostBytes}, context), {
      concurrency: availableParallelism(),
    }),
  }
}

type Options = PairTasksOptions & {mostBytes: number}

async function taskOf(called: CalledPair, options: Options, context: Context): Promise<readonly OperatorTask[]> {
  const {pair, more} = called
  const {operator, origin} = pair
  const solved = await fullForm(pair, {...options, more, signal: context.signal})
  if (!solved.ok) return context.drop(called, solved.reason, solved.detail)
  const speaker = speakerOf({pair, form: 'full'}, context)
  const purpose = purposeText(pair, solved.solution.facts, speaker)
  if (purpose === undefined) return context.drop(called, 'purpose-unknown', operator)
  const requested = requestedTask(pair, purpose, speaker, more)
  if (!requested) return context.drop(called, 'no-definition', operator)
  const {files} = solved.solution
  const given = [pair.scenario, ...more].map(
    ({dtypes, inputs, attributes, outputs}): DrawnCall => ({dtypes, inputs, attributes, outputs}),
  )
  const calls = await finiteCalls(files, given, {pair, executor: options.executor, signal: context.signal})
  return [
    {
      ...requested,
      origin,
      level,
      category: categoryOf(origin.path),
      reference: {kind: 'answer', calls: Object.fromEntries(calls.map((call, at) => [String(at), call]))},
      answer: [...files],
    },
  ]
}

/** Levels are a benchmark's own measure, and nothing is scored by that of a training task. */
const level = 1

/** Repositories sort operators into folders: `math/add` is of `math`. */
function categoryOf(path: string): string {
  return path.split('/').at(-2) ?? 'operators'
}

/** Where many functions are real that are not so everywhere: roots and logarithms, arc sines, inverse hyperbolics. */
const ranges: readonly (readonly [number, number])[] = [
  [0.0625, 4],
  [-0.9375, 0.9375],
  [1.0625, 4],
]

/**
 * Calls of a pair with floats drawn from where its outputs are finite: a benchmark's own rule accepts no others.
 * Unchanged if they already are finite, or in none of the ranges.
 */
export async function finiteCalls(
  files: readonly SourceFile[],
  calls: readonly DrawnCall[],
  {pair, executor, signal}: Judging,
): Promise<readonly DrawnCall[]> {
  const program = new BuiltOnce(files, executor, signal)
  try {
    for (const tried of [calls, ...ranges.map((range) => calls.map((call) => within(call, range)))]) {
      if (await areFinite(tried)) return tried
    }
    return calls
  } finally {
    await program.close()
  }

  async function areFinite(tried: readonly DrawnCall[]): Promise<boolean> {
    for (const call of tried) {
      const seen = await program.outputs({...pair, scenario: {...pair.scenario, ...call}}, pair.scenario.seed)
      if (typeof seen === 'string') return false
      const values = call.outputs.map(({dtype}, at) => decode(seen[at] ?? new Uint8Array(), dtype))
      if (!values.every((output) => output.every(Number.isFinite))) return false
    }
    return true
  }
}

function within({inputs, ...call}: DrawnCall, [low, high]: readonly [number, number]): DrawnCall {
  const drawn = inputs.map(
    (input): DrawnInput => (input.values || isInteger(input.dtype) ? input : {...input, range: [low, high]}),
  )
  return {...call, inputs: drawn}
}
