import {recipesBehind} from '../workspace/built-in.ts'
import {inWords} from './executor.ts'

/**
 * The recipes of `ascend-cot start`, with the seconds that each takes on two cores with clang: of the part that is
 * drawn, and of all of the bundled corpus (`npm start` and `npm start -- --all`).
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

/** What `start` runs, and what it sets besides, which `--set` may set otherwise. */
export interface MainJob {
  recipes: readonly string[]
  settings: Readonly<Record<string, string>>
  /** Of each recipe on two cores. */
  seconds: ReadonlyMap<string, number>
  /** What is said first. */
  said: string
}

/** Every kind of row, of a part of the corpus or of all of it: each recipe after those that it reads. */
export async function mainJob({all}: {all: boolean}): Promise<MainJob> {
  const ordered = [...(await recipesBehind(['card'])), 'card']
  const recipes = ordered.filter((recipe) => recipe in seconds)
  const usual = new Map(Object.entries(seconds).map(([recipe, [part, whole]]) => [recipe, all ? whole : part]))
  const sum = [...usual.values()].reduce((total, one) => total + one, 0)
  const corpus = all ? 'all of the bundled corpus' : 'a part of the bundled corpus (`--all` takes all of it)'
  return {
    recipes,
    settings: all ? {} : {limit: '4', 'samples.candidatesPerTask': '6'},
    seconds: usual,
    said: `${recipes.length} recipes on ${corpus}: usually ${inWords(sum)} on two cores`,
  }
}
