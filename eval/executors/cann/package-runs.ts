import {copyFile, lstat, mkdir, mkdtemp, readFile, writeFile} from 'node:fs/promises'
import {basename, join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {z} from 'zod'
import type {ExecuteOptions, Execution, MeasuredRun} from '../../../datasets/schema/executor.ts'
import type {OperatorCase} from '../../../datasets/schema/task.ts'
import {readOutputs, writeCase} from '../case-files.ts'
import {jsonIn} from '../../../engine/json.ts'
import {signalName} from '../sandbox.ts'
import {callText} from './acl-call.ts'
import {cannFailure, step, type CannTools, type StepEnd} from './cann-tools.ts'
import {meaningOf} from './device-errors.ts'
import type {OperatorPackage} from './operator-package.ts'
import {parse} from 'csv-parse/sync'
import {walk} from '../../../engine/files.ts'

export const runnerFile = fileURLToPath(new URL('acl_runner.cpp', import.meta.url))

const Report = z.discriminatedUnion('status', [
  z.object({status: z.literal('ran'), workspaceBytes: z.number()}),
  z.object({status: z.literal('violated'), rule: z.string(), tensor: z.string()}),
  z.object({status: z.literal('failed'), step: z.string(), code: z.int(), message: z.string()}),
])

/** Compiles the runner against the package's own interface (same page as the compiler's commands for C++). */
export async function makeRunner(
  tools: CannTools,
  {folder, vendor, definition}: OperatorPackage,
  signal?: AbortSignal,
) {
  const {install, level, workDirectory, shell, seconds} = tools
  const place = join(workDirectory, folder, 'runner')
  await mkdir(place, {recursive: true})
  await writeFile(join(place, 'call.h'), callText(definition))
  await copyFile(runnerFile, join(place, 'acl_runner.cpp'))
  await shell.put(join(folder, 'runner'))
  // The simulator's runtime replaces the board's (ops-cv, scripts/build_example.sh).
  const simulated = level === 'cann-sim' ? ['-L', `${install.simulator}`, '-lruntime_camodel', '-lnpu_drv_camodel'] : []
  const folders = ['-I', 'runner', '-I', `${install.home}/include`, '-I', `${vendor}/op_api/include`]
  const libraries = ['-L', `${install.home}/lib64`, '-L', `${vendor}/op_api/lib`]
  const linked = [...simulated, ...libraries, '-lcust_opapi', '-lascendcl', '-lnnopbase', '-o', 'acl_runner']
  const command = [install.bisheng, '-x', 'c++', '-std=c++17', 'runner/acl_runner.cpp', ...folders, ...linked]
  const end = await step(tools, command, {folder, seconds: seconds.compile, signal})
  if (end.code !== 0) throw cannFailure(`the runner does not compile: ${end.log}`)
}

/** What a run left of the device: whether it may have to be tested before the next. */
interface Ran {
  execution: Execution
  /** Why the device is suspect. */
  suspicion?: string
}

/** @throws PipelineError `executor-failed` where the report cannot be had */
export async function runCase(
  tools: CannTools,
  made: OperatorPackage,
  operatorCase: OperatorCase,
  {device, signal, ...how}: ExecuteOptions & {device: number; signal?: AbortSignal | undefined},
): Promise<Ran | {fault: string}> {
  const folder = await caseFolder(tools, made, operatorCase, how)
  const end = await launch(tools, made, {folder, device, warmUp: 0, repeats: 1, signal})
  return concluded(tools, {folder, end, outputs: operatorCase.outputs})
}

const warmUp = 5
const repeats = 20

/** Timed launches of a case, by the profiler; the outputs are those of the last. */
export async function measureCase(
  tools: CannTools,
  made: OperatorPackage,
  operatorCase: OperatorCase,
  {device, signal}: {device: number; signal?: AbortSignal | undefined},
): Promise<{measured: MeasuredRun} | Ran | {fault: string}> {
  const folder = await caseFolder(tools, made, operatorCase, {})
  const end = await launch(tools, made, {folder, device, warmUp, repeats, signal})
  const ran = await concluded(tools, {folder, end, outputs: operatorCase.outputs})
  if ('fault' in ran || ran.execution.outcome !== 'ran') return ran
  await tools.shell.get(join(made.folder, 'prof'))
  const times = await launchTimes(join(tools.workDirectory, made.folder, 'prof'), {
    operator: made.definition.operator,
    warmUp,
  })
  await tools.shell.remove(join(made.folder, 'prof'))
  if (!times) throw cannFailure(`msprof left no times of ${made.definition.operator}: ${end.log.slice(-500)}`)
  return {measured: {...times, outputs: ran.execution.outputs}}
}

async function caseFolder(
  {workDirectory, shell, soc, seconds}: CannTools,
  {folder, definition}: OperatorPackage,
  operatorCase: OperatorCase,
  how: ExecuteOptions,
): Promise<string> {
  const directory = await mkdtemp(join(workDirectory, folder, 'case-'))
  const place = {host: '', kernel: '', hostValues: new Set<number>(), keepsVariables: false}
  const limits = {cpu: seconds.run, wall: seconds.run}
  await writeCase(directory, operatorCase, {...how, operator: definition.operator, soc, seconds: limits, ...place})
  const below = join(folder, basename(directory))
  await shell.put(below)
  return below
}

interface Launch {
  folder: string
  device: number
  warmUp: number
  repeats: number
  signal?: AbortSignal | undefined
}

/** The runner, and around it the profiler where launches are timed (`msprof --output=<folder> <program> …`). */
function launch(tools: CannTools, {folder, vendor}: OperatorPackage, asked: Launch): Promise<StepEnd> {
  const {install, level, seconds, shell} = tools
  const {device, signal} = asked
  const words = [basename(asked.folder), device, asked.warmUp, asked.repeats, seconds.run].map(String)
  const runner = [join(shell.root, folder, 'acl_runner'), ...words]
  const isTimed = asked.warmUp > 0 && install.msprof !== undefined
  const command = isTimed ? [`${install.msprof}`, `--output=${join(shell.root, folder, 'prof')}`, ...runner] : runner
  const libraries = [...(level === 'cann-sim' ? [`${install.simulator}`] : []), `${vendor}/op_api/lib`]
  const variables = {
    ASCEND_CUSTOM_OPP_PATH: vendor,
    LD_LIBRARY_PATH: [...libraries, install.variables['LD_LIBRARY_PATH'] ?? ''].join(':'),
  }
  return step(tools, command, {folder, seconds: seconds.run + seconds.grace, variables, signal})
}

async function concluded(
  tools: CannTools,
  {folder, end, outputs}: {folder: string; end: StepEnd; outputs: OperatorCase['outputs']},
): Promise<Ran | {fault: string}> {
  const {shell, workDirectory, seconds} = tools
  const stalled = {outcome: 'timed-out', limitSeconds: seconds.run, byClock: true} as const
  if (end.timedOut) return {execution: stalled, suspicion: 'a run on it had no end'}
  await shell.get(folder)
  const place = join(workDirectory, folder)
  const report = Report.safeParse(jsonIn(await plainText(join(place, 'report.json'))))
  const log = end.log.slice(-4000)
  if (!report.success) {
    const how = end.signal ?? (end.code !== null && end.code > 128 ? signalName(end.code - 128) : `status ${end.code}`)
    return {
      execution: {outcome: 'crashed', cause: `the process ended by itself, ${how}, before the kernel was done`, log},
    }
  }
  const {data} = report
  if (data.status === 'violated') return {execution: brokenRule(data)}
  if (data.status === 'failed') {
    const execution = meaningOf(data, seconds.run)
    if (typeof execution === 'string') return {fault: execution}
    return execution.outcome === 'launch-failed'
      ? {execution}
      : {execution, suspicion: `a run on it ended with ${data.code}`}
  }
  const read = await readOutputs(place, outputs)
  if (!read) return {fault: 'the outputs were not written whole'}
  return {execution: {outcome: 'ran', outputs: read, trace: unseen(data.workspaceBytes), cpuSeconds: 0, log}}
}

/** The candidate's host code runs in the runner's process, so that what lies there may be anything. */
export async function plainText(path: string): Promise<string> {
  const status = await lstat(path).catch(() => undefined)
  return status?.isFile() && status.size < 1 << 20 ? readFile(path, 'utf8') : ''
}

function brokenRule({rule, tensor}: {rule: string; tensor: string}): Execution {
  const isInput = rule === 'write-to-input'
  const message = isInput ? `the input "${tensor}" was changed` : `memory beside "${tensor}" was written`
  const fix = isInput ? 'write outputs only' : "check addresses against the tensor's length"
  return {outcome: 'violated', violation: {rule, block: -1, api: '', tensor, message, fix}}
}

/** Nothing is seen of what cores do. */
function unseen(workspaceBytes: number): Extract<Execution, {outcome: 'ran'}>['trace'] {
  return {blockDim: 0, tilingKey: 0, workspaceBytes, tiling: {}, buffers: [], ubPeakBytes: 0, calls: {}, blocks: []}
}

/** How long launches took on the device, without the host. */
interface LaunchTimes {
  /** Median, in microseconds. */
  microseconds: number
  /** Distance between the quartiles, in microseconds. */
  spread: number
  repeats: number
}

/**
 * Times of an operator's launches in what `msprof` left: `op_summary_*.csv` has a row for each, with its duration.
 * @param warmUp how many of the first are skipped
 * @returns undefined when there are no rows of it behind those
 */
export async function launchTimes(
  folder: string,
  {operator, warmUp}: {operator: string; warmUp: number},
): Promise<LaunchTimes | undefined> {
  const rows: Record<string, string>[] = []
  for await (const path of walk(folder)) {
    if (!/(?:^|\/)op_summary_[^/]*\.csv$/.test(path)) continue
    rows.push(...(parse(await readFile(join(folder, path)), {columns: true, bom: true, trim: true}) as typeof rows))
  }
  const own = rows.filter((row) => [row['OP Type'], row['Op Name']].includes(operator))
  own.sort((a, b) => Number(a['Task Start Time(us)'] ?? 0) - Number(b['Task Start Time(us)'] ?? 0))
  const times = own.slice(warmUp).map((row) => Number(row['Task Duration(us)']))
  if (times.length === 0 || !times.every((time) => time > 0)) return undefined
  times.sort((a, b) => a - b)
  const at = (share: number) => quantile(times, share)
  return {microseconds: at(0.5), spread: at(0.75) - at(0.25), repeats: times.length}
}

function quantile(sorted: readonly number[], share: number): number {
  const place = share * (sorted.length - 1)
  const [low = 0, high = low] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]]
  return low + (high - low) * (place - Math.floor(place))
}
