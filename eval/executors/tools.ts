import {statfs} from 'node:fs/promises'
import {constants} from 'node:os'
import {z} from 'zod'
import {Session} from '../../engine/session.ts'
import type {ExecutorIdentity} from '../../datasets/schema/verdict.ts'
import type {ObjectStore} from './objects.ts'
import type {Prebuilt} from './precompile.ts'
import {jsonIn} from '../../engine/json.ts'
import {confined, signalName} from './sandbox.ts'
import type {Limits, SandboxName, ToolResult} from './sandbox.ts'
import {metLimit, toolFailure} from './tool-fault.ts'
import type {Compiler, Linker} from './toolchain.ts'

/** Everything that judging needs: tools, their inputs, limits. */
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

/** How a compiler or linker ended; never a crash of the tool itself. */
interface ToolEnd {
  ok: boolean
  stderr: string
}

/** A folder with a sandbox around it, in which one program is built and run. */
export interface Bench {
  directory: string
  /**
   * One call of a compiler or linker; calls made together run in parallel. @param faultOf why the failure is not the
   * candidate's, if so
   * @throws PipelineError `executor-failed` or `disk-full` when the tool failed, not the candidate
   */
  tool(command: readonly string[], faultOf: (result: ToolResult) => string | undefined): Promise<ToolEnd>
  /** Runs the case in its own folder below the directory. @returns the runner's answer */
  judge(caseDirectory: string, signal?: AbortSignal): Promise<string>
  close(): Promise<void>
}

/** Starts the sandbox. `signal` ends what is being built. */
export function openBench(tools: Tools, directory: string, signal?: AbortSignal): Bench {
  const {prebuilt, sandbox, limits} = tools
  const reach = {readOnly: [prebuilt.directory], writable: directory, first: true}
  const session = new Session({
    ...confined(sandbox, [prebuilt.runner], reach, sessionLimits(limits)),
    failure: (fault) => toolFailure(`the runner gave no answer: ${fault}`),
  })
  const call = inBatches(session, limits.compile, signal)
  return {
    directory,
    async tool(command, faultOf) {
      const result = await call(command)
      if (result.code === 0) return {ok: true, stderr: result.stderr}
      const fault = faultOf(result)
      if (fault !== undefined) throw toolFailure(fault, {spaceLeft: await hasSpace(directory)})
      // Otherwise the candidate could be blamed for a file that went missing after this executor started.
      if (!(await prebuilt.isWhole())) throw toolFailure('the precompiled parts of the twin were changed or removed')
      return {ok: false, stderr: result.stderr + ending(result)}
    },
    // Tiling and kernel each have the limit, and the runner also needs time to read and write.
    judge: (caseDirectory, caseSignal) =>
      session.ask(`case ${caseDirectory}`, 2 * limits.run.wallSeconds + grace, caseSignal),
    close: () => session.close(),
  }
}

const grace = 60

/** The program inside limits its children itself, each for its own work. */
function sessionLimits({compile, run}: Tools['limits']): Limits {
  return {
    ...run,
    cpuSeconds: Number.POSITIVE_INFINITY,
    memoryBytes: Math.max(compile.memoryBytes, run.memoryBytes),
    fileBytes: Math.max(compile.fileBytes, run.fileBytes),
  }
}

const End = z.object({
  exit: z.int().optional(),
  signal: z.int().optional(),
  overtime: z.boolean(),
  cpuSeconds: z.number(),
  stderr: z.string(),
})
const Answer = z.object({ends: z.array(End)})

interface Waiting {
  command: readonly string[]
  resolve: (result: ToolResult) => void
  reject: (error: unknown) => void
}

/** Requests made in one turn of the event loop are combined. */
function inBatches(session: Session, limits: Limits, signal?: AbortSignal) {
  let batch: Waiting[] = []
  const send = async () => {
    const calls = batch
    batch = []
    try {
      const ends = await runAll(
        session,
        calls.map(({command}) => command),
        limits,
        signal,
      )
      for (const [index, {resolve}] of calls.entries()) resolve(ends[index] as ToolResult)
    } catch (error) {
      for (const {reject} of calls) reject(error)
    }
  }
  return (command: readonly string[]) =>
    new Promise<ToolResult>((resolve, reject) => {
      if (batch.length === 0) setImmediate(send)
      batch.push({command, resolve, reject})
    })
}

async function runAll(
  session: Session,
  commands: readonly (readonly string[])[],
  limits: Limits,
  signal?: AbortSignal,
): Promise<ToolResult[]> {
  const {cpuSeconds, wallSeconds, memoryBytes, fileBytes, outputBytes} = limits
  const numbers = [cpuSeconds, wallSeconds, memoryBytes, fileBytes, outputBytes].join(' ')
  const words = commands.map((command) => command.map(encodeURIComponent).join(' ')).join(' ; ')
  const answer = await session.ask(`tools ${numbers} ${words}`, wallSeconds + grace, signal)
  const ends = Answer.safeParse(jsonIn(answer))
  if (!ends.success) throw toolFailure(`the tools could not be started: ${answer.slice(0, 500)}`)
  return ends.data.ends.map(({exit, signal: number, overtime, cpuSeconds: used, stderr}) => ({
    code: exit ?? null,
    killedBy: number === undefined ? undefined : signalName(number),
    // Compilers do not wait: one that ran out of time without using CPU was held up by the machine.
    overtime: overtime && (number === constants.signals.SIGXCPU || used >= cpuSeconds / 2),
    stderr,
    truncated: stderr.length >= outputBytes,
  }))
}

/** An assembler reports the same when an object requests terabytes; one candidate must not stop the run this way. */
async function hasSpace(directory: string): Promise<boolean> {
  const {bavail, bsize, files, ffree} = await statfs(directory)
  return bavail * bsize > 1 << 28 && (files === 0 || ffree > 0)
}

function ending(result: ToolResult): string {
  const limit = metLimit(result)
  return limit ? `error: compilation ran past its ${limit} limit\n` : ''
}
