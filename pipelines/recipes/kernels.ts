import flatten from '../../sources/kernels/flatten.ts'
import {entryFile} from '../../eval/executors/kernel-unit.ts'
import {identifiers, readSources} from '../../eval/executors/twin-sources.ts'
import {programOf} from '../../sources/kernels/program.ts'
import operatorProjects from '../../sources/kernels/repo.ts'
import alikeFunctions from '../code/alike-functions.ts'
import compileCheck from '../code/compile-check.ts'
import sideCheck from '../code/side-check.ts'
import deviceShare from '../code/device-share.ts'
import parts from '../code/parts.ts'
import kernelCot from '../code/kernel-cot.ts'
import sourceFacts from '../facts/source-facts.ts'
import sourceRuns, {seenCalls} from '../facts/source-runs.ts'
import {Pipeline} from '../../engine/pipeline.ts'
import {HostKernelPair} from '../../datasets/schema/scenario.ts'
import {emittedBy} from '../workspace/runs.ts'
import {recipe} from '../workspace/workspace.ts'

/**
 * Operator projects → split by side → self-contained → compiled or parsed → single functions next to their files →
 * facts → observations from their pairs → request, reasoning and code → few copies of a function → mostly device code.
 */
export default recipe({also: ['pairs']}, async ({config, sources, executor}) => {
  const compiler = await executor()
  return Pipeline.from(
    'kernels',
    await sources('kernels'),
    operatorProjects({order: config.limit === undefined ? 'path' : 'whole-first'}),
  )
    .via(sideCheck({executor: compiler, program: programOf}))
    .via(flatten({entryFile}))
    .via(compileCheck({executor: compiler}))
    .via(parts())
    .via(sourceFacts())
    .via(sourceRuns({seen: await seenCalls(emittedBy(config.out, 'pairs', HostKernelPair))}))
    .via(kernelCot({known: identifiers(await readSources())}))
    .via(alikeFunctions())
    .via(deviceShare({least: config.samples.deviceShare}))
})
