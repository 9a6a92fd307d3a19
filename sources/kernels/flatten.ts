import {CheckedProject, OperatorSource, type Role, type Side, type SourceFile} from '../../datasets/schema/operator.ts'
import {codeLines, withoutComments} from '../../cpp/code-pieces.ts'
import {strictestLicence} from '../../datasets/gates/licences.ts'
import {type OperatorDefinition, parseOperatorDefinitions} from '../../cpp/op-def.ts'
import {byCodeUnit} from '../../engine/code-unit-order.ts'
import {each, type Context, type Stage} from '../../engine/stage.ts'
import {declaredLicence} from '../licence.ts'
import {activeText, chipMacros} from '../../cpp/conditions.ts'
import {alsoNeeded} from './also-needed.ts'
import {finder, readIncludes} from './includes.ts'
import {inlineIncludes, type Inlined} from './inline.ts'
import {definedKernels, hasDeviceCode, isForeignPath} from './layout.ts'
import {IncludeGraph} from './reach.ts'
import {containedFirst, tilingBlocks, tilingRegistrations, type TilingBlock} from '../../cpp/tiling.ts'

interface FlattenOptions {
  /** The file from which an executor builds an operator's kernel; without it, no file counts as built with its side. */
  entryFile?: (files: readonly SourceFile[], operator: string) => SourceFile | undefined
  /** Fewest lines of code that make a file worth a sample. Default 12. */
  minLines?: number
}

/**
 * Project → its files worth a sample, each with everything that it includes from the project (paper §D.2). Every other
 * file of the project is dropped: `include-missing` (with the names), `include-cycle`, `source-too-long`,
 * `source-too-short`, `not-reached` by an entry for Atlas A2, `other-chip` for a tiling that refuses it, and
 * `nothing-to-teach` for a file without a function or a purpose of its own.
 */
export default function flatten({
  minLines = 12,
  entryFile,
}: FlattenOptions = {}): Stage<CheckedProject, OperatorSource> {
  return {
    name: 'flatten',
    version: 11,
    options: {minLines},
    input: CheckedProject,
    output: OperatorSource,
    run: each(async (project, context): Promise<readonly OperatorSource[]> => {
      const targets = targetsOf(project)
      for (const {path, reason, detail} of withoutTarget(project, targets))
        context.drop(project, reason, `${joined(project.origin.path, path)}: ${detail}`)
      const shared = sharedFacts(project, entryFile?.(project.kernel.filter(isOwn), project.operator))
      const sources: OperatorSource[] = []
      for (const target of targets) {
        const lines = codeLines(target.file.text)
        if (lines >= minLines) sources.push(...(await flattenFile(target, shared, context)))
        else context.drop(project, 'source-too-short', `${label(project, target.file)}: ${lines} lines of code`)
      }
      return sources
    }),
  }
}

interface Without {
  path: string
  reason: 'nothing-to-teach' | 'not-reached' | 'not-covered' | 'other-chip'
  detail: string
}

/** The project's own files that are not targets; those for another chip were dropped where the project was read. */
function withoutTarget({host, kernel, beside}: CheckedProject, targets: readonly Target[]): Without[] {
  const chosen = new Set(targets.map(({file}) => file.path))
  const left = [...host, ...kernel, ...(beside?.files ?? [])].filter(
    ({path}) => !chosen.has(path) && !path.startsWith('../') && !isForeignPath(path),
  )
  const kernels = kernelGraph(kernel)
  const nothing = (path: string, detail: string): Without => ({path, reason: 'nothing-to-teach', detail})
  return left.map((file): Without => {
    const {path} = file
    if (path.endsWith('.inc')) return nothing(path, 'a fragment of the files that include it')
    if (refusesAtlasA2(file)) return {path, reason: 'other-chip', detail: 'its tiling refuses Atlas A2'}
    if (host.includes(file) && takesPyTorch(file.text))
      return {path, reason: 'not-covered', detail: 'it takes tensors of PyTorch, whose headers no executor has'}
    if (host.includes(file)) return nothing(path, 'neither tiling, nor shape inference, nor a definition')
    const code = beside ? withoutComments(file.text) : activeText(file.text, chipMacros.kernel)
    if (!hasFunctionBody(code)) return nothing(path, 'no function has its body here')
    if (!beside && isForHostAlone(code)) return nothing(path, 'it serves the host of an example')
    if (kernels.isElsewhere(path))
      return {path, reason: 'other-chip', detail: 'builds for other chips alone include it'}
    return {path, reason: 'not-reached', detail: 'no entry for Atlas A2 includes it'}
  })
}

