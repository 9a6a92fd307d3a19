import {expect, test} from 'vitest'
import {compareHardened} from '../../../../eval/compare.ts'
import type {Differs} from '../../../../pipelines/code/formulas/checked-call.ts'
import {operatorCase} from '../../../../pipelines/facts/operator-case.ts'
import scenarios from '../../../../pipelines/code/scenarios/scenarios.ts'
import {programOf} from '../../../../sources/kernels/program.ts'
import operatorProjects from '../../../../sources/kernels/repo.ts'
import {createHash} from 'node:crypto'
import {realExecutor} from '../../../helpers/real-executor.ts'
import {runStage} from '../../../helpers/run-stage.ts'

const differs: Differs = (output, expected, found, scale) =>
  compareHardened(output, expected, found, undefined, scale).reason || undefined

test('bundled operators get calls that run again to the same bytes', async () => {
  const executor = await realExecutor()
  const {outputs: projects} = await runStage(operatorProjects(), [{root: 'sources/starter/operators'}])
  const chosen = projects.filter(({operator}) => ['RowSum', 'BiasAdd'].includes(operator))
  const {outputs} = await runStage(scenarios({executor, program: programOf, differs, columns: 1, runs: 3}), chosen)
  expect(outputs.map(({project}) => project.operator)).toEqual(['BiasAdd', 'RowSum'])
  const [bias, sum] = outputs.map(({scenarios: all}) => all)
  expect(bias?.[0]?.inputs.map(({shape}) => shape)).toEqual([[24, 128], [128]])
  expect(sum?.[0]?.outputs[0]?.shape).toEqual([24])
  expect(sum?.[0]?.call).toEqual({contract: 'inferred'})
  expect(new Set(sum?.map(({trace}) => trace.blockDim)).size).toBeGreaterThan(1)
  const [again] = sum ?? []
  if (!again) throw new Error('RowSum has no scenario')
  const project = outputs[1]?.project
  const built = await executor.build({...programOf(project as never), dtypes: again.dtypes})
  if (!built.ok) throw new Error('RowSum does not build')
  const run = await executor.execute(built.build, operatorCase(again, 'again'), {poison: 'zero'})
  await built.build.dispose()
  expect(run).toMatchObject({inputs: [{name: 'x', readBytes: 24 * 128 * 2}]})
  const digests = run.outcome === 'ran' ? run.outputs.map((one) => createHash('sha256').update(one).digest('hex')) : []
  expect(digests).toEqual(again.digests)
})
