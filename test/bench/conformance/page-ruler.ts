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

/** How a whole page came out: `at fault` when all that differs is what the page itself says wrong or leaves out. */
export interface PageOutcome {
  page: string
  /** Some array of it is printed with gaps. */
  abridged: boolean
  state: 'passed' | 'at fault' | 'failed'
}

/** A page passes when each of its examples does. */
export function byPage(all: readonly PageVector[]): PageOutcome[] {
  const pages = new Map<string, PageVector[]>()
  for (const one of all) {
    const page = one.name.replace(/#\d+$/, '')
    pages.set(page, [...(pages.get(page) ?? []), one])
  }
  return [...pages].map(([page, own]) => ({page, abridged: own.some((one) => one.abridged), state: stateOf(own)}))
}

function stateOf(own: readonly PageVector[]): PageOutcome['state'] {
  const rest = own.filter(({ok}) => !ok)
  if (rest.length === 0) return 'passed'
  return rest.every(({wrong, lacks}) => Boolean(wrong) || lacks !== undefined) ? 'at fault' : 'failed'
}
