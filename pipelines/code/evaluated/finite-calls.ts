import {decode, isInteger} from '../../../datasets/dtype.ts'
import type {SourceFile} from '../../../datasets/schema/operator.ts'
import type {DrawnCall, DrawnInput} from '../../../datasets/schema/operator-call.ts'
import {BuiltOnce, type Judging} from './judged-files.ts'

/** Where many functions are real that are not so everywhere: roots and logarithms, arc sines, inverse hyperbolics. */
const ranges: readonly (readonly [number, number])[] = [
  [0.0625, 4],
  [-0.9375, 0.9375],
  [1.0625, 4],
]

/**
 * Calls of a pair with floats drawn from where its outputs are finite: a benchmark's own rule passes no others. As they
 * are when they are so there, or in none of the ranges.
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
