import {withoutComments} from '../../cpp/code-pieces.ts'
import {parseOperatorDefinitions} from '../../cpp/op-def.ts'
import {tilingBlocks} from '../../cpp/tiling.ts'
import type {OperatorSource, Side, SourceFile} from '../../datasets/schema/operator.ts'
import type {Origin} from '../../datasets/schema/origin.ts'

/** An attempt at a whole operator: its tiling data, host and kernel. */
export interface WrittenOperator {
  operator: string
  origin: Origin
  files: readonly SourceFile[]
}

/** The file of a side on which all hangs, with the side's other files. */
export function sideOfOperator({operator, origin, files}: WrittenOperator, side: Side): OperatorSource | undefined {
  const own = files.filter(({path}) => path.startsWith(`op_${side}/`))
  const isMain = ({text}: SourceFile) => (side === 'host' ? /\bTilingContext\b/ : /\b__global__\b/).test(text)
  const target = own.find(isMain)
  if (!target) return undefined
  const hostText = withoutComments(
    files.flatMap(({path, text}) => (path.startsWith('op_host/') ? text : [])).join('\n'),
  )
  return {
    origin,
    operator,
    side,
    role: side === 'host' ? 'tiling' : 'kernel',
    target,
    dependencies: own.filter((file) => file !== target),
    externalIncludes: [],
    flattened: '',
    tiling: tilingBlocks(hostText)
      .map(({text}) => text)
      .join('\n'),
    dtypes: firstDtypes(hostText),
  }
}

function firstDtypes(hostText: string): Record<string, string> {
  const [definition] = parseOperatorDefinitions(hostText)
  const tensors = [...(definition?.inputs ?? []), ...(definition?.outputs ?? [])]
  return Object.fromEntries(tensors.flatMap(({name, dtypes: [first]}) => (first === undefined ? [] : [[name, first]])))
}
