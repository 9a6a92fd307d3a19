import {z} from 'zod'
import type {Execution, RunTrace} from '../../datasets/schema/executor.ts'
import {Work} from '../../datasets/schema/scenario.ts'
import {Violation} from '../../datasets/schema/verdict.ts'
import {signalName} from './sandbox.ts'
import type {Limits} from './sandbox.ts'
import {decodeTiling, parsePlainStructures, parseTilingBlocks} from './tiling-def.ts'
import {toolFailure} from './tool-fault.ts'
import {PipelineError} from '../../engine/errors.ts'
import {jsonIn} from '../../engine/json.ts'

const Wait = z
  .tuple([z.string(), z.int(), z.string(), z.string(), z.int()])
  .transform(([pipe, number, api, name, place]) => ({pipe, number, api, name, place}))

const Step = z
  .tuple([z.string(), z.string(), z.int(), z.int(), z.int(), z.int(), z.int(), z.int(), z.int(), z.array(Wait)])
  .transform(([pipe, api, number, place, readBytes, writtenBytes, burstsIn, burstsOut, repeats, waits]) => ({
    ...{pipe, api, number, place, readBytes, writtenBytes, burstsIn, burstsOut, repeats, waits},
  }))

/** The kernel process's report on a finished launch: written by the runtime, but inside that process. */
export const Launch = z.object({
  ubPeakBytes: z.number(),
  buffers: z.array(
    z.object({
      name: z.string(),
      position: z.string(),
      count: z.int(),
      bytes: z.int(),
      kind: z.enum(['queue', 'buffer']),
      filled: z.int().optional(),
    }),
  ),
  blocks: z.array(
    z.object({
      index: z.int(),
      readBytes: z.number(),
      writtenBytes: z.number(),
      work: Work.optional(),
      steps: z.array(Step).optional(),
    }),
  ),
  inputs: z.array(z.object({name: z.string(), readBytes: z.number()})).optional(),
  calls: z.record(z.string(), z.number()),
  repeats: z.record(z.string(), z.number()).optional(),
  tolerated: Violation.optional(),
})
type Launch = z.infer<typeof Launch>

const Place = z.object({block: z.int(), api: z.string()})

const measured = {cpuSeconds: z.number(), log: z.string()}

/** The runner's answer line: trusted, with the candidate process's text as a string. */
const Report = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('ran'),
    blockDim: z.int(),
    tilingKey: z.number(),
    workspaceBytes: z.number(),
    tilingClass: z.string(),
    tiling: z.string(),
    /** JSON of a `Launch`. */
    launch: z.string(),
    overrun: Violation.optional(),
    ...measured,
  }),
  z.object({status: z.literal('violated'), violation: z.string(), ...measured}),
  z.object({status: z.literal('launch-failed'), message: z.string(), ...measured}),
  z.object({status: z.literal('timed-out'), limit: z.enum(['cpu', 'wall']), ...measured}),
  z.object({
    status: z.literal('crashed'),
    exit: z.int().optional(),
    signal: z.int().optional(),
    /** JSON of a `Place`; '' when the process could not report it. */
    place: z.string().optional(),
    ...measured,
  }),
  z.object({status: z.literal('not-judged'), message: z.string()}),
])
type Report = z.infer<typeof Report>
type Of<S extends Report['status']> = Extract<Report, {status: S}>

