/**
 * Joins a word that a hyphen and a line break split, where the page writes the joined word elsewhere; the first part
 * keeps its line, and a line of which nothing is left is gone: empty, it would end the paragraph. Headings and code are
 * left alone.
 */
export function joinSplitWords(
  lines: readonly string[],
  known: ReadonlySet<string>,
  note: (before: string, after: string, line: number) => void,
): string {
  const joined: (string | undefined)[] = [...lines]
  let fence = ''
  for (let at = 0; at + 1 < joined.length; at += 1) {
    const [line = '', next = ''] = [joined[at], joined[at + 1]]
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1] ?? ''
    if (fence === '' && mark !== '') fence = mark
    else if (fence !== '' && mark.startsWith(fence)) fence = ''
    if (fence !== '' || /^#/.test(line)) continue
    const first = /([A-Za-z_]\w*)-$/.exec(line)?.[1]
    const second = /^\s*([a-zA-Z_]\w*)/.exec(next)?.[1]
    if (first === undefined || second === undefined || !known.has(first + second)) continue
    joined[at] = line.slice(0, -1) + second
    const rest = next.trimStart().slice(second.length).trimStart()
    joined[at + 1] = rest === '' ? undefined : rest
    note(`${first}-\n${second}`, first + second, at + 1)
  }
  return joined.filter((line) => line !== undefined).join('\n')
}
