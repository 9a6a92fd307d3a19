import {decode} from '../../datasets/dtype.ts'
import {HostKernelPair} from '../../datasets/schema/scenario.ts'
import {fromRun} from '../../engine/from-run.ts'
import {Pipeline} from '../../engine/pipeline.ts'
import {taughtModes} from '../../eval/bench/load-benchmark.ts'
import {identifiers, readSources} from '../../eval/executors/twin-sources.ts'
import {compareHardened} from '../../eval/compare.ts'
import {inlineIncludes} from '../../sources/kernels/inline.ts'
import evaluatedCot from '../code/evaluated/evaluated-cot.ts'
import pairRequests from '../code/evaluated/pair-requests.ts'
import {recipe} from '../workspace/workspace.ts'

/** Host-kernel pairs → samples in the forms in which benchmarks ask for kernels and for whole operators. */
export default recipe({reads: ['pairs']}, async ({runs, executor}) =>
  Pipeline.from('evaluated', runs, fromRun(HostKernelPair))
    .via(pairRequests())
    .via(
      evaluatedCot({
        executor: await executor('traces'),
        modes: await taughtModes(),
        known: identifiers(await readSources()),
        inline: inlineIncludes,
        close: (output, expected, found) => compareHardened(output, decode(expected, output.dtype), found).ok,
      }),
    ),
)
