import {setFlagsFromString} from 'node:v8'
import {runInNewContext} from 'node:vm'
import type {DocSection} from '../../datasets/schema/document.ts'
import relate from '../../pipelines/documentation/relate.ts'
import {SectionSearch} from '../../pipelines/documentation/relate.ts'
import segment from '../../pipelines/documentation/segment.ts'
import documentationPages from '../../sources/docs/pages.ts'
import {runStage} from '../helpers/run-stage.ts'

/** What an index of sections costs, and what evidence does. */
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
  await benchEvidence(sections)
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
