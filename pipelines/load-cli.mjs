// @ts-check
/**
 * What performs commands, and whatever a user's files need to be loaded. The code is TypeScript without a build, so
 * that a stage or recipe of your own is a single file.
 * @returns {Promise<typeof import('./cli.ts')>}
 */
export async function loadCli() {
  const [{register}, tsx] = await Promise.all([import('node:module'), import('tsx/esm/api')])
  tsx.register()
  register('./own-files.mjs', import.meta.url)
  return import('./cli.ts')
}
