import {statfs} from 'node:fs/promises'
import type {ExecutorIdentity} from '../../datasets/schema/verdict.ts'
import type {ObjectStore} from './objects.ts'
import type {Prebuilt} from './precompile.ts'
import {runConfined} from './sandbox.ts'
import type {Confined, Limits, SandboxName} from './sandbox.ts'
import {toolFailure} from './tool-fault.ts'
import type {Compiler, Linker} from './toolchain.ts'

/** Everything that judging takes: tools, what they were given, limits. */
export interface Tools {
  compiler: Compiler
  sandbox: SandboxName
  prebuilt: Prebuilt
  soc: string
  workDirectory: string
  identity: ExecutorIdentity
  linker: Linker
  limits: {compile: Limits; run: Limits}
  objects: ObjectStore
}

/** How a compiler or linker ended; never a failure of the tool itself. */
type ToolEnd = {ok: true} | {ok: false; stderr: string}

/**
 * One call of a compiler or linker inside the sandbox.
 * @param faultOf why the end is not the candidate's, if it is not
 * @throws PipelineError `executor-failed` or `disk-full` when the tool failed, not the candidate
 */
export async function runTool(
  tools: Tools,
  directory: string,
  command: readonly string[],
  faultOf: (result: Confined) => string | undefined,
  signal?: AbortSignal,
): Promise<ToolEnd> {
  const {prebuilt, sandbox, limits} = tools
  const reach = {readOnly: [prebuilt.directory], writable: directory}
  const result = await runConfined(sandbox, command, reach, limits.compile, {signal})
  if (result.code === 0) return {ok: true}
  const fault = faultOf(result)
  if (fault !== undefined) throw toolFailure(fault, {spaceLeft: await hasSpace(directory)})
  // The candidate may be blamed for a missing file that was there when this executor started.
  if (!(await prebuilt.isWhole())) throw toolFailure('the precompiled parts of the twin were changed or removed')
  return {ok: false, stderr: result.stderr + ending(result)}
}

/** An assembler says the same when an object asks for terabytes; one candidate must not stop the run by that. */
async function hasSpace(directory: string): Promise<boolean> {
  const {bavail, bsize} = await statfs(directory)
  return bavail * bsize > 1 << 28
}

function ending({overtime, killedBy}: Confined): string {
  if (overtime) return 'error: compilation ran past its time limit\n'
  return killedBy ? `error: the compiler was ended by ${killedBy}\n` : ''
}
