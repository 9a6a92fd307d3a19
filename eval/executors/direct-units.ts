import {dirname} from 'node:path'
import type {SourceFile} from '../../datasets/schema/operator.ts'
import type {Verdict} from '../../datasets/schema/verdict.ts'
import {parseDiagnostics, outwardLog} from './diagnostics.ts'
import {describingUnit, kernelFacts, launchText} from './direct-launch.ts'
import type {KernelFact} from './direct-launch.ts'
import {compileOnce, readOnce} from './library.ts'
import type {Workplace} from './library.ts'
import {missingNames} from './not-covered.ts'
import {linkFault} from './tool-fault.ts'
import {openBench} from './tools.ts'
import type {Bench, Tools} from './tools.ts'
import {writeFiles} from './written-files.ts'

/** Texts with host and device code, which launch kernels. */
export interface DirectUnits {
  /** Texts by path below the program's folder. */
  files: readonly SourceFile[]
  /** Paths of the files that are compiled, each a separate unit. */
  units: readonly string[]
  /** Folders of headers, below the program's folder, besides it and the folder of each unit. */
  include?: readonly string[]
  /** `NAME` or `NAME=VALUE`. */
  definitions?: readonly string[]
}

/** `objects`: in the bench's folder. `beside`: they form a separate library for the cube core. */
type UnitsEnd =
  | {ok: true; passes: readonly {beside: boolean; objects: readonly string[]}[]}
  | {ok: false; verdict: Verdict}

const factsFile = 'twin_kernels.cpp'

/**
 * Host and device code are one unit of ordinary C++ here, so that host code has the full language and library; a
 * program with work for the cube core is compiled again for that core. Units with kernels are also compiled as device
 * code, and discarded: this detects calls of host functions from kernels. What the executor reads from an object
 * (frames, recursion, globals) is not checked here, because templates are only instantiated by a launch.
 */
export async function compileUnits(tools: Tools, bench: Bench, program: DirectUnits): Promise<UnitsEnd> {
  const facts = kernelFacts(program.files.map(({text}) => text))
  const described = [...program.files, {path: factsFile, text: describingUnit(facts, tools.soc)}]
  const files = await writeFiles(bench.directory, described, ({path, text}) =>
    path === factsFile ? text : launchText(text),
  )
  const place: Workplace = {tools, bench, files}
  const passes = passesOf(facts)
  const compiling = [
    ...passes.flatMap((pass) =>
      [...program.units, factsFile].map((unit, index) => compile(place, {program, pass, unit, index})),
    ),
    ...checksOf(tools, program).map((unit) => check(place, {program, pass: passes[0] as Pass, unit, index: 0})),
  ]
  // Waits for all, even if one fails, because their folder is removed afterwards.
  await Promise.allSettled(compiling)
  const compiled = await Promise.all(compiling)
  const log = compiled.map((one) => one.log).join('')
  if (compiled.some(({ok}) => !ok)) {
    const diagnostics = parseDiagnostics(log)
    return {ok: false, verdict: {outcome: 'compile-failed', diagnostics, log, executor: tools.identity}}
  }
  const objectsOf = (pass: Pass) => compiled.flatMap((one) => (one.pass === pass ? (one.output ?? []) : []))
  return {ok: true, passes: passes.map((pass) => ({beside: pass.beside, objects: objectsOf(pass)}))}
}

/**
 * Compiles the kernels of a library that is linked elsewhere, and links the additional library for the cube core.
 * @param library its file's name, in the directory
 * @throws PipelineError `executor-failed` or `disk-full` when a tool failed
 */
export async function compileKernels(
  tools: Tools,
  {directory, library}: {directory: string; library: string},
  program: DirectUnits,
  signal?: AbortSignal,
): Promise<{ok: true; objects: readonly string[]} | {ok: false; verdict: Verdict}> {
  const bench = openBench(tools, directory, signal)
  try {
    const compiled = await compileUnits(tools, bench, program)
    if (!compiled.ok) return {ok: false, verdict: orNotCovered(tools, program, compiled.verdict)}
    const beside = compiled.passes.find((pass) => pass.beside)
    const failure = beside && (await linkUnits(tools, bench, besideKind(library), beside.objects))
    if (failure !== undefined)
      return {ok: false, verdict: {outcome: 'link-failed', log: failure, executor: tools.identity}}
    return {ok: true, objects: compiled.passes.find((pass) => !pass.beside)?.objects ?? []}
  } finally {
    await bench.close()
  }
}

