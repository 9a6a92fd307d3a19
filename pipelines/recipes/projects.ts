import {HostKernelPair} from '../../datasets/schema/scenario.ts'
import {fromRun} from '../../engine/from-run.ts'
import {identifiers, readSources} from '../../eval/executors/twin-sources.ts'
import {Pipeline} from '../../engine/pipeline.ts'
import pairFacts from '../facts/pair-facts.ts'
import projectCot from '../code/project/project-cot.ts'
import {recipe} from '../workspace/workspace.ts'

/** Host-kernel pairs → prompt, reasoning on tiling and kernel, and the computed tiling. */
export default recipe({reads: ['pairs']}, async ({runs}) =>
  Pipeline.from('projects', runs, fromRun(HostKernelPair))
    .via(pairFacts())
    .via(projectCot({known: identifiers(await readSources())})),
)
