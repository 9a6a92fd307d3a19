import {createHash} from 'node:crypto'
import {existsSync} from 'node:fs'
import {mkdir, mkdtemp, open, readFile, rename, rm, stat} from 'node:fs/promises'
import {dirname, join} from 'node:path'
import {PipelineError} from '../../../engine/errors.ts'
import {removeFolder} from '../../../engine/files.ts'
import {inTurn} from '../../../engine/lock.ts'
import {runConfined} from '../../executors/sandbox.ts'
import type {Prebuilt} from '../../executors/precompile.ts'
import type {Confined, Limits, SandboxName} from '../../executors/sandbox.ts'
import type {Compiler} from '../../executors/toolchain.ts'
import {runtimeFolder} from './python.ts'
import type {TorchPython} from './python.ts'

/** What compiles bindings. */
interface BindingTools {
  python: TorchPython
  sandbox: SandboxName
  compiler: Compiler
  /** Where the precompiled header is kept. */
  cacheDirectory: string
}

/** What a binding that launches kernels needs from the twin, besides PyTorch. */
export type ModuleTools = BindingTools & {twin: Pick<Prebuilt, 'directory' | 'include' | 'library' | 'fingerprint'>}

const helper = join(runtimeFolder, 'include', 'pytorch_npu_helper.hpp')
const tensorText = join(runtimeFolder, 'include', 'tensor_text.h')
const elements = join(runtimeFolder, 'device', 'elements.h')

/** PyTorch's headers alone take a compiler 40 seconds of CPU time. */
const limits: Limits = {
  cpuSeconds: 300,
  wallSeconds: 600,
  memoryBytes: 8 * 2 ** 30,
  fileBytes: 2 ** 30,
  outputBytes: 1 << 18,
}

function flagsOf({package: folder, headers}: TorchPython): string[] {
  const include = join(folder, 'include')
  const folders = [join(runtimeFolder, 'include'), include, join(include, 'torch/csrc/api/include'), headers]
  const defined = '-DTORCH_EXTENSION_NAME=custom_ops_lib'
  return ['-std=c++20', '-fPIC', '-O0', '-w', defined, ...folders.flatMap((one) => ['-I', one])]
}

/** Nothing is reused from another compiler, PyTorch or source. */
async function keyOf({python, compiler}: BindingTools, source: string, ...more: string[]): Promise<string> {
  const flags = flagsOf(python).join(' ')
  const facts = [compiler.version, python.torch, python.package, flags, ...more, await readFile(source)]
  return facts
    .reduce((hash, fact) => hash.update(fact).update('\0'), createHash('sha256'))
    .digest('hex')
    .slice(0, 16)
}

/**
 * The precompiled header of PyTorch and our stand-in, made once per machine. @throws PipelineError `executor-failed`
 * when the compiler does not accept PyTorch's headers
 */
async function bindingHeader(tools: BindingTools): Promise<string> {
  const key = await keyOf(tools, helper, await readFile(tensorText, 'utf8'))
  const folder = join(tools.cacheDirectory, `torch-${key}`)
  const path = join(folder, 'binding.h')
  await madeOnce(
    `${path}.pch`,
    async (place) => {
      // The compiler checks its time stamp: a rewritten header invalidates what was built from it.
      if (!existsSync(path)) await put(path, `#include "pytorch_npu_helper.hpp"\n`)
      const whole = tools.compiler.kind === 'clang' ? ['-fpch-instantiate-templates'] : []
      const args = [...flagsOf(tools.python), ...whole, '-x', 'c++-header', path, '-o', 'made']
      const command = [tools.compiler.command, ...args]
      return runConfined(tools.sandbox, command, {readOnly: readOnly(tools), writable: place}, limits)
    },
    tools,
  )
  return path
}

