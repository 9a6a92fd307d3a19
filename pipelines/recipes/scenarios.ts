import {compareHardened} from '../../eval/compare.ts'
import operatorProjects from '../../sources/kernels/repo.ts'
import {programOf} from '../../sources/kernels/program.ts'
import scenarios from '../code/scenarios/scenarios.ts'
import {Pipeline} from '../../engine/pipeline.ts'
import type {Workspace} from '../workspace/workspace.ts'

/** Operator projects → calls that ran, with tiling and kernel. */
export default async ({config, sources, executor}: Workspace) =>
  Pipeline.from(
    'scenarios',
    await sources('kernels'),
    operatorProjects({order: config.limit === undefined ? 'path' : 'whole-first'}),
  ).via(
    scenarios({
      executor: await executor('traces'),
      program: programOf,
      runs: config.samples.callsPerType,
      differs: (output, expected, found, scale) =>
        compareHardened(output, expected, found, undefined, scale).reason || undefined,
    }),
  )
