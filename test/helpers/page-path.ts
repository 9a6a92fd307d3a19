import documentationCot from '../../pipelines/documentation/cot.ts'
import ground from '../../pipelines/documentation/ground.ts'
import segment from '../../pipelines/documentation/segment.ts'
import {unitsFor} from '../../pipelines/documentation/snippet.ts'
import type {Stage} from '../../engine/stage.ts'
import {cppListings} from '../../datasets/listings.ts'
import convert, {type RawPage} from '../../sources/docs/convert.ts'
import {runStage} from './run-stage.ts'

/** The way of one page through `run documentation`, up to the compiler. Gives the number of samples. */
export default async function pagePath(input: {text: string; format: RawPage['format']}): Promise<number> {
  const page = convert({bytes: Buffer.from(input.text), format: input.format, product: '910b'})
  if (page.refused) return 0
  const {title, markdown, language} = page
  const origin = {repository: 'r', revision: 'v', path: 'a.md', licence: 'MIT'}
  let records: unknown[] = [{origin, title: title || 'A', language, markdown}]
  for (const stage of [segment(), documentationCot(), ground()]) {
    records = (await runStage(stage as unknown as Stage<unknown, unknown>, records)).outputs
  }
  for (const listing of cppListings(markdown)) unitsFor(listing)
  return records.length
}
