/** The word that a mistyped one probably means: at most two edits away, and at most half of its letters. */
export function nearest(typed: string, words: readonly string[]): string | undefined {
  const near = words
    .map((word) => ({word, distance: editDistance(typed.toLowerCase(), word.toLowerCase())}))
    .filter(({word, distance}) => distance <= Math.min(2, Math.floor(word.length / 2)))
  return near.sort((a, b) => a.distance - b.distance)[0]?.word
}

/** Insertions, deletions, replacements and swaps of neighbours that turn one word into the other. */
function editDistance(a: string, b: string): number {
  let [before, row]: [number[], number[]] = [[], Array.from({length: b.length + 1}, (_, index) => index)]
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = swap ? (before[j - 2] ?? 0) + 1 : Infinity
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, swapped))
    }
    before = row
    row = next
  }
  return row[b.length] ?? 0
}
