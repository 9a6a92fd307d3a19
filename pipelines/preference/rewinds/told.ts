import {formatFiles} from '../../../datasets/operator-reply.ts'
import type {ModelledCost} from '../../../datasets/schema/optimisation.ts'
import type {SourceFile} from '../../../datasets/schema/operator.ts'
import {paragraphs, type Voice} from '../../../datasets/voice.ts'
import {type Message, tell as say, tellAll} from '../../telling/tell-message.ts'
import {type Cause, causes, chip} from './causes.ts'
import {busyPipes, micros, pipeNames, profileTable} from './figures.ts'

/** An optimisation step, as described. */
interface Improvement {
  operator: string
  /** The call that both costs are of. */
  sizes: string
  step: string
  before: {files: readonly SourceFile[]; cost: ModelledCost}
  after: {files: readonly SourceFile[]; cost: ModelledCost}
}

interface Told {
  prompt: string
  reasoning: string
  answer: string
  /** The files that change. */
  files: SourceFile[]
}

const says = (situation: string, values: Message['values'] = {}): Message => ({
  topic: 'optimisation',
  situation,
  values,
})

/** Undefined for a step without a description. */
export function tell(improvement: Improvement, voice: Voice): Told | undefined {
  const {operator, sizes, step, before, after} = improvement
  const cause = causes[step]
  if (!cause) return undefined
  const old = new Map(before.files.map(({path, text}) => [path, text]))
  const files = after.files.filter(({path, text}) => old.get(path) !== text)
  const {values} = cause
  const situation = cause.situation?.(after.cost) ?? step
  return {
    prompt: paragraphs([
      say(says('ask', {operator}), voice),
      say(says('profile', {sizes}), voice),
      profileTable(before.cost, voice),
      formatFiles(before.files),
    ]),
    reasoning: paragraphs([
      tellAll(opening(before.cost, cause.about), voice),
      tellAll([says(situation, values(before.cost, after.cost)), ...places(improvement)], voice),
      tellAll([worth(improvement), ...bound(improvement, cause), ...left(improvement)], voice),
    ]),
    answer: paragraphs([say(says(`${situation}-mends`), voice), formatFiles(files)]),
    files,
  }
}

/** The profile's part about the step: how tiles overlap, or one pipe; cores show in neither. */
function opening(cost: ModelledCost, about: Cause['about']): Message[] {
  if (about === 'cores') return []
  return [limit(about === 'overlap' ? 'limit' : 'longest', cost), total(cost)]
}

/** What a core is busy with; pipes with equal times are described as equal. */
function limit(situation: string, cost: ModelledCost): Message {
  const told = busyPipes(cost).map(([pipe, time]) => ({pipe: pipeNames[pipe], time: micros(time)}))
  const [first] = told
  const tied = told.filter(({time}) => time === first?.time)
  const values = {
    busy: told.map((one) => says('busy', one)),
    tied: tied.map((one) => says('busy', {...one, time: ''})),
    longest: pipeNames[cost.bottleneck],
    time: first?.time ?? '',
    total: micros(cost.microseconds),
  }
  return says(tied.length > 1 ? `${situation}-tie` : situation, values)
}

function total({overlap, microseconds, pipes, work}: ModelledCost): Message {
  const sum = micros(Object.values(pipes).reduce((all, time) => all + time, 0))
  const values = {total: micros(microseconds), tiles: work.tiles, sum}
  if (work.tiles <= 1) return says('one-tile', values)
  // What overlaps may be too little to show.
  if (overlap === 'none' || values.total === sum) return says('apart', values)
  return says(overlap === 'full' ? 'overlapped' : 'overlapped-in-part', values)
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

function worth({before, after}: Improvement): Message {
  const [slow, fast] = [before.cost.microseconds, after.cost.microseconds]
  const percent = Math.round((100 * fast) / slow)
  return says('worth', {before: micros(slow), after: micros(fast), saved: micros(slow - fast), percent})
}

/** Only where the faster version bears it out. */
function bound({before, after}: Improvement, {about, atLeast}: Cause): Message[] {
  const least = atLeast(before.cost)
  const told = least !== undefined && least > 0 && least < before.cost.microseconds
  return told && after.cost.microseconds >= least
    ? [says(about === 'cores' ? 'bound-cores' : 'bound', {least: micros(least), chip})]
    : []
}

/** Less of the time is not worth a word. */
const leastLeft = 0.05

/** What this step leaves: another pipe that limits now, and tiles that overlap no more than before. */
function left({before, after: {cost}}: Improvement): Message[] {
  const {bottleneck, overlap, microseconds, pipes} = cost
  const limits = {pipe: pipeNames[bottleneck], time: micros(pipes[bottleneck])}
  const next = bottleneck === before.cost.bottleneck ? [] : [says('then', limits)]
  const most = microseconds - Math.max(...Object.values(pipes))
  if (overlap === 'full' || cost.work.tiles <= 1 || most < microseconds * leastLeft) return next
  return [...next, says(overlap === 'none' ? 'left-apart' : 'left-single', {most: micros(most)})]
}
