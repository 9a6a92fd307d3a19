import {readFileSync} from 'node:fs'
import {createRequire} from 'node:module'
import {extname, join} from 'node:path'
import {fileURLToPath} from 'node:url'

/** Of our modules: `.js` in the built package, `.ts` where the sources themselves run, as in tests and benches. */
export const ownExtension = extname(fileURLToPath(import.meta.url))

/** The folder that holds this package's modules: `dist` in the built package. With a slash at its end. */
export const ownRoot = fileURLToPath(new URL('..', import.meta.url))

const manifest = new URL(ownExtension === '.js' ? '../../package.json' : '../package.json', import.meta.url)

/** Whether Node.js itself loads TypeScript (from 22.18 on). */
export const nodeStripsTypes = 'typescript' in process.features && process.features.typescript !== false

/** The version of this package. */
export function ownVersion(): string {
  return (JSON.parse(readFileSync(manifest, 'utf8')) as {version: string}).version
}

/**
 * A file of a library: the built package has its own copies, below `vendor`.
 * @param name as it would be imported, e.g. `tree-sitter-cpp/tree-sitter-cpp.wasm`
 */
export function libraryFile(name: string): string {
  return ownExtension === '.js' ? join(ownRoot, 'vendor', name) : createRequire(import.meta.url).resolve(name)
}

/** The version of a library that the built package holds a part of. */
export function libraryVersion(name: string): string {
  return (JSON.parse(readFileSync(libraryFile(`${name}/package.json`), 'utf8')) as {version: string}).version
}

/** A module of ours that is loaded by its address: `ownModule('./convert', import.meta.url)`. */
export function ownModule(path: string, from: string): URL {
  return new URL(`${path}${ownExtension}`, from)
}
