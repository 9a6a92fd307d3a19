// What is asked about each page: a stage that sees all records at once, and records of a kind of your own.
//
//   ascend-cot run api-index worked ./examples/questions-by-page.ts
import {fromRun} from 'ascend-cot/from-run'
import {Pipeline} from 'ascend-cot/pipeline'
import {recipe} from 'ascend-cot/recipe'
import {CotSample} from 'ascend-cot/schema/sample'
import type {Stage} from 'ascend-cot/stage'
import {z} from 'zod'

const Page = z.strictObject({path: z.string(), questions: z.array(z.string())})
type Page = z.infer<typeof Page>

function byPage(): Stage<CotSample, Page> {
  return {
    name: 'by-page',
    version: 1,
    input: CotSample,
    output: Page,
    async *run(samples) {
      const pages = new Map<string, string[]>()
      for await (const {origin, prompt} of samples) pages.set(origin.path, [...(pages.get(origin.path) ?? []), prompt])
      for (const [path, questions] of pages) yield {path, questions}
    },
  }
}

export default recipe({reads: ['worked']}, ({runs}) =>
  Pipeline.from('questions-by-page', runs, fromRun(CotSample)).via(byPage()),
)
