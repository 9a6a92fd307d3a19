import {createHash, randomBytes} from 'node:crypto'
import {setMaxListeners} from 'node:events'
import {existsSync} from 'node:fs'
import {mkdtemp, readFile, realpath, rename, rm, stat, writeFile} from 'node:fs/promises'
import {availableParallelism} from 'node:os'
import {dirname, join} from 'node:path'
import pLimit from 'p-limit'
import {z} from 'zod'
import {isSystemError, PipelineError} from '../../engine/errors.ts'
import {asOutputError, makeFolder, removeFolder, temporaryBeside} from '../../engine/files.ts'
import {inTurn} from '../../engine/lock.ts'
import {assertRoom} from '../../engine/room.ts'
import {goingWithUs} from '../../engine/process-group.ts'
import {runCommand} from '../../engine/subprocess.ts'
import {properArguments, properCall} from './compiler-proper.ts'
import {deviceCompiler, deviceFlags} from './device-mode.ts'
import {compileUnits, runtimeFolder, runtimeFolders} from './runtime-units.ts'
import {outOfSpace} from './tool-fault.ts'
import {languageFlags} from './toolchain.ts'
import type {Compiler} from './toolchain.ts'
import {arePlaced, discardFolder, identifiers, placeSources, readSources} from './twin-sources.ts'
import type {Side, TwinSource} from './twin-sources.ts'

/** What a candidate is compiled against: built once per compiler, flags and twin sources, then only read. */
export interface Prebuilt {
  directory: string
  /** Folder of headers that both sides include. */
  include: string
  /** Flags that bring in the precompiled header of a side; `cube` is the kernel side for the cube core. */
  header: Record<Side | 'cube', string[]>
  /** Whether kernels are compiled as device code, with the device's rules. */
  device: boolean
  /** The command that compiles a file of a side without optimisation; `args` are those of a driver. */
  command(side: Side, args: readonly string[]): string[]
  /** Runtime that a candidate links against, and the program that runs cases. */
  library: string
  runner: string
  /** Hash of everything that may change a verdict: compiler version, flags, headers, runtime. */
  fingerprint: string
  /** Every identifier in the twin's headers. */
  names: ReadonlySet<string>
  /** Whether the built files are those that were built here; checks each file's length. */
  isWhole(): Promise<boolean>
  /**
   * Builds what is missing. Of several processes, only one does it. If they cannot see each other, each file is still
   * built under a temporary name and renamed into place: a second one replaces equal content.
   * @throws PipelineError `executor-failed` when the twin's own sources do not compile, `disk-full` before it begins
   */
  build(options: PrebuildOptions): Promise<void>
  /** Deletes what is built and rebuilds it. */
  rebuild(signal?: AbortSignal): Promise<void>
}

export interface PrebuildOptions {
  signal?: AbortSignal | undefined
  /** Called when something has to be built, which is once per machine, and after each part of it. */
  onProgress?: ((done: number, total: number) => void) | undefined
  /** Called when another process is building. */
  onWait?: (() => void) | undefined
}

/** Content of the file `ready`, written last, about the built files. */
const Ready = z.strictObject({id: z.string(), bytes: z.record(z.string(), z.int())})

