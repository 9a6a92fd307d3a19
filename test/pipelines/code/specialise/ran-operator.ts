import {createHash} from 'node:crypto'
import {parseOperatorDefinitions} from '../../../../cpp/op-def.ts'
import type {RanProject} from '../../../../datasets/schema/scenario.ts'
import type {Dtype} from '../../../../datasets/schema/tensor.ts'
import {inlineIncludes} from '../../../../sources/kernels/inline.ts'
import {programOf} from '../../../../sources/kernels/program.ts'
import operatorProjects from '../../../../sources/kernels/repo.ts'
import {operatorCase} from '../../../../pipelines/facts/operator-case.ts'
import pairs from '../../../../pipelines/code/specialise/pairs.ts'
import {realExecutor} from '../../../helpers/real-executor.ts'
import {runStage} from '../../../helpers/run-stage.ts'

/** A bundled operator that was run in the executor, all tensors of one shape and type. */
export async function ranOperator(operator: string, dtype: Dtype, shape: number[]): Promise<RanProject> {
  const {outputs: projects} = await runStage(operatorProjects(), [{root: 'sources/starter/operators'}])
  const project = projects.find((one) => one.operator === operator)
  const definition = project?.host.flatMap(({text}) => parseOperatorDefinitions(text))[0]
  if (!project || !definition) throw new TypeError(`no bundled operator ${operator}`)
  const all = [...definition.inputs, ...definition.outputs].map(({name}) => [name, dtype] as const)
  const dtypes = Object.fromEntries(all)
  const scenario = {
    dtypes,
    inputs: definition.inputs.map(({name}) => ({name, dtype, shape, range: [-4, 4] as [number, number]})),
    attributes: {},
    outputs: definition.outputs.map(({name}) => ({name, dtype, shape})),
    seed: 'test',
  }
  const executor = await realExecutor()
  const built = await executor.build({...programOf(project), dtypes})
  if (!built.ok) throw new TypeError(`${operator}: ${built.verdict.outcome}`)
  const run = await executor.execute(built.build, operatorCase(scenario, 'scenario'))
  await built.build.dispose()
  if (run.outcome !== 'ran') throw new TypeError(`${operator}: ${run.outcome}`)
  const digests = run.outputs.map((bytes) => createHash('sha256').update(bytes).digest('hex'))
  return {project, scenarios: [{...scenario, trace: run.trace, digests}], executor: executor.identity}
}

/** The stage with the real executor. */
export async function pairsStage() {
  const licence = (_: readonly string[], project: string) => project
  return pairs({executor: await realExecutor(), program: programOf, inline: inlineIncludes, licence})
}
