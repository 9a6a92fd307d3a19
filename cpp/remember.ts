/** What is remembered of one function, in characters of the texts: the headers of a few operators. */
const mostCharacters = 2_000_000

/**
 * The function, with the most recent results cached: the files of one operator include the same headers, and each
 * header would be parsed again for every one of them. Results are shared: they must not be modified.
 */
export function remembering<T extends object>(read: (text: string) => T, most = mostCharacters): (text: string) => T {
  const kept = new Map<string, T>()
  let characters = 0
  return (text) => {
    const known = kept.get(text)
    const result = known ?? read(text)
    if (known) kept.delete(text)
    else characters += text.length
    // The newest is last.
    kept.set(text, result)
    for (const oldest of kept.keys()) {
      if (characters <= most || kept.size === 1) break
      kept.delete(oldest)
      characters -= oldest.length
    }
    return result
  }
}