interface Target {
  side: Side
  role: Role
  file: SourceFile
}

function targetsOf(project: CheckedProject): Target[] {
  const host = project.host.filter(isOwn).flatMap((file) => {
    const role = hostRole(file)
    return role ? [{side: 'host' as const, role, file}] : []
  })
  const kernels = compiledKernels(project).filter(isOwn)
  return [
    ...host,
    ...kernels.map((file) => ({side: 'kernel' as const, role: 'kernel' as const, file})),
    ...besideTargets(project),
  ]
}

function besideTargets({beside}: CheckedProject): Target[] {
  const files = beside?.files.filter((file) => isOwn(file) && hasFunctionBody(withoutComments(file.text))) ?? []
  return files.flatMap((file) => (beside ? [{side: sideBeside(beside.role, file), role: beside.role, file}] : []))
}

/** The C interface runs on the host, as what a high-level API has for tiling functions. */
function sideBeside(role: Role, {path, text}: SourceFile): Side {
  return role === 'api' || path.endsWith('.cpp') || !/__aicore__/.test(text) ? 'host' : 'kernel'
}

/** A file with several duties is classified by the one with the most decisions. */
function hostRole(file: SourceFile): Role | undefined {
  const {text} = file
  if (refusesAtlasA2(file)) return undefined
  const code = withoutComments(text)
  if (isTiling(text) && hasFunctionBody(code)) return 'tiling'
  if (/\bIMPL_OP_INFERSHAPE\b|\bInferShapeContext\b/.test(code)) return 'infer-shape'
  if (parseOperatorDefinitions(text).length > 0) return 'definition'
  return computesTiling(code) && !takesPyTorch(code) ? 'tiling' : undefined
}

