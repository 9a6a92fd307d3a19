import flatten from '../../sources/kernels/flatten.ts'
import {entryFile} from '../../eval/executors/kernel-unit.ts'
import {identifiers, readSources} from '../../eval/executors/twin-sources.ts'
import {programOf} from '../../sources/kernels/program.ts'
import operatorProjects from '../../sources/kernels/repo.ts'
import compileCheck from '../code/compile-check.ts'
import sideCheck from '../code/side-check.ts'
import deviceShare from '../code/device-share.ts'
import parts from '../code/parts.ts'
import kernelCot from '../code/kernel-cot.ts'
import sourceFacts from '../facts/source-facts.ts'
import {Pipeline} from '../../engine/pipeline.ts'
import {traces} from '../workspace/traces.ts'
import type {Workspace} from '../workspace/workspace.ts'

/**
 * Operator projects → built by side → self-contained → compiled or parsed → single functions beside their files → facts
 * → request, reasoning and code → most of it of the device.
 */
export default async ({config, sources, executor}: Workspace) => {
  const compiler = await executor()
  return Pipeline.from('kernels', await sources('kernels'), operatorProjects())
    .via(sideCheck({executor: compiler, program: programOf}))
    .via(flatten({entryFile}))
    .via(compileCheck({executor: compiler}))
    .via(parts())
    .via(sourceFacts())
    .via(kernelCot({trace: traces(config, compiler), known: identifiers(await readSources())}))
    .via(deviceShare({least: config.samples.deviceShare}))
}