/** The files below `cacheDirectory` for this compiler, once built. */
export async function planned(compiler: Compiler, cacheDirectory: string): Promise<Prebuilt> {
  makeFolder(cacheDirectory)
  const cache = await realpath(cacheDirectory)
  const [sources, machine, device, proper] = await Promise.all([
    readSources(),
    machineFlags(),
    deviceCompiler(compiler),
    properCall(compiler),
  ])
  const fingerprint = hash([
    compiler.version,
    ...languageFlags(compiler),
    ...(device ? deviceFlags : []),
    ...sources.flatMap(({path, text}) => [path, text]),
  ])
  // Precompiled headers hold the paths at which they were built and are refused elsewhere, so a copied or moved cache
  // is another one.
  const directory = join(cache, `twin-${hash([fingerprint, compiler.command, cache, ...machine])}`)
  const command = (side: Side, args: readonly string[]) =>
    device && side === 'kernel'
      ? [...device, ...properArguments(args, 'cuda')]
      : [compiler.command, ...languageFlags(compiler), ...args]
  const recipe: Recipe = {
    compiler,
    command,
    sources,
    machine,
    layout: layout(compiler, directory, device !== undefined),
  }
  let names: ReadonlySet<string> | undefined
  const isReady = async () => (await readReady(directory)) !== undefined && arePlaced(directory, sources)
  return {
    ...recipe.layout,
    device: device !== undefined,
    command: (side, args) =>
      side === 'host' && proper ? [...proper, ...properArguments(args, 'c++')] : command(side, args),
    fingerprint,
    get names() {
      return (names ??= identifiers(sources))
    },
    isWhole: async () => (await readReady(directory)) !== undefined,
    build: async (options) => {
      const missing = async () => {
        if (!(await isReady())) await fillAnew(recipe, options)
      }
      if (!(await isReady())) await inTurn(directory, missing, options)
    },
    rebuild: (signal) => fillAnew(recipe, {signal}),
  }
}

/** What compilers leave is 25 MB of clang's and 101 MB of g++'s; objects and headers of the runtime come on the way. */
const roomFor = {clang: 96 * 2 ** 20, gcc: 400 * 2 ** 20}
const roomOfTwin = {purpose: 'compiling the twin', setting: '--set cache=…'}

/** Nothing is deleted unless there is room to rebuild it. */
async function fillAnew(recipe: Recipe, options: PrebuildOptions): Promise<void> {
  const {directory} = recipe.layout
  assertRoom(dirname(directory), roomFor[recipe.compiler.kind], roomOfTwin)
  await discardBuilt(directory)
  await fill(recipe, options)
}

/** A folder without `ready` may be in use by another process; it is completed, not deleted. */
async function discardBuilt(directory: string): Promise<void> {
  if (existsSync(join(directory, 'ready'))) await discardFolder(directory)
}

interface Recipe {
  compiler: Compiler
  command: Prebuilt['command']
  sources: readonly TwinSource[]
  machine: readonly string[]
  layout: Layout
}

type Layout = Pick<Prebuilt, 'directory' | 'include' | 'header' | 'library' | 'runner'>

async function fill(recipe: Recipe, {signal, onProgress}: PrebuildOptions): Promise<void> {
  const {
    compiler,
    sources,
    layout: {directory},
  } = recipe
  const units = sources.filter(({path}) => path.endsWith('.cpp'))
  const total = units.length + Object.keys(runtimeFolders).length + 3
  let done = 0
  onProgress?.(done, total)
  const step = () => onProgress?.((done += 1), total)
  await placeSources(directory, sources)
  await togetherOrNone(signal, (ending) => {
    const host = precompileHeader(recipe, 'host', ending).then(step)
    return [
      host,
      precompileHeader(recipe, 'kernel', ending).then(step),
      precompileHeader(recipe, 'cube', ending).then(step),
      buildRuntime(
        recipe,
        units.map(({path}) => path),
        host,
        step,
        ending,
      ),
    ]
  })
  const names = builtFiles(compiler)
  const bytes = await Promise.all(names.map(async (name) => [name, (await stat(join(directory, name))).size]))
  const ready = Ready.parse({id: randomBytes(8).toString('hex'), bytes: Object.fromEntries(bytes)})
  await produce(join(directory, 'ready'), (temporary) => writeFile(temporary, JSON.stringify(ready)))
}