interface FinishedRun {
  /** The runner's answer. */
  answer: string
  /** Reads the outputs that the runner wrote. */
  outputs: () => Promise<Uint8Array[] | undefined>
  limits: Limits
  tolerant: boolean
  /** Sources of the program: the structures that name the tiling data's fields. */
  sources: readonly string[]
  /** Removes local paths from a text. */
  plain: (text: string) => string
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
 * Turns the end of a run into an execution.
 * @throws PipelineError `executor-failed` when it was not the candidate's fault, `disk-full` when there was no room
 */
export async function interpretRun(run: FinishedRun): Promise<Execution> {
  const report = reportOf(run.answer)
  if (report.status === 'not-judged') throw toolFailure(run.plain(report.message))
  const log = run.plain(report.log)
  switch (report.status) {
    case 'ran':
      return finished(run, report, log)
    case 'violated':
      return violated(report.violation, log)
    case 'launch-failed':
      return {outcome: 'launch-failed', message: [run.plain(report.message), ...lastLines(log)].join('\n')}
    case 'timed-out':
      return late(run.limits, report)
    case 'crashed':
      return crashed(crashCause(report), log)
  }
}

/** A program that waits for ever uses hardly any CPU time; one that computes may have got too little of it. */
function late({cpuSeconds, wallSeconds}: Limits, {limit, cpuSeconds: used}: Of<'timed-out'>): Execution {
  if (limit === 'cpu') return {outcome: 'timed-out', limitSeconds: cpuSeconds}
  if (used < Math.max(1, cpuSeconds / 10)) return {outcome: 'timed-out', limitSeconds: wallSeconds, byClock: true}
  const got = `${used.toFixed(1)} s of processor time in ${wallSeconds} s`
  throw new PipelineError('executor-failed', `The run got ${got}; it may use ${cpuSeconds} s.`, {
    fix:
      'Run `ascend-cot resume` when the machine is less busy: failed records are tried again. ' +
      'If this one fails again, its program waits for ever after it computed.',
  })
}

function reportOf(answer: string): Report {
  const report = Report.safeParse(jsonIn(answer))
  if (report.success) return report.data
  throw toolFailure(`the runner's answer cannot be read: ${answer.slice(0, 500)}`)
}

async function finished(run: FinishedRun, report: Of<'ran'>, log: string): Promise<Execution> {
  const launch = Launch.safeParse(jsonIn(report.launch))
  // Only code that overwrites the runtime's memory can change this report.
  if (!launch.success) return crashed('the process gave an account of the launch that cannot be read', log)
  const {overrun} = report
  if (overrun && !run.tolerant) return {outcome: 'violated', violation: overrun}
  const outputs = await run.outputs()
  if (!outputs) throw toolFailure('the outputs were not written whole')
  const tolerated = launch.data.tolerated ?? overrun
  const trace = traceOf(report, launch.data, run.sources)
  const {inputs, blocks} = launch.data
  const steps = blocks.flatMap((block) => (block.steps ? [block.steps] : []))
  const seen = {
    ...{cpuSeconds: report.cpuSeconds, ...(tolerated && {tolerated}), ...(inputs && {inputs})},
    ...(steps.length > 0 && {steps}),
  }
  return {outcome: 'ran', outputs, trace, ...seen, log}
}

function violated(text: string, log: string): Execution {
  const violation = Violation.safeParse(jsonIn(text))
  if (violation.success) return {outcome: 'violated', violation: violation.data}
  return crashed('the process told of a broken rule in a form that cannot be read', log)
}

function crashed(cause: string, log: string): Execution {
  return {outcome: 'crashed', cause, log: log.slice(-4000)}
}

function crashCause({exit, signal, place}: Of<'crashed'>): string {
  if (signal === undefined) return `the process ended with status ${exit} before the kernel was done`
  const {name, means} = signalMeaning(signal)
  const cause = `${name} (${means})`
  const at = Place.safeParse(jsonIn(place ?? ''))
  if (!at.success || at.data.block < 0) return cause
  return `${cause}, block ${at.data.block}, last API ${at.data.api || 'none'}`
}

export function signalMeaning(signal: number): {name: string; means: string} {
  const name = signalName(signal)
  return {name, means: meaning[name] ?? 'ended by a signal'}
}

/** The tiling function's own log, which usually says why it refused. */
function lastLines(log: string): string[] {
  return log
    .split('\n')
    .filter((line) => /^\[(ERROR|WARNING)\]/.test(line))
    .slice(-5)
}

function traceOf(report: Of<'ran'>, launch: Launch, sources: readonly string[]): RunTrace {
  const {blockDim, tilingKey, workspaceBytes} = report
  const tiling = tilingValues(report.tilingClass, report.tiling, sources)
  return {...launchTrace(launch, blockDim), tilingKey, workspaceBytes, tiling}
}

/** Tiling of a launch without tiling data. */
export function launchTrace(launch: Launch, blockDim: number): RunTrace {
  const {buffers, ubPeakBytes, calls, repeats} = launch
  const blocks = launch.blocks.map(({steps: _, ...block}) => block)
  return {blockDim, tilingKey: 0, workspaceBytes: 0, tiling: {}, buffers, ubPeakBytes, calls, repeats, blocks}
}

function tilingValues(name: string, hex: string, sources: readonly string[]): RunTrace['tiling'] {
  const bytes = new Uint8Array(Buffer.from(hex, 'hex'))
  const text = sources.join('\n')
  const declared = parseTilingBlocks(text)
  if (declared.some((one) => one.name === name)) return decodeTiling(declared, name, bytes, {nestedAlignment: 8})
  const plain = parsePlainStructures(text)
  return decodeTiling(plain, name, bytes)
}
