import {copyFile, mkdir, mkdtemp} from 'node:fs/promises'
import {join, resolve} from 'node:path'
import type {SourceFile} from '../../../datasets/schema/operator.ts'
import {compileKernels} from '../../executors/direct-units.ts'
import type {CannExecutor} from '../../executors/cann/cann.ts'
import type {Tools} from '../../executors/tools.ts'
import type {Opened} from './submission.ts'
import {compileModuleUnit, deviceParts, linkModule, put} from './compile-binding.ts'
import type {DeviceParts, ModuleTools} from './compile-binding.ts'
import type {DirectReply} from './direct-reply.ts'
import {runCalls} from './candidate-process.ts'
import type {TorchPython} from './python.ts'
import {firstError, refused, refusedBuild, refusedSource} from './refusals.ts'
import {brokenKernels} from './source-whitelist.ts'

interface DirectOpening {
  tools: ModuleTools
  /** The compiler of kernels and their emulated device. */
  twin: Tools
  device: () => Promise<DeviceParts>
  /** Compiles the kernels again. */
  confirming?: CannExecutor | undefined
  /** The submission's own folder. */
  directory: string
  seconds: number
}

/** What opens replies one after another. */
export interface OpeningOptions {
  /** Compiles bindings, and modules that launch their kernels themselves. */
  twin: Tools
  python: TorchPython
  cacheDirectory: string
  workDirectory: string
  /** Time limit for the model's work between two launches. Default 180, the benchmarks' own. */
  seconds?: number
}

/** Makes the folders; the device's parts are made when the first reply needs them. */
export async function startOpening({twin, python, seconds = 180, ...folders}: OpeningOptions) {
  const [cacheDirectory, workDirectory] = [resolve(folders.cacheDirectory), resolve(folders.workDirectory)]
  await Promise.all([cacheDirectory, workDirectory].map((one) => mkdir(one, {recursive: true})))
  const {sandbox, compiler, prebuilt} = twin
  const tools: ModuleTools = {python, sandbox, compiler, cacheDirectory, twin: prebuilt}
  let parts: Promise<DeviceParts> | undefined
  return {tools, twin, seconds, workDirectory, device: () => (parts ??= deviceParts(tools))}
}

/**
 * Opens a reply in the language `ascendc_direct_launch`. The model's process loads the module, in which tensors are
 * addresses; launches are sent to the process that owns the memory, where the kernels' own library runs them.
 */
export async function openDirect(
  opening: DirectOpening,
  reply: DirectReply | {fault: string},
  signal?: AbortSignal,
): Promise<Opened> {
  if ('fault' in reply) return refused('unreadable', reply.fault)
  const {tools, directory, seconds, twin} = opening
  const {python, sandbox} = tools
  const source = brokenKernels(reply.files, reply.bindings)
  if (source) return refusedSource(source)
  const folder = join(directory, 'library')
  const built = await buildModule(opening, reply, folder, signal)
  if ('ok' in built) return built
  const model = join(folder, 'model.py')
  await put(model, reply.model.text)
  const {program, kernels, library, device: ours} = built
  const loaded = {library, module: reply.module, model, class: reply.model.class, device: ours}
  const device = {program, kernels, seconds: Math.ceil(twin.limits.run.cpuSeconds)}
  const folders = [tools.cacheDirectory, tools.twin.directory, folder]
  const setting = {python, sandbox, directory, seconds, folders, loaded, device}
  return {
    ok: true,
    submission: {run: (calls, abort) => runCalls(setting, calls, abort ?? signal), dispose: async () => undefined},
  }
}

/** Sources of a module of Python that launches kernels. */
interface ModuleSources {
  files: readonly SourceFile[]
  /** Paths of what is compiled for the device and its host, and of what is compiled against PyTorch. */
  kernels: readonly string[]
  bindings: readonly string[]
  /** Folders of headers. */
  include: readonly string[]
  /** Name of the module's file. */
  module: string
}

interface BuiltModule {
  library: string
  kernels: string
  /** The device's own parts: its process, and the library of the model's process. */
  program: string
  device: string
}

/** Compiles a module and its kernels into a folder, which it makes. */
export async function buildModule(
  {tools, twin, device, directory, confirming}: DirectOpening,
  {files, kernels, bindings, include, module}: ModuleSources,
  folder: string,
  signal?: AbortSignal,
): Promise<BuiltModule | Extract<Opened, {ok: false}>> {
  const place = await mkdtemp(join(directory, 'build-'))
  await mkdir(folder, {recursive: true})
  const name = `${module}.so`
  const kernelLibrary = `lib${module}_kernels.so`
  const program = {files: files.filter(({path}) => !path.endsWith('.py')), units: kernels, include}
  const compiled = await compileKernels(twin, {directory: place, library: kernelLibrary}, program, signal)
  if (!compiled.ok) return refusedBuild(compiled.verdict)
  const again = await confirming?.checkDirect(program, signal)
  if (confirming && again && again.outcome !== 'compiled') return refusedBuild(again, confirming.identity.name)
  const units = bindings.map((path, at) => ({path, output: `binding-${at}.o`, include, module}))
  for (const unit of units) {
    const said = await compileModuleUnit(tools, place, unit)
    if (said !== undefined) return refused('compile-failed', `${unit.path}: ${firstError(said)}`, said)
  }
  const linked = {kernels: compiled.objects, bindings: units.map(({output}) => output), kernelLibrary, output: name}
  const said = await linkModule(tools, place, linked)
  if (said !== undefined) return refused('link-failed', firstError(said), said)
  for (const file of [name, kernelLibrary]) await copyFile(join(place, file), join(folder, file))
  const besides = `${kernelLibrary}.cube`
  await copyFile(join(place, besides), join(folder, besides)).catch(() => undefined)
  const parts = await device()
  return {
    library: join(folder, name),
    kernels: join(folder, kernelLibrary),
    program: parts.program,
    device: parts.library,
  }
}
