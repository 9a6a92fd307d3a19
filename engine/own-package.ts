import {readFileSync} from 'node:fs'
import {extname} from 'node:path'
import {fileURLToPath} from 'node:url'

/** Of our modules: `.js` in the built package, `.ts` where the sources themselves run, as in tests and benches. */
export const ownExtension = extname(fileURLToPath(import.meta.url))

/** The folder that holds our rooms: `dist` in the built package. With a slash at its end. */
export const ownRoot = fileURLToPath(new URL('..', import.meta.url))

const manifest = new URL(ownExtension === '.js' ? '../../package.json' : '../package.json', import.meta.url)

/** Whether Node.js itself loads TypeScript (from 22.18 on). */
export const nodeStripsTypes = 'typescript' in process.features && process.features.typescript !== false

/** The version of this package. */
export function ownVersion(): string {
  return (JSON.parse(readFileSync(manifest, 'utf8')) as {version: string}).version
}

/** A module of ours that is loaded by its address: `ownModule('./convert', import.meta.url)`. */
export function ownModule(path: string, from: string): URL {
  return new URL(`${path}${ownExtension}`, from)
}
