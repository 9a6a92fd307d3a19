import card from '../../datasets/card/card.ts'
import {Artifact} from '../../datasets/schema/sample.ts'
import arrowFiles from '../../datasets/views/arrow-files.ts'
import writeViews from '../../datasets/views/views.ts'
import {fromRun} from '../../engine/from-run.ts'
import {Pipeline} from '../../engine/pipeline.ts'
import {recipesBehind} from '../workspace/built-in.ts'
import {copyrightNotices} from '../workspace/copyright-notices.ts'
import {drawnTimelines} from '../workspace/drawn-timelines.ts'
import {heldOutSources} from '../workspace/held-out-sources.ts'
import {licenceTexts, ownWords} from '../workspace/licence-texts.ts'
import {chatFormat} from '../workspace/release.ts'
import {recipe} from '../workspace/workspace.ts'

const reads = ['sft', 'dpo', 'apis', 'kto', 'optimisation', 'errors'].map((name) => `release-${name}`)

/** The written files of all released parts → views for trainers → card, licence notices, manifest. */
export default recipe({reads}, async ({config, runs, records, datasetDirectory}) => {
  const releases = await records(reads)
  const made = [...(await records(await recipesBehind(releases.map((one) => one.recipe)))), ...releases]
  const texts = {
    dropReasons: made.flatMap(({recipe: of, counts}) =>
      counts.map(({stage, reasons}) => ({recipe: of, stage, reasons})),
    ),
    regenerate: [`npx ascend-cot run ${made.map((one) => one.recipe).join(' ')} card`],
    heldOut: heldOutSources(releases),
    licenceTexts: await licenceTexts(config),
    copyrights: await copyrightNotices(config),
    words: await ownWords(config.export.words),
    timelines: await drawnTimelines(datasetDirectory),
  }
  const {views, codec, window} = config.export
  const format = views.includes('packed') ? await chatFormat(config) : undefined
  return Pipeline.from('card', runs, fromRun(Artifact))
    .via(writeViews({directory: datasetDirectory, views, codec, window, ...(format && {format})}))
    .via(arrowFiles({directory: datasetDirectory, wanted: config.export.arrow}))
    .via(card({directory: datasetDirectory, ...texts}))
})
