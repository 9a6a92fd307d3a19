import {createParquetFile} from '../../datasets/parquet/parquet-file.ts'
import type {ColumnType} from '../../datasets/parquet/column-types.ts'
import {canonicalJson} from '../../engine/ids.ts'
import type {Compared, Pairing} from './compare-findings.ts'
import {inWords, type Finding} from './verdict-finding.ts'

interface PairColumn {
  name: string
  type: ColumnType
  value(pair: Pairing, rank: number | null): string | number | null
}

/** Of each of the two sides, with `_a` or `_b` behind the name. */
const ofSide: readonly (readonly [string, (finding: Finding) => string | null])[] = [
  ['outcome', ({outcome}) => outcome],
  ['class', (finding) => finding.class || null],
  ['rule', ({rule}) => rule || null],
  ['first_error', ({firstError}) => firstError || null],
  ['place', ({place}) => place || null],
  ['says', inWords],
  ['evidence', ({evidence}) => canonicalJson(evidence)],
  ['executor', ({executor}) => executor.name],
  ['executor_fingerprint', ({executor}) => executor.fingerprint || null],
  ['compiler', ({executor}) => executor.compiler || null],
  ['soc', ({executor}) => executor.soc || null],
]

const columns: readonly PairColumn[] = [
  {name: 'rank', type: 'int32', value: (_, rank) => rank},
  {name: 'kind', type: 'string', value: ({kind}) => kind},
  {name: 'task', type: 'string', value: ({a, b}) => a.task || b.task || null},
  {name: 'task_id', type: 'string', value: ({a, b}) => a.taskId || b.taskId || null},
  {name: 'sources', type: 'string', value: ({a}) => a.sources},
  {name: 'author', type: 'string', value: ({a, b}) => a.author || b.author || null},
  ...(['a', 'b'] as const).flatMap((side) =>
    ofSide.map(
      ([name, value]): PairColumn => ({
        name: `${name}_${side}`,
        type: 'string',
        value: (pair) => value(pair[side]),
      }),
    ),
  ),
]

/**
 * Every pair of verdicts as a row: disagreements first, by `rank` from 1; the others after them, without one.
 * @throws PipelineError `disk-full` or `output-unwritable`
 */
export async function writeAgreement(path: string, {pairs, groups}: Compared): Promise<void> {
  const disagreeing = groups.flatMap((group) => group.pairs)
  const known = new Set(disagreeing)
  const file = await createParquetFile(path, columns, {codec: 'zstd', rowGroupBytes: 32_000_000, rowGroupRows: 50_000})
  try {
    for (const [at, pair] of disagreeing.entries()) await file.write(cellsOf(pair, at + 1))
    for (const pair of pairs) if (!known.has(pair)) await file.write(cellsOf(pair, null))
    await file.finish()
    await file.publish(path)
  } catch (error) {
    await file.discard()
    throw error
  }
}

/** Half a character of UTF-16, as a tool's log may end in, has no form in a file. */
function cellsOf(pair: Pairing, rank: number | null): Record<string, unknown> {
  return Object.fromEntries(
    columns.map(({name, value}) => {
      const cell = value(pair, rank)
      return [name, typeof cell === 'string' ? cell.replace(/\p{Surrogate}/gu, '\ufffd') : cell]
    }),
  )
}
