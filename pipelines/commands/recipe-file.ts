import {existsSync} from 'node:fs'
import {basename, extname, resolve} from 'node:path'
import {PipelineError} from '../../engine/errors.ts'
import {nearest} from '../../engine/nearest.ts'
import {importOwn, isOwnFault, ownFault} from '../../engine/own-module.ts'
import {Pipeline} from '../../engine/pipeline.ts'
import {isStage} from '../../engine/stage.ts'
import {loadBuiltIn} from '../workspace/built-in.ts'
import {builtInFile, builtInRecipes, meantRecipe} from '../workspace/recipe-names.ts'
import {ownRecipes} from '../workspace/runs.ts'
import type {Terminal} from './terminal.ts'
import type {Recipe, Workspace} from '../workspace/workspace.ts'

/** A recipe, and the name of the run directory that it fills. */
export interface LoadedRecipe {
  name: string
  /** Path of a user's recipe; absent for built-in ones. */
  file?: string
  /** Recipes whose runs it declares to read. */
  reads?: readonly string[]
  /** The profile that it requires. */
  teacher?: string
  make(workspace: Workspace): Promise<Pipeline<unknown>>
}

/**
 * Recipes by name, or by the path of a file that default-exports one; all are loaded before any is run.
 * @throws PipelineError `recipe-missing`; `input-invalid` for a file without a recipe, or with the name of another run
 */
export async function loadRecipes(namesOrPaths: readonly string[], out: string): Promise<LoadedRecipe[]> {
  const loaded: LoadedRecipe[] = []
  for (const one of namesOrPaths) {
    const recipe = await loadRecipe(one)
    const other = loaded.find(({name, file}) => name === recipe.name && file !== recipe.file)
    if (other?.file) throw taken(recipe, `it is the run directory of ${other.file}`)
    await checkName(recipe, out)
    loaded.push(recipe)
  }
  return loaded
}

async function loadRecipe(nameOrPath: string): Promise<LoadedRecipe> {
  const known = builtInRecipes()
  const file = resolve(nameOrPath)
  const name = known.find((one) => one === nameOrPath || builtInFile(one) === file)
  if (name !== undefined) {
    const recipe = await loadBuiltIn(name)
    const teacher = recipe.teacher?.profile
    return {name, ...(teacher !== undefined && {teacher}), make: async (workspace) => recipe(workspace)}
  }
  if (!existsSync(file)) throw noRecipe(nameOrPath, file, known)
  if (notCode.includes(extname(file))) throw settingsAsRecipe(nameOrPath)
  const {default: recipe} = (await importOwn(file, {what: 'recipe', fix: 'Check its path.'})) as {default?: unknown}
  if (typeof recipe !== 'function') {
    const what = 'a recipe (a function that returns a Pipeline)'
    throw new PipelineError('input-invalid', `${file} does not default-export ${what}.`, {fix: example})
  }
  const own = {name: nameOf(file), file}
  const {reads = []} = recipe as Recipe
  return {...own, reads, make: (workspace) => makeOwn(recipe as Recipe, own, workspace)}
}

function noRecipe(nameOrPath: string, file: string, known: readonly string[]): PipelineError {
  const isPath = nameOrPath.includes('/') || extname(nameOrPath) !== ''
  const guess = nearest(nameOrPath, known)
  const meant = guess === undefined ? '' : `Did you mean ${guess}? `
  return new PipelineError(
    'recipe-missing',
    isPath ? `File not found: ${file}.` : `There is no recipe ${nameOrPath}.`,
    {
      fix: isPath
        ? 'Check the path of your recipe; built-in recipes are called by name alone.'
        : `${meant}Use one of ${known.join(', ')}, or give the path of your own recipe.`,
    },
  )
}

const notCode = ['.yaml', '.yml', '.json', '.jsonl', '.toml', '.md']

