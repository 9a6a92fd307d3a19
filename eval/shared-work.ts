/** The most results that are kept: so many in a row that are alike are rarely further apart. */
const mostKept = 1024

/**
 * Work that is done once for all that ask for the same: while it goes on, and after it for as long as its result is
 * kept. What failed is nobody's result, so those that waited for it do the work themselves, one after the other.
 */
export function sharedWork<T>(most = mostKept) {
  const known = new Map<string, Promise<T>>()
  return async (key: string, work: () => Promise<T>): Promise<{value: T; shared: boolean}> => {
    for (;;) {
      const found = known.get(key)
      if (!found) break
      const value = await found.then(
        (value) => ({value}),
        () => undefined,
      )
      if (value) return {...value, shared: true}
    }
    const made = work()
    known.set(key, made)
    made.catch(() => known.delete(key))
    const [oldest] = known.keys()
    if (known.size > most && oldest !== undefined) known.delete(oldest)
    return {value: await made, shared: false}
  }
}
