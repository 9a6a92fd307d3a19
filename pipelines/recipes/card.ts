import card from '../../datasets/card/card.ts'
import {Artifact} from '../../datasets/schema/sample.ts'
import arrowFiles from '../../datasets/views/arrow-files.ts'
import writeViews from '../../datasets/views/views.ts'
import {fromRun} from '../../engine/from-run.ts'
import {Pipeline} from '../../engine/pipeline.ts'
import {sourceKinds} from '../../sources/kinds.ts'
import {copyrightNotices} from '../workspace/copyright-notices.ts'
import {heldOutSources} from '../workspace/held-out-sources.ts'
import {licenceTexts, ownWords} from '../workspace/licence-texts.ts'
import type {Workspace} from '../workspace/workspace.ts'

/** The written files, of whichever parts were released → views for trainers → card, licence notices, manifest. */
export default async ({config, existing, datasetDirectory, dropReasons}: Workspace) => {
  const releases = await existing(Object.keys(partsOf))
  const recipes = releases.flatMap(({directory}) => partsOf[directory.replace(/^.*\//, '')] ?? [])
  const texts = {
    dropReasons: await dropReasons(recipes),
    licenceTexts: await licenceTexts(config),
    copyrights: await copyrightNotices(config),
    words: await ownWords(config.export.words),
  }
  const heldOut = await heldOutSources(releases.map(({directory}) => directory))
  return Pipeline.from('card', releases, fromRun(Artifact))
    .via(writeViews({directory: datasetDirectory, views: config.export.views, codec: config.export.codec}))
    .via(arrowFiles({directory: datasetDirectory, wanted: config.export.arrow}))
    .via(card({directory: datasetDirectory, ...texts, heldOut}))
}

/** Runs whose refusals concern a release. */
const partsOf: Record<string, readonly string[]> = {
  'release-sft': [...sourceKinds.flatMap(({samples}) => samples), 'scenarios', 'pairs', 'corrections', 'release-sft'],
  'release-dpo': ['tasks', 'candidates', 'preference', 'release-dpo'],
  'release-apis': ['api-index', 'release-apis'],
  'release-kto': ['candidates', 'unpaired', 'release-kto'],
  'release-optimisation': ['optimisation', 'release-optimisation'],
  'release-errors': ['candidates', 'errors', 'release-errors'],
}
