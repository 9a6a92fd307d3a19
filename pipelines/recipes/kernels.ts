import flatten from '../../sources/kernels/flatten.ts'
import operatorProjects from '../../sources/kernels/repo.ts'
import compileCheck from '../code/compile-check.ts'
import kernelCot from '../code/kernel-cot.ts'
import {Pipeline} from '../../engine/pipeline.ts'
import {traces} from '../workspace/traces.ts'
import type {Workspace} from '../workspace/workspace.ts'

/** Operator projects → self-contained files → compiled → request, reasoning and code. */
export default async ({config, sources, executor}: Workspace) => {
  const compiler = await executor()
  return Pipeline.from('kernels', await sources('kernels'), operatorProjects())
    .via(flatten())
    .via(compileCheck({executor: compiler}))
    .via(kernelCot({trace: traces(config, compiler)}))
}
