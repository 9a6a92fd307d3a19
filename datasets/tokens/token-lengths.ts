/** Default truncation lengths of trainers, and the steps above them, in tokens. */
export const lengthSteps = [1024, 2048, 4096, 8192, 16_384, 32_768] as const

/** Lengths of the replies of one kind, each with its prompt, in tokens. */
export interface LengthStats {
  /** A value of the grouping column; undefined for all together. */
  kind: string | undefined
  replies: number
  total: number
  p50: number
  p90: number
  p99: number
  max: number
  /** Replies longer than each of `lengthSteps`. */
  longer: readonly number[]
}

/** Counts lengths, exactly: a histogram with one entry per distinct length. */
export class LengthTally {
  readonly #kinds = new Map<string | undefined, Map<number, number>>()

  add(kind: string, tokens: number): void {
    for (const key of [undefined, kind]) {
      const histogram = this.#kinds.get(key) ?? new Map<number, number>()
      this.#kinds.set(key, histogram)
      histogram.set(tokens, (histogram.get(tokens) ?? 0) + 1)
    }
  }

  /** All together first, then by kind, the most frequent first; empty if nothing was counted. */
  result(): LengthStats[] {
    const stats = [...this.#kinds].map(([kind, histogram]) => lengthStats(kind, histogram))
    return stats.sort(
      (a, b) =>
        Number(a.kind !== undefined) - Number(b.kind !== undefined) ||
        b.replies - a.replies ||
        ((a.kind ?? '') < (b.kind ?? '') ? -1 : 1),
    )
  }
}

function lengthStats(kind: string | undefined, histogram: ReadonlyMap<number, number>): LengthStats {
  const sorted = [...histogram].sort(([a], [b]) => a - b)
  const replies = sorted.reduce((sum, [, count]) => sum + count, 0)
  const at = (share: number) => {
    let seen = 0
    return sorted.find(([, count]) => (seen += count) >= share * replies)?.[0] ?? 0
  }
  return {
    kind,
    replies,
    total: sorted.reduce((sum, [length, count]) => sum + length * count, 0),
    p50: at(0.5),
    p90: at(0.9),
    p99: at(0.99),
    max: sorted.at(-1)?.[0] ?? 0,
    longer: lengthSteps.map((limit) => sorted.reduce((sum, [length, count]) => sum + (length > limit ? count : 0), 0)),
  }
}
