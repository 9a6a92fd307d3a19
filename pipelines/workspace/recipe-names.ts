import {existsSync, readdirSync} from 'node:fs'
import {basename, join, resolve} from 'node:path'
import {fileURLToPath} from 'node:url'
import {nearest} from '../../engine/nearest.ts'
import {ownExtension} from '../../engine/own-package.ts'
import {ownRecipes} from './runs.ts'

const folder = fileURLToPath(new URL('../recipes', import.meta.url))

/** Names of the built-in recipes: each is a file. */
export function builtInRecipes(): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(ownExtension) && !name.endsWith('.d.ts'))
    .map((name) => basename(name, ownExtension))
    .sort()
}

/** Recipes that no release reads. */
export const besideReleases: readonly string[] = ['signatures']

/** Path of a built-in recipe. */
export function builtInFile(name: string): string {
  return resolve(folder, `${name}${ownExtension}`)
}

/** The recipe that a mistyped name means; undefined for the name of a recipe or a run, and for one like no other. */
export async function meantRecipe(name: string, out: string): Promise<string | undefined> {
  const known = [...builtInRecipes(), ...Object.keys(await ownRecipes(out))]
  if (known.includes(name) || existsSync(join(resolve(out), name))) return undefined
  return nearest(name, known)
}
