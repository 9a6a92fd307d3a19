import card from '../../datasets/card.ts'
import {Artifact} from '../../datasets/schema/sample.ts'
import {fromRun} from '../../engine/from-run.ts'
import {Pipeline} from '../../engine/pipeline.ts'
import {sourceKinds} from '../../sources/kinds.mjs'
import {licenceTexts} from '../workspace/licence-texts.ts'
import type {Workspace} from '../workspace/workspace.ts'

/** The written files, of whichever parts were released → data set card and licence notices. */
export default async ({config, existing, datasetDirectory, dropReasons}: Workspace) => {
  const releases = await existing(Object.keys(partsOf))
  const recipes = releases.flatMap(({directory}) => partsOf[directory.replace(/^.*\//, '')] ?? [])
  const texts = {dropReasons: await dropReasons(recipes), licenceTexts: await licenceTexts(config)}
  return Pipeline.from('card', releases, fromRun(Artifact)).via(card({directory: datasetDirectory, ...texts}))
}

/** Runs whose refusals concern a release. */
const partsOf: Record<string, readonly string[]> = {
  'release-sft': [...sourceKinds.flatMap(({samples}) => samples), 'scenarios', 'pairs', 'corrections', 'release-sft'],
  'release-dpo': ['tasks', 'candidates', 'preference', 'release-dpo'],
  'release-apis': ['api-index', 'release-apis'],
  'release-errors': ['candidates', 'errors', 'release-errors'],
}
