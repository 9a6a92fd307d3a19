import {mkdir, mkdtemp, readFile, rm, writeFile} from 'node:fs/promises'
import {dirname, isAbsolute, join, normalize} from 'node:path'
import {parseOperatorDefinitions} from '../../datasets/op-def.ts'
import type {Program, Unit} from '../../datasets/schema/executor.ts'
import {Dtype} from '../../datasets/schema/tensor.ts'
import type {Verdict} from '../../datasets/schema/verdict.ts'
import {runTool} from './tools.ts'
import type {Tools} from './tools.ts'
import {parseDiagnostics, withoutPaths} from './diagnostics.ts'
import {
  completeDtypes,
  coresOf,
  entryFile,
  kernelUnit,
  plainKernelText,
  preamble,
  usedDtypeNames,
} from './kernel-unit.ts'
import {missingNames} from './not-covered.ts'
import type {FileTexts} from './objects.ts'
import {tilingText} from './tiling-def.ts'
import {compileFault, linkFault} from './tool-fault.ts'
import {languageFlags} from './toolchain.ts'
import type {Link} from './toolchain.ts'
import type {Side} from './twin-sources.ts'

type Compiled = {ok: true} | {ok: false; log: string}

/** One compiler call inside the sandbox; `args` name files relative to `directory`. */
async function compileIn(
  tools: Tools,
  directory: string,
  args: readonly string[],
  signal?: AbortSignal,
): Promise<Compiled> {
  const command = [tools.compiler.command, ...languageFlags(tools.compiler), ...args]
  const twin = tools.prebuilt.directory
  const end = await runTool(tools, directory, command, (result) => compileFault(result, twin), signal)
  return end.ok ? end : {ok: false, log: logOf(tools, directory, end.stderr)}
}

function logOf({prebuilt}: Tools, directory: string, stderr: string): string {
  return withoutPaths(stderr, [directory, prebuilt.include, prebuilt.directory])
}

interface ObjectCall {
  directory: string
  files: FileTexts
  flags: readonly string[]
  path: string
  output: string
}

/** Writes an object, compiled now or before. */
async function compileObject(tools: Tools, call: ObjectCall, signal?: AbortSignal): Promise<Compiled> {
  const {directory, files, flags, path, output} = call
  const at = join(directory, output)
  const list = `${output}.d`
  let end: Compiled = {ok: true}
  const object = await tools.objects.get({args: flags, path, files}, async () => {
    end = await compileIn(tools, directory, [...flags, '-MMD', '-MF', list, '-c', path, '-o', output], signal)
    if (!end.ok) return undefined
    return {object: await readFile(at), dependencies: await readFile(join(directory, list), 'utf8')}
  })
  if (object) await writeFile(at, object)
  return end
}

async function linkIn(tools: Tools, directory: string, link: Link, signal?: AbortSignal): Promise<Verdict | undefined> {
  const end = await runTool(tools, directory, tools.linker(link), linkFault, signal)
  if (end.ok) return undefined
  return {outcome: 'link-failed', log: logOf(tools, directory, end.stderr), executor: tools.identity}
}

function refusal(tools: Tools, log: string, headers: 'sdk' | 'any' = 'sdk'): Verdict {
  const diagnostics = parseDiagnostics(log)
  const missing = missingNames(diagnostics, tools.prebuilt.names, headers)
  if (missing.length > 0) return {outcome: 'not-covered', missing, executor: tools.identity}
  return {outcome: 'compile-failed', diagnostics, log, executor: tools.identity}
}

function objectFlags({prebuilt}: Tools, side: Side): string[] {
  const folders = side === 'kernel' ? ['-I', 'op_kernel', '-I', 'op_host'] : ['-I', 'op_host', '-I', 'op_kernel']
  return ['-O0', ...prebuilt.header[side], '-I', prebuilt.include, '-I', '.', ...folders]
}

/** Compiles one unit and keeps nothing of it. */
export async function compileUnit(tools: Tools, unit: Unit, signal?: AbortSignal): Promise<Verdict> {
  const directory = await mkdtemp(join(tools.workDirectory, 'unit-'))
  try {
    const file = `${unit.side}.cpp`
    await writeFile(join(directory, file), unit.side === 'kernel' ? plainKernelText(unit.text) : unit.text)
    const before = unit.side === 'kernel' ? preamble(unitDtypes(unit), unit.tiling) : ''
    await writeFile(join(directory, 'preamble.h'), before)
    const args = [...objectFlags(tools, unit.side), '-include', 'preamble.h', '-fsyntax-only', file]
    const compiled = await compileIn(tools, directory, args, signal)
    return compiled.ok ? {outcome: 'compiled', executor: tools.identity} : refusal(tools, compiled.log, 'any')
  } finally {
    await rm(directory, {recursive: true, force: true})
  }
}

/**
 * A flattened file may come without its definition; a build would still have set its dtype macros, so they get one
 * that every API takes.
 */
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

