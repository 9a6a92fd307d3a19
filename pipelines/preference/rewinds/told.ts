import {tellAll, type Message} from '../../telling/tell-message.ts'
import {says, tellImprovement, type Improvement} from '../../telling/tell-improvement.ts'
import {micros} from '../../telling/figures.ts'
import type {Voice} from '../../../datasets/voice.ts'
import {type Cause, causes, chip} from './causes.ts'

/** An optimisation step, as described. */
type RewoundImprovement = Improvement & {step: string}

/** Undefined for a step without a description. */
export function tell(improvement: RewoundImprovement, voice: Voice): ReturnType<typeof tellImprovement> | undefined {
  const {step, before, after} = improvement
  const cause = causes[step]
  if (!cause) return undefined
  const situation = cause.situation?.(after.cost) ?? step
  const why = tellAll([says(situation, cause.values(before.cost, after.cost)), ...places(improvement)], voice)
  const {about} = cause
  const limits = bound(improvement, cause)
  return tellImprovement(improvement, {about, why: [why], limits, done: says(`${situation}-mends`)}, voice)
}

const mostLines = 3
/** Longer ones are not quoted, but for the first. */
const longestLine = 90

/** Lines of the slow version that the fast one lacks, of the first file that has some. */
function places({before, after}: Improvement): Message[] {
  const kept = new Set(after.files.flatMap(({text}) => linesOf(text)))
  const lost = before.files.map(({path, text}) => ({path, lines: linesOf(text).filter((line) => !kept.has(line))}))
  const place = lost.find(({lines}) => lines.length > 0)
  if (!place) return []
  const lines = [...new Set(place.lines)].filter((line, at) => at === 0 || line.length <= longestLine)
  return [says('place', {path: place.path, lines: lines.slice(0, mostLines)})]
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /\w/.test(line))
}

/** Only where the faster version bears it out. */
function bound({before, after}: Improvement, {about, atLeast}: Cause): Message[] {
  const least = atLeast(before.cost)
  const told = least !== undefined && least > 0 && least < before.cost.microseconds
  return told && after.cost.microseconds >= least
    ? [says(about === 'cores' ? 'bound-cores' : 'bound', {least: micros(least), chip})]
    : []
}
