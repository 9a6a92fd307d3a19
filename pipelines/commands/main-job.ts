import {loadBuiltIn, recipesBehind} from '../workspace/built-in.ts'
import type {Config} from '../workspace/config.ts'
import {inWords} from './executor.ts'

/**
 * The recipes of `ascend-cot start`, with the seconds that each takes on two cores with clang: for the sampled part,
 * and for the whole bundled corpus (`npm start` and `npm start -- --all`).
 */
const seconds: Readonly<Record<string, readonly [part: number, all: number]>> = {
  documentation: [2, 4],
  kernels: [2, 5],
  scenarios: [2, 7],
  pairs: [7, 35],
  projects: [0.5, 1.5],
  evaluated: [1, 6],
  candidates: [9, 89],
  preference: [0.5, 4],
  'api-index': [0.5, 0.5],
  worked: [5, 10],
  corrections: [0.5, 4],
  errors: [0.1, 0.5],
  'release-sft': [1, 5],
  'release-dpo': [0.5, 3],
  'release-apis': [0.2, 0.2],
  'release-errors': [0.2, 0.2],
  card: [0.5, 0.5],
}

/** What `start` sets, unless `--set` overrides it. */
export const mainSettings = (all: boolean): Readonly<Record<string, string>> =>
  all ? {} : {limit: '4', 'samples.candidatesPerTask': '6'}

/** What `start` runs. */
export interface MainJob {
  recipes: readonly string[]
  /** Seconds of each recipe on two cores. */
  seconds: ReadonlyMap<string, number>
  /** The first line printed. */
  said: string
}

/**
 * Every kind of row, from a part of the corpus or all of it: each recipe after those that it reads, except those that
 * need a teacher that is not configured.
 */
export async function mainJob(all: boolean, {teachers}: Pick<Config, 'teachers'>): Promise<MainJob> {
  const ordered = [...(await recipesBehind(['card'])), 'card'].filter((recipe) => recipe in seconds)
  const recipes: string[] = []
  for (const recipe of ordered) {
    const {teacher} = await loadBuiltIn(recipe)
    if (!teacher || teachers[teacher.profile]) recipes.push(recipe)
  }
  const usual = new Map(recipes.map((recipe) => [recipe, seconds[recipe]?.[all ? 1 : 0] ?? 0]))
  const sum = [...usual.values()].reduce((total, one) => total + one, 0)
  const corpus = all ? 'all of the bundled corpus' : 'a part of the bundled corpus (`--all` uses the whole)'
  return {
    recipes,
    seconds: usual,
    said: `${recipes.length} recipes on ${corpus}: usually ${inWords(sum)} on two cores`,
  }
}
