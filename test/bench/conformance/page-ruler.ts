import {readdir, readFile} from 'node:fs/promises'
import {basename, join} from 'node:path'
import type {Executor} from '../../../datasets/schema/executor.ts'
import {readApiPage} from './api-page.ts'
import type {Example} from './api-page.ts'
import {pagePlans} from './page-plans.ts'
import {runExample} from './page-vector.ts'
import type {VectorEnd} from './page-vector.ts'
import {isAbridged} from './printed-array.ts'

export interface PageVector extends VectorEnd {
  /** `Page`, or `Page#1` for its second example. */
  name: string
  abridged: boolean
}

/** Every example with arrays of the API pages that Atlas A2 supports, run on the twin. */
export async function* pageVectors(checkout: string, executor: Executor, only = ''): AsyncGenerator<PageVector> {
  const root = join(checkout, 'docs/zh/api')
  const files = (await readdir(root, {recursive: true})).filter((name) => name.endsWith('.md')).sort()
  for (const file of files) {
    const page = readApiPage(await readFile(join(root, file), 'utf8'))
    if (!page.supported) continue
    const own = basename(file, '.md')
    const key = [file.replace(/^.*\/([^/]+\/[^/]+)\.md$/, '$1'), own].find((one) => one in pagePlans) ?? own
    for (const [index, example] of page.examples.entries()) {
      const name = index === 0 ? key : `${key}#${index}`
      if (!name.startsWith(only)) continue
      const plan = {...pagePlans[key], ...(index === 0 ? {} : pagePlans[name])}
      yield {name, abridged: abridged(example), ...(await runExample(executor, page.title, example, plan))}
    }
  }
}

function abridged({inputs, outputs}: Example): boolean {
  return [...inputs, ...outputs].some(({array}) => isAbridged(array))
}
