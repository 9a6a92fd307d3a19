import {basename} from 'node:path'
import type {Pipeline} from '../../engine/pipeline.ts'
import type {StageCounts} from '../../engine/progress.ts'
import {FinishedRun, type RunRecord} from '../../engine/run.ts'
import {dropReasons} from '../report/drop-reasons.ts'
import type {LoadedRecipe} from './recipe-file.ts'
import {reasons} from './status.ts'
import type {Terminal} from './terminal.ts'

/**
 * 1 if records failed, or if a recipe made nothing: then the command did not do what was asked, and says why and what
 * to do. A finished run that is resumed still has its records.
 */
export function exitCode(records: readonly RunRecord[], terminal: Terminal): number {
  const barren = records.flatMap((record) => nothingDone(record) ?? [])
  for (const {why, advice} of barren) terminal.say(`error: ${why}\n  → ${advice}`)
  return barren.length > 0 || records.some(({counts}) => counts.some(({failed}) => failed > 0)) ? 1 : 0
}

interface Barren {
  why: string
  advice: string
}

function nothingDone({recipe, reads, counts}: RunRecord): Barren | undefined {
  const [first] = counts
  const barren = counts.find(({written}) => written === 0)
  if (!first || !barren) return undefined
  const {stage, read} = barren
  const why = reasons(barren)
  const nothing = `${recipe} made nothing:`
  if (barren !== first) {
    const because = why === '' ? '' : ` (${why})`
    const none = read === 1 ? 'did not pass its only record' : `passed none of its ${read} records`
    return {why: `${nothing} ${stage} ${none}${because}.`, advice: adviceOn(barren)}
  }
  if (why !== '')
    return {why: `${nothing} ${stage} could not use anything that it read (${why}).`, advice: adviceOn(first)}
  if (!reads) return {why: `${nothing} ${stage} found nothing to read.`, advice: 'Check its source folder.'}
  const names = reads.map(({directory}) => basename(directory)).join(' and ')
  return {
    why: `${nothing} the runs it reads${names === '' ? '' : ` (${names})`} hold no records.`,
    advice: 'First make them hold some: `ascend-cot status` shows where each run lost its records.',
  }
}

const others = 'With more input (a larger --limit, more folders), other records may pass.'

/** What the two most frequent reasons mean, and what to do about them. */
function adviceOn({stage, reasons: drops, failures}: StageCounts): string {
  if (Object.keys(failures).length > 0) return 'See `ascend-cot failed`, then run `ascend-cot resume`.'
  const frequent = Object.entries(drops).sort((a, b) => b[1] - a[1])
  const told = frequent.slice(0, 2).flatMap(([reason]) => {
    const known = dropReasons.named(reason)
    return known ? [`${reason}: ${known.means} What to do: ${known.do}`] : []
  })
  if (told.length > 0) return [...told, others].join('\n  → ')
  return `See what ${stage} said of each record in the report, or with \`ascend-cot inspect <id>\`.`
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
