import {HostKernelPair} from '../../datasets/schema/scenario.ts'
import {fromRun} from '../../engine/from-run.ts'
import {Pipeline} from '../../engine/pipeline.ts'
import pairFacts from '../facts/pair-facts.ts'
import projectCot from '../code/project/project-cot.ts'
import type {Workspace} from '../workspace/workspace.ts'

/** Host-kernel pairs → prompt, reasoning on tiling and kernel, and the tiling as it was computed. */
export default async ({existing}: Workspace) =>
  Pipeline.from('projects', await existing(['pairs']), fromRun(HostKernelPair))
    .via(pairFacts())
    .via(projectCot())
