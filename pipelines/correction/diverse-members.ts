import {byCodeUnit} from '../../engine/code-unit-order.ts'
import {textId} from '../../engine/ids.ts'

/** What tells members of a group apart. */
interface Member<T> {
  task: string
  /** Who made it and how: the planted fault, the model. */
  fault: string
  /** Equal for equal code. */
  id: string
  value: T
}

/**
 * Some members of a group, over as many tasks and faults as there are: the same ones in whatever order they come.
 * Holds at most `most` of each of `most` faults of each of `most` tasks, those whose hashes are the smallest.
 */
export class DiverseMembers<T> {
  readonly #most: number
  readonly #tasks: Smallest<Smallest<Smallest<Member<T>>>>

  constructor(most: number) {
    this.#most = most
    this.#tasks = new Smallest(most)
  }

  /** Whether a member would be held; what is not may be forgotten at once. */
  wants({task, fault, id}: Omit<Member<T>, 'value'>): boolean {
    if (!this.#tasks.wants(task)) return false
    const faults = this.#tasks.get(task)
    if (!faults) return true
    if (!faults.wants(fault)) return false
    const members = faults.get(fault)
    return !members || (members.wants(id) && members.get(id) === undefined)
  }

  /** Takes a wanted member, and answers with those that it pushes out. */
  add(member: Member<T>): Member<T>[] {
    const out: Member<T>[] = []
    const faults = this.#tasks.getOrAdd(
      member.task,
      () => new Smallest(this.#most),
      (gone) => out.push(...allOf(gone)),
    )
    const members = faults.getOrAdd(
      member.fault,
      () => new Smallest(this.#most),
      (gone) => out.push(...gone.values()),
    )
    members.getOrAdd(
      member.id,
      () => member,
      (gone) => out.push(gone),
    )
    return out
  }

  /** Those that are kept, and those that are left over. Tasks and faults take turns. */
  choose(): {kept: Member<T>[]; left: Member<T>[]} {
    const left = [...this.#tasks.values()].flatMap(allOf)
    const kept: Member<T>[] = []
    const timesOf = (key: 'task' | 'fault', member: Member<T>) => kept.filter((one) => one[key] === member[key]).length
    while (kept.length < this.#most && left.length > 0) {
      const order = left.map((member, at) => [timesOf('task', member), timesOf('fault', member), at] as const)
      const [best] = order.sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2])
      kept.push(...left.splice(best?.[2] ?? 0, 1))
    }
    return {kept, left}
  }
}

function allOf<T>(faults: Smallest<Smallest<T>>): T[] {
  return [...faults.values()].flatMap((members) => [...members.values()])
}

/** The entries whose keys have the smallest hashes, in that order: no order of arrival favours one of them. */
class Smallest<T> {
  readonly #most: number
  #entries: {key: string; hash: string; value: T}[] = []

  constructor(most: number) {
    this.#most = most
  }

  get(key: string): T | undefined {
    return this.#entries.find((entry) => entry.key === key)?.value
  }

  wants(key: string): boolean {
    const last = this.#entries.at(-1)
    return !last || this.#entries.length < this.#most || byCodeUnit(textId(key), last.hash) <= 0
  }

  getOrAdd(key: string, make: () => T, pushedOut: (value: T) => void): T {
    const known = this.get(key)
    if (known !== undefined) return known
    const value = make()
    const entries = [...this.#entries, {key, hash: textId(key), value}].sort((a, b) => byCodeUnit(a.hash, b.hash))
    this.#entries = entries.slice(0, this.#most)
    for (const gone of entries.slice(this.#most)) pushedOut(gone.value)
    return value
  }

  *values(): Iterable<T> {
    for (const {value} of this.#entries) yield value
  }
}
