import {createHash} from 'node:crypto'
import {mkdtemp} from 'node:fs/promises'
import {dirname, join, resolve} from 'node:path'
import {makeFolder, removeFolder} from '../../engine/files.ts'
import type {Build, ExecuteOptions, Execution, Executor, Program} from '../../datasets/schema/executor.ts'
import type {OperatorCase} from '../../datasets/schema/task.ts'
import {buildIn, compileSide, compileUnit, libraryNames} from './build.ts'
import {readOutputs, writeCase} from './case-files.ts'
import {chipOf, defaultSoc} from './chips.ts'
import {holdsVariableInGm} from './device-rules.ts'
import {outwardLog} from './diagnostics.ts'
import {pastOurLimits} from './not-covered.ts'
import {keptObjects} from './kept-objects.ts'
import {objectStore} from './objects.ts'
import {planned, type PrebuildOptions} from './precompile.ts'
import {interpretRun} from './run-report.ts'
import {chooseSandbox, type Limits, type SandboxName} from './sandbox.ts'
import {chooseCompiler, chooseLinker} from './toolchain.ts'
import {openBench, type Bench, type Tools} from './tools.ts'
import {trusted} from './trust.ts'
import {withoutCommentsAndLiterals} from '../../cpp/code-pieces.ts'
import {parseOperatorDefinitions, type OpParameter} from '../../cpp/op-def.ts'
import {elementCount, type TensorSpec} from '../../datasets/schema/tensor.ts'

/** Options with the progress callback of compiling the twin, and its abort signal. */
export interface TwinOptions extends PrebuildOptions {
  /** Where precompiled headers and the runtime are kept between runs; shared by any number of processes. */
  cacheDirectory: string
  /** Folder of builds in use. */
  workDirectory: string
  /** Chip whose properties tiling sees, and whose cores a barrier waits for. Default `Ascend910_9392`. */
  soc?: string
  /** `auto` uses the best that works; `plain` has no isolation and must be requested. Default `auto`. */
  sandbox?: SandboxName | 'auto'
  /** A command such as `clang++-15`. Default: the best installed one. */
  compiler?: string
  limits?: {compile?: Partial<Limits>; run?: Partial<Limits>}
}

const gibi = 2 ** 30
const compileLimits: Limits = {
  cpuSeconds: 30,
  wallSeconds: 120,
  memoryBytes: 4 * gibi,
  fileBytes: gibi / 2,
  outputBytes: 1 << 20,
}
/**
 * Time limit for tiling, and for the kernel. A correct scalar kernel takes 10 to 30 ns for each element that it
 * touches.
 */
const runLimits: Limits = {
  cpuSeconds: 40,
  wallSeconds: 120,
  memoryBytes: 8 * gibi,
  fileBytes: 4 * gibi,
  outputBytes: 1 << 18,
}

/**
 * The CPU twin as an executor: compiles with a native compiler against headers that emulate Ascend C, and runs under
 * strict checks. What a verdict proves: tiling ran in a process that only had the values that the definition gives to
 * the host; the kernel ran in another, which only had the tiling data from the host side; outputs and the memory around
 * them were read by a third, which neither can reach; expected values are never inside the sandbox. The rules of the
 * device are checked in the kernel's process, so a kernel that finds the runtime's own memory could forge them, never
 * the outputs.
 * @throws PipelineError `config-invalid` for an unknown chip, `toolchain-missing`, `sandbox-missing`, or
 *   `executor-failed` when the twin itself does not build or does not pass its own test
 */
export default async function twin(options: TwinOptions): Promise<Executor> {
  return executorWith(await twinTools(options))
}

/**
 * The executor for existing tools.
 * @throws PipelineError `executor-failed` when the twin does not build or does not pass its own test
 */
export function executorWith(tools: Tools, signal?: AbortSignal): Promise<Executor> {
  // A cached object proves nothing about the current compiler, so the test uses a store without cache.
  return trusted(withTools(tools), withTools({...tools, objects: objectStore({mostBytes: 0})}), tools, signal)
}

/** An executor with a name from the start, whose tools are built when it is opened or first used. */
export interface LaterExecutor extends Executor {
  open(): Promise<void>
}

/** For callers with further checks before the twin is compiled; see `plannedTools`. */
export function laterExecutor(tools: Tools, options: PrebuildOptions): LaterExecutor {
  const {identity, covers} = withTools(tools)
  let opening: Promise<Executor> | undefined
  const opened = () => (opening ??= tools.prebuilt.build(options).then(() => executorWith(tools, options.signal)))
  return {
    identity,
    covers,
    open: async () => void (await opened()),
    compile: async (...asked) => (await opened()).compile(...asked),
    build: async (...asked) => (await opened()).build(...asked),
    execute: async (...asked) => (await opened()).execute(...asked),
  }
}

/**
 * The executor's tools, for programs that are not operators: programs that launch kernels themselves.
 * @throws PipelineError as the executor does
 */
export async function twinTools(options: TwinOptions): Promise<Tools> {
  const tools = await plannedTools(options)
  await tools.prebuilt.build(options)
  return tools
}

/**
 * The same before anything is compiled.
 * @throws PipelineError `config-invalid`, `toolchain-missing`, `sandbox-missing`
 */
