import {readdirSync, rmdirSync, rmSync} from 'node:fs'
import {availableParallelism} from 'node:os'
import {dirname, join, resolve} from 'node:path'
import type {Executor} from '../../datasets/schema/executor.ts'
import {PipelineError} from '../../engine/errors.ts'
import type {CannExecutor} from '../../eval/executors/cann/cann.ts'
import {executorWith, laterExecutor, plannedTools, twinTools} from '../../eval/executors/twin.ts'
import type {LaterExecutor} from '../../eval/executors/twin.ts'
import {chooseSandbox, type SandboxName} from '../../eval/executors/sandbox.ts'
import {sandboxShortfall} from '../../eval/executors/probe.ts'
import type {Tools} from '../../eval/executors/tools.ts'
import type {Config} from '../workspace/config.ts'
import {isAlive} from '../../engine/process-table.ts'
import type {Terminal} from './terminal.ts'
import type {World} from './world.ts'

/**
 * The configured executor, after it has passed its self-test. The first call on a machine compiles the twin, and says
 * so. Notes what it costs when the preferred compiler or sandbox is missing.
 * @throws PipelineError `toolchain-missing` without any compiler, `sandbox-missing` when candidates could not be
 *   contained, `executor-failed` when a known operator gives wrong results, `interrupted` when the run is stopped
 */
export async function makeExecutor(config: Config, world: Machine): Promise<Executor> {
  return config.executor.kind === 'cann' ? makeCann(config, world) : (await makeTwin(config, world)).executor
}

/** Its modules are loaded where it is asked for. */
async function makeCann(config: Config, world: Machine): Promise<CannExecutor> {
  sweepWork(config)
  const {openCann} = await import('./open-cann.ts')
  const {executor, notes} = await openCann(config, world, workOf(config.out))
  for (const note of notes) world.terminal.say(`note: ${note}`)
  return executor
}

/** The second executor, where one is configured. */
export function makeConfirming(config: Config, world: Machine): Promise<CannExecutor | undefined> {
  const {confirm} = config.executor
  if (confirm === 'none') return Promise.resolve(undefined)
  return makeCann({...config, executor: {...config.executor, level: confirm}}, world)
}

type Machine = Pick<World, 'terminal' | 'signal' | 'now' | 'env'>

interface OpenTwin {
  executor: Executor
  tools: Tools
}

/** The same with its tools, for other code that compiles and runs. */
export async function makeTwin(config: Config, world: Machine): Promise<OpenTwin> {
  if (config.executor.kind !== 'twin') throw needsTwin()
  const made = await openTwin(config, world)
  tellShortfalls(made.tools, world)
  return made
}

function needsTwin(): PipelineError {
  return new PipelineError('config-invalid', 'Only the twin judges here: programs that launch kernels run beside it.', {
    fix: 'Leave out `--executor cann` and `executor.kind`; CANN has the last word with `executor.confirm`.',
  })
}

/** The executor of one command. */
export interface ExecutorOnce {
  /**
   * Has its name before the twin is compiled, so that other errors are found first.
   * @param wanted of another executor beside it; CANN, which is ready at once
   * @throws PipelineError `toolchain-missing`, `sandbox-missing`
   */
  plan(wanted?: Config): Promise<Executor>
  /**
   * Prepares a planned executor.
   * @throws PipelineError as `makeExecutor` does
   */
  open(): Promise<void>
}

export function executorOnce(config: Config, world: Machine): ExecutorOnce {
  let planned: Promise<LaterExecutor> | undefined
  const make = async () => {
    if (config.executor.kind === 'cann') return {...(await makeCann(config, world)), open: () => Promise.resolve()}
    sweepWork(config)
    const options = twinOptions(config, world)
    const tools = await plannedTools(options)
    tellShortfalls(tools, world)
    return laterExecutor(tools, options)
  }
  return {
    plan: (wanted = config) => (wanted === config ? (planned ??= make()) : makeCann(wanted, world)),
    open: async () => (await planned)?.open(),
  }
}