/** A file of the cache, created as `made` in a folder by one process while the others wait. */
async function madeOnce(path: string, make: (place: string) => Promise<Confined>, tools: BindingTools): Promise<void> {
  if (existsSync(path)) return
  await mkdir(dirname(path), {recursive: true})
  await inTurn(path, async () => {
    if (existsSync(path)) return
    const place = await mkdtemp(join(dirname(path), 'making-'))
    try {
      const end = await make(place)
      if (end.code !== 0) throw unusableHeaders(tools, end.stderr)
      await rename(join(place, 'made'), path)
    } finally {
      await removeFolder(place)
    }
  })
}

function readOnly({python, cacheDirectory, twin}: BindingTools & Partial<ModuleTools>): string[] {
  return [...python.folders, runtimeFolder, cacheDirectory, ...(twin ? [twin.directory] : [])]
}

function unusableHeaders({python, compiler}: BindingTools, said: string): PipelineError {
  const what = `${compiler.command} cannot compile the headers of torch ${python.torch}: ${said.slice(0, 500)}`
  return new PipelineError('executor-failed', what, {
    fix: 'Choose another compiler with --set executor.compiler=…, or another Python with --python.',
    scope: 'run',
    evidence: {stderr: said.slice(0, 2000)},
  })
}

/**
 * Compiles a binding to `custom_ops_lib.so` in a folder that has nothing else of value. @returns the compiler's
 * messages if it failed
 * @throws PipelineError `executor-failed` when the compiler was killed, or its own precompiled header does not fit
 */
export async function compileBinding(tools: BindingTools, folder: string, text: string): Promise<string | undefined> {
  await put(join(folder, 'op.cpp'), text)
  return compileIn(tools, folder, ['op.cpp', '-shared', ...torchLibraries(tools), '-o', 'custom_ops_lib.so'])
}

/** A text of a module, by paths below the module's folder. */
interface ModuleUnit {
  path: string
  output: string
  include: readonly string[]
  module: string
}

/** Compiles a source that defines a Python module and launches kernels to an object; otherwise as `compileBinding`. */
export async function compileModuleUnit(
  tools: ModuleTools,
  folder: string,
  {path, output, include, module}: ModuleUnit,
): Promise<string | undefined> {
  const name = `${output}.h`
  // This form has no words of the other form.
  const defined = ['#undef TORCH_EXTENSION_NAME', `#define TORCH_EXTENSION_NAME ${module}`, '#undef EXEC_NPU_CMD']
  await put(join(folder, name), `${defined.join('\n')}\n`)
  const folders = [...include, tools.twin.include].flatMap((one) => ['-I', one])
  return compileIn(tools, folder, ['-include', name, ...folders, '-c', path, '-o', output])
}

/** Objects of a module, and the files linked from them. */
interface Linked {
  kernels: readonly string[]
  bindings: readonly string[]
  kernelLibrary: string
  output: string
}

/**
 * Links the kernels of a module to a separate library, which a launch loads without the rest, and the objects of its
 * binding to the module.
 */
export async function linkModule(
  tools: ModuleTools,
  folder: string,
  {kernels, bindings, kernelLibrary, output}: Linked,
): Promise<string | undefined> {
  const {compiler, twin} = tools
  const twins = [twin.library, `-Wl,-rpath,${twin.directory}`, '-ldl']
  const named = [`-Wl,-soname,${kernelLibrary}`, '-o', kernelLibrary]
  const linked = [kernelLibrary, '-Wl,-rpath,$ORIGIN', ...torchLibraries(tools), ...twins, '-o', output]
  for (const rest of [
    [...kernels, ...twins, ...named],
    [...bindings, ...linked],
  ]) {
    const command = [compiler.command, '-shared', ...rest]
    const end = await runConfined(tools.sandbox, command, {readOnly: readOnly(tools), writable: folder}, limits)
    if (end.code !== 0) return saidBy(end, folder)
  }
  return undefined
}

/** Both sides of the NPU that models are given: a library of the model's process, and the process with the memory. */
export interface DeviceParts {
  library: string
  program: string
}

/**
 * Made once per machine.
 * @throws PipelineError `executor-failed` when they do not compile
 */