function settingsAsRecipe(path: string): PipelineError {
  const kind = extname(path).slice(1).replace('yml', 'yaml').toUpperCase()
  return new PipelineError('input-invalid', `${path} is a file of ${kind}, and a recipe is a program in TypeScript.`, {
    fix: `For settings, pass --config ${path} and a recipe's name; for a recipe, see docs/guides/own-stages.md.`,
  })
}

/**
 * A user's pipeline is named after its file, whatever it calls itself, so that it cannot overwrite other recipes' runs.
 */
async function makeOwn(
  recipe: Recipe,
  {name, file}: {name: string; file: string},
  workspace: Workspace,
): Promise<Pipeline<unknown>> {
  let made: unknown
  try {
    made = await recipe(workspace)
  } catch (error) {
    throw ownFault(file, error)
  }
  if (isStage(made)) throw stageAsRecipe(file)
  if (!isPipeline(made)) {
    const what = `The recipe ${file} returned ${kindOf(made)} instead of a Pipeline.`
    throw new PipelineError('input-invalid', what, {fix: example})
  }
  return Pipeline.of(name, made.origins, made.stages)
}

function stageAsRecipe(file: string): PipelineError {
  return new PipelineError('config-invalid', `${file} is a stage, and \`run\` takes recipes.`, {
    fix:
      `Try it alone with \`ascend-cot try ${file} --in <records>\`. ` +
      'To run it, call it in a recipe: see docs/guides/own-stages.md.',
  })
}

/** Checked by its properties: the file may import the class from another installation. */
function isPipeline(value: unknown): value is Pipeline<unknown> {
  if (typeof value !== 'object' || value === null || !('origins' in value) || !('stages' in value)) return false
  return (
    Array.isArray(value.origins) &&
    Array.isArray(value.stages) &&
    value.stages.length > 0 &&
    value.stages.every((stage: {run?: unknown} | undefined) => typeof stage?.run === 'function')
  )
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  return Array.isArray(value) ? 'a list' : `a value of type ${typeof value}`
}

const example = 'Return `Pipeline.from(name, origins, source).via(stage)…`: see docs/guides/own-stages.md.'

/** `MyRecipe.mts` → `my-recipe`. */
function nameOf(file: string): string {
  const stem = basename(file).replace(/\.[cm]?[jt]s$/, '')
  const words = stem.replace(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase()
  const name = words.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-+|-+$/g, '')
  if (name !== '') return name
  const fix = 'Rename it, e.g. my-recipe.mts.'
  throw new PipelineError('input-invalid', `No run directory can be named after ${file}.`, {fix})
}

async function checkName(recipe: LoadedRecipe, out: string): Promise<void> {
  const {name, file} = recipe
  if (file === undefined) return
  if (builtInRecipes().includes(name)) throw taken(recipe, `it belongs to the built-in recipe ${name}`)
  const reserved = ['dataset', 'work'].includes(name) || /^(evaluate|score)-/.test(name)
  if (reserved) throw taken(recipe, 'ascend-cot itself writes there')
  const other = (await ownRecipes(out))[name]
  if (other === undefined || other === file || !existsSync(other)) return
  throw taken(recipe, `it is the run directory of ${other}`)
}

function taken({name, file}: LoadedRecipe, why: string): PipelineError {
  return new PipelineError('input-invalid', `${file} would run in the directory ${name}, but ${why}.`, {
    fix: 'Rename your recipe: its run directory is named after its file.',
  })
}

/** Warns of names that a user's recipe reads without effect: nothing has them, and a recipe is called almost so. */
export async function tellMistyped({file, reads = []}: LoadedRecipe, out: string, terminal: Terminal): Promise<void> {
  for (const name of file === undefined ? [] : reads) {
    const meant = await meantRecipe(name, out)
    if (meant !== undefined)
      terminal.say(`warning: ${file} reads ${name}, which is no recipe and has no run; did you mean ${meant}?`)
  }
}

/** Runs a part of a recipe. Errors thrown by a user's code are reported as errors in their file. */
export async function blamed<T>({file}: LoadedRecipe, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw file !== undefined && isOwnFault(error) ? ownFault(file, error) : error
  }
}
