import {counted} from '../../../engine/counted.ts'
import type {JobRecord} from '../../../datasets/schema/job.ts'
import {realSleep} from '../../../engine/llm/clock.ts'
import {interruptedCode, type World} from '../world.ts'
import {jobFrame, progressLine, signOf, type JobView} from './job-lines.ts'
import type {TrainRooms} from './train-rooms.ts'
import {hasEnded, jobLooker, type LookedAt} from './watched-job.ts'

interface Watched {
  record: JobRecord
  folder: string
  /** Steps between two checkpoints. */
  every: number
}

const betweenLooks = 1000
/** Plain lines without a terminal. */
const betweenLines = 30_000

/**
 * Shows a job until it ends or the user detaches; the job keeps running.
 * @returns the exit code: 0 if it succeeded, 1 if not, the signal's code if it is still running
 */
export async function watchJob({record, folder, every}: Watched, rooms: TrainRooms, world: World): Promise<number> {
  const {terminal, signal, now} = world
  const looker = jobLooker(folder, every, rooms, now)
  const view = viewer(world)
  const says = `detached; the job keeps running. Watch it with \`ascend-cot train logs ${record.id} --follow\``
  Object.assign(world.interrupted, {says, inOrder: false})
  let seen: LookedAt = {record, curve: [], alarms: [], checkpoint: null, said: ''}
  for (;;) {
    seen = await looker.look(seen.record)
    view.show(seen)
    if (hasEnded(seen.record) || signal.aborted) break
    await realSleep(betweenLooks, signal)
  }
  view.end(seen)
  if (!hasEnded(seen.record)) return interruptedCode(world.interrupted)
  return ended(seen, looker.said, terminal)
}

/** How it ended, and what to do. */
function ended({record, curve, checkpoint}: LookedAt, said: readonly string[], terminal: World['terminal']): number {
  const {state = 'lost', detail = ''} = record.attempts.at(-1) ?? {}
  const steps = curve.at(-1)?.step ?? 0
  const where = checkpoint === null ? 'no checkpoint' : `last checkpoint ${checkpoint}`
  terminal.print(`${record.id} ${state}${detail === '' ? '' : ` (${detail})`}: ${counted(steps, 'step')}, ${where}`)
  if (state === 'succeeded') return 0
  if (state === 'failed')
    terminal.say(
      causeIn(said)
        .map((line) => `  │ ${line}`)
        .join('\n'),
    )
  const again =
    checkpoint === null
      ? 'Fix the cause, then run the same command again.'
      : `Continue from its last checkpoint with \`ascend-cot train resume ${record.id}\`.`
  terminal.say(`  → \`ascend-cot train logs ${record.id}\` shows its whole log. ${again}`)
  return 1
}

/** The last line of a Python traceback. */
const exception = /^(?:\[rank\d+\]: ?)?[\w.]*(?:Error|Exception)\b/
/** Launchers add their own error, which only says that the program failed. */
const ofLauncher = /CalledProcessError|ChildFailedError/

/** The last lines of a log; up to the trainer's error, if its launcher wrote more after it. */
function causeIn(said: readonly string[]): readonly string[] {
  const at = said.findLastIndex((line) => exception.test(line) && !ofLauncher.test(line))
  return at < 0 ? said.slice(-mostShown) : said.slice(Math.max(0, at + 1 - mostShown), at + 1)
}

const mostShown = 12

/** A redrawn frame on a terminal, occasional lines elsewhere. */
function viewer({terminal, now}: World) {
  const begun = now()
  let first: {step: number; at: number} | undefined
  let last: {step: number; at: number} | undefined
  let line = {at: -Infinity, text: ''}
  const told = new Set<string>()
  const viewOf = (seen: LookedAt): JobView => {
    const at = now()
    const step = seen.curve.at(-1)?.step
    if (step !== undefined) first ??= {step, at}
    // Time within a step does not show how long it takes.
    if (step !== undefined && step !== last?.step) last = {step, at}
    const [gained, took] = first && last ? [last.step - first.step, last.at - first.at] : [0, 0]
    const stepsPerSecond = gained > 0 && took > 0 ? (gained * 1000) / took : undefined
    return {...seen, seconds: (at - begun) / 1000, stepsPerSecond}
  }
  const plain = (seen: LookedAt, always: boolean) => {
    const view = viewOf(seen)
    const {state = 'queued', detail = ''} = seen.record.attempts.at(-1) ?? {}
    const text = state === 'queued' ? `queued${detail === '' ? '' : `: ${detail}`}` : progressLine(view)
    if (text === line.text || (!always && now() - line.at < betweenLines)) return
    line = {at: now(), text}
    terminal.say(`${signOf(seen.record)} ${seen.record.id}  ${text}`)
  }
  return {
    show(seen: LookedAt) {
      const {display} = terminal
      if (display) return display.draw(jobFrame(viewOf(seen), display.width))
      plain(seen, false)
      for (const {code, says, fix} of seen.alarms) {
        if (!told.has(code)) terminal.say(`warning: ${says}\n  → ${fix}`)
        told.add(code)
      }
    },
    end(seen: LookedAt) {
      const {display} = terminal
      if (!display) return plain(seen, true)
      display.draw(jobFrame(viewOf(seen), display.width))
      display.settle()
      for (const {says, fix} of seen.alarms) terminal.say(`warning: ${says}\n  → ${fix}`)
    },
  }
}