/** Starts work that stops with the first failing part, so that no minutes are wasted. */
async function togetherOrNone(
  signal: AbortSignal | undefined,
  start: (ending: AbortSignal) => Promise<void>[],
): Promise<void> {
  const failed = new AbortController()
  const ending = AbortSignal.any([failed.signal, ...(signal ? [signal] : [])])
  setMaxListeners(0, ending)
  let first: unknown
  const parts = start(ending).map((part) =>
    part.catch((error: unknown) => {
      first ??= error
      failed.abort(error)
    }),
  )
  await Promise.all(parts)
  if (first !== undefined) throw first
}

/** The content of `ready`, if every built file still has its length; undefined otherwise. */
export async function readReady(directory: string): Promise<z.infer<typeof Ready> | undefined> {
  try {
    const ready = Ready.parse(JSON.parse(await readFile(join(directory, 'ready'), 'utf8')))
    const same = async ([name, size]: [string, number]) => (await stat(join(directory, name))).size === size
    const sizes = await Promise.all(Object.entries(ready.bytes).map(same))
    return sizes.every(Boolean) ? ready : undefined
  } catch {
    // Not built, of an older layout, or damaged: in each case it is rebuilt.
    return undefined
  }
}

/** How a kernel is compiled for the cube core: other values of its constants. */
const cubeCore = ['-DTWIN_CUBE_CORE']

const headerFile = ({kind}: Compiler, side: Side | 'cube') =>
  kind === 'clang' ? `${side}.pch` : join('gch', `${side}.h.gch`)

export function builtFiles(compiler: Compiler): string[] {
  return [...(['kernel', 'cube', 'host'] as const).map((side) => headerFile(compiler, side)), 'libtwin.so', 'twin-run']
}

export function layout(compiler: Compiler, directory: string, device: boolean): Layout {
  const standard = device ? ['-I', join(directory, 'std')] : []
  const header = (side: Side | 'cube') =>
    compiler.kind === 'clang'
      ? ['-include-pch', join(directory, `${side}.pch`)]
      : ['-include', join(directory, 'gch', `${side}.h`)]
  return {
    directory,
    include: join(directory, 'include'),
    header: {
      kernel: [...header('kernel'), ...standard],
      cube: [...cubeCore, ...header('cube'), ...standard],
      host: header('host'),
    },
    library: join(directory, 'libtwin.so'),
    runner: join(directory, 'twin-run'),
  }
}

/** Vector loops use the processor's own instructions. Contraction stays off, so results do not depend on it. */
async function machineFlags(): Promise<string[]> {
  if (process.arch !== 'x64') return []
  const info = await readFile('/proc/cpuinfo', 'utf8').catch(() => '')
  return [
    [' avx2 ', '-mavx2'],
    [' f16c ', '-mf16c'],
  ].flatMap(([feature, flag]) => (info.includes(feature as string) ? [flag as string] : []))
}

function hash(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16)
}

async function precompileHeader(recipe: Recipe, header: Side | 'cube', signal: AbortSignal | undefined): Promise<void> {
  const side = header === 'cube' ? 'kernel' : header
  const {
    compiler,
    command,
    layout: {directory, include},
  } = recipe
  const ahead = compiledAhead(compiler, side) ? ['-fpch-codegen'] : []
  const instantiate = compiler.kind === 'clang' ? ['-fpch-instantiate-templates', ...ahead] : []
  const flags = ['-O0', ...(header === 'cube' ? cubeCore : []), ...instantiate, '-I', include]
  const input = join(directory, 'gch', `${header}.h`)
  await produce(join(directory, headerFile(compiler, header)), (temporary) =>
    run(recipe, command(side, [...flags, '-x', 'c++-header', input, '-o', temporary]), signal),
  )
}

/**
 * With `-fpch-codegen`, the header's functions are compiled into the library: most of a host file's compilation went
 * into emitting them again.
 */
export function compiledAhead({kind, major}: Compiler, side: Side): boolean {
  return kind === 'clang' && major >= 11 && side === 'host'
}

