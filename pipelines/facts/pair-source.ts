import type {OperatorSource, SourceFile} from '../../datasets/schema/operator.ts'
import type {HostKernelPair} from '../../datasets/schema/scenario.ts'

/** A side of a pair, as static analysis reads it: the file that decides, with the others of its side before it. */
export function sideOfPair(pair: HostKernelPair, side: 'host' | 'kernel'): OperatorSource {
  const {origin, operator, purpose, scenario} = pair
  const target = side === 'kernel' ? pair.kernel : tilingFile(pair.host)
  const dependencies = side === 'kernel' ? [] : pair.host.filter((file) => file !== target)
  return {
    origin,
    operator,
    ...(purpose && {purpose}),
    side,
    role: side === 'kernel' ? 'kernel' : 'tiling',
    target,
    dependencies,
    externalIncludes: [],
    flattened: target.text,
    tiling: '',
    dtypes: scenario.dtypes,
  }
}

/** The file with most of what tiling consists of. */
function tilingFile(host: readonly SourceFile[]): SourceFile {
  const weight = ({text}: SourceFile) =>
    (text.match(/\bset_\w+\(|TilingContext|SetBlockDim|SetTilingKey/g) ?? []).length
  return [...host].sort((a, b) => weight(b) - weight(a))[0] as SourceFile
}