function tellShortfalls({compiler: {version, cost}, sandbox}: Tools, {terminal}: Machine): void {
  if (cost !== '') terminal.say(`note: code is judged with ${version}: ${cost}`)
  const shortfall = sandboxShortfall(sandbox)
  if (shortfall.cost !== '') terminal.say(`note: ${shortfall.cost}`)
}

/** Only the twin, without notes on missing tools. */
export async function openTwin(config: Config, world: Machine): Promise<OpenTwin> {
  sweepWork(config)
  const tools = await twinTools(twinOptions(config, world))
  return {executor: await executorWith(tools, world.signal), tools}
}

/** Where programs beside the twin's run. @throws PipelineError `sandbox-missing` */
export async function sandboxOf(config: Config): Promise<{sandbox: SandboxName; workDirectory: string}> {
  sweepWork(config)
  const workDirectory = workOf(config.out)
  return {workDirectory, sandbox: await chooseSandbox(workDirectory, sandboxName(config))}
}

const sandboxName = ({executor: {sandbox}}: Config) =>
  sandbox === 'none-and-i-accept-the-risk' ? ('plain' as const) : sandbox

function twinOptions(config: Config, {terminal, signal, now}: Machine) {
  const {cache, out, executor} = config
  return {
    signal,
    cacheDirectory: resolve(cache, 'twin'),
    workDirectory: workOf(out),
    soc: executor.soc,
    sandbox: sandboxName(config),
    onProgress: preparation(terminal, availableParallelism(), now),
    onWait: () => terminal.say('another process is compiling the twin; waiting for it'),
    ...(executor.compiler === undefined ? {} : {compiler: executor.compiler}),
  }
}

/** A folder of this process, deleted when it ends: another process may use the same `out`. */
function workOf(out: string): string {
  const folder = join(resolve(out), 'work', String(process.pid))
  if (used.size === 0) process.once('exit', () => used.forEach(removeWork))
  used.add(folder)
  return folder
}

/** Folders that are deleted when the process ends. */
const used = new Set<string>()

/** The parent folder is shared, and deleted with the last of them. */
function removeWork(folder: string): void {
  try {
    rmSync(folder, {recursive: true, force: true})
    rmdirSync(dirname(folder))
  } catch {
    // Another process uses it, or a program locked one of its folders: the next command deletes it.
  }
}

/** CPU seconds per part of the twin: 0.33 with clang 15, 0.5 with g++ 12. */
const partSeconds = 0.4

/**
 * Whole lines at every quarter, which suit a terminal of any width and a log. The first gives the usual total, the
 * others the time left at this machine's pace.
 */
export function preparation(
  terminal: Pick<Terminal, 'say'>,
  cores: number,
  now: () => number,
): (done: number, total: number) => void {
  let said = 0
  let started = 0
  return (done, total) => {
    if (done === 0) {
      started = now()
      const usual = inWords((total * partSeconds) / cores)
      terminal.say(`compiling the twin, once per machine: ${total} parts, usually ${usual}`)
    }
    const quarter = Math.floor((done / total) * 4)
    if (quarter <= said) return
    said = quarter
    const rest = ((now() - started) / 1000 / done) * (total - done)
    terminal.say(`compiling the twin: ${done} of ${total} parts${done < total ? `, ${inWords(rest)} left` : ''}`)
  }
}

/** `about 50 s`, `about 3 min`. */
export function inWords(seconds: number): string {
  return seconds < 100
    ? `about ${Math.max(1, Math.ceil(seconds / 10)) * 10} s`
    : `about ${Math.round(seconds / 60)} min`
}

/** Removes builds of processes that were killed; each process works in a folder named after itself. */
export function sweepWork({out}: Pick<Config, 'out'>): void {
  const work = join(resolve(out), 'work')
  let names: string[]
  try {
    names = readdirSync(work)
  } catch {
    return
  }
  for (const name of names) if (!isAlive(Number(name))) rmSync(join(work, name), {recursive: true, force: true})
}
