import {cp, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import type {Program} from '../../../datasets/schema/executor.ts'
import type {Verdict} from '../../../datasets/schema/verdict.ts'
import {PipelineError} from '../../../engine/errors.ts'
import {removeFolder} from '../../../engine/files.ts'
import {parseDiagnostics} from '../diagnostics.ts'
import {cannFailure, step, type CannTools, type StepEnd} from './cann-tools.ts'
import {onHealthy, type DeviceQueue, type Tried} from './device-queue.ts'
import {discard, linkError, refusal, type OperatorPackage, type Packager} from './operator-package.ts'

/** The source of a module for Python: a folder with a `setup.py`, and a file that is put into it. */
export interface ModuleSource {
  folder: string
  path: string
  text: string
}

/** Programs of Python that call an operator on a board, through a module of its own and `torch_npu`. */
export interface BoardPython {
  /** Versions of torch and torch_npu. */
  readonly version: string
  /** @throws PipelineError `executor-failed` when a tool failed, not the code */
  open(
    program: Program,
    module: ModuleSource,
    signal?: AbortSignal,
  ): Promise<{ok: true; build: PythonBuild} | {ok: false; verdict: Verdict}>
}

export interface PythonBuild {
  /** Here. Programs start in it there. */
  readonly directory: string
  /**
   * Runs a program on a board that it has alone, with a folder that is carried there and back.
   * @param read what the end means, and whether the board may have suffered
   */
  run<T>(
    asked: {folder: string; command: readonly string[]; seconds: number},
    read: (end: StepEnd) => Promise<Tried<T>>,
    signal?: AbortSignal,
  ): Promise<T>
  /** Empties a folder, here and there. */
  clear(folder: string): Promise<void>
  dispose(): Promise<void>
}

const question = 'import torch, torch_npu; print(torch.__version__, torch_npu.__version__)'

/** @throws PipelineError `toolchain-missing` where it cannot import `torch_npu` */
export async function boardPython(
  tools: CannTools,
  packaged: Packager,
  queue: DeviceQueue,
  command: string,
  signal?: AbortSignal,
): Promise<BoardPython> {
  const {shell, install} = tools
  const said = await shell.run([command, '-c', question], {env: install.variables, seconds: 300, signal})
  if (said.code !== 0) throw lacking(command, shell.place, said.stderr)
  return {
    version: said.stdout.trim(),
    async open(program, module, stop) {
      const end = await packaged(program, stop)
      if (!end.ok) return end
      const {made} = end
      try {
        const verdict = await compiled(tools, {made, module, command}, stop)
        if (verdict === undefined) return {ok: true, build: pythonBuild(tools, made, queue, command)}
        await discard(tools, made.folder)
        return {ok: false, verdict}
      } catch (error) {
        await discard(tools, made.folder)
        throw error
      }
    },
  }
}

function lacking(command: string, place: string, stderr: string): PipelineError {
  const last = stderr.trim().split('\n').at(-1) ?? ''
  return new PipelineError('toolchain-missing', `${command} of ${place} has no torch_npu: ${last.slice(0, 300)}`, {
    fix: 'Name a Python that has it with `--set executor.python=…`, or leave that out: models are then only compiled.',
  })
}

const moduleFolder = 'module'

interface Compiling {
  made: OperatorPackage
  module: ModuleSource
  command: string
}

/** @returns why it was not built, of what the code is to blame for */
async function compiled(
  tools: CannTools,
  {made, module, command}: Compiling,
  signal?: AbortSignal,
): Promise<Verdict | undefined> {
  const {workDirectory, shell, seconds, identity} = tools
  const folder = join(made.folder, moduleFolder)
  await cp(module.folder, join(workDirectory, folder), {recursive: true})
  await writeFile(join(workDirectory, folder, module.path), module.text)
  await shell.put(folder)
  const asked = {folder, seconds: seconds.build, signal}
  const end = await step(tools, [command, 'setup.py', 'build_ext', '--inplace'], asked)
  const log = end.log.replaceAll(`${join(shell.root, folder)}/`, '')
  if (end.timedOut) return refusal(tools, `${log}error: compilation ran past its time limit\n`)
  if (end.code === 0) return undefined
  if (parseDiagnostics(log).some(({severity, file}) => severity === 'error' && file === module.path))
    return refusal(tools, log)
  if (linkError.test(log)) return {outcome: 'link-failed', log, executor: identity}
  throw cannFailure(`setup.py ended with status ${end.code} and no word on the module: ${log.trim().slice(-800)}`)
}

function pythonBuild(tools: CannTools, made: OperatorPackage, queue: DeviceQueue, python: string): PythonBuild {
  const {shell, workDirectory, install} = tools
  const {folder, vendor} = made
  const before = (name: string, path: string) => [path, install.variables[name] ?? ''].join(':')
  const variables = {
    ASCEND_CUSTOM_OPP_PATH: vendor,
    LD_LIBRARY_PATH: before('LD_LIBRARY_PATH', `${vendor}/op_api/lib`),
    PYTHONPATH: before('PYTHONPATH', join(shell.root, folder, moduleFolder)),
    PYTHONDONTWRITEBYTECODE: '1',
  }
  return {
    directory: join(workDirectory, folder),
    run: ({folder: carried, command, seconds}, read, signal) => {
      const on = async (device: number) => {
        await shell.put(join(folder, carried))
        const own = {...variables, ASCEND_RT_VISIBLE_DEVICES: String(device)}
        const end = await step(tools, [python, ...command], {folder, seconds, variables: own, signal})
        await shell.get(join(folder, carried))
        return read(end)
      }
      return onHealthy(queue, on, signal)
    },
    async clear(carried) {
      await shell.remove(join(folder, carried))
      await removeFolder(join(workDirectory, folder, carried))
    },
    dispose: () => discard(tools, folder),
  }
}
