/** A piece of a text and what comes in its place. Pieces of one change do not overlap. */
export interface Edit {
  start: number
  end: number
  text: string
}

/** Where edits overlap, the first of them by position, and among those the longest, is made. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const parts: string[] = []
  let at = 0
  for (const {start, end, text: given} of [...edits].sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (start < at) continue
    parts.push(text.slice(at, start), given)
    at = end
  }
  return parts.join('') + text.slice(at)
}
