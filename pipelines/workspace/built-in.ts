import {pathToFileURL} from 'node:url'
import {builtInFile} from './recipe-names.ts'
import type {Recipe} from './workspace.ts'

export async function loadBuiltIn(name: string): Promise<Recipe> {
  return ((await import(pathToFileURL(builtInFile(name)).href)) as {default: Recipe}).default
}

/** All recipes whose runs the given ones depend on: each once, after everything that it reads. */
export async function recipesBehind(names: readonly string[]): Promise<string[]> {
  const behind = new Set<string>()
  for (const name of names)
    for (const read of (await loadBuiltIn(name)).reads ?? []) {
      for (const before of await recipesBehind([read])) behind.add(before)
      behind.add(read)
    }
  return [...behind]
}
