import {join} from 'node:path'
import type {ExecutorIdentity} from '../../../datasets/schema/verdict.ts'
import {PipelineError} from '../../../engine/errors.ts'
import type {CommandResult} from '../../../engine/subprocess.ts'
import type {Shell} from './cann-shell.ts'
import type {CannInstall, CannLevel} from './find-cann.ts'
import type {Walls} from './walls.ts'

/** Seconds that the steps of a candidate may take, each. */
export interface CannSeconds {
  /** One unit. */
  compile: number
  /** `msopgen`, and `build.sh` with all that it starts. */
  build: number
  /** One case; the simulator is given the same. */
  run: number
  /** Beyond `run`, for reading and writing: the runner gives up by itself before. */
  grace: number
}

/** Everything that judging with CANN takes. */
export interface CannTools {
  shell: Shell
  install: CannInstall
  level: CannLevel
  soc: string
  walls: Walls
  /** Here; the shell's root is the same folder where it runs. */
  workDirectory: string
  seconds: CannSeconds
  identity: ExecutorIdentity
}

interface Step {
  /** Below the work folder: working directory, home, and the one folder that may be written. */
  folder: string
  seconds: number
  /** Over the toolkit's own. */
  variables?: Readonly<Record<string, string>>
  signal?: AbortSignal | undefined
}

export interface StepEnd extends CommandResult {
  /** What it said on both streams. */
  log: string
}

/** One command of the toolkit, or of what was built with it, inside the walls and in the toolkit's environment. */
export async function step(
  {shell, install, walls}: CannTools,
  command: readonly string[],
  {folder, seconds, variables, signal}: Step,
): Promise<StepEnd> {
  const place = join(shell.root, folder)
  // ASCEND_PROCESS_LOG_PATH moves logs of runtime and compilers out of the home folder (asc-devkit, examples 09_log).
  const own = {HOME: place, TMPDIR: place, LC_ALL: 'C', ASCEND_PROCESS_LOG_PATH: join(place, 'log')}
  const env = {...install.variables, ...own, ...variables}
  const end = await shell.run(walls(command, place), {cwd: folder, env, seconds, signal})
  return {...end, log: `${end.stdout}${end.stderr}`}
}

/** A tool or a device failed, not the candidate: the record is tried again, and nothing is said of it. */
export function cannFailure(fault: string, more: {scope?: 'run'} = {}): PipelineError {
  return new PipelineError('executor-failed', `CANN could not judge: ${fault.slice(0, 1000)}`, {
    fix: 'Look at the toolkit and the boards (`ascend-cot doctor`, `npu-smi info`), then run `ascend-cot resume`.',
    ...more,
    evidence: {fault: fault.slice(0, 4000)},
  })
}
