import {PipelineError} from '../engine/errors.ts'
import {textId} from '../engine/ids.ts'
import type {Context, Stage} from '../engine/stage.ts'
import {waiting} from './dedup/dedup-scratch.ts'
import {SplitRow} from './schema/export.ts'
import {groupOf} from './split.ts'

interface MixOptions {
  /** Share of the rows that the mix allows, 0 to 1: a smaller share is a subset of each larger one. Default 1. */
  share?: number
  /**
   * Ratio of rows between parts, e.g. `{documentation: 1, code: 2}`: by kind, or by a group of kinds. As many rows are
   * kept as the scarcest part allows; parts not listed are dropped. Default: all rows.
   */
  ratios?: Readonly<Record<string, number>> | undefined
}

/** Names of groups of kinds. */
export const mixParts: Readonly<Record<string, readonly string[]>> = {
  code: ['kernel', 'project', 'evaluated'],
  correction: ['api-correction', 'kernel-correction'],
}

/**
 * Keeps a share of the train split, with its parts in a given ratio: whole origins in the order of their hashes, so
 * that 25 % is a subset of 50 %, and changes elsewhere have little effect. The test split stays complete, so that all
 * shares are measured on the same rows. Drops `beyond-share` and `not-in-mix`. Rows are kept on disk, only counts in
 * memory.
 */
export default function mix({share = 1, ratios}: MixOptions): Stage<SplitRow, SplitRow> {
  async function* run(rows: AsyncIterable<SplitRow>, context: Context): AsyncIterable<SplitRow> {
    if (share === 1 && !ratios) {
      yield* rows
      return
    }
    const counts: Counts = new Map()
    yield* waiting<SplitRow, SplitRow>(context.directory, rows, {
      note: (row) => count(row, counts, ratios),
      async *choose(all) {
        const chosen = choose(counts, share, ratios)
        for await (const row of all) {
          const part = partOf(row, ratios)
          if (row.split === 'test') yield row
          else if (part === undefined) context.drop(row, 'not-in-mix', `kind ${kindOf(row)}`)
          else if (chosen.get(part)?.has(orderOf(row))) yield row
          else context.drop(row, 'beyond-share', `share ${share} of ${part}`)
        }
      },
    })
  }

  const shaping = {share, ratios: ratios ?? null, mixParts: mixParts as Record<string, string[]>}
  return {name: 'mix', version: 1, options: shaping, input: SplitRow, output: SplitRow, run}
}

const kindOf = ({record}: SplitRow) => ('kind' in record ? record.kind : '')

/** Without a ratio, all rows are one part. */
function partOf(row: SplitRow, ratios: MixOptions['ratios']): string | undefined {
  if (!ratios) return 'all'
  const kind = kindOf(row)
  if (Object.hasOwn(ratios, kind)) return kind
  return Object.keys(ratios).find((name) => mixParts[name]?.includes(kind))
}

/** Origins in an order that is independent of the train/test split. */
const orderOf = ({record}: SplitRow) => shareOrder(groupOf(record))

/** An origin's position in the order in which shares include origins. */
export const shareOrder = (group: string) => textId(`share\n${group}`)

/** Rows of each origin, by part. */
type Counts = Map<string, Map<string, number>>

function count(row: SplitRow, counts: Counts, ratios: MixOptions['ratios']): void {
  const part = row.split === 'train' ? partOf(row, ratios) : undefined
  if (part === undefined) return
  const origins = counts.get(part) ?? new Map<string, number>()
  counts.set(part, origins)
  origins.set(orderOf(row), (origins.get(orderOf(row)) ?? 0) + 1)
}

function choose(counts: Counts, share: number, ratios: MixOptions['ratios']): Map<string, Set<string>> {
  const total = (part: string) => [...(counts.get(part)?.values() ?? [])].reduce((sum, rows) => sum + rows, 0)
  const wanted = ratios ? Object.entries(ratios) : [['all', total('all')] as const]
  const missing = ratios && wanted.filter(([part]) => total(part) === 0).map(([part]) => part)
  if (missing && missing.length > 0) {
    throw new PipelineError(
      'config-invalid',
      `export.mix requires ${missing.join(', ')}, but no such row exists yet.`,
      {
        fix: 'Run the recipe that makes such rows before the release, or remove that part from export.mix.',
      },
    )
  }
  const unit = Math.min(...wanted.map(([part, ratio]) => total(part) / ratio))
  return new Map(
    wanted.map(([part, ratio]) => [part, firstOrigins(counts.get(part) ?? new Map(), share * unit * ratio)]),
  )
}

/** The first origins whose total comes nearest to a number of rows. */
export function firstOrigins(origins: ReadonlyMap<string, number>, rows: number): Set<string> {
  const taken = new Set<string>()
  let sum = 0
  for (const [origin, count] of [...origins].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (Math.abs(sum + count - rows) >= Math.abs(sum - rows)) break
    taken.add(origin)
    sum += count
  }
  return taken
}
