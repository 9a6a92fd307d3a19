import {writeFile} from 'node:fs/promises'
import {basename, dirname, join} from 'node:path'
import type {Compiler} from './toolchain.ts'
import type {TwinSource} from './twin-sources.ts'

/** Properties of a runtime source by its folder: how it is compiled, and whether candidates link against it. */
export const runtimeFolders: Readonly<Record<string, {optimisation: string; program: 'library' | 'runner'}>> = {
  // Vector loops run millions of times; code that runs once per case should compile fast.
  device: {optimisation: '-O3', program: 'library'},
  host: {optimisation: '-O1', program: 'library'},
  direct: {optimisation: '-O1', program: 'library'},
  runner: {optimisation: '-O1', program: 'runner'},
}

export function runtimeFolder(path: string): (typeof runtimeFolders)[string] {
  const folder = runtimeFolders[basename(dirname(path))]
  if (!folder) throw new TypeError(`${path} is not in any of runtime/{${Object.keys(runtimeFolders).join(',')}}`)
  return folder
}

/** A header read by fewer files costs more in the common header than it saves. */
const fewestFiles = 3

/**
 * The common headers of a runtime folder: those that several files include, each once. Half of the compile time went
 * into reading them again.
 */
export function commonHeader(folder: string, sources: readonly TwinSource[]): string {
  const counts = new Map<string, number>()
  for (const {path, text} of sources) {
    if (dirname(path) !== folder || !path.endsWith('.cpp')) continue
    for (const line of new Set(text.match(/^#include [<"][^>"\n]+[>"]/gm)))
      counts.set(line, (counts.get(line) ?? 0) + 1)
  }
  const common = [...counts].filter(([, count]) => count >= fewestFiles).map(([line]) => `${line}\n`)
  return common.sort().join('')
}

interface Units {
  sources: readonly TwinSource[]
  /** Files of the runtime, by their names in `sources`. */
  paths: readonly string[]
  kind: Compiler['kind']
  /** Folder of the sources, and output folder for objects and folder headers. */
  directory: string
  objects: string
}

/**
 * Compiles the files of the runtime, each folder's with its precompiled header.
 * @param compile runs the compiler with a file's own options
 */
export function compileUnits(
  {sources, paths, kind, directory, objects}: Units,
  compile: (path: string, args: readonly string[]) => Promise<void>,
): Promise<{object: string; program: 'library' | 'runner'}[]> {
  const headers = new Map<string, Promise<string[]>>()
  const precompile = async (path: string) => {
    const folder = dirname(path)
    // A name that no header of a folder has: files next to a source are found before the folder's own.
    const input = join(objects, `common-${basename(folder)}.h`)
    await writeFile(input, commonHeader(folder, sources))
    const [output, whole] =
      kind === 'clang' ? [`${input}.pch`, ['-fpch-instantiate-templates']] : [`${input}.gch`, [] as string[]]
    await compile(path, [...whole, '-I', join(directory, folder), '-x', 'c++-header', input, '-o', output])
    return kind === 'clang' ? ['-include-pch', output] : ['-include', input]
  }
  return Promise.all(
    paths.map(async (path) => {
      const header = headers.get(dirname(path)) ?? precompile(path)
      headers.set(dirname(path), header)
      // Files of two folders may share a name: `device/norm.cpp` and a later `host/norm.cpp`.
      const object = join(objects, `${path.replaceAll('/', '-')}.o`)
      await compile(path, [...(await header), '-c', join(directory, path), '-o', object])
      return {object, program: runtimeFolder(path).program}
    }),
  )
}
