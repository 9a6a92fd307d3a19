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

/** With the indentation before and the line break after, when its lines contain nothing else but a comment. */
export function wholeLines({start, end, text}: Edit, source: string): Edit {
  const before = source.lastIndexOf('\n', start - 1) + 1
  const trailing = /^[ \t]*(?:\/\/[^\n]*)?(?:\n|$)/.exec(source.slice(end))?.[0]
  const isAlone = source.slice(before, start).trim() === '' && trailing !== undefined
  return isAlone ? {start: before, end: end + trailing.length, text} : {start, end, text}
}

/** Removes a statement, with its line if nothing else is on it. */
export function withoutLine(
  {startIndex: start, endIndex: end}: {startIndex: number; endIndex: number},
  source: string,
): Edit {
  return wholeLines({start, end, text: ''}, source)
}
