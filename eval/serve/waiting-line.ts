/** First to last: the first is served before all others. */
export const priorities = ['high', 'normal', 'low'] as const
export type Priority = (typeof priorities)[number]

/** Waiting items by priority, then in order of arrival. */
interface WaitingLine<T> {
  add(priority: Priority, one: T): void
  remove(priority: Priority, one: T): void
  /** Takes the next one out. */
  next(): T | undefined
  size(): number
}

export function waitingLine<T>(): WaitingLine<T> {
  const lines: Record<Priority, Set<T>> = {high: new Set(), normal: new Set(), low: new Set()}
  return {
    add: (priority, one) => void lines[priority].add(one),
    remove: (priority, one) => void lines[priority].delete(one),
    next() {
      const line = priorities.map((priority) => lines[priority]).find(({size}) => size > 0)
      const [first] = line ?? []
      if (first !== undefined) line?.delete(first)
      return first
    },
    size: () => priorities.reduce((sum, priority) => sum + lines[priority].size, 0),
  }
}