export async function plannedTools(options: TwinOptions): Promise<Tools> {
  const soc = options.soc ?? defaultSoc
  chipOf(soc)
  const workDirectory = resolve(options.workDirectory)
  makeFolder(workDirectory)
  const [compiler, sandbox] = await Promise.all([
    chooseCompiler(options.compiler),
    chooseSandbox(workDirectory, options.sandbox),
  ])
  const [prebuilt, linker] = await Promise.all([
    planned(compiler, resolve(options.cacheDirectory)),
    chooseLinker(compiler),
  ])
  const fingerprint = createHash('sha256').update(`${prebuilt.fingerprint}\n${soc}`).digest('hex').slice(0, 16)
  return {
    compiler,
    sandbox,
    prebuilt,
    linker,
    soc,
    workDirectory,
    objects: objectStore({
      toolchain: prebuilt.directory,
      kept: keptObjects(join(dirname(prebuilt.directory), 'objects')),
    }),
    identity: {name: 'twin', fingerprint, compiler: compiler.version, soc},
    limits: {compile: {...compileLimits, ...options.limits?.compile}, run: {...runLimits, ...options.limits?.run}},
  }
}

function withTools(tools: Tools): Executor {
  const {compiler, soc} = tools
  return {
    identity: tools.identity,
    covers: `vector and cube kernels of ${soc} emulated on the CPU with ${compiler.version}; no timing`,
    compile: (what, signal) =>
      'program' in what ? compileSide(tools, what, signal) : compileUnit(tools, what, signal),
    build: (program, signal) => buildProgram(tools, program, signal),
    execute: (build, operatorCase, how, signal) => execute(tools, build, operatorCase, how ?? {}, signal),
  }
}

type Built = Awaited<ReturnType<Executor['build']>>

async function buildProgram(tools: Tools, program: Program, signal?: AbortSignal): Promise<Built> {
  const directory = await mkdtemp(join(tools.workDirectory, 'build-'))
  const build = new TwinBuild(openBench(tools, directory, signal), program)
  try {
    const end = await buildIn(tools, build.bench, program)
    if (!end.ok) {
      await build.dispose()
      return end
    }
    build.imports = end.imports
    return {ok: true, build}
  } catch (error) {
    await build.dispose()
    throw error
  }
}

/** An operator on disk, the sandbox that it runs in, and what is needed from its sources to read its runs. */
class TwinBuild implements Build {
  readonly bench: Bench
  readonly program: Program
  imports: readonly string[] = []
  disposed = false

  constructor(bench: Bench, program: Program) {
    this.bench = bench
    this.program = program
  }

  get directory(): string {
    return this.bench.directory
  }

  async dispose(): Promise<void> {
    this.disposed = true
    await this.bench.close()
    await removeFolder(this.directory)
  }
}

async function execute(
  tools: Tools,
  build: Build,
  operatorCase: OperatorCase,
  how: ExecuteOptions,
  signal?: AbortSignal,
): Promise<Execution> {
  if (!(build instanceof TwinBuild)) throw new TypeError('execute: another executor made this build')
  if (build.disposed) throw new TypeError('execute: this build was disposed of')
  const beyond = pastOurLimits(operatorCase, tools.limits.run)
  if (beyond) return beyond
  const {program, bench} = build
  const directory = await mkdtemp(join(build.directory, 'case-'))
  try {
    await writeCase(directory, operatorCase, {
      ...how,
      operator: program.operator,
      soc: tools.soc,
      host: join(build.directory, libraryNames.host),
      kernel: join(build.directory, libraryNames.kernel),
      seconds: {cpu: tools.limits.run.cpuSeconds, wall: tools.limits.run.wallSeconds},
      hostValues: hostValuesOf(program, operatorCase.inputs),
      keepsVariables: program.files.some(({text}) => holdsVariableInGm(text)),
    })
    const folders = [directory, build.directory, tools.prebuilt.include, tools.prebuilt.directory]
    return await interpretRun({
      answer: await bench.judge(directory, signal),
      outputs: () => readOutputs(directory, operatorCase.outputs),
      limits: tools.limits.run,
      tolerant: how.tolerant ?? false,
      sources: program.files.map(({text}) => text),
      plain: (text) => outwardLog(text, folders),
    })
  } finally {
    await removeFolder(directory)
  }
}

/**
 * The inputs, by position, whose values tiling may read. The text of the definition decides, or the registration that
 * names inputs by number: what the host code reports at run time cannot be trusted. Values are passed to the host as
 * arrays of float, bool or integers (ValueDepend.md), so an input of half or bfloat16 or of several dimensions has none
 * there; and a tensor that claims to be a scalar is not one.
 */
export function hostValuesOf({operator, files}: Program, inputs: readonly TensorSpec[]): ReadonlySet<number> {
  const host = files.filter(({path}) => /(?:^|\/)op_host\//.test(path)).map(({text}) => text)
  const definition = host.flatMap(parseOperatorDefinitions).find((one) => one.operator === operator)
  const registered = registeredInputs(host)
  const given = (definition?.inputs ?? []).flatMap((parameter, number) =>
    inputs.flatMap((input, index) =>
      input.name === parameter.name && isGiven(parameter, registered.has(number), input) ? [index] : [],
    ),
  )
  return new Set(given)
}

function isGiven({hostValue}: OpParameter, registered: boolean, input: TensorSpec): boolean {
  if (hostValue === 'scalar' && elementCount(input.shape) <= 1) return true
  if (input.shape.length > 1) return false
  if (hostValue === 'scalar-list') return true
  return (hostValue === 'depends' || registered) && input.dtype !== 'float16' && input.dtype !== 'bfloat16'
}

/** `IMPL_OP_OPTILING(X).TilingInputsDataDependency({1, 2})`. */
function registeredInputs(host: readonly string[]): ReadonlySet<number> {
  const lists = host.flatMap((text) => [
    ...withoutCommentsAndLiterals(text).matchAll(/InputsDataDependency\s*\(\s*\{([\d\s,]*)\}/g),
  ])
  return new Set(lists.flatMap(([, numbers = '']) => numbers.split(',').map(Number)))
}
