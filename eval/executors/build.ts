import {mkdtemp} from 'node:fs/promises'
import {join, posix} from 'node:path'
import {removeFolder} from '../../engine/files.ts'
import {parseOperatorDefinitions} from '../../cpp/op-def.ts'
import type {Program, ProgramSide, Unit} from '../../datasets/schema/executor.ts'
import type {SourceFile} from '../../datasets/schema/operator.ts'
import {Dtype} from '../../datasets/schema/tensor.ts'
import type {Verdict} from '../../datasets/schema/verdict.ts'
import {parseDiagnostics} from './diagnostics.ts'
import {
  completeDtypes,
  coresOf,
  deviceText,
  entryFile,
  kernelUnit,
  preamble,
  selectionSpaceOf,
  usedDtypeNames,
} from './kernel-unit.ts'
import {plainKernelText} from './kernel-text.ts'
import {allDone, checkOnce, makeLibrary, objectFlags} from './library.ts'
import type {LibraryEnd, LibraryPlan, Workplace} from './library.ts'
import {missingNames} from './not-covered.ts'
import type {FileTexts} from './objects.ts'
import {tilingText} from './tiling-def.ts'
import {openBench} from './tools.ts'
import type {Bench, Tools} from './tools.ts'
import {writeFiles} from './written-files.ts'

/** The libraries of a built operator, in its directory: what runs on the host, and what runs on the device. */
export const libraryNames = {host: 'host.so', kernel: 'kernel.so'} as const

function refusal(tools: Tools, log: string, files: FileTexts, headers: 'sdk' | 'any' = 'sdk'): Verdict {
  const diagnostics = parseDiagnostics(log)
  const missing = missingNames(diagnostics, {twinNames: tools.prebuilt.names, files, headers})
  if (missing.length > 0) return {outcome: 'not-covered', missing, executor: tools.identity}
  return {outcome: 'compile-failed', diagnostics, log, executor: tools.identity}
}

