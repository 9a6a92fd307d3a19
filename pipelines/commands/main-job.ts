import {inWords} from './executor.ts'

/**
 * The recipes of `ascend-cot start`, in their order, with the seconds that each takes on two cores with clang: of the
 * part that is drawn, and of all of the bundled corpus (`npm start` and `npm start -- --all`).
 */
const seconds: Readonly<Record<string, readonly [part: number, all: number]>> = {
  documentation: [5, 5],
  kernels: [3, 6],
  scenarios: [3, 8],
  pairs: [7, 42],
  projects: [1, 1],
  evaluated: [2, 6],
  candidates: [8, 110],
  preference: [1, 7],
  'api-index': [1, 1],
  corrections: [1, 6],
  errors: [1, 1],
  'release-sft': [5, 9],
  'release-dpo': [2, 5],
  'release-apis': [1, 1],
  'release-errors': [1, 1],
  card: [1, 1],
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

/** Every kind of row, of a part of the corpus or of all of it. */
export function mainJob({all}: {all: boolean}): MainJob {
  const recipes = Object.keys(seconds)
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
