import type {ReferencedSample} from '../../datasets/schema/document.ts'
import documentationCot from '../../pipelines/documentation/cot.ts'
import segment from '../../pipelines/documentation/segment.ts'
import {shareRepeated} from '../../pipelines/documentation/overlap.ts'
import {skeletonOf} from '../../pipelines/documentation/skeleton.ts'
import documentationPages from '../../sources/docs/pages.ts'
import {runStage} from '../helpers/run-stage.ts'
import {pagesWithoutRows} from './pages-without-rows.ts'

/**
 * How fast documentation becomes questions with answers offline, and how alike they are: the share of rows that the
 * commonest question patterns and openings of the reasoning make, and the share of an answer's five-word runs, code
 * left out, that its reasoning already has. Pages on interfaces that give no question on a call are listed with the
 * reasons of their sections. No code is compiled.
 */
export async function benchDocumentation(root: string): Promise<void> {
  const started = performance.now()
  const {outputs: pages} = await runStage(documentationPages(), [{root}])
  const read = performance.now()
  const {outputs: sections} = await runStage(segment(), pages)
  const {outputs, dropped} = await runStage(documentationCot(), sections)
  const written = performance.now()
  const asked = new Set(outputs.map(({sample}) => sample.origin.path))
  const seconds = (from: number, to: number) => ((to - from) / 1000).toFixed(1)
  console.log(`${pages.length} pages read in ${seconds(started, read)} s, ${sections.length} sections,`)
  console.log(`${outputs.length} rows of ${asked.size} pages written in ${seconds(read, written)} s,`)
  console.log(`peak ${Math.round(process.resourceUsage().maxRSS / 1024)} MB`)
  for (const [reason, count] of counted(dropped.map(({reason}) => reason))) console.log(`  dropped ${reason}: ${count}`)
  const {pages: interfaces, without} = pagesWithoutRows(sections, outputs)
  console.log(`${[...without.values()].flat().length} of ${interfaces} pages on interfaces give no question on a call`)
  for (const [reasons, paths] of without) console.log(`  ${reasons}:\n${paths.map((path) => `    ${path}`).join('\n')}`)
  printShares('question patterns', outputs.map(questionPattern))
  printShares('openings of the reasoning', outputs.map(opening))
  const repeated = outputs.map(({sample}) => shareRepeated(sample.answer, sample.reasoning))
  const mean = repeated.reduce((sum, share) => sum + share, 0) / repeated.length
  console.log(`${percent(mean)} of an answer's runs of five words stand in its reasoning`)
}

function questionPattern({sample, reference}: ReferencedSample): string {
  return skeletonOf(sample.prompt, `${reference} ${sample.origin.path}`)
}

function opening({sample, reference}: ReferencedSample): string {
  const [first = ''] = sample.reasoning.split(/(?<=[。？！])|(?<=[.?!])\s/)
  return skeletonOf(first, `${reference} ${sample.origin.path}`)
}

function printShares(title: string, texts: readonly string[]): void {
  const found = counted(texts)
  const first = (count: number) => found.slice(0, count).reduce((sum, [, rows]) => sum + rows, 0) / texts.length
  const shares = [1, 6, 10, 20].map((count) => `first ${count} ${percent(first(count))}`)
  console.log(`${title}: ${found.length}; ${shares.join(', ')}`)
  for (const [text, rows] of found.slice(0, 12)) console.log(`  ${String(rows).padStart(5)} ${text.slice(0, 110)}`)
}

function counted(texts: readonly string[]): [string, number][] {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a)
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}
