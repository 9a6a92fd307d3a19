import type {Mark, Reading} from '../../datasets/schema/mark.ts'

/** Two readers of the same rows. */
interface ReaderAgreement {
  readers: readonly [string, string]
  /** Rows that both have marked. */
  both: number
  /** Those that they marked alike. */
  alike: number
  /** Cohen's kappa; undefined without rows, or where both gave one mark to everything. */
  kappa: number | undefined
}

/** The last word of each reader about each row, by reader and id. */
export function lastMarks(marks: readonly Mark[]): Map<string, Map<string, Mark>> {
  const byReader = new Map<string, Map<string, Mark>>()
  for (const mark of marks) {
    const own = byReader.get(mark.reader) ?? new Map<string, Mark>()
    byReader.set(mark.reader, own.set(mark.id, mark))
  }
  return byReader
}

/** Every pair of readers who have rows in common. */
export function agreements(marks: readonly Mark[]): ReaderAgreement[] {
  const readers = [...lastMarks(marks)].sort(([a], [b]) => (a < b ? -1 : 1))
  return readers.flatMap(([a, first], at) =>
    readers.slice(at + 1).flatMap(([b, second]) => {
      const pairs = [...first.values()].flatMap(({id, mark}): [Reading, Reading][] => {
        const other = second.get(id)
        return other ? [[mark, other.mark]] : []
      })
      return pairs.length === 0 ? [] : [{readers: [a, b] as const, ...agreementOf(pairs)}]
    }),
  )
}

function agreementOf(pairs: readonly [Reading, Reading][]): Omit<ReaderAgreement, 'readers'> {
  const share = (side: 0 | 1, mark: Reading) => pairs.filter((pair) => pair[side] === mark).length / pairs.length
  const alike = pairs.filter(([one, other]) => one === other).length
  const byChance = [...new Set(pairs.flat())].reduce((sum, mark) => sum + share(0, mark) * share(1, mark), 0)
  const kappa = byChance === 1 ? undefined : (alike / pairs.length - byChance) / (1 - byChance)
  return {both: pairs.length, alike, kappa}
}
