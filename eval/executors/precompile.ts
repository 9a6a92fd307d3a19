import {createHash} from 'node:crypto'
import {existsSync} from 'node:fs'
import {chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile} from 'node:fs/promises'
import {availableParallelism} from 'node:os'
import {basename, dirname, join} from 'node:path'
import {fileURLToPath} from 'node:url'
import pLimit from 'p-limit'
import {isSystemError, PipelineError} from '../../pipelines/core/errors.ts'
import {temporaryBeside, walk} from '../../pipelines/core/files.ts'
import {runCommand} from '../../pipelines/core/subprocess.ts'
import {languageFlags} from './toolchain.ts'
import type {Compiler} from './toolchain.ts'

/** What a candidate is compiled against: built once per compiler, flags and twin sources, then only read. */
export interface Prebuilt {
  directory: string
  /** Folder of headers that both sides include. */
  include: string
  /** Flags that bring in the precompiled header of a side. */
  header: Record<'kernel' | 'host', string[]>
  /** Runtime that a candidate links against, and the program that runs cases. */
  library: string
  runner: string
  /** Hash of everything that may change a verdict: compiler version, flags, headers, runtime. */
  fingerprint: string
}

const twinRoot = fileURLToPath(new URL('../twin/', import.meta.url))
const umbrella = {kernel: 'kernel_operator.h', host: 'twin_host/host.h'} as const
/** Sources that stay in the runner; the rest is the library that candidates link against. */
const runnerSources = /^(main|report|faults|division|confine|case|bind)\.cpp$/

const inProgress = new Map<string, Promise<Prebuilt>>()

/**
 * Builds what is missing below `cacheDirectory`. Safe for any number of processes at once: each file is built under a temporary
 * name and renamed into place, and a rename that comes second replaces equal content.
 * @throws PipelineError `executor-failed` when the twin's own sources do not compile
 */
export function prebuild(compiler: Compiler, cacheDirectory: string, signal?: AbortSignal): Promise<Prebuilt> {
  const key = `${cacheDirectory}\n${compiler.command}`
  let pending = inProgress.get(key)
  if (!pending) {
    pending = build(compiler, cacheDirectory, signal)
    inProgress.set(key, pending)
    pending.catch(() => inProgress.delete(key))
  }
  return pending
}

async function build(compiler: Compiler, cacheDirectory: string, signal?: AbortSignal): Promise<Prebuilt> {
  const sources = await readSources()
  const machine = await machineFlags()
  const fingerprint = hash([compiler.version, ...languageFlags(compiler), ...sources.flatMap(({path, text}) => [path, text])])
  const directory = join(cacheDirectory, `twin-${hash([fingerprint, compiler.command, ...machine])}`)
  const prebuilt = layout(compiler, directory, fingerprint)
  if (await usable(compiler, prebuilt, signal)) return prebuilt
  await rm(join(directory, 'ready'), {force: true})
  await placeSources(directory, sources)
  const host = precompileHeader(compiler, prebuilt, 'host', signal)
  await Promise.all([
    host, precompileHeader(compiler, prebuilt, 'kernel', signal),
    buildRuntime(compiler, prebuilt, sources.map(({path}) => path), machine, host, signal),
  ])
  await writeFile(join(directory, 'ready'), '')
  return prebuilt
}

function layout(compiler: Compiler, directory: string, fingerprint: string): Prebuilt {
  const header = (side: 'kernel' | 'host') =>
    compiler.kind === 'clang' ? ['-include-pch', join(directory, `${side}.pch`)] : ['-include', join(directory, 'gch', `${side}.h`)]
  return {
    directory, fingerprint,
    include: join(directory, 'include'),
    header: {kernel: header('kernel'), host: header('host')},
    library: join(directory, 'libtwin.so'),
    runner: join(directory, 'twin-run'),
  }
}

async function readSources(): Promise<{path: string; text: string}[]> {
  const sources: {path: string; text: string}[] = []
  for (const folder of ['include', 'runtime']) {
    for await (const path of walk(join(twinRoot, folder))) {
      sources.push({path: `${folder}/${path}`, text: await readFile(join(twinRoot, folder, path), 'utf8')})
    }
  }
  return sources
}

/** Vector loops use what the processor has. Contraction stays off, so results do not depend on it. */
async function machineFlags(): Promise<string[]> {
  if (process.arch !== 'x64') return []
  const info = await readFile('/proc/cpuinfo', 'utf8').catch(() => '')
  return [[' avx2 ', '-mavx2'], [' f16c ', '-mf16c']].flatMap(([feature, flag]) => (info.includes(feature as string) ? [flag as string] : []))
}

function hash(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16)
}

/** A precompiled header goes stale when the system's headers are updated, so an empty file is compiled against each first. */
async function usable(compiler: Compiler, prebuilt: Prebuilt, signal?: AbortSignal): Promise<boolean> {
  if (!existsSync(join(prebuilt.directory, 'ready'))) return false
  const results = await Promise.all((['kernel', 'host'] as const).map((side) =>
    runCommand(compiler.command, [...languageFlags(compiler), '-O0', ...prebuilt.header[side], '-fsyntax-only', '-x', 'c++', '/dev/null'], withSignal(signal))))
  return results.every(({code}) => code === 0)
}

