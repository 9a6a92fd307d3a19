import {createHash} from 'node:crypto'
import {existsSync} from 'node:fs'
import {mkdir, mkdtemp, open, readFile, rename, rm} from 'node:fs/promises'
import {join} from 'node:path'
import {PipelineError} from '../../../../engine/errors.ts'
import {runConfined} from '../../../executors/sandbox.ts'
import type {Limits, SandboxName} from '../../../executors/sandbox.ts'
import type {Compiler} from '../../../executors/toolchain.ts'
import {runtimeFolder} from './python.ts'
import type {TorchPython} from './python.ts'

/** What compiles bindings. */
export interface BindingTools {
  python: TorchPython
  sandbox: SandboxName
  compiler: Compiler
  /** Where the precompiled header is kept. */
  cacheDirectory: string
}

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

/** Of another compiler, PyTorch or stand-in nothing is kept. */
async function headerKey({python, compiler}: BindingTools): Promise<string> {
  const facts = [compiler.version, python.torch, python.package, flagsOf(python).join(' '), await readFile(helper)]
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
  const folder = join(tools.cacheDirectory, `torch-${await headerKey(tools)}`)
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
    await rm(place, {recursive: true, force: true})
  }
}

function readOnly({python, cacheDirectory}: BindingTools): string[] {
  return [...python.folders, runtimeFolder, cacheDirectory]
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
  const first = await compileWith(tools, folder)
  if (!first.isStale) return first.said
  // Times of files change with every checkout and copy, and the compiler goes by them.
  await rm(`${first.header}.pch`, {force: true})
  const again = await compileWith(tools, folder)
  if (again.isStale) throw brokenCompiler('its precompiled header does not fit', again.said ?? '')
  return again.said
}

interface BindingEnd {
  said: string | undefined
  header: string
  /** Whether the compiler complains of the precompiled header. */
  isStale: boolean
}

async function compileWith(tools: BindingTools, folder: string): Promise<BindingEnd> {
  const header = await bindingHeader(tools)
  const library = join(tools.python.package, 'lib')
  const link = ['-shared', '-L', library, `-Wl,-rpath,${library}`, '-ltorch', '-ltorch_cpu', '-ltorch_python', '-lc10']
  const command = [tools.compiler.command, ...flagsOf(tools.python), '-include', header, 'op.cpp', ...link]
  const end = await runConfined(
    tools.sandbox,
    [...command, '-o', 'custom_ops_lib.so'],
    {readOnly: readOnly(tools), writable: folder},
    limits,
  )
  if (end.code === 0) return {said: undefined, header, isStale: false}
  if (end.killedBy === 'SIGKILL' && !end.overtime) throw brokenCompiler('it was killed', end.stderr)
  const said =
    end.stderr.replaceAll(`${folder}/`, '') || `the compiler ended with ${end.killedBy ?? `status ${end.code}`}`
  return {said, header, isStale: end.stderr.includes(`${header}.pch`)}
}

function brokenCompiler(what: string, stderr: string): PipelineError {
  return new PipelineError('executor-failed', `The compiler of bindings failed: ${what}.`, {
    fix: 'Run the same command again: what failed is tried again, with a header that is made anew.',
    evidence: {stderr: stderr.slice(0, 2000)},
  })
}

async function put(path: string, text: string): Promise<void> {
  const file = await open(path, 'w')
  try {
    await file.write(text)
  } finally {
    await file.close()
  }
}
