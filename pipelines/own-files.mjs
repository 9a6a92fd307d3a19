// @ts-check
// Module hooks for a user's files: stages, recipes and references in any folder, outside this package.
import {fileURLToPath} from 'node:url'

const ours = new URL('..', import.meta.url).href
/** This package, and the one library whose values stand in every stage's signature. */
const lent = /^(ascend-cot|zod)(\/|$)/

/** @type {import('node:module').ResolveHook} */
export async function resolve(specifier, context, next) {
  const found = await withOurs(specifier, context, next)
  // Outside a package of type "module", Node treats a `.ts` file as CommonJS, which cannot load our modules.
  const own = found.url.startsWith('file:') && !found.url.startsWith(ours) && /\.ts($|\?)/.test(found.url)
  return own && !fileURLToPath(found.url).includes('/node_modules/') ? {...found, format: 'module'} : found
}

/** @type {import('node:module').ResolveHook} */
async function withOurs(specifier, context, next) {
  try {
    return await next(specifier, context)
  } catch (error) {
    if (!lent.test(specifier)) throw error
    return next(specifier, {...context, parentURL: import.meta.url})
  }
}
