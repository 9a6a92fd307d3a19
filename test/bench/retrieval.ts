import type {DocSection} from '../../datasets/schema/document.ts'
import {draftsOf} from '../../pipelines/documentation/offline/compose.ts'
import {SectionSearch} from '../../pipelines/documentation/section-search.ts'
import segment from '../../pipelines/documentation/segment.ts'
import documentationPages from '../../sources/docs/pages.ts'
import {runStage} from '../helpers/run-stage.ts'

const depth = 10

/**
 * How well retrieval finds the section that a question was derived from by rule. One line for each kind of question:
 * recall at 1, 5 and 10 and the mean reciprocal rank of that section, and recall at 1 of its page. Questions of several
 * sections with the same words count for each.
 */
export async function benchRetrieval(root: string): Promise<void> {
  const {outputs: pages} = await runStage(documentationPages(), [{root}])
  const {outputs: sections} = await runStage(segment(), pages)
  const search = new SectionSearch()
  const started = performance.now()
  for (const section of sections) search.add(section)
  const indexed = performance.now()
  const ranks = new Map<string, Rank[]>()
  for (const [id, section] of sections.entries())
    for (const {ask, draft} of draftsOf(section, 'bench'))
      ranks.set(ask.kind, [...(ranks.get(ask.kind) ?? []), rankOf(id, draft.question, sections, search)])
  const all = [...ranks.values()].flat()
  console.log(`${'kind'.padEnd(14)} questions  @1    @5    @10   MRR   page @1`)
  for (const [kind, found] of [...ranks, ['all', all] as const]) console.log(row(kind, found))
  const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(1)
  console.log(
    [
      `${sections.length} sections of ${pages.length} pages, indexed in ${seconds(indexed - started)} s,`,
      `${all.length} questions in ${seconds(performance.now() - indexed)} s`,
    ].join(' '),
  )
}

interface Rank {
  /** 1-based; undefined where the section is not among the first. */
  section: number | undefined
  page: number | undefined
}

function rankOf(id: number, question: string, sections: readonly DocSection[], search: SectionSearch): Rank {
  const found = search.answering(question, depth)
  const path = sections[id]?.origin.path
  const place = (index: number) => (index < 0 ? undefined : index + 1)
  return {
    section: place(found.indexOf(id)),
    page: place(found.findIndex((one) => sections[one]?.origin.path === path)),
  }
}

function row(kind: string, ranks: readonly Rank[]): string {
  const share = (isGood: (rank: Rank) => boolean) => ranks.filter(isGood).length / ranks.length
  const within = (most: number) => share(({section}) => section !== undefined && section <= most)
  const reciprocal = ranks.reduce((sum, {section}) => sum + (section === undefined ? 0 : 1 / section), 0)
  const figures = [within(1), within(5), within(10), reciprocal / ranks.length, share(({page}) => page === 1)]
  return `${kind.padEnd(14)} ${String(ranks.length).padStart(9)}  ${figures.map((one) => one.toFixed(2)).join('  ')}`
}
