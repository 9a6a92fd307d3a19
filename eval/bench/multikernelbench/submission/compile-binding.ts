import {createHash} from 'node:crypto'
import {existsSync} from 'node:fs'
import {mkdir, mkdtemp, open, readFile, rename, rm} from 'node:fs/promises'
import {join} from 'node:path'
import {PipelineError} from '../../../../engine/errors.ts'
import {removeFolder} from '../../../../engine/files.ts'
import {runConfined} from '../../../executors/sandbox.ts'
import type {Prebuilt} from '../../../executors/precompile.ts'
import type {Confined, Limits, SandboxName} from '../../../executors/sandbox.ts'
import type {Compiler} from '../../../executors/toolchain.ts'
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

/** What a binding that launches kernels needs of the twin beside PyTorch. */
export type ModuleTools = BindingTools & {twin: Pick<Prebuilt, 'directory' | 'include' | 'library' | 'fingerprint'>}

const helper = join(runtimeFolder, 'include', 'pytorch_npu_helper.hpp')

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

/** Of another compiler, PyTorch or source nothing is kept. */
async function keyOf({python, compiler}: BindingTools, source: string, ...more: string[]): Promise<string> {
  const flags = flagsOf(python).join(' ')
  const facts = [compiler.version, python.torch, python.package, flags, ...more, await readFile(source)]
  return facts
    .reduce((hash, fact) => hash.update(fact).update('\0'), createHash('sha256'))
    .digest('hex')
    .slice(0, 16)
}

/**
 * The precompiled header of PyTorch and our stand-in, made once for a machine.
 * @throws PipelineError `executor-failed` when the compiler does not take PyTorch's headers
 */
async function bindingHeader(tools: BindingTools): Promise<string> {
  const folder = join(tools.cacheDirectory, `torch-${await keyOf(tools, helper)}`)
  const path = join(folder, 'binding.h')
  if (existsSync(`${path}.pch`)) return path
  await mkdir(folder, {recursive: true})
  const place = await mkdtemp(join(folder, 'making-'))
  try {
    await put(path, `#include "pytorch_npu_helper.hpp"\n`)
    const command = [tools.compiler.command, ...flagsOf(tools.python), '-x', 'c++-header', path, '-o', 'binding.pch']
    const end = await runConfined(tools.sandbox, command, {readOnly: readOnly(tools), writable: place}, limits)
    if (end.code !== 0) throw unusableHeaders(tools, end.stderr)
    await rename(join(place, 'binding.pch'), `${path}.pch`)
    return path
  } finally {
    await removeFolder(place)
  }
}

function readOnly({python, cacheDirectory, twin}: BindingTools & Partial<ModuleTools>): string[] {
  return [...python.folders, runtimeFolder, cacheDirectory, ...(twin ? [twin.directory] : [])]
}

function unusableHeaders({python, compiler}: BindingTools, said: string): PipelineError {
  const what = `${compiler.command} does not compile the headers of torch ${python.torch}: ${said.slice(0, 500)}`
  return new PipelineError('executor-failed', what, {
    fix: 'Name another compiler with --set executor.compiler=…, or another Python with --python.',
    scope: 'run',
    evidence: {stderr: said.slice(0, 2000)},
  })
}

/**
 * Compiles a binding to `custom_ops_lib.so` in a folder, which holds nothing else of worth.
 * @returns what the compiler said when it failed
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

/** Compiles a text that makes a module of Python and launches kernels to an object; otherwise as `compileBinding`. */
export async function compileModuleUnit(
  tools: ModuleTools,
  folder: string,
  {path, output, include, module}: ModuleUnit,
): Promise<string | undefined> {
  const name = `${output}.h`
  // Of the other form's words there are none here.
  const defined = ['#undef TORCH_EXTENSION_NAME', `#define TORCH_EXTENSION_NAME ${module}`, '#undef EXEC_NPU_CMD']
  await put(join(folder, name), `${defined.join('\n')}\n`)
  const folders = [...include, tools.twin.include].flatMap((one) => ['-I', one])
  return compileIn(tools, folder, ['-include', name, ...folders, '-c', path, '-o', output])
}

