import documentationPages from '../../sources/docs/pages.ts'
import {Pipeline} from '../../engine/pipeline.ts'
import documentationCot from '../documentation/cot.ts'
import diversify from '../documentation/diversify.ts'
import ground from '../documentation/ground.ts'
import relate from '../documentation/relate.ts'
import segment from '../documentation/segment.ts'
import verifyCode from '../documentation/verify-code.ts'
import type {Workspace} from '../workspace/workspace.ts'

/** Pages → sections → questions with reasoning and answer → no pattern too often → grounded → code compiled and run. */
export default async ({config, sources, executor}: Workspace) => {
  const {languages, questionsPerSection, sharePerPattern} = config.samples
  // The first pages of a tree are all of one kind.
  const pages = documentationPages({order: config.limit === undefined ? 'path' : 'drawn'})
  return Pipeline.from('documentation', await sources('documentation'), pages)
    .via(segment())
    .via(relate())
    .via(documentationCot({languages, mostQuestions: questionsPerSection}))
    .via(diversify({mostShare: sharePerPattern}))
    .via(ground())
    .via(verifyCode({executor: await executor()}))
}
