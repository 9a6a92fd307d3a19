import {createHash, randomBytes} from 'node:crypto'
import {mkdir, mkdtemp, readFile, rm, writeFile} from 'node:fs/promises'
import {dirname, isAbsolute, join, normalize, resolve} from 'node:path'
import type {Build, ExecuteOptions, Execution, Executor, Program, Unit} from '../../datasets/schema/executor.ts'
import type {OperatorCase} from '../../datasets/schema/task.ts'
import {Dtype} from '../../datasets/schema/tensor.ts'
import type {ExecutorIdentity, Verdict} from '../../datasets/schema/verdict.ts'
import {walk} from '../../pipelines/core/files.ts'
import {readOutputs, writeCase} from './case-files.ts'
import {parseDiagnostics, withoutPaths} from './diagnostics.ts'
import {completeDtypes, coresOf, entryFile, kernelUnit, plainKernelText, preamble, usedDtypeNames} from './kernel-unit.ts'
import {missingNames} from './not-covered.ts'
import {parseOperatorDefinitions, withoutComments} from '../../datasets/op-def.ts'
import {prebuild} from './precompile.ts'
import type {Prebuilt} from './precompile.ts'
import {interpretRun} from './run-report.ts'
import {chooseSandbox, runConfined} from './sandbox.ts'
import type {Limits, SandboxName} from './sandbox.ts'
import {tilingText} from './tiling-def.ts'
import {chooseCompiler, chooseLinker, languageFlags} from './toolchain.ts'
import type {Compiler, Linker} from './toolchain.ts'

export interface TwinOptions {
  /** Where precompiled headers and the runtime are kept between runs; shared by any number of processes. */
  cacheDirectory: string
  /** Where builds live while they are in use. */
  workDirectory: string
  /** Chip whose numbers tiling sees. Default `Ascend910_9392`. */
  soc?: string
  /** `auto` takes the best that works; `plain` has no walls and must be asked for. Default `auto`. */
  sandbox?: SandboxName | 'auto'
  /** A command such as `clang++-15`. Default: the best that is installed. */
  compiler?: string
  limits?: {compile?: Partial<Limits>; run?: Partial<Limits>}
}

const gibi = 2 ** 30
const compileLimits: Limits = {cpuSeconds: 30, wallSeconds: 120, memoryBytes: 4 * gibi, fileBytes: gibi / 2, outputBytes: 1 << 20}
const runLimits: Limits = {cpuSeconds: 20, wallSeconds: 60, memoryBytes: 8 * gibi, fileBytes: 4 * gibi, outputBytes: 1 << 18}

interface Bench {
  compiler: Compiler
  sandbox: SandboxName
  prebuilt: Prebuilt
  soc: string
  workDirectory: string
  identity: ExecutorIdentity
  /** Every identifier in the twin's headers. */
  names: ReadonlySet<string>
  linker: Linker
  limits: {compile: Limits; run: Limits}
}

/**
 * The CPU twin as an executor: compiles with a native compiler against headers that emulate Ascend C, and runs under strict checks.
 * What a verdict proves: the outputs, which are compared elsewhere, come from the candidate's process alone, and expected values are never
 * inside the sandbox. Trace and checks live in the same process as the candidate, so code that searches its memory could forge them.
 * @throws PipelineError `toolchain-missing`, `sandbox-missing`, or `executor-failed` when the twin itself does not build
 */
export default async function twin(options: TwinOptions): Promise<Executor> {
  const workDirectory = resolve(options.workDirectory)
  await mkdir(workDirectory, {recursive: true})
  const [compiler, sandbox] = await Promise.all([chooseCompiler(options.compiler), chooseSandbox(workDirectory, options.sandbox)])
  const [prebuilt, linker] = await Promise.all([prebuild(compiler, resolve(options.cacheDirectory)), chooseLinker(compiler)])
  const soc = options.soc ?? 'Ascend910_9392'
  const fingerprint = createHash('sha256').update(`${prebuilt.fingerprint}\n${soc}`).digest('hex').slice(0, 16)
  const bench: Bench = {
    compiler, sandbox, prebuilt, linker, soc, workDirectory,
    identity: {name: 'twin', fingerprint, compiler: compiler.version, soc},
    names: await identifiers(prebuilt.include),
    limits: {compile: {...compileLimits, ...options.limits?.compile}, run: {...runLimits, ...options.limits?.run}},
  }
  return {
    identity: bench.identity,
    covers: `vector and cube kernels of ${soc} emulated on the CPU with ${compiler.version}; no timing`,
    compile: (unit, signal) => compileUnit(bench, unit, signal),
    build: (program, signal) => buildProgram(bench, program, signal),
    execute: (build, operatorCase, how, signal) => execute(bench, build, operatorCase, how ?? {}, signal),
  }
}

async function identifiers(include: string): Promise<Set<string>> {
  const found = new Set<string>()
  for await (const path of walk(include)) {
    for (const [name] of withoutComments(await readFile(join(include, path), 'utf8')).matchAll(/\b[A-Za-z_]\w+\b/g)) found.add(name)
  }
  return found
}

