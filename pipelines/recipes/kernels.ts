import flatten from '../../sources/kernels/flatten.ts'
import kernelProjects from '../../sources/kernels/repo.ts'
import compileCheck from '../code/compile-check.ts'
import kernelCot from '../code/kernel-cot.ts'
import {Pipeline} from '../core/pipeline.ts'
import {bundled, type Workspace} from '../workspace.ts'

/** Operator projects → self-contained files → compiled → request, reasoning and code. */
export default async ({config, executor}: Workspace) =>
  Pipeline.from('kernels', config.sources.kernels ?? [await bundled('operators')], kernelProjects())
    .via(flatten())
    .via(compileCheck({executor: await executor()}))
    .via(kernelCot())
