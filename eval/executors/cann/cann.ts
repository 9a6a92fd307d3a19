import {createHash} from 'node:crypto'
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import type {Build, ExecuteOptions, Execution, Executor, MeasuredRun} from '../../../datasets/schema/executor.ts'
import type {OperatorCase} from '../../../datasets/schema/task.ts'
import type {Verdict} from '../../../datasets/schema/verdict.ts'
import {PipelineError} from '../../../engine/errors.ts'
import type {DirectUnits} from '../direct-units.ts'
import {selfTest} from '../self-test.ts'
import {beyondRunner} from './acl-call.ts'
import {boardPython, type BoardPython} from './board-python.ts'
import type {Shell} from './cann-shell.ts'
import {cannFailure, type CannSeconds, type CannTools} from './cann-tools.ts'
import {deviceQueue, onHealthy, type DeviceQueue} from './device-queue.ts'
import type {CannInstall, CannLevel} from './find-cann.ts'
import {discard, notCovered, packager, type OperatorPackage, type Packager} from './operator-package.ts'
import {makeRunner, measureCase, runCase, runnerFile} from './package-runs.ts'
import {checkDirect, checkUnit} from './unit-check.ts'
import {chooseWalls} from './walls.ts'

export interface CannOptions {
  shell: Shell
  install: CannInstall
  level: CannLevel
  soc: string
  /** Local folder that corresponds to the shell's root. */
  workDirectory: string
  /** Where locks of boards lie, shared by all processes of this machine. */
  lockDirectory: string
  /** Boards to use. Default: all that were found. */
  devices?: readonly number[] | undefined
  /** A Python beside the boards that has `torch_npu`, for models. */
  python?: string | undefined
  sandbox?: 'auto' | 'bwrap' | 'unshare' | 'plain'
  seconds?: Partial<CannSeconds>
  /** Told to the user, such as that a board is not used any more. */
  say(text: string): void
  signal?: AbortSignal | undefined
}

export interface CannExecutor extends Executor {
  /** Compiles a program or module that launches its kernels itself. @returns `compiled` or `compile-failed` */
  checkDirect(program: DirectUnits, signal?: AbortSignal): Promise<Verdict>
  /** Runs models on its boards; absent at other levels, and where no Python is named. */
  readonly python?: BoardPython
}

const usualSeconds: CannSeconds = {compile: 120, build: 900, run: 600, grace: 60}

/**
 * CANN as an executor, at one level. Those that run have passed a test: a known operator comes out right, on every
 * board that is used.
 * @throws PipelineError `sandbox-missing`; `executor-failed` when the compiler does not say its version, or the known
 *   operator does not come out right
 */
export default async function cann(options: CannOptions): Promise<CannExecutor> {
  const tools = await cannTools(options)
  const packaged = packager(tools)
  const direct: Pick<CannExecutor, 'checkDirect'> = {
    checkDirect: (program, signal) => checkDirect(tools, program, signal),
  }
  if (options.level === 'cann-compile') return {...compiling(tools, packaged), ...direct}
  const plain = runningOn(tools, packaged, 0)
  if (options.level === 'cann-sim') {
    const fault = await selfTest(plain, options.signal)
    if (fault !== undefined) throw cannFailure(`the known operator does not come out right: ${fault}`, {scope: 'run'})
    return {...plain, ...direct}
  }
  const devices = (options.devices ?? options.install.devices).filter((one) => options.install.devices.includes(one))
  const {place} = options.shell
  const known = builtOnce(tools, plain)
  const test = (device: number, signal?: AbortSignal) =>
    selfTest({...runningOn(tools, packaged, device), build: known}, signal)
  const queue = deviceQueue({...options, devices, place, test})
  await queue.open(options.signal)
  const {python: command} = options
  const python = command === undefined ? undefined : await boardPython(tools, packaged, queue, command, options.signal)
  return {...onBoards(tools, packaged, queue), ...direct, ...(python && {python})}
}

async function cannTools(options: CannOptions): Promise<CannTools> {
  const {shell, install, level, soc, workDirectory, sandbox, signal} = options
  const walls = await chooseWalls(shell, sandbox, signal)
  const asked = {env: install.variables, seconds: 60, signal}
  const {stdout, code} = await shell.run([install.bisheng, '--version'], asked)
  if (code !== 0) throw cannFailure(`${install.bisheng} does not say its version`, {scope: 'run'})
  const compiler = `${stdout.split('\n')[0]?.trim()}, CANN ${install.version}`
  const parts = [compiler, level, soc, level === 'cann-compile' ? '' : readFileSync(runnerFile, 'utf8')]
  const fingerprint = createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16)
  const identity = {name: level, fingerprint, compiler, soc}
  return {shell, install, level, soc, walls, workDirectory, identity, seconds: {...usualSeconds, ...options.seconds}}
}

