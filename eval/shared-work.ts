/** Most results to cache: identical requests are rarely further apart than this. */
const mostKept = 1024

/**
 * Work done once for identical requests: while it runs, and afterwards as long as its result is cached. A failure is
 * not shared, so those that waited do the work themselves, one after another.
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