/** Links the objects of a module, its kernels among them. */
export async function linkModule(
  tools: ModuleTools,
  folder: string,
  objects: readonly string[],
  output: string,
): Promise<string | undefined> {
  const {compiler, twin} = tools
  const twins = [twin.library, `-Wl,-rpath,${twin.directory}`]
  const command = [compiler.command, '-shared', ...objects, ...torchLibraries(tools), ...twins, '-ldl', '-o', output]
  const end = await runConfined(tools.sandbox, command, {readOnly: readOnly(tools), writable: folder}, limits)
  return end.code === 0 ? undefined : saidBy(end, folder)
}

const deviceSource = join(runtimeFolder, 'device', 'torch_device.cpp')

/**
 * The library that makes tensors memory of the twin's device, made once for a machine.
 * @throws PipelineError `executor-failed` when it does not compile
 */
export async function deviceLibrary(tools: ModuleTools): Promise<string> {
  const {compiler, python, twin, cacheDirectory} = tools
  const key = await keyOf(tools, deviceSource, twin.fingerprint, twin.directory)
  const path = join(cacheDirectory, `device-${key}.so`)
  if (existsSync(path)) return path
  const place = await mkdtemp(join(cacheDirectory, 'making-'))
  try {
    const folders = ['-I', twin.include, '-I', twin.directory]
    const link = ['-shared', ...torchLibraries(tools), twin.library, `-Wl,-rpath,${twin.directory}`]
    const command = [compiler.command, ...flagsOf(python), ...folders, deviceSource, ...link, '-o', 'device.so']
    const end = await runConfined(tools.sandbox, command, {readOnly: readOnly(tools), writable: place}, limits)
    if (end.code !== 0) throw unusableHeaders(tools, end.stderr)
    await rename(join(place, 'device.so'), path)
    return path
  } finally {
    await removeFolder(place)
  }
}

function torchLibraries({python}: BindingTools): string[] {
  const library = join(python.package, 'lib')
  return ['-L', library, `-Wl,-rpath,${library}`, '-ltorch', '-ltorch_cpu', '-ltorch_python', '-lc10']
}

async function compileIn(tools: BindingTools, folder: string, args: readonly string[]): Promise<string | undefined> {
  const first = await compileWith(tools, folder, args)
  if (!first.isStale) return first.said
  // Times of files change with every checkout and copy, and the compiler goes by them.
  await rm(`${first.header}.pch`, {force: true})
  const again = await compileWith(tools, folder, args)
  if (again.isStale) throw brokenCompiler('its precompiled header does not fit', again.said ?? '')
  return again.said
}

interface BindingEnd {
  said: string | undefined
  header: string
  /** Whether the compiler complains of the precompiled header. */
  isStale: boolean
}

async function compileWith(tools: BindingTools, folder: string, args: readonly string[]): Promise<BindingEnd> {
  const header = await bindingHeader(tools)
  const command = [tools.compiler.command, ...flagsOf(tools.python), '-include', header, ...args]
  const end = await runConfined(tools.sandbox, command, {readOnly: readOnly(tools), writable: folder}, limits)
  if (end.code === 0) return {said: undefined, header, isStale: false}
  return {said: saidBy(end, folder), header, isStale: end.stderr.includes(`${header}.pch`)}
}

/** @throws PipelineError when the compiler did not end by itself */
function saidBy(end: Confined, folder: string): string {
  if (end.killedBy === 'SIGKILL' && !end.overtime) throw brokenCompiler('it was killed', end.stderr)
  return end.stderr.replaceAll(`${folder}/`, '') || `the compiler ended with ${end.killedBy ?? `status ${end.code}`}`
}

function brokenCompiler(what: string, stderr: string): PipelineError {
  return new PipelineError('executor-failed', `The compiler of bindings failed: ${what}.`, {
    fix: 'Run the same command again: what failed is tried again, with a header that is made anew.',
    evidence: {stderr: stderr.slice(0, 2000)},
  })
}

/** Writes a text whose folder nobody else looks into. */
export async function put(path: string, text: string): Promise<void> {
  const file = await open(path, 'w')
  try {
    await file.write(text)
  } finally {
    await file.close()
  }
}
