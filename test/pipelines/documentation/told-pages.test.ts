import {test} from 'vitest'
import apiIndex from '../../../pipelines/documentation/api-index.ts'
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
