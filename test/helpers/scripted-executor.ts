import type {Build, ExecuteOptions, Execution, Executor, Program} from '../../datasets/schema/executor.ts'
import type {OperatorCase} from '../../datasets/schema/task.ts'
import {dtypeBytes, elementCount} from '../../datasets/schema/tensor.ts'
import type {ExecutorIdentity, Verdict} from '../../datasets/schema/verdict.ts'

export const scriptedIdentity: ExecutorIdentity = {
  name: 'scripted',
  fingerprint: 'scripted-1',
  compiler: 'none',
  soc: 'Ascend910_9392',
}

/** What a script decides about a program: a failed build, or how each run goes. */
export interface Script {
  build?(program: Program): Verdict | undefined
  run(operatorCase: OperatorCase, options: ExecuteOptions, program: Program): Uint8Array[] | Execution
}

export interface ScriptedExecutor extends Executor {
  /** What was asked of it, in order. */
  readonly builds: Program[]
  readonly runs: {case: string; options: ExecuteOptions; inputs: Uint8Array[]}[]
  openBuilds(): number
}

/**
 * An executor without a compiler: tests of the judge say what a candidate does and look at what the judge makes of it.
 */
export function scriptedExecutor(script: Script): ScriptedExecutor {
  const builds: Program[] = []
  const runs: ScriptedExecutor['runs'] = []
  const programs = new Map<Build, Program>()
  return {
    identity: scriptedIdentity,
    covers: 'what a test says',
    builds,
    runs,
    openBuilds: () => programs.size,
    compile: () => Promise.reject(new Error('the judge does not compile single units')),
    build(program) {
      builds.push(program)
      const verdict = script.build?.(program)
      if (verdict) return Promise.resolve({ok: false, verdict})
      const build: Build = {directory: '/nowhere', dispose: () => Promise.resolve(void programs.delete(build))}
      programs.set(build, program)
      return Promise.resolve({ok: true, build})
    },
    execute(build, operatorCase, options = {}) {
      const program = programs.get(build)
      if (!program) throw new Error('this build was disposed')
      runs.push({case: operatorCase.id, options, inputs: operatorCase.inputs.map(({data}) => data)})
      const result = script.run(operatorCase, options, program)
      return Promise.resolve(Array.isArray(result) ? ran(result) : result)
    },
  }
}

/** Outputs as they stand before a launch: zeros, or NaN patterns for `poison: 'nan'`. */
export function untouchedOutputs(operatorCase: OperatorCase, {poison = 'nan'}: ExecuteOptions): Uint8Array[] {
  return operatorCase.outputs.map(({shape, dtype}) =>
    new Uint8Array(elementCount(shape) * dtypeBytes[dtype]).fill(poison === 'nan' ? 0xff : 0),
  )
}

/** A run that kept every rule, with nothing to say of its way. */
export function ran(outputs: Uint8Array[]): Extract<Execution, {outcome: 'ran'}> {
  return {
    outcome: 'ran',
    outputs,
    cpuSeconds: 0,
    log: '',
    trace: {
      blockDim: 1,
      tilingKey: 0,
      workspaceBytes: 0,
      tiling: {},
      buffers: [],
      ubPeakBytes: 0,
      calls: {},
      blocks: [],
    },
  }
}
