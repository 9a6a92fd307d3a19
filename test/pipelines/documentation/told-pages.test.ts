import {describe, expect, test} from 'vitest'
import apiIndex from '../../../pipelines/documentation/api-index.ts'
import cot from '../../../pipelines/documentation/cot.ts'
import ground from '../../../pipelines/documentation/ground.ts'
import relate from '../../../pipelines/documentation/relate.ts'
import segment from '../../../pipelines/documentation/segment.ts'
import documentationPages from '../../../sources/docs/pages.ts'
import {golden} from '../../helpers/golden.ts'
import {runStage} from '../../helpers/run-stage.ts'

// What the bundled pages come to, step by step: read beside the pages, and kept.

const folder = {root: 'sources/starter/docs', repository: 'starter', revision: '1', licence: 'Apache-2.0'}
const pages = (await runStage(documentationPages({product: '910b'}), [folder])).outputs
const sections = (await runStage(segment(), pages)).outputs
const kept = (name: string, text: string) => golden(`test/fixtures/told/${name}`, text)
const asLines = (values: readonly unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('')

test('pages are cut into sections', () => {
  // The context is the page without its marks: the parts of it stand in the sections themselves.
  kept('sections.jsonl', asLines(sections.map(({context, ...rest}) => ({...rest, context: context.length}))))
})

test('interfaces are read from their pages', async () => {
  const {outputs, dropped} = await runStage(apiIndex({product: '910b'}), pages)
  kept('interfaces.jsonl', asLines([...outputs, ...dropped]))
})

describe.each([
  ['zh', 'a'],
  ['en', 'b'],
  ['page', 'c'],
] as const)('asked and answered in %s, by the seed %s', async (language, seed) => {
  const related = (await runStage(relate(), sections)).outputs
  const samples = (await runStage(cot({languages: [language]}), related, {seed})).outputs

  test('each section is asked of what it says', () => {
    const told = samples.map(({sample: {origin, qa, prompt, reasoning, answer}}) =>
      [`# ${origin.path} (${qa})`, prompt, '---', reasoning, '---', answer, ''].join('\n\n'),
    )
    kept(`pages-${language}.md`, told.join('\n'))
  })

  test('and nothing in it is without a ground', async () => {
    const {outputs, dropped} = await runStage(ground(), samples)
    expect(dropped).toEqual([])
    expect(outputs).toHaveLength(samples.length)
  })
})