/** Headers are copied, because a precompiled header is refused once the files that it came from get another date. */
async function placeSources(directory: string, sources: readonly {path: string; text: string}[]): Promise<void> {
  await mkdir(dirname(directory), {recursive: true})
  if (existsSync(join(directory, 'include', umbrella.kernel))) return
  const temporary = await mkdtemp(`${directory}-`)
  // Readable by other users of the same cache; mkdtemp makes folders private.
  await chmod(temporary, 0o755)
  for (const {path, text} of sources) {
    await mkdir(dirname(join(temporary, path)), {recursive: true})
    await writeFile(join(temporary, path), text)
  }
  await mkdir(join(temporary, 'gch'))
  for (const side of ['kernel', 'host'] as const) await writeFile(join(temporary, 'gch', `${side}.h`), `#include "${umbrella[side]}"\n`)
  try {
    await rename(temporary, directory)
  } catch (error) {
    await rm(temporary, {recursive: true, force: true})
    if (!isSystemError(error, 'ENOTEMPTY') && !isSystemError(error, 'EEXIST')) throw error
  }
}

async function precompileHeader(compiler: Compiler, prebuilt: Prebuilt, side: 'kernel' | 'host', signal?: AbortSignal): Promise<void> {
  const {directory, include} = prebuilt
  const instantiate = compiler.kind === 'clang' ? ['-fpch-instantiate-templates', ...(compiledAhead(compiler, side) ? ['-fpch-codegen'] : [])] : []
  const output = compiler.kind === 'clang' ? join(directory, `${side}.pch`) : join(directory, 'gch', `${side}.h.gch`)
  await produce(output, (temporary) =>
    run(compiler, [...languageFlags(compiler), '-O0', ...instantiate, '-I', include, '-x', 'c++-header', join(directory, 'gch', `${side}.h`), '-o', temporary], signal))
}

/** With `-fpch-codegen`, functions of the header are code of the library: most of a host file's compilation went into emitting them again. */
function compiledAhead({kind, major}: Compiler, side: 'kernel' | 'host'): boolean {
  return kind === 'clang' && major >= 11 && side === 'host'
}

/** The runtime's objects and the two programs of them; `header` is the host's precompiled header, once it is there. */
async function buildRuntime(compiler: Compiler, prebuilt: Prebuilt, paths: readonly string[], machine: readonly string[], header: Promise<void>, signal?: AbortSignal): Promise<void> {
  const {directory, include} = prebuilt
  const objects = await mkdtemp(join(directory, 'objects-'))
  const limit = pLimit(Math.max(1, Math.min(4, availableParallelism())))
  try {
    const compiled = await Promise.all(paths.filter((path) => path.endsWith('.cpp')).map((path) => limit(async () => {
      const object = join(objects, `${basename(path)}.o`)
      await run(compiler, [...languageFlags(compiler), '-O3', ...machine, '-I', include, '-c', join(directory, path), '-o', object], signal)
      return {object, runner: runnerSources.test(basename(path))}
    })))
    await header
    const ahead = compiledAhead(compiler, 'host') ? [join(objects, 'host-header.o')] : []
    for (const object of ahead) await run(compiler, [...languageFlags(compiler), '-O0', '-c', join(directory, 'host.pch'), '-o', object], signal)
    const of = (runner: boolean) => compiled.filter((one) => one.runner === runner).map(({object}) => object)
    await produce(prebuilt.library, (temporary) => run(compiler, ['-shared', '-Wl,-soname,libtwin.so', ...of(false), ...ahead, '-o', temporary], signal))
    await produce(prebuilt.runner, (temporary) => run(compiler, [...of(true), prebuilt.library, '-Wl,-rpath,$ORIGIN', '-ldl', '-o', temporary], signal))
  } finally {
    await rm(objects, {recursive: true, force: true})
  }
}

async function produce(path: string, write: (temporary: string) => Promise<void>): Promise<void> {
  const temporary = temporaryBeside(path)
  try {
    await write(temporary)
    await rename(temporary, path)
  } finally {
    await rm(temporary, {force: true})
  }
}

async function run(compiler: Compiler, args: readonly string[], signal?: AbortSignal): Promise<void> {
  const {code, stderr} = await runCommand(compiler.command, args, {timeoutSeconds: 300, ...withSignal(signal)})
  if (code === 0) return
  throw new PipelineError('executor-failed', `${compiler.version} could not build the twin: ${stderr.trim().slice(0, 2000)}`, {
    fix: 'Check that the compiler and its C++ standard library are complete, or choose another compiler.',
    scope: 'run',
    evidence: {command: compiler.command, args, stderr: stderr.slice(0, 20_000)},
  })
}

function withSignal(signal: AbortSignal | undefined) {
  return signal ? {signal} : {}
}
