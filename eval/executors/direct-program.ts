import {lstat, mkdir, mkdtemp, readFile, rm, writeFile} from 'node:fs/promises'
import {dirname, isAbsolute, join, normalize} from 'node:path'
import type {SourceFile} from '../../datasets/schema/operator.ts'
import {Violation} from '../../datasets/schema/verdict.ts'
import type {Verdict} from '../../datasets/schema/verdict.ts'
import {parseDiagnostics, withoutPaths} from './diagnostics.ts'
import {describingUnit, kernelFacts, launchText} from './direct-launch.ts'
import type {KernelFact} from './direct-launch.ts'
import {compileIn} from './library.ts'
import {jsonIn} from './run-report.ts'
import {runConfined} from './sandbox.ts'
import type {Confined} from './sandbox.ts'
import {linkFault} from './tool-fault.ts'
import {openBench} from './tools.ts'
import type {Bench, Tools} from './tools.ts'

/** A program with a `main` that launches kernels itself. */
export interface DirectProgram {
  /** Texts by path below the program's folder. */
  files: readonly SourceFile[]
  /** Paths of the files that are compiled, each a unit of its own. */
  units: readonly string[]
  /** Folders of headers, below the program's folder, besides it and the folder of each unit. */
  include?: readonly string[]
  /** `NAME` or `NAME=VALUE`. */
  definitions?: readonly string[]
}

/** How the program ended; `violation` is the broken rule that ended it. */
export type DirectRun = Pick<Confined, 'code' | 'killedBy' | 'overtime' | 'stdout' | 'stderr'> & {violation?: Violation}

interface RunOptions {
  folder?: string
  /** Absolute paths that it sees besides the system's folders and its own. */
  readOnly?: readonly string[]
  poison?: 'nan' | 'zero'
  signal?: AbortSignal
}

export interface DirectBuild {
  /** The program's folder: its files and the program. */
  directory: string
  /**
   * Runs the program inside the sandbox, under the executor's limits.
   * @param how.folder where it runs, below the directory; made when it is missing
   * @param how.poison what fresh device memory holds; default `nan`, as a device promises nothing
   */
  run(args?: readonly string[], how?: Pick<RunOptions, 'folder' | 'poison' | 'signal'>): Promise<DirectRun>
  /** Runs another program in the same walls: one that makes inputs, or compares files. */
  runBeside(command: readonly string[], how?: Omit<RunOptions, 'poison'>): Promise<DirectRun>
  dispose(): Promise<void>
}

const names = {program: 'twin-program', facts: 'twin_kernels.cpp', violation: 'twin-violation.json'} as const

/**
 * Compiles and links a program. Host and device code are one unit of ordinary C++ here, so that host code has all of
 * the language and its library; a program with work for the cube core is compiled once more for that core. Units with
 * kernels are compiled as device code besides, and thrown away: that tells calls of host functions from kernels. What
 * the executor reads off an object (frames, recursion, globals) is not told here, as a launch is what gives templates
 * their code.
 * @throws PipelineError `executor-failed` or `disk-full` when a tool failed, not the program
 */
export async function buildDirect(
  tools: Tools,
  program: DirectProgram,
  signal?: AbortSignal,
): Promise<{ok: true; build: DirectBuild} | {ok: false; verdict: Verdict}> {
  const directory = await mkdtemp(join(tools.workDirectory, 'direct-'))
  const bench = openBench(tools, directory, signal)
  try {
    const verdict = await compileAndLink(tools, bench, program)
    if (verdict) await rm(directory, {recursive: true, force: true})
    return verdict ? {ok: false, verdict} : {ok: true, build: directBuild(tools, directory)}
  } catch (error) {
    await rm(directory, {recursive: true, force: true})
    throw error
  } finally {
    await bench.close()
  }
}

function directBuild(tools: Tools, directory: string): DirectBuild {
  const report = join(directory, names.violation)
  const confine = async (command: readonly string[], how: RunOptions): Promise<DirectRun> => {
    const {folder = '.', readOnly = [], poison = 'nan', signal} = how
    const writable = directory
    const inside = join(directory, folder)
    await mkdir(inside, {recursive: true})
    await rm(report, {recursive: true, force: true})
    const reach = {readOnly: [tools.prebuilt.directory, ...readOnly], writable}
    const variables = [`TWIN_VIOLATION=${report}`, `TWIN_FRESH_MEMORY=${poison}`]
    const there = ['/bin/sh', '-c', 'cd "$1" && shift && exec env "$@"', 'sh', inside, ...variables]
    const {code, killedBy, overtime, stdout, stderr} = await runConfined(
      tools.sandbox,
      [...there, ...command],
      reach,
      tools.limits.run,
      {signal},
    )
    const violation = Violation.safeParse(jsonIn(await reportIn(report)))
    const ended = {code, killedBy, overtime, stdout, stderr}
    return violation.success ? {...ended, violation: violation.data} : ended
  }
  return {
    directory,
    runBeside: (command, how = {}) => confine(command, how),
    run: (args = [], how = {}) => confine([join(directory, names.program), ...args], how),
    dispose: () => rm(directory, {recursive: true, force: true}),
  }
}

/** The program may have put anything in place of its report: a pipe that nobody writes to, or gigabytes. */
async function reportIn(path: string): Promise<string> {
  const found = await lstat(path).catch(() => undefined)
  return found?.isFile() && found.size < 1 << 16 ? readFile(path, 'utf8') : ''
}

