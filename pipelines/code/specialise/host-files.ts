import {withoutComments} from '../../../cpp/code-pieces.ts'
import {parseOperatorDefinitions} from '../../../cpp/op-def.ts'
import type {OperatorProject, SourceFile} from '../../../datasets/schema/operator.ts'

/** One file with everything that it includes from its project. */
export type Inline = (
  target: string,
  files: ReadonlyMap<string, SourceFile>,
) => {text: string; dependencies: string[]; missing: string[]; cycles: string[]; tooLong: boolean}

/** The sources that tiling is made of: the operator's definition first; none when that cannot be found. */
export function tilingSources({operator, host}: OperatorProject): SourceFile[] {
  const sources = host.filter(({path}) => /\.(?:cpp|cc)$/.test(path))
  const defining = sources.filter(({text}) => parseOperatorDefinitions(text).some((one) => one.operator === operator))
  if (defining.length === 0) return []
  return [...defining, ...sources.filter((file) => !defining.includes(file) && isTiling(file))]
}

/** The same sources with all files that these include, also of the kernel's side. */
export function tilingFiles(project: OperatorProject, inline: Inline): SourceFile[] {
  const files = new Map([...project.host, ...project.kernel].map((file) => [file.path, file]))
  const paths = tilingSources(project).flatMap(({path}) => [path, ...inline(path, files).dependencies])
  return [...new Set(paths)].sort().flatMap((path) => files.get(path) ?? [])
}

function isTiling({text}: SourceFile): boolean {
  return /\bTilingContext\b|\bTilingParseContext\b|\bSetBlockDim\b|\bIMPL_OP_OPTILING\b/.test(withoutComments(text))
}