/** Undefined when everything compiled and linked; the operator is then `operator.so` in `directory`. */
export async function buildIn(
  tools: Tools,
  directory: string,
  program: Program,
  signal?: AbortSignal,
): Promise<Verdict | undefined> {
  const {operator, files} = program
  const definition = files.flatMap(({text}) => parseOperatorDefinitions(text)).find((one) => one.operator === operator)
  const entry = entryFile(files, operator)
  const expected = `class ${operator} : public OpDef`
  if (!definition) return refusal(tools, `error: op_host/: no definition of ${operator}: expected \`${expected}\`\n`)
  if (!entry) return refusal(tools, `error: op_kernel/: no kernel of ${operator}\n`)
  const kernelTexts = files.filter(({path}) => path.startsWith('op_kernel/')).map(({text}) => text)
  const named = completeDtypes(definition, program.dtypes)
  // A definition may compute its lists of types, which no scan can read; names that neither it nor the caller gives
  // are still macros.
  const known = new Set(Object.keys(named).map((name) => name.toUpperCase()))
  const dtypes = {...unnamedDtypes(kernelTexts, known), ...named}
  const cores = coresOf(kernelTexts)
  const unit = kernelUnit({entry, operator, definition, dtypes, tiling: tilingText(files.map(({text}) => text)), cores})
  const texts = await writeFiles(directory, [...files, {path: 'kernel_unit.cpp', text: unit}])
  const host = files.filter(({path, text}) => /^op_host\/.*\.(cpp|cc)$/s.test(path) && !isGraphCode(text))
  const units = [
    ...host.map(({path}) => ({side: 'host' as const, path})),
    {side: 'kernel' as const, path: 'kernel_unit.cpp'},
  ]
  const compiled = await allDone(
    units.map(({side, path}, index) => {
      const call = {directory, files: texts, flags: objectFlags(tools, side), path, output: `unit-${index}.o`}
      return compileObject(tools, call, signal)
    }),
  )
  if (compiled.some(({ok}) => !ok)) return refusal(tools, compiled.map((one) => (one.ok ? '' : one.log)).join(''))
  const cube = cores === 'vector' ? undefined : await buildCube(tools, directory, texts, signal)
  if (cube) return cube
  const twice = twoLibraries(host) ? [['-z', 'muldefs']] : []
  const options = [['-z', 'defs'], ...twice, ['-rpath', tools.prebuilt.directory]]
  const inputs = [...units.map((_, index) => `unit-${index}.o`), tools.prebuilt.library]
  return linkIn(tools, directory, {options, inputs, output: 'operator.so'}, signal)
}

/** Waits for all, also when one fails: the folder in which they work is removed afterwards. */
async function allDone<T>(tasks: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(tasks)
  return Promise.all(tasks)
}

/**
 * The kernel once more, as the cube core's compiler sees it: other values of its constants, so a library of its own
 * that calls its own functions.
 */
async function buildCube(
  tools: Tools,
  directory: string,
  files: FileTexts,
  signal?: AbortSignal,
): Promise<Verdict | undefined> {
  const {include, library, directory: prebuilt} = tools.prebuilt
  const flags = ['-O0', '-DTWIN_CUBE_CORE', '-I', include, '-I', '.', '-I', 'op_kernel', '-I', 'op_host']
  const call = {directory, files, flags, path: 'kernel_unit.cpp', output: 'cube.o'}
  const compiled = await compileObject(tools, call, signal)
  if (!compiled.ok) return refusal(tools, compiled.log)
  const options = [['-z', 'defs'], ['-Bsymbolic-functions'], ['-rpath', prebuilt]]
  return linkIn(tools, directory, {options, inputs: ['cube.o', library], output: 'operator.so.cube'}, signal)
}

/** CANN links definitions and tiling into two libraries, so a header with a plain function may serve a file of each. */
function twoLibraries(host: readonly {text: string}[]): boolean {
  return host.length > 1 && host.some(({text}) => /\bOP_ADD\b/.test(text) && !/\bTilingContext\b/.test(text))
}

/** Files for the graph engine or the single-operator API: they are other libraries of the package, not tiling. */
function isGraphCode(text: string): boolean {
  const graph = /#\s*include\s*[<"](?:opdev\/|aclnn|acl\/|graph\/operator|register\/op_proto)/
  return graph.test(text) && !/\bTilingContext\b|\bOP_ADD\b/.test(text)
}

/** The files as they are written; what would lie outside of the folder is left out. */
async function writeFiles(directory: string, files: Program['files']): Promise<Map<string, string>> {
  const written = new Map<string, string>()
  for (const {path, text} of files) {
    const inside = normalize(path)
    if (isAbsolute(inside) || inside.startsWith('..')) continue
    written.set(inside, inside.startsWith('op_kernel/') ? plainKernelText(text) : text)
  }
  for (const [path, text] of written) {
    await mkdir(dirname(join(directory, path)), {recursive: true})
    await writeFile(join(directory, path), text)
  }
  return written
}
