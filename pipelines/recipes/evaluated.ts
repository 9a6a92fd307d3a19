import {decode} from '../../datasets/dtype.ts'
import {HostKernelPair} from '../../datasets/schema/scenario.ts'
import {fromRun} from '../../engine/from-run.ts'
import {Pipeline} from '../../engine/pipeline.ts'
import benchmark from '../../eval/bench/npukernelbench/benchmark.ts'
import type {Mode} from '../../eval/bench/benchmark.ts'
import {compareHardened} from '../../eval/compare.ts'
import evaluatedCot from '../code/evaluated/evaluated-cot.ts'
import type {Workspace} from '../workspace/workspace.ts'

/** Host-kernel pairs → samples in the form in which NPUKernelBench asks for kernels. */
export default async ({existing, executor}: Workspace) =>
  Pipeline.from('evaluated', await existing(['pairs']), fromRun(HostKernelPair)).via(
    evaluatedCot({
      executor: await executor(),
      mode: benchmark.modes['kernel-only'] as Mode,
      close: (output, expected, found) => compareHardened(output, decode(expected, output.dtype), found).ok,
    }),
  )