/** Compiles one unit and keeps no output. */
export async function compileUnit(tools: Tools, unit: Unit, signal?: AbortSignal): Promise<Verdict> {
  const directory = await mkdtemp(join(tools.workDirectory, 'unit-'))
  const bench = openBench(tools, directory, signal)
  try {
    const path = `${unit.side}.cpp`
    const text = unit.side === 'kernel' ? plainKernelText(unit.text) : unit.text
    const before = unit.side === 'kernel' ? preamble(unitDtypes(unit), tilingText([unit.tiling], [unit.text])) : ''
    const files = await writeFiles(
      directory,
      [
        {path, text},
        {path: 'preamble.h', text: before},
      ],
      textInBuild,
    )
    const flags = [...objectFlags(tools, unit.side), '-include', 'preamble.h']
    const place: Workplace = {tools, bench, files}
    const compiled = await checkOnce(place, {side: unit.side, path, flags, output: 'unit.o'})
    return compiled.ok ? {outcome: 'compiled', executor: tools.identity} : refusal(tools, compiled.log, files, 'any')
  } finally {
    await bench.close()
    await removeFolder(directory)
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
  const names = usedDtypeNames(texts.join('\n')).filter((name) => !named.has(name))
  return Object.fromEntries(names.map((name) => [name, 'float32' as const]))
}

/** Compiles one side of a program and keeps no output. */
export async function compileSide(tools: Tools, {side, program}: ProgramSide, signal?: AbortSignal): Promise<Verdict> {
  const directory = await mkdtemp(join(tools.workDirectory, 'unit-'))
  const bench = openBench(tools, directory, signal)
  try {
    const laid = await layOut(tools, bench, program)
    if (!laid.ok) return laid.verdict
    const {place} = laid
    const plans = side === 'host' ? [laid.host] : laid.kernel
    const ends = await allDone(plans.flatMap(({units}) => units).map((unit) => checkOnce(place, unit)))
    if (ends.every(({ok}) => ok)) return {outcome: 'compiled', executor: tools.identity}
    return refusal(tools, ends.map((end) => (end.ok ? '' : end.log)).join(''), place.files, 'any')
  } finally {
    await bench.close()
    await removeFolder(directory)
  }
}

type Failed = {ok: false; verdict: Verdict}
type BuildEnd = {ok: true; imports: readonly string[]} | Failed

/** When everything compiled and linked, the operator's libraries are in the bench's directory. */
export async function buildIn(tools: Tools, bench: Bench, program: Program): Promise<BuildEnd> {
  const laid = await layOut(tools, bench, program)
  if (!laid.ok) return laid
  const {place} = laid
  const ends = await allDone([laid.host, ...laid.kernel].map((plan) => makeLibrary(place, plan)))
  const verdict = verdictOf(tools, place.files, ends)
  const [host] = ends
  return verdict ? {ok: false, verdict} : {ok: true, imports: host?.stage === 'made' ? host.imports : []}
}

/** A program's files in the bench's folder, and what to build from them. */
interface LaidOut {
  ok: true
  place: Workplace
  host: LibraryPlan
  kernel: LibraryPlan[]
}

async function layOut(tools: Tools, bench: Bench, program: Program): Promise<LaidOut | Failed> {
  const {operator, files, folder = ''} = program
  const definition = files.flatMap(({text}) => parseOperatorDefinitions(text)).find((one) => one.operator === operator)
  const own = files.flatMap((file) => within(file, folder))
  const entry = entryFile(own, operator)
  const expected = `class ${operator} : public OpDef`
  const missing = (what: string): Failed => ({ok: false, verdict: refusal(tools, `error: ${what}\n`, new Map())})
  if (!definition) return missing(`op_host/: no definition of ${operator}: expected \`${expected}\``)
  if (!entry) return missing(`op_kernel/: no kernel of ${operator}`)
  const kernelTexts = files.filter(({path}) => isDeviceFile(path)).map(({text}) => text)
  const named = completeDtypes(definition, program.dtypes)
  // A definition may compute its lists of types, which no scan can read; names given by neither it nor the caller
  // are still macros.
  const known = new Set(Object.keys(named).map((name) => name.toUpperCase()))
  const dtypes = {...unnamedDtypes(kernelTexts, known), ...named}
  const cores = coresOf(kernelTexts)
  const placed = {...entry, path: posix.join(folder, entry.path)}
  const device = includedTexts(files, entry.text)
  const tiling = tilingText(
    files.map(({text}) => text),
    device,
  )
  const selectionSpace = selectionSpaceOf(device)
  const unit = kernelUnit({entry: placed, operator, definition, dtypes, tiling, cores, selectionSpace})
  const texts = await writeFiles(bench.directory, [...files, {path: kernelFile, text: unit}], textInBuild)
  return {
    ok: true,
    place: {tools, bench, files: texts},
    host: hostPlan(tools, files, folder),
    kernel: [kernelPlan(tools, folder), ...(cores === 'vector' ? [] : [cubePlan(tools, folder)])],
  }
}

/** Texts of the entry and of device files that some device file includes: unused files next to them are skipped. */
function includedTexts(files: readonly SourceFile[], entry: string): string[] {
  const shared = files.filter(({path}) => !/(?:^|\/)op_host\//.test(path))
  const device = shared.map((file) => ({...file, text: deviceText(file.text)}))
  const includes = device.flatMap(({text}) => [...text.matchAll(/#\s*include\s*"([^"]+)"/g)])
  const named = new Set(includes.map(([, name]) => posix.basename(name as string)))
  const used = device.filter(({path}) => named.has(posix.basename(path)))
  return [deviceText(entry), ...used.map(({text}) => text)]
}

/** A file of the operator, with its path in the operator's folder. */
function within(file: SourceFile, folder: string): SourceFile[] {
  if (folder === '') return [file]
  return file.path.startsWith(`${folder}/`) ? [{...file, path: file.path.slice(folder.length + 1)}] : []
}

function isDeviceFile(path: string): boolean {
  return /(?:^|\/)op_kernel\//.test(path)
}

const kernelFile = 'kernel_unit.cpp'

/** Compile errors are reported before link errors. */
function verdictOf(tools: Tools, files: FileTexts, ends: readonly LibraryEnd[]): Verdict | undefined {
  const log = (stage: 'not-compiled' | 'not-linked') => ends.map((end) => (end.stage === stage ? end.log : '')).join('')
  if (ends.some(({stage}) => stage === 'not-compiled')) return refusal(tools, log('not-compiled'), files)
  if (ends.some(({stage}) => stage === 'not-linked'))
    return {outcome: 'link-failed', log: log('not-linked'), executor: tools.identity}
  return undefined
}

function hostPlan(tools: Tools, files: Program['files'], folder: string): LibraryPlan {
  const host = files.filter(({path, text}) => /(?:^|\/)op_host\/.*\.(cpp|cc)$/s.test(path) && !isGraphCode(text))
  return {
    units: host.map(({path}, index) => ({
      side: 'host',
      path,
      flags: objectFlags(tools, 'host', folder),
      output: `host-${index}.o`,
    })),
    options: twoLibraries(host) ? [['-z', 'muldefs']] : [],
    output: libraryNames.host,
  }
}

function kernelPlan(tools: Tools, folder: string): LibraryPlan {
  return {
    units: [{side: 'kernel', path: kernelFile, flags: objectFlags(tools, 'kernel', folder), output: 'kernel.o'}],
    options: [],
    output: libraryNames.kernel,
  }
}

/**
 * The kernel compiled again for the cube core: with other constants, in a separate library that calls its own
 * functions.
 */
function cubePlan(tools: Tools, folder: string): LibraryPlan {
  return {
    units: [{side: 'kernel', path: kernelFile, flags: objectFlags(tools, 'cube', folder), output: 'cube.o'}],
    options: [['-Bsymbolic-functions']],
    output: `${libraryNames.kernel}.cube`,
  }
}

/** CANN links definitions and tiling into two libraries, so a header with a plain function may be included in both. */
function twoLibraries(host: readonly {text: string}[]): boolean {
  return host.length > 1 && host.some(({text}) => /\bOP_ADD\b/.test(text) && !/\bTilingContext\b/.test(text))
}

/** Files for the graph engine or the single-operator API: they are other libraries of the package, not tiling. */
function isGraphCode(text: string): boolean {
  const graph = /#\s*include\s*[<"](?:opdev\/|aclnn|fallback\/|acl\/|graph\/operator|register\/op_proto)/
  return graph.test(text) && !/\bTilingContext\b|\bOP_ADD\b/.test(text)
}

/** A file in a build's folder. */
function textInBuild({path, text}: SourceFile): string {
  return isDeviceFile(path) ? plainKernelText(text) : text
}
