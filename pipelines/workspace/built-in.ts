import {readdirSync} from 'node:fs'
import {basename, resolve} from 'node:path'
import {fileURLToPath, pathToFileURL} from 'node:url'
import {ownExtension} from '../../engine/own-package.ts'
import type {Recipe} from './workspace.ts'

const folder = fileURLToPath(new URL('../recipes', import.meta.url))

/** Names of the built-in recipes: each is a file. */
export function builtInRecipes(): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(ownExtension) && !name.endsWith('.d.ts'))
    .map((name) => basename(name, ownExtension))
    .sort()
}

/** Path of a built-in recipe. */
export function builtInFile(name: string): string {
  return resolve(folder, `${name}${ownExtension}`)
}

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