type Compiled = {ok: true} | {ok: false; log: string; overtime: boolean}

/** One compiler call inside the sandbox; `args` name files relative to `directory`. */
function compileIn(bench: Bench, directory: string, args: readonly string[], signal?: AbortSignal): Promise<Compiled> {
  return runTool(bench, directory, [bench.compiler.command, ...languageFlags(bench.compiler), ...args], signal)
}

async function runTool(bench: Bench, directory: string, command: readonly string[], signal?: AbortSignal): Promise<Compiled> {
  const {prebuilt, sandbox} = bench
  const {code, stderr, overtime, killedBy} = await runConfined(sandbox, command, {readOnly: [prebuilt.directory], writable: directory}, bench.limits.compile, {signal})
  if (code === 0) return {ok: true}
  const ending = overtime ? 'error: compilation ran past its time limit\n' : killedBy ? `error: the compiler was ended by ${killedBy}\n` : ''
  return {ok: false, log: withoutPaths(stderr, [directory, prebuilt.include, prebuilt.directory]) + ending, overtime}
}

function refusal(bench: Bench, log: string, headers: 'sdk' | 'any' = 'sdk'): Verdict {
  const diagnostics = parseDiagnostics(log)
  const missing = missingNames(diagnostics, bench.names, headers)
  if (missing.length > 0) return {outcome: 'not-covered', missing, executor: bench.identity}
  return {outcome: 'compile-failed', diagnostics, log, executor: bench.identity}
}

function objectFlags(bench: Bench, side: 'kernel' | 'host'): string[] {
  return ['-O0', ...bench.prebuilt.header[side], '-I', bench.prebuilt.include, '-I', '.', ...(side === 'kernel' ? ['-I', 'op_kernel', '-I', 'op_host'] : ['-I', 'op_host', '-I', 'op_kernel'])]
}

async function compileUnit(bench: Bench, unit: Unit, signal?: AbortSignal): Promise<Verdict> {
  const directory = await mkdtemp(join(bench.workDirectory, 'unit-'))
  try {
    const file = `${unit.side}.cpp`
    await writeFile(join(directory, file), unit.side === 'kernel' ? plainKernelText(unit.text) : unit.text)
    await writeFile(join(directory, 'preamble.h'), unit.side === 'kernel' ? preamble(unitDtypes(unit), unit.tiling) : '')
    const compiled = await compileIn(bench, directory, [...objectFlags(bench, unit.side), '-include', 'preamble.h', '-fsyntax-only', file], signal)
    return compiled.ok ? {outcome: 'compiled', executor: bench.identity} : refusal(bench, compiled.log, 'any')
  } finally {
    await rm(directory, {recursive: true, force: true})
  }
}

/** A flattened file may come without its definition; a build would still have set its dtype macros, so they get one that every API takes. */
function unitDtypes(unit: Unit): Record<string, Dtype> {
  const given = Object.entries(unit.dtypes).flatMap(([name, dtype]) => {
    const known = Dtype.safeParse(dtype)
    return known.success ? [[name, known.data] as const] : []
  })
  const names = new Set(given.map(([name]) => name.toUpperCase()))
  return {...Object.fromEntries(given), ...unnamedDtypes([unit.text], names)}
}

function unnamedDtypes(texts: readonly string[], named: ReadonlySet<string>): Record<string, Dtype> {
  const names = texts.flatMap(usedDtypeNames).filter((name) => !named.has(name))
  return Object.fromEntries(names.map((name) => [name, 'float32' as const]))
}

type Built = Awaited<ReturnType<Executor['build']>>

async function buildProgram(bench: Bench, program: Program, signal?: AbortSignal): Promise<Built> {
  const directory = await mkdtemp(join(bench.workDirectory, 'build-'))
  const dispose = () => rm(directory, {recursive: true, force: true})
  try {
    const verdict = await buildIn(bench, directory, program, signal)
    if (verdict) {
      await dispose()
      return {ok: false, verdict}
    }
    programs.set(directory, program)
    return {ok: true, build: {directory, dispose: () => { programs.delete(directory); return dispose() }}}
  } catch (error) {
    await dispose()
    throw error
  }
}

/** Builds in use, by directory: what decoding a run needs to know of its sources. */
const programs = new Map<string, Program>()

