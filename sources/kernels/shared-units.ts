import {posix, resolve} from 'node:path'
import type {SourceFile} from '../../datasets/schema/operator.ts'
import {calledForeign} from './foreign-tilings.ts'
import {readAt, sharedHeaders, type Surroundings} from './shared-headers.ts'

/**
 * Host files outside of an operator without which it does not link: they define what its files call and a header of the
 * repository only declares. With them come the headers that they include.
 * @param own the operator's files, and those that were found for it elsewhere
 * @param headers what these include from outside of the operator
 */
export async function sharedUnits(
  own: readonly SourceFile[],
  headers: readonly SourceFile[],
  around: Surroundings,
): Promise<{units: SourceFile[]; headers: SourceFile[]}> {
  const known = new Map([...own, ...headers].map((file) => [file.path, file]))
  const units: SourceFile[] = []
  const queue = [...headers]
  for (let header = queue.shift(); header; header = queue.shift()) {
    const places = unitPlaces(header.path).filter((path) => !known.has(path))
    const found = await Promise.all(places.map((path) => readAt(resolve(around.base, path), around)))
    const defining = found.filter((file) => file !== undefined)
    if (defining.length === 0) continue
    // What declares a function names it as well.
    const callers = [...known.values()].filter((file) => file !== header)
    const called = calledForeign(callers, defining)
    for (const unit of called) known.set(unit.path, unit)
    units.push(...called)
    const further = called.length === 0 ? [] : await sharedHeaders([...known.values()], around)
    for (const one of further) known.set(one.path, one)
    queue.push(...further)
  }
  const taken = new Set([...own, ...units].map(({path}) => path))
  return {units, headers: [...known.values()].filter(({path}) => !taken.has(path))}
}

/** Next to the header, or in the `src` next to its `inc`, in the same subfolder or at the top. */
function unitPlaces(header: string): string[] {
  const segments = header.replace(/\.(?:h|hpp)$/, '.cpp').split('/')
  const at = segments.findLastIndex((one) => one === 'inc' || one === 'include')
  if (at < 0) return [segments.join('/')]
  const before = [...segments.slice(0, at), 'src']
  return [segments, [...before, ...segments.slice(at + 1)], [...before, ...segments.slice(-1)]].map((one) =>
    posix.normalize(one.join('/')),
  )
}
