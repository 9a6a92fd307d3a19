import {readFileSync} from 'node:fs'
import {setFlagsFromString} from 'node:v8'
import {runInNewContext} from 'node:vm'
import {z} from 'zod'
import {type DocSection, SectionRole} from '../../datasets/schema/document.ts'
import relate from '../../pipelines/documentation/relate.ts'
import {SectionSearch} from '../../pipelines/documentation/section-search.ts'
import segment from '../../pipelines/documentation/segment.ts'
import documentationPages from '../../sources/docs/pages.ts'
import {runStage} from '../helpers/run-stage.ts'

const depth = 10

/** A question in an engineer's words, over pages of asc-devkit's `docs/zh`, with the sections that answer it. */
const HandWritten = z.strictObject({
  kind: z.string(),
  question: z.string(),
  path: z.string(),
  /** Any section of these roles, or else the one with this heading. */
  roles: z.array(SectionRole).optional(),
  heading: z.string().optional(),
})

interface Question {
  kind: string
  question: string
  isPage: (section: DocSection) => boolean
  isAnswer: (section: DocSection) => boolean
}

/**
 * How well retrieval finds the section that answers a question, for questions written by hand. One line for each kind:
 * recall at 1, 5 and 10 and the mean reciprocal rank of the section, and recall at 1 of its page. Then what evidence
 * costs.
 */
export async function benchRetrieval(root: string): Promise<void> {
  const {outputs: pages} = await runStage(documentationPages(), [{root}])
  const {outputs: sections} = await runStage(segment(), pages)
  const heapBefore = liveMegabytes()
  const search = new SectionSearch()
  const indexed = secondsOf(() => {
    for (const section of sections) search.add(section)
  })
  const heap = liveMegabytes() - heapBefore
  console.log(
    [
      `${sections.length} sections of ${pages.length} pages, indexed in ${indexed.toFixed(1)} s,`,
      `${heap.toFixed(0)} MB of heap`,
    ].join(' '),
  )
  report('written by hand', handWritten(sections), sections, search)
  await benchEvidence(sections)
}

/** Those whose page is in the folder. */
function handWritten(sections: readonly DocSection[]): Question[] {
  const lines = readFileSync(new URL('retrieval-questions.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n')
  const paths = new Set(sections.map(({origin}) => origin.path))
  return lines
    .map((line) => HandWritten.parse(JSON.parse(line)))
    .filter(({path}) => paths.has(path))
    .map(({kind, question, path, roles, heading}) => {
      const isPage = ({origin}: DocSection) => origin.path === path
      const isSection = ({role, headings}: DocSection) => roles?.includes(role) ?? headings.at(-1) === heading
      return {kind, question, isPage, isAnswer: (one: DocSection) => isPage(one) && isSection(one)}
    })
}

interface Rank {
  /** 1-based; undefined where the section is not among the first. */
  section: number | undefined
  page: number | undefined
}

function report(title: string, questions: readonly Question[], sections: readonly DocSection[], search: SectionSearch) {
  if (questions.length === 0) return
  const ranks = new Map<string, Rank[]>()
  const took = secondsOf(() => {
    for (const question of questions)
      ranks.set(question.kind, [...(ranks.get(question.kind) ?? []), rankOf(question, sections, search)])
  })
  console.log(`\n${title.padEnd(15)} questions  @1    @5    @10   MRR   page @1`)
  for (const [kind, found] of [...ranks, ['all', [...ranks.values()].flat()] as const]) console.log(row(kind, found))
  console.log(`${(questions.length / took).toFixed(0)} questions/s`)
}

function rankOf({question, isPage, isAnswer}: Question, sections: readonly DocSection[], search: SectionSearch): Rank {
  const found = search.answering(question, depth).map((id) => sections[id]!)
  const place = (index: number) => (index < 0 ? undefined : index + 1)
  return {section: place(found.findIndex(isAnswer)), page: place(found.findIndex(isPage))}
}

function row(kind: string, ranks: readonly Rank[]): string {
  const share = (isGood: (rank: Rank) => boolean) => ranks.filter(isGood).length / ranks.length
  const within = (most: number) => share(({section}) => section !== undefined && section <= most)
  const reciprocal = ranks.reduce((sum, {section}) => sum + (section === undefined ? 0 : 1 / section), 0)
  const figures = [within(1), within(5), within(10), reciprocal / ranks.length, share(({page}) => page === 1)]
  return `${kind.padEnd(15)} ${String(ranks.length).padStart(9)}  ${figures.map((one) => one.toFixed(2)).join('  ')}`
}

async function benchEvidence(sections: readonly DocSection[]): Promise<void> {
  const started = performance.now()
  const {outputs} = await runStage(relate(), sections)
  const seconds = (performance.now() - started) / 1000
  const all = outputs.flatMap(({evidence}) => evidence ?? [])
  const counts = new Map<string, number>()
  for (const {why} of all) counts.set(why, (counts.get(why) ?? 0) + 1)
  const characters = all.reduce((sum, {markdown}) => sum + markdown.length, 0)
  console.log(
    [
      `\nevidence in ${seconds.toFixed(1)} s, ${(characters / sections.length).toFixed(0)} characters a section:`,
      ...[...counts].map(([why, count]) => `${count} ${why}`),
    ].join(' '),
  )
}

function secondsOf(work: () => void): number {
  const started = performance.now()
  work()
  return (performance.now() - started) / 1000
}

/** What is in use on the heap. */
function liveMegabytes(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  return process.memoryUsage().heapUsed / 1e6
}
