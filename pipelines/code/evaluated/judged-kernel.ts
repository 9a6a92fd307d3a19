import type {Build, Executor} from '../../../datasets/schema/executor.ts'
import type {SourceFile} from '../../../datasets/schema/operator.ts'
import type {HostKernelPair} from '../../../datasets/schema/scenario.ts'
import type {TensorSpec} from '../../../datasets/schema/tensor.ts'
import {operatorCase} from '../scenarios/operator-case.ts'

/** Whether an output is as good as the expected one; both are the output's bytes. */
export type Close = (output: TensorSpec, expected: Uint8Array, found: Uint8Array) => boolean

/** Why a kernel is not right for a pair's scenario; undefined when it is, with its seed and with one more. */
export async function faultOf(
  kernel: SourceFile,
  {pair, host, executor, close}: {pair: HostKernelPair; host: SourceFile; executor: Executor; close: Close},
  signal: AbortSignal,
): Promise<string | undefined> {
  const right = pair.alone as SourceFile
  const [expected, found] = [new Kernel(executor, signal), new Kernel(executor, signal)]
  try {
    for (const seed of [pair.scenario.seed, `${pair.scenario.seed}, again`]) {
      const known = await expected.outputs([host, right], pair, seed)
      // With other values than the recorded ones, the operator itself may not run.
      if (typeof known === 'string') continue
      const seen = await found.outputs([host, kernel], pair, seed)
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

/** A kernel that is built when it first runs. */
class Kernel {
  readonly #executor: Executor
  readonly #signal: AbortSignal
  #build: Build | undefined

  constructor(executor: Executor, signal: AbortSignal) {
    this.#executor = executor
    this.#signal = signal
  }

  async outputs(
    files: SourceFile[],
    {operator, scenario}: HostKernelPair,
    seed: string,
  ): Promise<Uint8Array[] | string> {
    if (!this.#build) {
      const built = await this.#executor.build({operator, files, dtypes: scenario.dtypes}, this.#signal)
      if (!built.ok) return built.verdict.outcome
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
