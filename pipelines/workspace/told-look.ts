import {count} from '../../datasets/card/card-sections.ts'
import {timelineText} from '../../datasets/card/timeline-text.ts'
import type {Verdict} from '../../datasets/schema/verdict.ts'
import {counted} from '../../engine/counted.ts'
import {evidenceOf} from '../../eval/serve/evidence.ts'
import type {Fault} from '../ascendcraft/language/program-fault.ts'
import {verdictText} from './craft-proof.ts'
import {isRight, type CaseLook, type Look} from './look-at-program.ts'
import {programFiles} from './program-folder.ts'

/** What one part of a look found, in words. */
export interface Told {
  part: 'checker' | 'interpreter' | 'twin' | 'timeline' | 'judge'
  isRight: boolean
  lines: string[]
}

/** The most wrong calls that are shown. */
const toldCases = 3

/** The slowest core's modelled cycles; undefined where the program has no timeline. */
export function cyclesOf({timeline}: Look): number | undefined {
  if (!timeline || 'why' in timeline) return undefined
  return timeline.timeline.cores[timeline.timeline.slowest]?.cycles
}

/**
 * The parts of a look that are known, in order.
 * @param before cycles of the program as it was saved before @param columns cells of a line
 */
export function toldLook(look: Look, {before, columns}: {before?: number | undefined; columns: number}): Told[] {
  const {checker, interpreter, built, twin = [], timeline, judged} = look
  const told: Told[] = [{part: 'checker', isRight: checker.length === 0, lines: faultLines(checker)}]
  if (interpreter) told.push(casesTold('interpreter', interpreter))
  if (built && built.outcome !== 'compiled')
    told.push({part: 'twin', isRight: false, lines: verdictText(built).split('\n')})
  else if (built) told.push(casesTold('twin', twin))
  if (timeline) told.push({part: 'timeline', isRight: true, lines: timelineLines(look, before, columns)})
  if (judged) told.push({part: 'judge', ...judgedTold(judged)})
  return told
}

function faultLines(faults: readonly Fault[]): string[] {
  return faults.length === 0 ? ['nothing found'] : faults.map((fault) => faultLine(fault))
}

/** As compilers do, so that editors find the place. */
function faultLine({line, column, rule, message, mend, core}: Fault & {core?: number}): string {
  const where = core === undefined ? '' : ` on core ${core}`
  const end = (text: string) => text.replace(/\.$/, '')
  return `${programFiles.program}:${line}:${column}: ${rule}${where}: ${end(message)}. Fix: ${end(mend)}.`
}

function casesTold(part: 'interpreter' | 'twin', cases: readonly CaseLook[]): Told {
  const wrong = cases.filter((one) => !isRight(one))
  if (wrong.length === 0) return {part, isRight: true, lines: [`right in ${counted(cases.length, 'case')}`]}
  const lines = wrong
    .slice(0, toldCases)
    .flatMap(({case: id, sizes, fault, trouble = '', first}) => [
      `case ${id} (${sizes}): ${fault ? faultLine(fault) : trouble}`,
      ...(first ? [`  first at ${first.output}[${first.index}]: ${first.seen}, expected ${first.expected}`] : []),
    ])
  const more = wrong.length - toldCases
  const head = `wrong in ${wrong.length} of ${counted(cases.length, 'case')}`
  return {part, isRight: false, lines: [head, ...lines, ...(more > 0 ? [`and ${more} more`] : [])]}
}

function timelineLines(look: Look, before: number | undefined, columns: number): string[] {
  const {timeline} = look
  if (!timeline) return []
  if ('why' in timeline) return [timeline.why]
  const now = cyclesOf(look)
  const change = before === undefined || now === undefined ? [] : [changeText(before, now)]
  return [...change, ...timelineText({title: look.name, ...timeline}, columns)]
}

function changeText(before: number, now: number): string {
  const [from, to] = [before, now].map((one) => count(Math.round(one)))
  if (from === to) return `${to} modelled cycles, as before`
  const share = Math.abs(100 * (now / before - 1)).toFixed(1)
  return `${to} modelled cycles, ${share} % ${now < before ? 'fewer' : 'more'} than before (${from})`
}

function judgedTold(judged: NonNullable<Look['judged']>): Omit<Told, 'part'> {
  if ('reason' in judged) return {isRight: false, lines: [`not judged: ${judged.reason}`]}
  const isCorrect = judged.outcome === 'correct'
  const known = isCorrect ? 'correct, with other inputs and sizes too' : `${judged.outcome}${detailOf(judged)}`
  return {isRight: isCorrect, lines: [known]}
}

function detailOf(verdict: Verdict): string {
  const {case: id, wrong, message} = evidenceOf(verdict)
  return [id && `case ${id}`, wrong ?? message].map((words) => (words ? `: ${words}` : '')).join('')
}
