import card from '../../datasets/card.ts'
import {Artifact} from '../../datasets/schema/sample.ts'
import {fromRun} from '../core/from-run.ts'
import {Pipeline} from '../core/pipeline.ts'
import {licenceTexts} from '../licence-texts.ts'
import type {Workspace} from '../workspace.ts'

/** The written files → data set card and licence notices. */
export default async ({config, finished, datasetDirectory, dropReasons}: Workspace) =>
  Pipeline.from('card', [await finished('release-sft'), await finished('release-dpo')], fromRun(Artifact))
    .via(card({directory: datasetDirectory, dropReasons: await dropReasons(), licenceTexts: await licenceTexts(config)}))
