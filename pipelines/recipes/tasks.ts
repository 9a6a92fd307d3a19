import {HostKernelPair} from '../../datasets/schema/scenario.ts'
import {fromRun} from '../../engine/from-run.ts'
import {Pipeline} from '../../engine/pipeline.ts'
import {inlineIncludes} from '../../sources/kernels/inline.ts'
import pairTasks from '../code/evaluated/pair-tasks.ts'
import sameCode from '../code/evaluated/same-code.ts'
import {recipe} from '../workspace/workspace.ts'

/** Host-kernel pairs → tasks whose answers they are, for candidates of operators without a reference. */
export default recipe({reads: ['pairs']}, async ({runs, executor}) =>
  Pipeline.from('tasks', runs, fromRun(HostKernelPair))
    .via(sameCode({inline: inlineIncludes}))
    .via(pairTasks({executor: await executor('runs'), inline: inlineIncludes})),
)
