import {withoutComments} from '../../../datasets/code-pieces.ts'
import {parseOperatorDefinitions} from '../../../datasets/op-def.ts'
import type {OperatorProject, SourceFile} from '../../../datasets/schema/operator.ts'

/** One file with everything that it includes from its project. */
export type Inline = (
  target: string,
  files: ReadonlyMap<string, SourceFile>,
) => {text: string; dependencies: string[]; missing: string[]; cycles: string[]; tooLong: boolean}

/**
 * The files that tiling needs: the operator's definition, tiling functions, and all that these include, also of the
 * kernel's side. Empty when the definition cannot be found.
 */
export function tilingFiles({operator, host, kernel}: OperatorProject, inline: Inline): SourceFile[] {
  const sources = host.filter(({path}) => /\.(?:cpp|cc)$/.test(path))
  const defining = sources.filter(({text}) => parseOperatorDefinitions(text).some((one) => one.operator === operator))
  if (defining.length === 0) return []
  const tiling = sources.filter((file) => !defining.includes(file) && isTiling(file))
  const files = new Map([...host, ...kernel].map((file) => [file.path, file]))
  const paths = [...defining, ...tiling].flatMap(({path}) => [path, ...inline(path, files).dependencies])
  return [...new Set(paths)].sort().flatMap((path) => files.get(path) ?? [])
}

function isTiling({text}: SourceFile): boolean {
  return /\bTilingContext\b|\bTilingParseContext\b|\bSetBlockDim\b|\bIMPL_OP_OPTILING\b/.test(withoutComments(text))
}