/** Names that the twin lacks say nothing about the kernels. */
function orNotCovered(tools: Tools, {files}: DirectUnits, verdict: Verdict): Verdict {
  if (verdict.outcome !== 'compile-failed') return verdict
  const texts = new Map(files.map(({path, text}) => [path, text]))
  const missing = missingNames(verdict.diagnostics, {twinNames: tools.prebuilt.names, files: texts, headers: 'sdk'})
  return missing.length > 0 ? {outcome: 'not-covered', missing, executor: tools.identity} : verdict
}

/** Linker options for the library next to a program, where the runtime looks for it. */
export function besideKind(library: string): string[] {
  return ['-shared', '-Wl,-Bsymbolic', '-o', `${library}.cube`]
}

/**
 * Whether a compilation sees the constants of the cube core, and whether it makes the program or the additional
 * library.
 */
interface Pass {
  cube: boolean
  beside: boolean
}

/** A program with only cube kernels needs no other compilation. */
function passesOf(facts: readonly KernelFact[]): Pass[] {
  const cube = facts.some(({cores}) => cores !== 'vector')
  if (!cube) return [{cube: false, beside: false}]
  if (facts.every(({cores}) => cores === 'cube')) return [{cube: true, beside: false}]
  return [
    {cube: false, beside: false},
    {cube: true, beside: true},
  ]
}

/** Units with device code, if the compiler can check the device's rules. */
function checksOf(tools: Tools, program: DirectUnits): string[] {
  const isDevice = (unit: string) =>
    program.files.some(({path, text}) => path === unit && /\b__(?:global|aicore)__\b/.test(text))
  return tools.prebuilt.device ? program.units.filter(isDevice) : []
}

interface Compilation {
  program: DirectUnits
  pass: Pass
  unit: string
  index: number
}

interface Compiled {
  pass: Pass
  ok: boolean
  log: string
  /** The object; absent if only the rules are checked. */
  output?: string
}

function commonFlags(tools: Tools, program: DirectUnits, unit: string): string[] {
  const folders = ['.', dirname(unit), ...(program.include ?? []), tools.prebuilt.include]
  const definitions = (program.definitions ?? []).map((definition) => `-D${definition}`)
  return ['-O0', ...folders.flatMap((folder) => ['-I', folder]), ...definitions]
}

/** The unit as device code: it may not call host functions, and host code in it is only parsed. */
async function check(place: Workplace, {program, pass, unit}: Compilation): Promise<Compiled> {
  const {tools} = place
  const flags = [
    ...commonFlags(tools, program, unit),
    ...tools.prebuilt.header[pass.cube ? 'cube' : 'kernel'],
    '-include',
    'twin/direct_check.h',
    // Kernels may use `assert` (asc-devkit, examples/…/09_log); the C library's calls a function of the host.
    '-DNDEBUG',
  ]
  const output = `check-${unit.replaceAll('/', '-')}`
  const end = await readOnce(place, {side: 'kernel', path: unit, flags, output})
  return {pass, ok: end.ok, log: end.ok ? '' : end.log}
}

async function compile(place: Workplace, {program, pass, unit, index}: Compilation): Promise<Compiled> {
  const output = `twin-${pass.cube ? 'cube' : 'vector'}-${index}.o`
  const flags = [
    ...commonFlags(place.tools, program, unit),
    ...(pass.cube ? ['-DTWIN_CUBE_CORE'] : []),
    ...(unit === factsFile ? [] : [`-DTWIN_UNIT=${index}`, '-include', 'twin/direct_launch.h']),
    // g++ silently treats a file ending in `.asc` as linker input.
    '-x',
    'c++',
  ]
  const end = await compileOnce(place, {side: 'host', path: unit, flags, output})
  return {pass, output, ok: end.ok, log: end.ok ? '' : end.log}
}

/** @returns the linker's messages if it failed */
export async function linkUnits(
  tools: Tools,
  bench: Bench,
  kind: readonly string[],
  objects: readonly string[],
): Promise<string | undefined> {
  const {compiler, prebuilt} = tools
  const command = [compiler.command, ...kind, ...objects, prebuilt.library, `-Wl,-rpath,${prebuilt.directory}`, '-ldl']
  const end = await bench.tool(command, linkFault)
  return end.ok ? undefined : outwardLog(end.stderr, [bench.directory, prebuilt.include, prebuilt.directory])
}
