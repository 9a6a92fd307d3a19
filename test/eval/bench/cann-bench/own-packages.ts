import {readFileSync, readdirSync} from 'node:fs'
import {fileURLToPath} from 'node:url'

const folder = fileURLToPath(new URL('../../../fixtures/cann-bench/', import.meta.url))
const textOf = (path: string) => readFileSync(`${folder}${path}`, 'utf8')

/** Operators with a solution of ours, by the names of their folders. */
export const solved = readdirSync(`${folder}solutions`, {withFileTypes: true}).flatMap((one) =>
  one.isDirectory() ? [one.name] : [],
)

/** A tree with operators of ours, laid out as the benchmark lays out its own. */
export const ownCheckout = `${folder}checkout`

const headers = readdirSync(`${folder}solutions`).filter((one) => one.endsWith('.h'))

/** A package as a reply. @param home folder of kernel and binding @param more by path */
function packaged(home: string, name: string, more: Readonly<Record<string, string>> = {}): string {
  const place = `csrc/ops/${name}`
  const files = {
    [`${place}/op_kernel/${name}_kernel.cpp`]: textOf(`${home}/kernel.cpp`),
    [`${place}/op_plugin/${name}_plugin.cpp`]: textOf(`${home}/binding.cpp`),
    ...Object.fromEntries(headers.map((one) => [`csrc/common/${one}`, textOf(`solutions/${one}`)])),
    ...more,
  }
  return JSON.stringify({sources: Object.entries(files).map(([path, content]) => ({path, content}))})
}

/** Our solution of one of the benchmark's operators. */
export const solution = (operator: string): string => packaged(`solutions/${operator}`, operator)

/** A package that scales a tensor in the ways that it is asked for; most of them are forbidden. */
export const scaling = (more?: Readonly<Record<string, string>>): string =>
  packaged('scale', 'scale', {'cann_bench/__init__.py': textOf('scale/__init__.py'), ...more})

/** The names of these ways, in the order of their numbers. */
export const ways = [...textOf('scale/__init__.py').matchAll(/^ {4}'([\w-]+)':/gm)].map(([, name = '']) => name)
