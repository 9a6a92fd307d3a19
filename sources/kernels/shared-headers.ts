import {realpath} from 'node:fs/promises'
import {posix, relative, resolve, sep} from 'node:path'
import type {SourceFile} from '../../datasets/schema/operator.ts'
import {readInput} from '../../engine/input-files.ts'
import {sourceBytes} from '../checkout.ts'
import {decodeSource} from './decode.ts'
import {chipMacros} from '../../cpp/conditions.ts'
import {finder, installedPath, readIncludes, sharedKernelHeader, type Include} from './includes.ts'

/** Folders that the large repositories put on the include path of every operator, or of a family of them. */
const includeFolders = [
  '',
  'common',
  'common/inc',
  'common/include',
  'common/include/kernel',
  'common/inc/op_host',
  'common/inc/op_kernel',
  'common/inc/legacy',
  'inc',
  'include',
]

/** The checkout around an operator: what may be included from it. */
export interface Surroundings {
  /** Top of the checkout; nothing outside it is read. */
  root: string
  /** The operator's folder, to which paths are relative: those of headers elsewhere start with `../`. */
  base: string
  /** Finds a header by the end of its path, when no include folder leads to it. */
  byEnding(name: string, near: string): string | undefined
  /** Cache of failed lookups: operators of a checkout include the same SDK headers. */
  absent: Set<string>
}

/**
 * Headers of the same repository that an operator includes from outside of the given files, and what they include in
 * turn, as Atlas A2 compiles them.
 */
export async function sharedHeaders(files: readonly SourceFile[], around: Surroundings): Promise<SourceFile[]> {
  const known = new Map(files.map((file) => [file.path, file]))
  const shared: SourceFile[] = []
  const queue = files.map((file) => ({file, side: sideOf(file.path)}))
  const seen = new Set<string>()
  for (let next = queue.shift(); next; next = queue.shift()) {
    const {file, side} = next
    if (seen.has(`${side} ${file.path}`)) continue
    seen.add(`${side} ${file.path}`)
    const find = finder([...known.keys()])
    for (const include of readIncludes(file.path, file.text, find, chipMacros[side])) {
      if (include.kind === 'system' || !include.quoted || !include.active) continue
      const found =
        (await beside(include.name, file.path, known, around)) ?? (await meant(include, file.path, known, around))
      if (!found) continue
      if (!known.has(found.path)) shared.push(found)
      known.set(found.path, found)
      // A header of the device may include more where the host compiles it.
      queue.push({file: found, side})
    }
  }
  return shared
}

/** Files of `op_host/` are compiled for the host; others for the device. */
export function sideOf(path: string): 'host' | 'kernel' {
  return /(?:^|\/)op_host\//.test(path) ? 'host' : 'kernel'
}

/** The file relative to the including file. */
async function beside(name: string, from: string, known: Known, around: Surroundings): Promise<SourceFile | undefined> {
  const path = posix.join(posix.dirname(from), name)
  return known.get(path) ?? readAt(resolve(around.base, path), around)
}

type Known = ReadonlyMap<string, SourceFile>

async function meant(
  include: Include,
  from: string,
  known: Known,
  around: Surroundings,
): Promise<SourceFile | undefined> {
  const found = include.path === undefined ? undefined : known.get(include.path)
  // Libraries have namesakes in their folders: `gemm/tile/copy.h` is no `tile/copy.h` of another.
  const isWhole = found !== undefined && `/${found.path}`.endsWith(`/${include.name.replace(/^(?:\.\.?\/)+/, '')}`)
  return isWhole ? found : ((await locate(include, from, around)) ?? found)
}

async function locate(include: Include, from: string, around: Surroundings): Promise<SourceFile | undefined> {
  const {root, base, byEnding} = around
  const {name} = include
  const installed = installedPath(name, from)
  const shared = sharedKernelHeader(name)
  const places = [
    ...(installed === undefined ? [] : [resolve(base, installed)]),
    ...(shared === undefined ? [] : [resolve(root, shared)]),
    // The SDK's folders come first, and contain its headers without a folder.
    ...(include.kind === 'sdk' && !name.includes('/') ? [] : onIncludePath(name, from, around)),
  ]
  for (const place of places) {
    const found = await readAt(place, around)
    if (found) return found
  }
  const ending = include.kind === 'missing' ? byEnding(name, resolve(base, from)) : undefined
  return ending === undefined ? undefined : readAt(ending, around)
}

/** A family of operators may have its own headers in addition to the checkout's (`mc2/common/inc/`). */
function onIncludePath(name: string, from: string, {root, base}: Surroundings): string[] {
  const below = relative(root, resolve(base, posix.dirname(from))).split(sep)
  const tops = below.map((_, depth) => resolve(root, ...below.slice(0, below.length - 1 - depth)))
  return [root, ...tops].flatMap((top) => includeFolders.map((one) => resolve(top, one, name)))
}

/** A file of the checkout, its path relative to the operator's folder; undefined if there is none. */
export async function readAt(place: string, {root, base, absent}: Surroundings): Promise<SourceFile | undefined> {
  if (absent.has(place)) return undefined
  const bytes = await readInside(place, root)
  const text = bytes && decodeSource(bytes)
  if (text === undefined) absent.add(place)
  return text === undefined ? undefined : {path: relative(base, place).split(sep).join('/'), text}
}

/** A link may point to a header of the same repository, but not to any other local file. */
async function readInside(path: string, root: string): Promise<Buffer | undefined> {
  const [real, top] = await Promise.all([path, root].map((one) => realpath(one).catch(() => undefined)))
  if (real === undefined || top === undefined || !real.startsWith(`${top}${sep}`)) return undefined
  const bytes = await readInput(real, sourceBytes)
  return Buffer.isBuffer(bytes) ? bytes : undefined
}
