import {createHash} from 'node:crypto'
import type {Build, Executor} from '../../../datasets/schema/executor.ts'
import type {SourceFile} from '../../../datasets/schema/operator.ts'
import type {HostKernelPair, Scenario} from '../../../datasets/schema/scenario.ts'
import type {TensorSpec} from '../../../datasets/schema/tensor.ts'
import {operatorCase} from '../../facts/operator-case.ts'

/** Whether an output is as good as the expected one; both are the output's bytes. */
export type Close = (output: TensorSpec, expected: Uint8Array, found: Uint8Array) => boolean

export interface Judging {
  pair: HostKernelPair
  executor: Executor
  signal: AbortSignal
}

/** Why files do not give what the pair's scenario, and further ones, gave to the bit; undefined when they do. */
export async function otherThanRecorded(
  files: readonly SourceFile[],
  {pair, more = [], executor, signal}: Judging & {more?: readonly Scenario[] | undefined},
): Promise<string | undefined> {
  const program = new BuiltOnce(files, executor, signal)
  try {
    for (const scenario of [pair.scenario, ...more]) {
      const seen = await program.outputs({...pair, scenario}, scenario.seed)
      if (typeof seen === 'string') return seen
      const digests = seen.map((bytes) => createHash('sha256').update(bytes).digest('hex'))
      if (digests.join() !== scenario.digests.join()) return 'other outputs than recorded'
    }
    return undefined
  } finally {
    await program.close()
  }
}

/** Why files are not right for a pair's scenario; undefined when they are, with its seed and with one more. */
export async function faultOf(
  files: readonly SourceFile[],
  {right, close, pair, executor, signal}: Judging & {right: readonly SourceFile[]; close: Close},
): Promise<string | undefined> {
  const [expected, found] = [new BuiltOnce(right, executor, signal), new BuiltOnce(files, executor, signal)]
  try {
    for (const seed of [pair.scenario.seed, `${pair.scenario.seed}, again`]) {
      const known = await expected.outputs(pair, seed)
      // With other values than the recorded ones, the operator itself may not run.
      if (typeof known === 'string') continue
      const seen = await found.outputs(pair, seed)
      if (typeof seen === 'string') return seen
      const wrong = pair.scenario.outputs.find(
        (output, index) => !close(output, known[index] as Uint8Array, seen[index] ?? new Uint8Array()),
      )
      if (wrong) return `other values in ${wrong.name}`
    }
    return undefined
  } finally {
    await expected.close()
    await found.close()
  }
}

/** A program that is built when it first runs. */
export class BuiltOnce {
  readonly #files: readonly SourceFile[]
  readonly #executor: Executor
  readonly #signal: AbortSignal
  #build: Build | undefined

  constructor(files: readonly SourceFile[], executor: Executor, signal: AbortSignal) {
    this.#files = files
    this.#executor = executor
    this.#signal = signal
  }

  async outputs({operator, scenario}: HostKernelPair, seed: string): Promise<Uint8Array[] | string> {
    if (!this.#build) {
      const program = {operator, files: this.#files, dtypes: scenario.dtypes}
      const built = await this.#executor.build(program, this.#signal)
      if (!built.ok) {
        const log = 'log' in built.verdict ? built.verdict.log : ''
        return `${built.verdict.outcome}: ${/^.*\berror:.*$/m.exec(log)?.[0].trim().slice(0, 300) ?? ''}`
      }
      this.#build = built.build
    }
    const how = {tolerant: scenario.tolerated !== undefined}
    const given = operatorCase({...scenario, seed}, 'scenario')
    const run = await this.#executor.execute(this.#build, given, how, this.#signal)
    if (run.outcome === 'ran') return run.outputs
    return run.outcome === 'violated' ? `${run.outcome}: ${run.violation.rule}` : run.outcome
  }

  async close(): Promise<void> {
    await this.#build?.dispose()
  }
}