export async function deviceParts(tools: ModuleTools): Promise<DeviceParts> {
  const [library, program] = await Promise.all([
    devicePart(tools, 'torch_device.cpp', ['-shared', ...torchLibraries(tools)]),
    // Elements are copied and converted in loops.
    devicePart(tools, 'device.cpp', ['-O2']),
  ])
  return {library, program}
}

async function devicePart(tools: ModuleTools, name: string, flags: readonly string[]): Promise<string> {
  const {compiler, python, twin, cacheDirectory} = tools
  const source = join(runtimeFolder, 'device', name)
  const headers = await Promise.all([tensorText, elements].map((path) => readFile(path, 'utf8')))
  const key = await keyOf(tools, source, ...headers, twin.fingerprint, twin.directory)
  const path = join(cacheDirectory, `${name.replace('.cpp', '')}-${key}`)
  const folders = ['-I', twin.include, '-I', twin.directory]
  const link = [...flags, twin.library, `-Wl,-rpath,${twin.directory}`, '-ldl']
  const command = [compiler.command, ...flagsOf(python), ...folders, source, ...link, '-o', 'made']
  const make = (place: string) =>
    runConfined(tools.sandbox, command, {readOnly: readOnly(tools), writable: place}, limits)
  await madeOnce(path, make, tools)
  return path
}

function torchLibraries({python}: BindingTools): string[] {
  const library = join(python.package, 'lib')
  return ['-L', library, `-Wl,-rpath,${library}`, '-ltorch', '-ltorch_cpu', '-ltorch_python', '-lc10']
}

async function compileIn(tools: BindingTools, folder: string, args: readonly string[]): Promise<string | undefined> {
  const first = await compileWith(tools, folder, args)
  if (!first.isStale) return first.said
  // File times change with every checkout and copy, and the compiler checks them.
  await discardHeader(first)
  const again = await compileWith(tools, folder, args)
  if (again.isStale) throw brokenCompiler('its precompiled header does not fit', again.said ?? '')
  return again.said
}

/** Only the outdated one: another process may have recreated it since. */
async function discardHeader({header, made}: BindingEnd): Promise<void> {
  const path = `${header}.pch`
  await inTurn(path, async () => {
    if ((await timeOf(path)) === made) await rm(path, {force: true})
  })
}

const timeOf = async (path: string) => (await stat(path).catch(() => undefined))?.mtimeMs

interface BindingEnd {
  said: string | undefined
  header: string
  /** When the precompiled header was made. */
  made: number | undefined
  /** Whether the compiler complains about the precompiled header. */
  isStale: boolean
}

async function compileWith(tools: BindingTools, folder: string, args: readonly string[]): Promise<BindingEnd> {
  const header = await bindingHeader(tools)
  const made = await timeOf(`${header}.pch`)
  const command = [tools.compiler.command, ...flagsOf(tools.python), '-include', header, ...args]
  const end = await runConfined(tools.sandbox, command, {readOnly: readOnly(tools), writable: folder}, limits)
  if (end.code === 0) return {said: undefined, header, made, isStale: false}
  return {said: saidBy(end, folder), header, made, isStale: end.stderr.includes(`${header}.pch`)}
}

/** @throws PipelineError when the compiler did not end by itself */
function saidBy(end: Confined, folder: string): string {
  if (end.killedBy === 'SIGKILL' && !end.overtime) throw brokenCompiler('it was killed', end.stderr)
  return end.stderr.replaceAll(`${folder}/`, '') || `the compiler ended with ${end.killedBy ?? `status ${end.code}`}`
}

function brokenCompiler(what: string, stderr: string): PipelineError {
  return new PipelineError('executor-failed', `The compiler of bindings failed: ${what}.`, {
    fix: 'Run the same command again: what failed is retried with a new header.',
    evidence: {stderr: stderr.slice(0, 2000)},
  })
}

/** Writes a file to a private folder. */
export async function put(path: string, content: string | Uint8Array): Promise<void> {
  const file = await open(path, 'w')
  try {
    await file.appendFile(content)
  } finally {
    await file.close()
  }
}
