import {decode} from '../../datasets/dtype.ts'
import type {Executor} from '../../datasets/schema/executor.ts'
import type {HostKernelPair} from '../../datasets/schema/scenario.ts'
import {compareHardened} from '../../eval/compare.ts'
import {atlasA2, modelCost} from '../../eval/cost.ts'
import decide from '../../pipelines/facts/decisions/decide.ts'
import {programOf} from '../../sources/kernels/program.ts'
import {runStage} from './run-stage.ts'
import {scriptedExecutor} from './scripted-executor.ts'

/** Pairs with their decisions; by default without anything that has to be run. */
export async function decided(
  pairs: readonly HostKernelPair[],
  {most = 0, executor = scriptedExecutor({run: () => []})}: {most?: number; executor?: Executor} = {},
): Promise<HostKernelPair[]> {
  const stage = decide({
    executor,
    program: programOf,
    most,
    rates: {...atlasA2},
    compared: (output, expected, found) => compareHardened(output, decode(expected, output.dtype), found),
    modelled: (trace) => modelCost(trace)?.microseconds,
  })
  const {outputs} = await runStage(stage, pairs)
  return JSON.parse(JSON.stringify(outputs)) as HostKernelPair[]
}
