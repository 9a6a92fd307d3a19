import {basename} from 'node:path'
import type {Pipeline} from '../../engine/pipeline.ts'
import {FinishedRun, type RunRecord} from '../../engine/run.ts'
import type {LoadedRecipe} from './recipe-file.ts'
import {reasons} from './status.ts'
import type {Terminal} from './terminal.ts'

/**
 * 1 if records failed, or if a recipe made nothing: then the command did not do what was asked, and says why. A
 * finished run that is resumed still has its records.
 */
export function exitCode(records: readonly RunRecord[], terminal: Terminal): number {
  const sentences = records.flatMap((record) => nothingDone(record) ?? [])
  for (const sentence of sentences) terminal.say(`error: ${sentence}`)
  return sentences.length > 0 || records.some(({counts}) => counts.some(({failed}) => failed > 0)) ? 1 : 0
}

function nothingDone({recipe, reads, counts}: RunRecord): string | undefined {
  const [first] = counts
  const barren = counts.find(({written}) => written === 0)
  if (!first || !barren) return undefined
  const why = reasons(barren)
  const nothing = `${recipe} made nothing:`
  if (barren !== first) {
    const because = why === '' ? '' : ` (${why})`
    return `${nothing} ${barren.stage} passed none of its ${barren.read} records${because}.`
  }
  if (why !== '') return `${nothing} ${first.stage} could not use anything that it read (${why}).`
  return reads
    ? `${nothing} the runs it reads hold no records.`
    : `${nothing} ${first.stage} found nothing to read. Check its source folder.`
}

/** Prints which runs a recipe reads and, for runs that this command did not make, when they finished. */
export function tellSources(pipeline: Pipeline<unknown>, made: readonly LoadedRecipe[], terminal: Terminal): void {
  const sources = pipeline.origins.flatMap((origin) => FinishedRun.safeParse(origin).data ?? [])
  if (sources.length === 0) return
  const names = sources.map(({directory, ended}) => {
    const name = basename(directory)
    const fresh = ended === undefined || made.some((recipe) => recipe.name === name)
    return fresh ? name : `${name} (finished ${ended.slice(0, 16).replace('T', ' ')})`
  })
  terminal.say(`${pipeline.name} reads ${names.join(', ')}`)
}