/** Undefined when the program stands in the bench's folder. */
async function compileAndLink(tools: Tools, bench: Bench, program: DirectProgram): Promise<Verdict | undefined> {
  const facts = kernelFacts(program.files.map(({text}) => text))
  await writeProgram(bench.directory, program, describingUnit(facts, tools.soc))
  const passes = passesOf(facts)
  const compiling = [
    ...passes.flatMap((pass) =>
      [...program.units, names.facts].map((unit, index) => compile(tools, bench, {program, pass, unit, index})),
    ),
    ...checksOf(tools, program).map((unit) => check(tools, bench, {program, pass: passes[0] as Pass, unit, index: 0})),
  ]
  // Waits for all, also when one fails: the folder in which they work is removed afterwards.
  await Promise.allSettled(compiling)
  const objects = await Promise.all(compiling)
  const log = objects.map((one) => one.log).join('')
  if (objects.some(({ok}) => !ok)) {
    const diagnostics = parseDiagnostics(log)
    return {outcome: 'compile-failed', diagnostics, log, executor: tools.identity}
  }
  for (const pass of passes) {
    const inputs = objects.flatMap((one) => (one.pass === pass ? (one.output ?? []) : []))
    const failure = await link(tools, bench, pass, inputs)
    if (failure !== undefined) return {outcome: 'link-failed', log: failure, executor: tools.identity}
  }
  return undefined
}

/** Whether a compilation sees the constants of the cube core, and whether it is the program or a library beside it. */
interface Pass {
  cube: boolean
  beside: boolean
}

/** A program whose kernels are all for the cube core needs no other compilation. */
function passesOf(facts: readonly KernelFact[]): Pass[] {
  const cube = facts.some(({cores}) => cores !== 'vector')
  if (!cube) return [{cube: false, beside: false}]
  if (facts.every(({cores}) => cores === 'cube')) return [{cube: true, beside: false}]
  return [
    {cube: false, beside: false},
    {cube: true, beside: true},
  ]
}

/** Units with device code, where the compiler can tell what such code may not do. */
function checksOf(tools: Tools, program: DirectProgram): string[] {
  const isDevice = (unit: string) =>
    program.files.some(({path, text}) => path === unit && /\b__(?:global|aicore)__\b/.test(text))
  return tools.prebuilt.device ? program.units.filter(isDevice) : []
}

interface Compilation {
  program: DirectProgram
  pass: Pass
  unit: string
  index: number
}

interface Compiled {
  pass: Pass
  ok: boolean
  log: string
  /** The object; none of a compilation for the rules alone. */
  output?: string
}

function commonFlags(tools: Tools, program: DirectProgram, unit: string): string[] {
  const folders = ['.', dirname(unit), ...(program.include ?? []), tools.prebuilt.include]
  const definitions = (program.definitions ?? []).map((definition) => `-D${definition}`)
  return ['-O0', ...folders.flatMap((folder) => ['-I', folder]), ...definitions]
}

/** The unit as device code: it may call nothing of the host, and host code in it is only read. */
async function check(tools: Tools, bench: Bench, {program, pass, unit}: Compilation): Promise<Compiled> {
  const end = await compileIn(tools, bench, 'kernel', [
    ...commonFlags(tools, program, unit),
    ...tools.prebuilt.header[pass.cube ? 'cube' : 'kernel'],
    '-include',
    'twin/direct_check.h',
    // Kernels may use `assert` (asc-devkit, examples/…/09_log); the C library's calls a function of the host.
    '-DNDEBUG',
    '-fsyntax-only',
    unit,
  ])
  return {pass, ok: end.ok, log: end.ok ? '' : end.log}
}

async function compile(tools: Tools, bench: Bench, {program, pass, unit, index}: Compilation): Promise<Compiled> {
  const output = `twin-${pass.cube ? 'cube' : 'vector'}-${index}.o`
  const end = await compileIn(tools, bench, 'host', [
    ...commonFlags(tools, program, unit),
    ...(pass.cube ? ['-DTWIN_CUBE_CORE'] : []),
    `-DTWIN_UNIT=${index}`,
    '-include',
    'twin/direct_launch.h',
    // g++ takes a file that ends in `.asc` for one of the linker, and says nothing.
    '-x',
    'c++',
    '-c',
    unit,
    '-o',
    output,
  ])
  return {pass, output, ok: end.ok, log: end.ok ? '' : end.log}
}

/** @returns what the linker said when it failed */
async function link(tools: Tools, bench: Bench, pass: Pass, objects: readonly string[]): Promise<string | undefined> {
  const {compiler, prebuilt} = tools
  const kind = pass.beside ? ['-shared', '-Wl,-Bsymbolic', '-o', `${names.program}.cube`] : ['-o', names.program]
  const command = [compiler.command, ...kind, ...objects, prebuilt.library, `-Wl,-rpath,${prebuilt.directory}`, '-ldl']
  const end = await bench.tool(command, linkFault)
  return end.ok ? undefined : withoutPaths(end.stderr, [bench.directory, prebuilt.include, prebuilt.directory])
}

/** What would lie outside of the folder is left out. */
async function writeProgram(directory: string, program: DirectProgram, facts: string): Promise<void> {
  const files = [...program.files, {path: names.facts, text: facts}]
  for (const {path, text} of files) {
    const inside = normalize(path)
    if (isAbsolute(inside) || inside.startsWith('..')) continue
    await mkdir(dirname(join(directory, inside)), {recursive: true})
    await writeFile(join(directory, inside), path === names.facts ? text : launchText(text))
  }
}
