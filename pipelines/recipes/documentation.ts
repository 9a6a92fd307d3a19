import documentationPages from '../../sources/docs/pages.ts'
import {imageReader} from '../../sources/docs/ocr/image-reader.ts'
import {Pipeline} from '../../engine/pipeline.ts'
import correctFormulas from '../documentation/correct-formulas.ts'
import documentationCot from '../documentation/cot.ts'
import diversify from '../documentation/diversify.ts'
import ground from '../documentation/ground.ts'
import relate from '../documentation/relate.ts'
import repairImages from '../documentation/repair-images.ts'
import repairText from '../documentation/repair-text.ts'
import segment from '../documentation/segment.ts'
import tallyRepairs from '../documentation/tally-repairs.ts'
import verifyCode from '../documentation/verify-code.ts'
import {recipe} from '../workspace/workspace.ts'

const teacher = {
  profile: 'documentation',
  otherwise: '`run api-index worked` writes questions about APIs without a model.',
}

/** Repaired pages → sections → a model's questions and answers → patterns capped → grounded → code compiled. */
export default recipe({teacher}, async ({config, sources, executor}) => {
  const {languages, questionsPerSection, sharePerPattern} = config.samples
  // The first pages of a tree are all of one kind.
  const pages = documentationPages({order: config.limit === undefined ? 'path' : 'drawn'})
  const folders = await sources('documentation')
  const images = imageReader(folders.map(({root}) => root))
  return Pipeline.from('documentation', folders, pages)
    .via(repairText())
    .via(repairImages({images}))
    .via(correctFormulas({images}))
    .via(tallyRepairs())
    .via(segment())
    .via(relate())
    .via(documentationCot({languages, mostQuestions: questionsPerSection}))
    .via(diversify({mostShare: sharePerPattern}))
    .via(ground())
    .via(verifyCode({executor: await executor()}))
})
