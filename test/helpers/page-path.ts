import {cppListings} from '../../datasets/listings.ts'
import {documentedApis} from '../../pipelines/documentation/documented-apis.ts'
import {pageFacts} from '../../pipelines/documentation/section-facts.ts'
import segment from '../../pipelines/documentation/segment.ts'
import {unitsFor} from '../../pipelines/documentation/snippet.ts'
import convert, {type RawPage} from '../../sources/docs/convert.ts'
import {runStage} from './run-stage.ts'

/** What is read of one page in `run documentation` and `run api-index`. Gives the number of sections. */
export default async function pagePath(input: {text: string; format: RawPage['format']}): Promise<number> {
  const page = convert({bytes: Buffer.from(input.text), format: input.format, product: '910b'})
  if (page.refused) return 0
  const {title, markdown, language} = page
  const origin = {repository: 'r', revision: 'v', path: 'a.md', licence: 'MIT'}
  const one = {origin, title: title || 'A', language, markdown}
  const {outputs} = await runStage(segment(), [one])
  for (const section of outputs) pageFacts(section)
  documentedApis(one)
  for (const listing of cppListings(markdown)) unitsFor(listing)
  return outputs.length
}