/** The runtime's objects and what is linked from them; `header` settles once the host's header is precompiled. */
async function buildRuntime(
  recipe: Recipe,
  paths: readonly string[],
  header: Promise<void>,
  step: () => void,
  signal: AbortSignal | undefined,
): Promise<void> {
  const objects = await mkdtemp(join(recipe.layout.directory, 'objects-'))
  await goingWithUs(objects, () => compileRuntime({recipe, objects, paths, header, step, signal}))
}

interface RuntimeBuild {
  recipe: Recipe
  objects: string
  paths: readonly string[]
  header: Promise<void>
  step: () => void
  signal: AbortSignal | undefined
}

async function compileRuntime({recipe, objects, paths, header, step, signal}: RuntimeBuild): Promise<void> {
  const {
    compiler,
    command,
    machine,
    sources,
    layout: {directory, include, library, runner},
  } = recipe
  const limit = pLimit(Math.max(1, Math.min(4, availableParallelism())))
  const ahead = header.then(async () => {
    if (!compiledAhead(compiler, 'host')) return []
    const object = join(objects, 'host-header.o')
    await limit(() => run(recipe, command('host', ['-O0', '-c', join(directory, 'host.pch'), '-o', object]), signal))
    return [object]
  })
  try {
    const units = compileUnits({sources, paths, kind: compiler.kind, directory, objects}, async (path, args) => {
      const flags = [runtimeFolder(path).optimisation, ...machine, '-I', include]
      await limit(() => run(recipe, command('host', [...flags, ...args]), signal))
      step()
    })
    const [compiled, more] = await Promise.all([units, ahead])
    const of = (wanted: 'library' | 'runner') =>
      compiled.flatMap(({program, object}) => (program === wanted ? [object] : []))
    await produce(library, (temporary) =>
      run(
        recipe,
        [compiler.command, '-shared', '-Wl,-soname,libtwin.so', ...of('library'), ...more, '-o', temporary],
        signal,
      ),
    )
    await produce(runner, (temporary) =>
      run(recipe, [compiler.command, ...of('runner'), library, '-Wl,-rpath,$ORIGIN', '-ldl', '-o', temporary], signal),
    )
  } finally {
    await removeFolder(objects)
  }
}

async function produce(path: string, write: (temporary: string) => Promise<void>): Promise<void> {
  const temporary = temporaryBeside(path)
  await goingWithUs(temporary, async () => {
    try {
      await write(temporary)
      await rename(temporary, path)
    } catch (error) {
      if (isSystemError(error, 'ENOENT') && existsSync(dirname(path))) throw nothingWritten(path)
      throw asOutputError(error, path)
    } finally {
      await rm(temporary, {force: true})
    }
  })
}

function nothingWritten(path: string): PipelineError {
  return new PipelineError('executor-failed', `The compiler ended without an error but did not write ${path}.`, {
    fix: 'Choose another compiler with --set executor.compiler=…, or remove that setting.',
    scope: 'run',
  })
}

/** A compiler that crashes is retried once: the sources are ours and known to compile. */
async function run(
  {compiler, layout: {directory}}: Recipe,
  command: readonly string[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const [program = '', ...args] = command
  const attempt = () => runCommand(program, args, {timeoutSeconds: 300, ...(signal ? {signal} : {})})
  const first = await attempt()
  const {code, stderr} = first.code === 0 || first.code === 1 ? first : await attempt()
  if (code === 0) return
  // A linker that maps its output is killed silently when the disk is full, and its output is removed.
  assertRoom(directory, roomFor[compiler.kind] / 4, roomOfTwin)
  const seen = `${compiler.version} could not build the twin: ${stderr.trim().slice(0, 2000)}`
  throw (
    outOfSpace(stderr) ??
    new PipelineError('executor-failed', seen, {
      fix: 'Check that the compiler and its C++ standard library are complete, or choose another compiler.',
      scope: 'run',
      evidence: {command: program, args, stderr: stderr.slice(0, 20_000)},
    })
  )
}