function compiling(tools: CannTools, packaged: Packager): Executor {
  return {
    identity: tools.identity,
    covers: `${tools.soc}, compiled with ${tools.identity.compiler} and not run`,
    reach: 'compiles',
    compile: (what, signal) => checkUnit(tools, packaged, what, signal),
    async build(program, signal) {
      const end = await packaged(program, signal)
      return end.ok ? {ok: true, build: new CannBuild(tools, end.made)} : end
    },
    execute: () => Promise.reject(runsNothing()),
  }
}

class CannBuild implements Build {
  readonly #tools: CannTools
  readonly made: OperatorPackage

  constructor(tools: CannTools, made: OperatorPackage) {
    this.#tools = tools
    this.made = made
  }

  get directory(): string {
    return join(this.#tools.workDirectory, this.made.folder)
  }

  dispose(): Promise<void> {
    return discard(this.#tools, this.made.folder)
  }
}

/** A package takes minutes: that of the known operator stays as long as this process. */
function builtOnce(tools: CannTools, executor: Executor): Executor['build'] {
  class Kept extends CannBuild {
    override dispose(): Promise<void> {
      return Promise.resolve()
    }
  }
  let built: ReturnType<Executor['build']> | undefined
  return async (...asked) => {
    const end = await (built ??= executor.build(...asked)).catch((error: unknown) => {
      built = undefined
      throw error
    })
    return end.ok ? {ok: true, build: new Kept(tools, packageOf(end.build))} : end
  }
}

function packageOf(build: Build): OperatorPackage {
  if (build instanceof CannBuild) return build.made
  throw new TypeError('execute: another executor made this build')
}

function runsNothing(): PipelineError {
  return new PipelineError('config-invalid', 'cann-compile compiles and runs nothing.', {
    fix: 'Use `--set executor.level=cann-sim` or `cann-board` where `ascend-cot doctor` lists them, or the twin.',
  })
}

/** What runs on one device, whoever else does: the simulator, or a board that is held. */
function runningOn(tools: CannTools, packaged: Packager, device: number): Executor {
  const {soc, identity, level} = tools
  const where = level === 'cann-sim' ? "the vendor's simulator" : 'boards, with times'
  return {
    ...compiling(tools, packaged),
    covers: `${soc}, compiled with ${identity.compiler} and run on ${where}; order of blocks as it comes`,
    reach: 'runs',
    async build(program, signal) {
      const end = await packaged(program, signal)
      if (!end.ok) return end
      const build = new CannBuild(tools, end.made)
      const beyond = beyondRunner(end.made.definition)
      try {
        if (beyond === undefined) await makeRunner(tools, end.made, signal)
      } catch (error) {
        await build.dispose()
        throw error
      }
      if (beyond === undefined) return {ok: true, build}
      await build.dispose()
      return {ok: false, verdict: notCovered(tools, beyond)}
    },
    async execute(build, operatorCase, how, signal) {
      const end = await runCase(tools, packageOf(build), operatorCase, {...how, device, signal})
      if ('fault' in end) throw cannFailure(end.fault)
      return end.execution
    },
  }
}

/** The same with a board for each run, which is tested after a run that it may have suffered from. */
function onBoards(tools: CannTools, packaged: Packager, queue: DeviceQueue): Executor {
  const first = runningOn(tools, packaged, 0)
  return {
    ...first,
    async execute(build: Build, operatorCase: OperatorCase, how?: ExecuteOptions, signal?: AbortSignal) {
      const run = (device: number) => runCase(tools, packageOf(build), operatorCase, {...how, device, signal})
      return (await onHealthy<{execution: Execution}>(queue, run, signal)).execution
    },
    ...(tools.install.msprof !== undefined && {
      async measure(build: Build, operatorCase: OperatorCase, signal?: AbortSignal) {
        const run = (device: number) => measureCase(tools, packageOf(build), operatorCase, {device, signal})
        const end = await onHealthy<{measured: MeasuredRun} | {execution: Execution}>(queue, run, signal)
        if ('measured' in end) return end.measured
        return end.execution as Exclude<Execution, {outcome: 'ran'}>
      },
    }),
  }
}
