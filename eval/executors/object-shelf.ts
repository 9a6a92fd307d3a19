/** An object under its name, with the unit that it was compiled from and the files that the compiler read for it. */
interface ShelvedObject {
  unit: string
  paths: readonly string[]
  /** Of the unit and the text of each of the paths. */
  name: string
  object: Uint8Array
}

/** Storage of an object store. Lookup is synchronous: units of one build are compiled side by side. */
export interface ObjectShelf {
  /** Each list of files read by a compilation of the unit. */
  pathsOf(unit: string): readonly (readonly string[])[]
  find(name: string): Uint8Array | undefined
  keep(object: ShelvedObject): void
}

/** Size of an entry besides its object. */
const entryBytes = 1 << 10

/** Objects of this process. The least recently used one is removed first. */
export function memoryShelf(mostBytes: number): ObjectShelf {
  // In the order of their last use.
  const objects = new Map<string, ShelvedObject>()
  const lists = countedLists()
  let bytes = 0
  const drop = (dropped: ShelvedObject) => {
    objects.delete(dropped.name)
    lists.remove(dropped)
    bytes -= dropped.object.length + entryBytes
  }
  return {
    pathsOf: (unit) => lists.of(unit),
    find(name) {
      const found = objects.get(name)
      if (!found) return undefined
      objects.delete(name)
      objects.set(name, found)
      return found.object
    },
    keep(kept) {
      const before = objects.get(kept.name)
      if (before) drop(before)
      objects.set(kept.name, kept)
      lists.add(kept)
      bytes += kept.object.length + entryBytes
      for (const oldest of objects.values()) {
        if (bytes <= mostBytes) break
        drop(oldest)
      }
    },
  }
}

/** Candidates of a task read the same files, with other texts: so each list is stored once. */
function countedLists() {
  const byUnit = new Map<string, Map<string, {paths: readonly string[]; objects: number}>>()
  const key = ({paths}: ShelvedObject) => JSON.stringify(paths)
  return {
    of: (unit: string) => [...(byUnit.get(unit)?.values() ?? [])].map(({paths}) => paths),
    add(kept: ShelvedObject) {
      const lists = byUnit.get(kept.unit) ?? new Map<string, {paths: readonly string[]; objects: number}>()
      const objects = (lists.get(key(kept))?.objects ?? 0) + 1
      byUnit.set(kept.unit, lists.set(key(kept), {paths: kept.paths, objects}))
    },
    remove(dropped: ShelvedObject) {
      const lists = byUnit.get(dropped.unit)
      const list = lists?.get(key(dropped))
      if (list) list.objects -= 1
      if (list?.objects === 0) lists?.delete(key(dropped))
      if (lists?.size === 0) byUnit.delete(dropped.unit)
    },
  }
}