/** Steps of a tiling may have their own file, without the context that they are called with. */
function computesTiling(code: string): boolean {
  return /[Tt]iling\w*(?:::\w+)?\s*\([^;{}]*\)\s*(?:const\s*)?\{|\w\s*\([^;{}()]*[Tt]iling[^;{}()]*\)\s*\{/.test(code)
}

/** The host's side of an extension for PyTorch. */
function takesPyTorch(code: string): boolean {
  return /\b(?:at|c10|torch)::\w/.test(code)
}

/** A template of tiling that declares itself to be for the register-based 950 generation alone. */
function refusesAtlasA2({text}: SourceFile): boolean {
  const refusal =
    /\bif\s*\(\s*!\s*(?:\w+::)*IsRegbaseSocVersion\(\w+\)\s*\)\s*\{\s*return (?:false|ge::GRAPH_PARAM_INVALID);/
  return refusal.test(withoutComments(text))
}

/** Fragments (`.inc`) are part of a class in the including file, and shared headers belong to no operator. */
function isOwn({path}: SourceFile): boolean {
  return !path.startsWith('../') && !path.endsWith('.inc') && !isForeignPath(path)
}

/** Files with code that an entry for Atlas A2 reaches; all with code if no entry can be identified. */
function compiledKernels({kernel}: CheckedProject): SourceFile[] {
  const text = (file: SourceFile) => activeText(file.text, chipMacros.kernel)
  const entries = kernel.filter((file) => isOwn(file) && definedKernels(text(file)).length > 0)
  const graph = kernelGraph(kernel)
  const reached = graph.from(entries.map(({path}) => path))
  const isReached = ({path}: SourceFile) => (entries.length === 0 ? !graph.isElsewhere(path) : reached.has(path))
  return kernel.filter((file) => isReached(file) && hasFunctionBody(text(file)) && !isForHostAlone(text(file)))
}

const kernelGraph = (kernel: readonly SourceFile[]) =>
  new IncludeGraph(new Map(kernel.map((file) => [file.path, file])), 'kernel')

/** Examples of direct launch include helpers for their data files next to the kernel. */
function isForHostAlone(code: string): boolean {
  const usesFiles = /^\s*#\s*include\s*[<"](?:fstream|iostream|sys\/stat\.h|acl\/acl\.h)[>"]/m.test(code)
  return usesFiles && !hasDeviceCode(code)
}

function hasFunctionBody(text: string): boolean {
  return /\)\s*(?:(?:const|noexcept|override|final)\s*)*(?::[^;{}]*)?\{/.test(text)
}

function isTiling(text: string): boolean {
  return /\bTilingContext\b|\bSetBlockDim\b|\bGetRawTilingData\b/.test(withoutComments(text))
}

interface Shared {
  project: CheckedProject
  /** Files that were built with their side, where that compiled. */
  built: ReadonlySet<string>
  files: ReadonlyMap<string, SourceFile>
  graphs: Record<Side, IncludeGraph>
  tiling: string
  dtypes: Record<string, string>
  definition: OperatorDefinition | undefined
}

function sharedFacts(project: CheckedProject, entry: SourceFile | undefined): Shared {
  const {host, kernel, beside} = project
  const all = [...host, ...kernel, ...(beside?.files ?? [])].sort((a, b) => byCodeUnit(a.path, b.path))
  const files = new Map(all.map((file) => [file.path, file]))
  return {
    project,
    built: builtFiles(project, entry),
    files,
    graphs: {host: new IncludeGraph(files, 'host'), kernel: new IncludeGraph(files, 'kernel')},
    tiling: tilingDeclarations([...host, ...kernel]),
    dtypes: firstDtypes(project),
    definition: definitionsOf(project).find(({operator}) => operator === project.operator),
  }
}

function builtFiles({host, kernel, verdicts}: CheckedProject, entry: SourceFile | undefined): Set<string> {
  const reached = (side: Side, files: readonly SourceFile[], starts: readonly SourceFile[]) =>
    verdicts[side]?.outcome === 'compiled'
      ? new IncludeGraph(new Map(files.map((file) => [file.path, file])), side).from(starts.map(({path}) => path))
      : []
  const units = host.filter(({path}) => /\.(?:cpp|cc)$/.test(path))
  return new Set([...reached('host', host, units), ...reached('kernel', kernel, entry ? [entry] : [])])
}

const definitionsOf = ({host}: CheckedProject) => host.flatMap(({text}) => parseOperatorDefinitions(text))

function firstDtypes(project: CheckedProject): Record<string, string> {
  const definitions = definitionsOf(project)
  const own = definitions.find(({operator}) => operator === project.operator) ?? definitions[0]
  const columns = [...(own?.inputs ?? []), ...(own?.outputs ?? [])].flatMap(({name, dtypes: [first]}) =>
    first === undefined ? [] : [[name, first] as const],
  )
  return Object.fromEntries(columns)
}

async function flattenFile(
  {side, role, file}: Target,
  shared: Shared,
  context: Context,
): Promise<readonly OperatorSource[]> {
  const {project, files, tiling, dtypes, built, definition} = shared
  const inlined = project.beside ? directIncludes(file, files) : inlineIncludes(file.path, files)
  const what = label(project, file)
  const verdict = built.has(file.path) ? project.verdicts[side] : undefined
  const alone = verdict === undefined && project.beside === undefined
  if (alone && inlined.missing.length > 0)
    return context.drop(project, 'include-missing', `${what}: ${inlined.missing.join(', ')}`)
  if (alone && inlined.cycles.length > 0)
    return context.drop(project, 'include-cycle', `${what}: ${inlined.cycles.join('; ')}`)
  if (inlined.tooLong) return context.drop(project, 'source-too-long', `${what}: its includes multiply each other`)
  const included = inlined.dependencies.map((path) => files.get(path) as SourceFile)
  const others = project.kernel.filter((one) => one !== file && !included.includes(one) && built.has(one.path))
  // What was built through an entry may rely on the entry's earlier includes.
  const before = side === 'kernel' && built.has(file.path) ? await alsoNeeded(file, included, others) : []
  const dependencies = [...before, ...included]
  const within = alone ? textsAround(file.path, side, shared) : []
  const {origin} = project
  const licence = strictestLicence([file, ...dependencies].map(({text}) => declaredLicence(text) ?? origin.licence))
  return [
    {
      origin: {...origin, path: joined(origin.path, file.path), licence},
      operator: project.operator,
      ...(project.purpose && {purpose: project.purpose}),
      side,
      role,
      ...(definition && side === 'host' && role !== 'definition' && {definition}),
      target: file,
      dependencies,
      externalIncludes: inlined.externals,
      flattened: alone ? inlined.text : '',
      ...(within.length > 0 && {within}),
      ...(verdict && {built: verdict}),
      tiling: side === 'kernel' ? tiling : '',
      dtypes,
    },
  ]
}

/** Of all texts of a header together; those of CATLASS bring their whole library. */
const longestAround = 4_000_000

/** The header in the context of the two nearest files, and of a unit with everything before it. */
function textsAround(path: string, side: Side, {files, graphs}: Shared): OperatorSource['within'] & object {
  if (!/\.(?:h|hpp|hh)$/.test(path)) return []
  const around = graphs[side].around(path)
  const unit = around.find((one) => /\.(?:cpp|cc|asc)$/.test(one))
  let left = longestAround
  return [...new Set([...around.slice(0, 2), ...(unit === undefined ? [] : [unit])])].flatMap((outer) => {
    const {text, dependencies, missing, tooLong} = inlineIncludes(outer, files, path)
    const isWhole = missing.length === 0 && !tooLong && text.length <= left
    if (isWhole) left -= text.length
    const texts = dependencies.map((one) => files.get(one) as SourceFile)
    return isWhole ? [{path: outer, flattened: text, dependencies: texts}] : []
  })
}

/** What a file includes itself: headers of high-level APIs lead to each other, and none of it is compiled. */
function directIncludes({path, text}: SourceFile, files: ReadonlyMap<string, SourceFile>): Inlined {
  const includes = readIncludes(path, text, finder([...files.keys()]), chipMacros.kernel).filter(({active}) => active)
  const externals = includes.filter((one) => one.path === undefined && one.kind !== 'missing')
  return {
    text: '',
    dependencies: [...new Set(includes.flatMap((one) => one.path ?? []))],
    externals: [...new Set(externals.map(({name, quoted}) => (quoted ? `"${name}"` : `<${name}>`)))],
    missing: [],
    cycles: [],
    tooLong: false,
  }
}

function label({origin}: CheckedProject, {path}: SourceFile): string {
  return joined(origin.path, path)
}

function joined(folder: string, path: string): string {
  return folder === '.' ? path : `${folder}/${path}`
}

/**
 * The tiling structures that host files declare by macro, with the registrations that bind them to operators and the
 * constants that array sizes need: what a kernel must see from its host side. Structures come after those that they
 * contain. '' without any.
 */
export function tilingDeclarations(host: readonly SourceFile[]): string {
  const sources = host.map(({text}) => withoutComments(text))
  const blocks = sources.flatMap(tilingBlocks)
  const registrations = sources.flatMap(tilingRegistrations).map(({text}) => `${tidy(text)};`)
  const unique = [...new Map(blocks.map((block) => [block.name, block])).values()]
  const constants = unique.flatMap(arraySizes).flatMap((name) => definition(name, sources))
  const structures = containedFirst(unique).map(({text}) => `${tidy(text)};`)
  return [...new Set([...constants, ...structures, ...registrations])].join('\n')
}

function tidy(text: string): string {
  const lines = text.split('\n').map((line) => line.trim())
  return lines.filter((line) => line !== '').join('\n')
}

function arraySizes(block: TilingBlock): string[] {
  return block.fields.flatMap(({size}) => (size !== undefined && /^[A-Za-z_]\w*$/.test(size) ? [size] : []))
}

function definition(name: string, sources: readonly string[]): string[] {
  for (const text of sources) {
    const constant = `(?:static\\s+|inline\\s+)*(?:constexpr|const)\\s+[\\w:]+\\s+${name}\\s*=\\s*[^;\\n]+;`
    const macro = `#\\s*define\\s+${name}\\s+.+$`
    const match = new RegExp(`^[ \\t]*${constant}|^[ \\t]*${macro}`, 'm').exec(text)
    if (match) return [match[0].trim().replace(/\s+/g, ' ')]
  }
  return []
}
