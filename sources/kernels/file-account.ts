import {posix} from 'node:path'
import type {OperatorProject} from '../../datasets/schema/operator.ts'
import {isForeignPath, isOtherLibrary, isSideFile, isSkipped, isSourceFile} from './layout.ts'

interface LeftOut {
  path: string
  reason: 'not-operator-code' | 'other-chip' | 'of-no-operator'
  detail: string
}

/** The outcome for every source file of a folder: part of a project, dropped, or skipped. */
export class FileAccount {
  readonly #open: Set<string>

  /** @param paths of all files, as records name them */
  constructor(paths: readonly string[]) {
    this.#open = new Set(paths.filter(isSourceFile))
  }

  /** These were dropped. */
  settle(paths: readonly string[]): void {
    for (const path of paths) this.#open.delete(path)
  }

  /** The project accounts for its own files; headers of others that it includes (`../…`) belong elsewhere. */
  hold({origin, host, kernel, beside}: OperatorProject): void {
    const own = [...host, ...kernel, ...(beside?.files ?? [])].filter(
      ({path}) => !path.startsWith('../') && !isForeignPath(path),
    )
    this.settle(own.map(({path}) => posix.join(origin.path, path)))
  }

  /** Whether it is still unaccounted for. */
  isOpen(path: string): boolean {
    return this.#open.has(path)
  }

  /** Unaccounted files, each with a reason from its path. */
  leftOut(): LeftOut[] {
    return [...this.#open].map((path) => ({path, ...reasonOf(path)}))
  }
}

function reasonOf(path: string): Pick<LeftOut, 'reason' | 'detail'> {
  if (isSkipped(path))
    return {reason: 'not-operator-code', detail: 'it lies among tests, build scripts or what other back ends need'}
  if (isForeignPath(path)) return {reason: 'other-chip', detail: 'its path says that it is for the 950 generation'}
  if (isOtherLibrary(path)) return {reason: 'other-chip', detail: 'its path says that it is for other devices'}
  if (isSideFile(path))
    return {reason: 'other-chip', detail: 'it uses the interface of the 950 generation, or includes what does'}
  const detail = 'it lies in no operator, and defines no kernel to launch; files that include it come with it'
  return {reason: 'of-no-operator', detail}
}
