import {OperatorProject, OperatorSource, type Side, type SourceFile} from '../../datasets/schema/operator.ts'
import {withoutComments} from '../../datasets/code-pieces.ts'
import {parseOperatorDefinitions} from '../../datasets/op-def.ts'
import {each, type Context, type Stage} from '../../engine/stage.ts'
import {declaredLicence, strictestLicence} from '../licence.ts'
import {activeText, chipMacros} from '../../datasets/cpp-conditions.ts'
import {inlineIncludes} from './inline.ts'
import {byCodeUnit, definedKernels, isForeignPath} from './layout.ts'
import {IncludeGraph} from './reach.ts'
import {tilingDeclarations} from './tiling-declarations.ts'

interface FlattenOptions {
  /**
   * Longest flattened text, in UTF-8 bytes. Default 60,000: about 20,000 tokens, what a training context holds beside
   * the reasoning.
   */
  maxBytes?: number
  /** Fewest lines of code that make a file worth a sample. Default 12. */
  minLines?: number
}

/**
 * Project → its files worth a sample, each with everything that it includes from the project (paper §D.2). Drops:
 * `include-missing` (with the names), `include-cycle`, `source-too-long`, `source-too-short`, and `nothing-to-teach`
 * for a project without such a file.
 */
export default function flatten({
  maxBytes = 60_000,
  minLines = 12,
}: FlattenOptions = {}): Stage<OperatorProject, OperatorSource> {
  return {
    name: 'flatten',
    version: 3,
    options: {maxBytes, minLines},
    input: OperatorProject,
    output: OperatorSource,
    run: each((project, context): readonly OperatorSource[] => {
      const targets = targetsOf(project)
      if (targets.length === 0)
        return context.drop(project, 'nothing-to-teach', `${project.operator}: no file has kernel or tiling code`)
      const shared = sharedFacts(project)
      return targets.flatMap((target) => {
        const lines = codeLines(target.file.text)
        return lines >= minLines
          ? flattenFile(target, shared, maxBytes, context)
          : context.drop(project, 'source-too-short', `${label(project, target.file)}: ${lines} lines of code`)
      })
    }),
  }
}

interface Target {
  side: Side
  file: SourceFile
}

function targetsOf(project: OperatorProject): Target[] {
  const kernels = compiledKernels(project)
  const host = project.host.filter((file) => isOwn(file) && isTiling(file.text))
  return [
    ...host.map((file) => ({side: 'host' as const, file})),
    ...kernels.filter(isOwn).map((file) => ({side: 'kernel' as const, file})),
  ]
}

/** Fragments (`.inc`) stand inside a class of the file that includes them, and shared headers belong to no operator. */
function isOwn({path}: SourceFile): boolean {
  return !path.startsWith('../') && !path.endsWith('.inc') && !isForeignPath(path)
}

/** Files with code that an entry for Atlas A2 reaches; all with code where no entry can be told. */
function compiledKernels({kernel}: OperatorProject): SourceFile[] {
  const text = (file: SourceFile) => activeText(file.text, chipMacros.kernel)
  const entries = kernel.filter((file) => isOwn(file) && definedKernels(text(file)).length > 0)
  const reached = new IncludeGraph(new Map(kernel.map((file) => [file.path, file])), 'kernel').from(
    entries.map(({path}) => path),
  )
  return kernel.filter((file) => (entries.length === 0 || reached.has(file.path)) && hasFunctionBody(text(file)))
}

/** Lines that are neither blank, comment, directive nor a lone brace. */
function codeLines(text: string): number {
  return withoutComments(text)
    .split('\n')
    .filter((line) => !/^\s*(?:#.*|[{};]*)\s*$/.test(line)).length
}

function hasFunctionBody(text: string): boolean {
  return /\)\s*(?:const\s*)?(?:noexcept\s*)?(?::[^;{}]*)?\{/.test(text)
}

function isTiling(text: string): boolean {
  return /\bTilingContext\b|\bSetBlockDim\b|\bGetRawTilingData\b/.test(withoutComments(text))
}

interface Shared {
  project: OperatorProject
  files: ReadonlyMap<string, SourceFile>
  tiling: string
  dtypes: Record<string, string>
}

function sharedFacts(project: OperatorProject): Shared {
  const all = [...project.host, ...project.kernel].sort((a, b) => byCodeUnit(a.path, b.path))
  return {
    project,
    files: new Map(all.map((file) => [file.path, file])),
    tiling: tilingDeclarations(project.host),
    dtypes: firstDtypes(project),
  }
}

function firstDtypes({operator, host}: OperatorProject): Record<string, string> {
  const definitions = host.flatMap(({text}) => parseOperatorDefinitions(text))
  const own = definitions.find((definition) => definition.operator === operator) ?? definitions[0]
  const columns = [...(own?.inputs ?? []), ...(own?.outputs ?? [])].flatMap(({name, dtypes: [first]}) =>
    first === undefined ? [] : [[name, first] as const],
  )
  return Object.fromEntries(columns)
}

function flattenFile(
  {side, file}: Target,
  {project, files, tiling, dtypes}: Shared,
  maxBytes: number,
  context: Context,
): readonly OperatorSource[] {
  const inlined = inlineIncludes(file.path, files)
  const what = label(project, file)
  if (inlined.missing.length > 0)
    return context.drop(project, 'include-missing', `${what}: ${inlined.missing.join(', ')}`)
  if (inlined.cycles.length > 0) return context.drop(project, 'include-cycle', `${what}: ${inlined.cycles.join('; ')}`)
  if (inlined.tooLong) return context.drop(project, 'source-too-long', `${what}: its includes multiply each other`)
  const bytes = Buffer.byteLength(inlined.text)
  if (bytes > maxBytes) return context.drop(project, 'source-too-long', `${what}: ${bytes} bytes, at most ${maxBytes}`)
  const dependencies = inlined.dependencies.map((path) => files.get(path) as SourceFile)
  const {origin} = project
  const licence = strictestLicence([file, ...dependencies].map(({text}) => declaredLicence(text) ?? origin.licence))
  return [
    {
      origin: {...origin, path: joined(origin.path, file.path), licence},
      operator: project.operator,
      ...(project.purpose && {purpose: project.purpose}),
      side,
      target: file,
      dependencies,
      externalIncludes: inlined.externals,
      flattened: inlined.text,
      tiling: side === 'kernel' ? tiling : '',
      dtypes,
    },
  ]
}

function label({operator}: OperatorProject, {path}: SourceFile): string {
  return `${operator} ${path}`
}

function joined(folder: string, path: string): string {
  return folder === '.' ? path : `${folder}/${path}`
}
