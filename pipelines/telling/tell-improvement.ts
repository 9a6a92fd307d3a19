import {formatFiles} from '../../datasets/operator-reply.ts'
import type {ModelledCost} from '../../datasets/schema/optimisation.ts'
import type {SourceFile} from '../../datasets/schema/operator.ts'
import {paragraphs, type Voice} from '../../datasets/voice.ts'
import {busyPipes, micros, pipeNames, profileTable} from './figures.ts'
import {tell, tellAll, type Message} from './tell-message.ts'

/** A correct operator and a faster one. */
export interface Improvement {
  operator: string
  /** The call that both costs are of. */
  sizes: string
  before: {files: readonly SourceFile[]; cost: ModelledCost}
  after: {files: readonly SourceFile[]; cost: ModelledCost}
}

/** What describes an improvement, from whoever knows what was changed. */
interface Account {
  /** What of the profile it shows in. */
  about: 'overlap' | 'pipe' | 'cores'
  /** Paragraphs on why it is faster. */
  why: readonly string[]
  /** Beside what it is worth. */
  limits: readonly Message[]
  /** What opens the answer. */
  done: Message
}

interface Told {
  prompt: string
  reasoning: string
  answer: string
  /** The files that change. */
  files: SourceFile[]
}

export const says = (situation: string, values: Message['values'] = {}): Message => ({
  topic: 'optimisation',
  situation,
  values,
})

/** The question shows the slower one with its profile, the answer has the files that change. */
export function tellImprovement(improvement: Improvement, account: Account, voice: Voice): Told {
  const {operator, sizes, before, after} = improvement
  const {about, why, limits, done} = account
  const old = new Map(before.files.map(({path, text}) => [path, text]))
  const files = after.files.filter(({path, text}) => old.get(path) !== text)
  return {
    prompt: paragraphs([
      tell(says('ask', {operator}), voice),
      tell(says('profile', {sizes}), voice),
      profileTable(before.cost, voice),
      formatFiles(before.files),
    ]),
    reasoning: paragraphs([
      tellAll(opening(before.cost, about), voice),
      ...why,
      tellAll([worth(improvement), ...limits, ...left(improvement)], voice),
    ]),
    answer: paragraphs([tell(done, voice), formatFiles(files)]),
    files,
  }
}

/** The profile's part about the step: how tiles overlap, or one pipe; cores show in neither. */
function opening(cost: ModelledCost, about: Account['about']): Message[] {
  if (about === 'cores') return []
  return [limit(about === 'overlap' ? 'limit' : 'longest', cost), total(cost)]
}

/** Where a core's time goes. */
export const profileOf = (cost: ModelledCost): Message[] => opening(cost, 'overlap')

/** A change of a pipe's time below this share is none. */
const leastChange = 0.02

/** Modelled times of the pipes that a change affects. */
export function pipeChanges(before: ModelledCost, after: ModelledCost): Message {
  const pipes = busyPipes(before).map(([pipe, time]) => ({pipe, time, later: after.pipes[pipe]}))
  const changed = pipes.filter(({time, later}) => Math.abs(time - later) > leastChange * time)
  const changes = changed.map(({pipe, time, later}) =>
    says('change', {pipe, before: micros(time), after: micros(later)}),
  )
  return changes.length === 0 ? says('') : says('changes', {changes})
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

function worth({before, after}: Improvement): Message {
  const [slow, fast] = [before.cost.microseconds, after.cost.microseconds]
  const percent = Math.round((100 * fast) / slow)
  return says('worth', {before: micros(slow), after: micros(fast), saved: micros(slow - fast), percent})
}

const freedom: Readonly<Record<ModelledCost['overlap'], number>> = {none: 0, 'in-part': 1, full: 2}

/** Less of the time is not worth a word. */
const leastLeft = 0.05

/** What this step leaves: another pipe that limits now, and tiles that overlap no more than before. */
function left({before, after: {cost}}: Improvement): Message[] {
  const {bottleneck, overlap, microseconds, pipes, slowest} = cost
  const limits = {pipe: pipeNames[bottleneck], time: micros(pipes[bottleneck])}
  const next = bottleneck === before.cost.bottleneck ? [] : [says('then', limits)]
  if (freedom[overlap] < freedom[before.cost.overlap]) return [...next, says('overlap-lost')]
  // Copies in and out share the bandwidth of GM; scalar and vector unit take turns.
  const most = microseconds - Math.max(pipes.MTE2, pipes.MTE3, pipes.V + pipes.S, slowest?.copying ?? 0)
  if (overlap === 'full' || cost.work.tiles <= 1 || most < microseconds * leastLeft) return next
  return [...next, says(overlap === 'none' ? 'left-apart' : 'left-single', {most: micros(most)})]
}