/** Undefined when everything compiled and linked. */
async function buildIn(bench: Bench, directory: string, program: Program, signal?: AbortSignal): Promise<Verdict | undefined> {
  const {operator, files} = program
  await writeFiles(directory, files)
  const host = files.filter(({path, text}) => path.startsWith('op_host/') && /\.(cpp|cc)$/.test(path) && !isGraphCode(text))
  const definition = files.flatMap(({text}) => parseOperatorDefinitions(text)).find((one) => one.operator === operator)
  const entry = entryFile(files, operator)
  const missing = !definition ? `op_host/: no definition of ${operator}: expected \`class ${operator} : public OpDef\`` : !entry ? `op_kernel/: no kernel of ${operator}` : undefined
  if (missing !== undefined || !definition || !entry) return refusal(bench, `error: ${missing}\n`)
  const named = completeDtypes(definition, program.dtypes)
  // A definition may compute its lists of types, which no scan can read; names that neither it nor the caller gives are still macros.
  const dtypes = {...unnamedDtypes(files.filter(({path}) => path.startsWith('op_kernel/')).map(({text}) => text), new Set(Object.keys(named).map((name) => name.toUpperCase()))), ...named}
  const cores = coresOf(files.filter(({path}) => path.startsWith('op_kernel/')).map(({text}) => text))
  await writeFile(join(directory, 'kernel_unit.cpp'), kernelUnit({entry, operator, definition, dtypes, tiling: tilingText(files.map(({text}) => text)), cores}))
  const units = [...host.map(({path}) => ({side: 'host' as const, path})), {side: 'kernel' as const, path: 'kernel_unit.cpp'}]
  const objects = units.map((_, index) => `unit-${index}.o`)
  const compiled = await Promise.all(units.map(({side, path}, index) => compileIn(bench, directory, [...objectFlags(bench, side), '-c', path, '-o', objects[index] as string], signal)))
  const log = compiled.map((one) => (one.ok ? '' : one.log)).join('')
  if (compiled.some(({ok}) => !ok)) return refusal(bench, log)
  const cube = cores === 'vector' ? undefined : await buildCube(bench, directory, signal)
  if (cube) return cube
  const options = [['-z', 'defs'], ...(twoLibraries(host) ? [['-z', 'muldefs']] : []), ['-rpath', bench.prebuilt.directory]]
  const linked = await runTool(bench, directory, bench.linker({options, inputs: [...objects, bench.prebuilt.library], output: 'operator.so'}), signal)
  return linked.ok ? undefined : {outcome: 'link-failed', log: linked.log, executor: bench.identity}
}

/** The kernel once more, as the cube core's compiler sees it: other values of its constants, so a library of its own that calls its own functions. */
async function buildCube(bench: Bench, directory: string, signal?: AbortSignal): Promise<Verdict | undefined> {
  const {include, library, directory: prebuilt} = bench.prebuilt
  const folders = ['-I', include, '-I', '.', '-I', 'op_kernel', '-I', 'op_host']
  const compiled = await compileIn(bench, directory, ['-O0', '-DTWIN_CUBE_CORE', ...folders, '-c', 'kernel_unit.cpp', '-o', 'cube.o'], signal)
  if (!compiled.ok) return refusal(bench, compiled.log)
  const options = [['-z', 'defs'], ['-Bsymbolic-functions'], ['-rpath', prebuilt]]
  const linked = await runTool(bench, directory, bench.linker({options, inputs: ['cube.o', library], output: 'operator.so.cube'}), signal)
  return linked.ok ? undefined : {outcome: 'link-failed', log: linked.log, executor: bench.identity}
}

/** CANN links definitions and tiling into two libraries, so a header with a plain function may serve a file of each. */
function twoLibraries(host: readonly {text: string}[]): boolean {
  return host.length > 1 && host.some(({text}) => /\bOP_ADD\b/.test(text) && !/\bTilingContext\b/.test(text))
}

/** Files for the graph engine or the single-operator API: they are other libraries of the package, not tiling. */
function isGraphCode(text: string): boolean {
  return /#\s*include\s*[<"](?:opdev\/|aclnn|acl\/|graph\/operator|register\/op_proto)/.test(text) && !/\bTilingContext\b|\bOP_ADD\b/.test(text)
}

async function writeFiles(directory: string, files: Program['files']): Promise<void> {
  for (const {path, text} of files) {
    const inside = normalize(path)
    if (isAbsolute(inside) || inside.startsWith('..')) continue
    await mkdir(dirname(join(directory, inside)), {recursive: true})
    await writeFile(join(directory, inside), inside.startsWith('op_kernel/') ? plainKernelText(text) : text)
  }
}

async function execute(bench: Bench, build: Build, operatorCase: OperatorCase, how: ExecuteOptions, signal?: AbortSignal): Promise<Execution> {
  const program = programs.get(build.directory)
  if (!program) throw new TypeError('execute: this build is not one of this executor, or was disposed of')
  const directory = await mkdtemp(join(build.directory, 'case-'))
  try {
    await writeCase(directory, operatorCase, {...how, operator: program.operator, soc: bench.soc, library: join(build.directory, 'operator.so')})
    const nonce = randomBytes(24).toString('hex')
    const result = await runConfined(bench.sandbox, [bench.prebuilt.runner, directory], {readOnly: [bench.prebuilt.directory], writable: build.directory}, bench.limits.run, {stdin: `${nonce}\n`, signal})
    const folders = [directory, build.directory, bench.prebuilt.include, bench.prebuilt.directory]
    const outputs = await readOutputs(directory, operatorCase.outputs)
    return interpretRun({result, nonce, outputs, limits: bench.limits.run, sources: program.files.map(({text}) => text), log: withoutPaths(result.stderr, folders)})
  } finally {
    await rm(directory, {recursive: true, force: true})
  }
}
