import {existsSync, readdirSync} from 'node:fs'
import {basename, dirname, join, resolve} from 'node:path'
import {PipelineError} from '../../engine/errors.ts'

/** What a folder that somebody wants to look at holds; paths are absolute. */
export interface Seen {
  title: string
  /** The output folder of runs. */
  runs: string | undefined
  /** The folder with `data/`. */
  dataset: string | undefined
  /** Folders of score runs, the one that was asked for first. */
  scores: readonly string[]
}

/**
 * An output folder with runs, a data set, or the folder of a score.
 * @throws PipelineError `input-missing` when it is another folder
 */
export function whatIsIn(folder: string): Seen {
  const root = resolve(folder)
  const title = basename(root)
  if (has(root, 'score.json')) return {title, runs: dirname(root), dataset: undefined, scores: scoresIn(root)}
  if (has(root, 'data')) return {title, runs: undefined, dataset: root, scores: []}
  const dataset = join(root, 'dataset')
  const runs = foldersIn(root).filter((one) => has(one, 'run.json'))
  if (runs.length > 0 || has(dataset, 'data')) {
    const scores = runs.filter((one) => has(one, 'score.json'))
    return {title, runs: root, dataset: has(dataset, 'data') ? dataset : undefined, scores}
  }
  throw new PipelineError('input-missing', `There is nothing to look at in ${root}.`, {
    fix: 'Give an output folder with runs, the folder of a data set (with data/), or that of a score.',
    evidence: {root},
  })
}

/** One score, and those beside it, to compare with. */
function scoresIn(score: string): string[] {
  return [score, ...foldersIn(dirname(score)).filter((one) => one !== score && has(one, 'score.json'))]
}

const has = (folder: string, name: string) => existsSync(join(folder, name))

function foldersIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  const entries = readdirSync(folder, {withFileTypes: true}).filter((entry) => entry.isDirectory())
  return entries.map(({name}) => join(folder, name)).sort()
}
