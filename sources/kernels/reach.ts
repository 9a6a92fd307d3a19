import type {SourceFile} from '../../datasets/schema/operator.ts'
import {chipMacros} from '../../cpp/conditions.ts'
import {finder, readIncludes} from './includes.ts'

type Reached = {path: string; active: boolean}

/** Which files of a project include which, where one side of it is compiled for Atlas A2. */
export class IncludeGraph {
  readonly #files: ReadonlyMap<string, SourceFile>
  readonly #find: ReturnType<typeof finder>
  readonly #side: 'host' | 'kernel'
  readonly #direct = new Map<string, readonly Reached[]>()

  constructor(files: ReadonlyMap<string, SourceFile>, side: 'host' | 'kernel') {
    this.#files = files
    this.#find = finder([...files.keys()])
    this.#side = side
  }

  /** The files themselves, and all that they include directly or not. */
  from(starts: readonly string[]): Set<string> {
    const reached = new Set(starts)
    // A set gives what is added to it on the way, too.
    for (const path of reached) for (const next of this.#includes(path)) reached.add(next)
    return reached
  }

  /** The files that include one, directly or not: the nearest first. */
  around(path: string): string[] {
    const found = new Set([path])
    for (const inner of found)
      for (const outer of this.#files.keys()) if (this.#includes(outer).includes(inner)) found.add(outer)
    return [...found].slice(1)
  }

  /** Whether others include it, and none of them where this side is compiled. */
  isElsewhere(path: string): boolean {
    const includes = [...this.#files.keys()].flatMap((outer) => this.#reached(outer)).filter((one) => one.path === path)
    return includes.length > 0 && includes.every(({active}) => !active)
  }

  #includes(path: string): readonly string[] {
    return this.#reached(path).flatMap((one) => (one.active ? [one.path] : []))
  }

  #reached(path: string): readonly Reached[] {
    const known = this.#direct.get(path)
    if (known) return known
    const includes = readIncludes(path, this.#files.get(path)?.text ?? '', this.#find, chipMacros[this.#side])
    const paths = includes.flatMap(({path: to, active}) => (to === undefined ? [] : [{path: to, active}]))
    this.#direct.set(path, paths)
    return paths
  }
}
