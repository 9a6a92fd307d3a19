import {realpath} from 'node:fs/promises'
import {posix, relative, resolve, sep} from 'node:path'
import type {SourceFile} from '../../datasets/schema/operator.ts'
import {readInput} from '../../engine/input-files.ts'
import {sourceBytes} from '../checkout.ts'
import {decodeSource} from './decode.ts'
import {finder, installedPath, readIncludes} from './includes.ts'

/** Folders that the large repositories put on the include path of every operator. */
const includeFolders = ['', 'common', 'common/inc', 'common/include', 'inc', 'include']

/**
 * Headers of the same repository that an operator includes from outside of its own folder, and what they include in
 * turn. Paths are relative to `base`, the operator's folder, so they start with `../`; nothing outside of `root` is
 * read.
 */
export async function sharedHeaders(files: readonly SourceFile[], root: string, base: string): Promise<SourceFile[]> {
  const known = new Map(files.map((file) => [file.path, file]))
  const shared: SourceFile[] = []
  const queue = [...files]
  for (let file = queue.shift(); file; file = queue.shift()) {
    const find = finder([...known.keys()])
    for (const include of readIncludes(file.path, file.text, find)) {
      if (include.kind === 'local' || include.kind === 'system' || !include.quoted) continue
      const found = await locate(include.name, file.path, root, base)
      if (!found || known.has(found.path)) continue
      known.set(found.path, found)
      shared.push(found)
      queue.push(found)
    }
  }
  return shared
}

async function locate(name: string, from: string, root: string, base: string): Promise<SourceFile | undefined> {
  const places = [
    resolve(base, posix.dirname(from), name),
    resolve(base, installedPath(name)),
    ...includeFolders.map((folder) => resolve(root, folder, name)),
  ]
  for (const place of places) {
    if (!place.startsWith(`${root}${sep}`) || /(?:^|\/)arch35\//.test(place)) continue
    const bytes = await readInside(place, root)
    const text = bytes && decodeSource(bytes)
    if (text !== undefined) return {path: relative(base, place).split(sep).join('/'), text}
  }
  return undefined
}

/** A link may stand for a header of the same repository; it must not lead to any other file of this machine. */
async function readInside(path: string, root: string): Promise<Buffer | undefined> {
  const [real, top] = await Promise.all([path, root].map((one) => realpath(one).catch(() => undefined)))
  if (real === undefined || top === undefined || !real.startsWith(`${top}${sep}`)) return undefined
  const bytes = await readInput(real, sourceBytes)
  return Buffer.isBuffer(bytes) ? bytes : undefined
}
