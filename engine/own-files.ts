// Module hooks for a user's files: stages, recipes and references in any folder, outside this package.
import {existsSync} from 'node:fs'
import type {ResolveHook, ResolveHookContext} from 'node:module'
import {fileURLToPath, pathToFileURL} from 'node:url'
import {nodeStripsTypes, ownRoot} from './own-package.ts'

const ours = pathToFileURL(ownRoot).href
type Next = Parameters<ResolveHook>[2]

export const resolve: ResolveHook = async (specifier, context, next) => {
  const found = await resolved(specifier, context, next)
  // Outside a package of type "module", Node treats a `.ts` file as CommonJS, which cannot load our modules.
  const own = found.url.startsWith('file:') && !found.url.startsWith(ours) && /\.m?ts($|\?)/.test(found.url)
  if (!own || fileURLToPath(found.url).includes('/node_modules/')) return found
  // Node's own name for it, which Node 20's types lack.
  const format = nodeStripsTypes ? 'module-typescript' : 'module'
  return {...found, format: format as 'module'}
}

/**
 * This package is the one that runs, wherever else it is installed; zod, whose values stages hold, may be the user's
 * own copy.
 */
async function resolved(specifier: string, context: ResolveHookContext, next: Next) {
  if (/^ascend-cot\//.test(specifier)) return next(specifier, {...context, parentURL: import.meta.url})
  try {
    return await next(specifier, context)
  } catch (error) {
    if (/^zod(\/|$)/.test(specifier)) return next(specifier, {...context, parentURL: import.meta.url})
    const source = sourceMeant(specifier, context.parentURL)
    if (source === undefined) throw error
    return next(source, context)
  }
}

/** As TypeScript resolves `./words.js` and `./words`: to the source next to it. */
function sourceMeant(specifier: string, parent: string | undefined): string | undefined {
  if (!/^\.\.?\//.test(specifier) || parent === undefined) return undefined
  const source = new URL(`${specifier.replace(/\.js$/, '')}.ts`, parent)
  return source.protocol === 'file:' && existsSync(source) ? source.href : undefined
}
