import {z} from 'zod'
import type {Execution, RunTrace} from '../../datasets/schema/executor.ts'
import {Violation} from '../../datasets/schema/verdict.ts'
import type {Confined, Limits} from './sandbox.ts'
import {toolFailure} from './tool-fault.ts'
import {decodeTiling, parsePlainStructures, parseTilingBlocks} from './tiling-def.ts'

/** A line of the runner: that the candidate's own code is next, or how the run ended. */
const Report = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('ran'),
    nonce: z.string(),
    blockDim: z.int(),
    tilingKey: z.number(),
    workspaceBytes: z.number(),
    tilingClass: z.string(),
    tiling: z.string(),
    ubPeakBytes: z.number(),
    buffers: z.array(
      z.object({
        name: z.string(),
        position: z.string(),
        count: z.int(),
        bytes: z.int(),
        kind: z.enum(['queue', 'buffer']),
      }),
    ),
    blocks: z.array(z.object({index: z.int(), readBytes: z.number(), writtenBytes: z.number()})),
    calls: z.record(z.string(), z.number()),
    tolerated: Violation.optional(),
    cpuSeconds: z.number(),
  }),
  z.object({status: z.literal('started'), nonce: z.string()}),
  z.object({status: z.literal('not-judged'), nonce: z.string(), message: z.string()}),
  z.object({status: z.literal('launch-failed'), nonce: z.string(), message: z.string()}),
  z.object({status: z.literal('violated'), nonce: z.string(), violation: Violation}),
])
type Report = z.infer<typeof Report>

interface FinishedRun {
  result: Confined
  nonce: string
  outputs: Uint8Array[] | undefined
  limits: Limits
  /** Sources of the program: the structures that name the tiling data's fields. */
  sources: readonly string[]
  /** What the program printed, free of this machine's paths. */
  log: string
}

const meaning: Readonly<Record<string, string>> = {
  SIGSEGV: 'access to memory that is not mapped',
  SIGBUS: 'access to memory that is not there',
  SIGFPE: 'integer division by zero or overflow',
  SIGILL: 'an instruction that does not exist, often the end of a function without a return',
  SIGABRT: 'abort',
  SIGSYS: 'a system call that an operator may not make',
  SIGXFSZ: 'a file grew past its limit',
}

/**
 * Turns the end of a run into an execution. A report counts only with the nonce that the runner alone was given: a
 * candidate that prints a report of its own, or exits before the runner is done, has crashed.
 * @throws PipelineError `executor-failed` when it was no doing of the candidate, `disk-full` when there was no room
 */
export function interpretRun(run: FinishedRun): Execution {
  const {result, nonce, outputs, limits, sources, log} = run
  const reports = reportsIn(result.stdout, nonce)
  const fault = runFault(run, reports)
  if (fault !== undefined) throw toolFailure(fault)
  const report = reports.at(-1)
  const tail = log.slice(-4000)
  if (report?.status === 'violated') return {outcome: 'violated', violation: report.violation}
  if (report?.status === 'launch-failed')
    return {outcome: 'launch-failed', message: [report.message, ...lastLines(log)].join('\n')}
  if (report?.status === 'ran') {
    if (!outputs) return {outcome: 'crashed', cause: 'the outputs were not written whole', log: tail}
    return {
      outcome: 'ran',
      outputs,
      trace: traceOf(report, sources),
      cpuSeconds: report.cpuSeconds,
      ...(report.tolerated && {tolerated: report.tolerated}),
    }
  }
  if (result.overtime)
    return {outcome: 'timed-out', limitSeconds: result.timedOut ? limits.wallSeconds : limits.cpuSeconds}
  if (result.killedBy) return {outcome: 'crashed', cause: crashCause(result.killedBy, log), log: tail}
  return {
    outcome: 'crashed',
    cause: `the process ended with status ${result.code} before the kernel was done`,
    log: tail,
  }
}

/** Why this end is not the candidate's: it came before its first instruction, or from outside. */
function runFault({result, log}: FinishedRun, reports: readonly Report[]): string | undefined {
  const last = reports.at(-1)
  if (last?.status === 'not-judged') return last.message
  if (!reports.some(({status}) => status === 'started')) {
    const seen = last?.status === 'launch-failed' ? last.message : log.trim().split('\n')[0]
    const how = result.killedBy ?? `status ${result.code}`
    return `the runner ended before the operator was loaded, ${how}: ${seen || 'it printed nothing'}`
  }
  // Its own limits end a program in other ways. One that raises it against itself gets no verdict, which gains it
  // nothing.
  const ended = last?.status === 'started' && result.killedBy === 'SIGKILL' && !result.overtime
  return ended ? 'the run was ended from outside by SIGKILL, most often for lack of memory' : undefined
}

function crashCause(signal: string, log: string): string {
  const place = /^twin: .* at address \S+, (block -?\d+, last API .*)$/m.exec(log)?.[1]
  return [`${signal} (${meaning[signal] ?? 'ended by a signal'})`, place].filter(Boolean).join(', ')
}

/** What the tiling function itself logged, which usually says why it refused. */
function lastLines(log: string): string[] {
  return log
    .split('\n')
    .filter((line) => /^\[(ERROR|WARNING)\]/.test(line))
    .slice(-5)
}

function reportsIn(stdout: string, nonce: string): Report[] {
  return stdout
    .split('\n')
    .filter((line) => line.includes(nonce))
    .flatMap((line) => {
      try {
        const parsed = Report.safeParse(JSON.parse(line))
        return parsed.success && parsed.data.nonce === nonce ? [parsed.data] : []
      } catch {
        // Not JSON: text that happens to hold the nonce.
        return []
      }
    })
}

function traceOf(report: Extract<Report, {status: 'ran'}>, sources: readonly string[]): RunTrace {
  const {blockDim, tilingKey, workspaceBytes, buffers, ubPeakBytes, calls, blocks} = report
  return {
    blockDim,
    tilingKey,
    workspaceBytes,
    tiling: tilingValues(report.tilingClass, report.tiling, sources),
    buffers,
    ubPeakBytes,
    calls,
    blocks,
  }
}

function tilingValues(name: string, hex: string, sources: readonly string[]): RunTrace['tiling'] {
  const bytes = new Uint8Array(Buffer.from(hex, 'hex'))
  const text = sources.join('\n')
  const declared = parseTilingBlocks(text)
  if (declared.some((one) => one.name === name)) return decodeTiling(declared, name, bytes, {nestedAlignment: 8})
  const plain = parsePlainStructures(text)
  return decodeTiling(plain, name, bytes)
}
