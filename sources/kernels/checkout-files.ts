import {posix, relative, resolve, sep} from 'node:path'
import {withoutComments} from '../../cpp/code-pieces.ts'
import {tilingRegistrations} from '../../cpp/tiling.ts'
import {readInput} from '../../engine/input-files.ts'
import {sourceBytes} from '../checkout.ts'
import {decodeSource} from './decode.ts'
import {addTo, isForeignPath, isSourceFile, isSkipped} from './layout.ts'

/** The sources of a folder as a whole: what an operator needs from elsewhere. */
export class CheckoutFiles {
  readonly #root: string
  readonly #byName = new Map<string, string[]>()
  #registered: Promise<ReadonlyMap<string, readonly string[]>> | undefined

  /** @param paths every file below `root`, relative to it */
  constructor(root: string, paths: readonly string[]) {
    this.#root = root
    for (const path of paths.filter((one) => isSourceFile(one) && isIncluded(one))) {
      addTo(this.#byName, posix.basename(path), path)
    }
  }

  /**
   * The header whose path ends with an include's name; of several the one that shares the longest beginning with
   * `near`, an absolute path, and undefined when two share as much.
   */
  byEnding(name: string, near: string): string | undefined {
    const plain = name.replace(/^(?:\.\.?\/)+/, '')
    const from = relative(this.#root, near).split(sep)
    const ranked = (this.#byName.get(posix.basename(plain)) ?? [])
      .filter((path) => `/${path}`.endsWith(`/${plain}`))
      .map((path) => ({path, shared: sharedStart(path.split('/'), from)}))
      .sort((a, b) => b.shared - a.shared)
    const [best, next] = ranked
    return best && best.shared !== next?.shared ? resolve(this.#root, best.path) : undefined
  }

  /**
   * Host files that register the tiling of an operator, wherever they are: several operators may share one. Relative to
   * the folder.
   */
  async tilingOf(operator: string): Promise<readonly string[]> {
    this.#registered ??= this.#readRegistrations()
    return (await this.#registered).get(operator) ?? []
  }

  async #readRegistrations(): Promise<ReadonlyMap<string, readonly string[]>> {
    const found = new Map<string, string[]>()
    const hosts = [...this.#byName.values()].flat().filter((path) => /(?:^|\/)op_host\//.test(path))
    for (const path of hosts) {
      const bytes = await readInput(resolve(this.#root, path), sourceBytes)
      const text = Buffer.isBuffer(bytes) ? decodeSource(bytes) : undefined
      for (const operator of new Set(registeredIn(text ?? ''))) addTo(found, operator, path)
    }
    return found
  }
}

/** Neither side of an operator includes its C interface. */
function isIncluded(path: string): boolean {
  return !isSkipped(path) && !isForeignPath(path) && !path.split('/').includes('op_api')
}

function registeredIn(text: string): string[] {
  if (!/\bREGISTER_TILING_DATA_CLASS\b|\bIMPL_OP_OPTILING\b/.test(text)) return []
  const source = withoutComments(text)
  const functions = [...source.matchAll(/\bIMPL_OP_OPTILING\s*\(\s*(\w+)\s*\)/g)].map(([, name]) => name as string)
  return [...functions, ...tilingRegistrations(source).map(({operator}) => operator)]
}

function sharedStart(a: readonly string[], b: readonly string[]): number {
  const different = a.findIndex((segment, index) => segment !== b[index])
  return different < 0 ? a.length : different
}
