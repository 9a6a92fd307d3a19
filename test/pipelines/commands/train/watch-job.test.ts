import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {watchJob} from '../../../../pipelines/commands/train/watch-job.ts'
import type {JobStatus} from '../../../../trainers/backends/backend.ts'
import {temporaryFolder} from '../../../helpers/temporary.ts'
import {recordedWorld} from '../../../helpers/world.ts'
import {attempt, leftCheckpoint, leftJob, scriptedRooms, stepLine} from './scripted-jobs.ts'

const id = 'tiny-0123abcd'
const start = Date.parse('2026-01-01T00:00:00.000Z')
const status = (state: JobStatus['state'], detail = ''): JobStatus => ({state, detail})

interface Watching {
  states: readonly JobStatus[]
  log?: string[]
  /** Milliseconds between the first look and the second, which is the last. */
  between?: number
  checkpoint?: number
  /** Cells of the terminal on which progress is drawn. */
  drawn?: number
  /** What the trainer writes between the looks. */
  later?: string[]
}

/** Watches a job that is looked at twice, unless it has ended before. */
async function watched({states, log: before = [], between = 0, checkpoint, drawn, later = []}: Watching) {
  const out = await temporaryFolder()
  const log = [...before]
  const record = await leftJob(out, {attempts: [attempt(1, {state: 'queued'})]})
  if (checkpoint !== undefined) await leftCheckpoint(record, checkpoint)
  const wanted = new AbortController()
  const world = recordedWorld()
  let at = start
  const frames: string[][] = []
  // Who watches has seen enough while the job is not looked at.
  const seen = () =>
    setImmediate(() => {
      if (wanted.signal.aborted) return
      at += between
      log.push(...later)
      wanted.abort()
    })
  const draw = (lines: readonly string[]) => {
    frames.push([...lines])
    seen()
  }
  const display = drawn === undefined ? undefined : {width: drawn, draw, settle: () => frames.push(['settled'])}
  const say = (text: string) => {
    world.said.push(text)
    seen()
  }
  const terminal = {...world.terminal, say, display: display as never}
  const {rooms} = scriptedRooms(out, {states, log})
  const all = {...world, terminal, signal: wanted.signal, now: () => at}
  const code = await watchJob({record, folder: join(out, 'jobs', id), every: 1}, rooms, all)
  return {code, said: world.said, printed: world.printed, frames, says: world.interrupted.says, record}
}

const shows = `  → \`ascend-cot train logs ${id}\` shows its whole log.`

describe('a job that is watched', () => {
  test('goes on without whoever watches', async () => {
    const {code, said, printed, says} = await watched({states: [status('queued', 'Priority'), status('queued')]})
    expect(code).toBe(130)
    expect(said).toEqual([`○ ${id}  queued: Priority`, `○ ${id}  queued`])
    expect(printed).toEqual([])
    expect(says).toBe(`detached; the job keeps running. Watch it with \`ascend-cot train logs ${id} --follow\``)
  })

  test('that succeeds says where it left its model', async () => {
    const {code, said, printed, record} = await watched({
      states: [status('succeeded')],
      log: [stepLine(10, '0.5')],
      checkpoint: 10,
    })
    expect(code).toBe(0)
    expect(said).toEqual([`✓ ${id}  step 10/10  loss 0.5  lr 1.00e-5  grad 1.5`])
    expect(printed).toEqual([`${id} succeeded: 10 steps, last checkpoint ${join(record.output, 'checkpoint-10')}`])
  })

  test('that fails shows the end of its log, and how to start it again', async () => {
    const log = Array.from({length: 14}, (_, at) => `line ${at}`)
    const {code, said, printed} = await watched({states: [status('failed', 'exit code 1')], log: [...log, '']})
    expect(code).toBe(1)
    expect(printed).toEqual([`${id} failed (exit code 1): 0 steps, no checkpoint`])
    expect(said).toEqual([
      `✗ ${id}  no step yet`,
      log
        .slice(2)
        .map((line) => `  │ ${line}`)
        .join('\n'),
      `${shows} Fix the cause, then run the same command again.`,
    ])
  })

  test('that fails shows the error of the trainer, not what its launcher makes of it', async () => {
    const cause = ['Traceback (most recent call last):', '  File "t.py"', 'torch.cuda.OutOfMemoryError: no memory']
    const launcher = ['Traceback (most recent call last):', ...Array.from({length: 20}, () => '  File "l.py"')]
    const log = ['before', ...cause, ...launcher, 'subprocess.CalledProcessError: Command returned 1', 'ended']
    const {said} = await watched({states: [status('failed', 'exit code 1')], log})
    expect(said[1]).toBe(['before', ...cause].map((line) => `  │ ${line}`).join('\n'))
  })

  test('that was cancelled can go on from its checkpoint', async () => {
    const {code, said} = await watched({states: [status('cancelled')], checkpoint: 4, log: ['a line']})
    expect(code).toBe(1)
    expect(said).toEqual([
      `✗ ${id}  no step yet`,
      `${shows} Continue from its last checkpoint with \`ascend-cot train resume ${id}\`.`,
    ])
  })
})

describe('lines without a terminal', () => {
  const states = [status('running')]
  const first = `● ${id}  step 2/10  loss 0.5  lr 1.00e-5  grad 1.5`
  const two = {states, log: [stepLine(2, '0.5')], later: [stepLine(6, 'nan')]}
  const second = (eta: string) => `● ${id}  step 6/10  loss no number  lr 1.00e-5  grad 1.5${eta}`
  const warning =
    'warning: The loss is not finite since step 6.\n' +
    '  → Cancel the job; lower the learning rate, clip gradients more, or use bf16 instead of fp16.'
  const without =
    'warning: Step 6, and no checkpoint yet; expected one every 1 step.\n' +
    '  → Check free space and permissions of its output folder: a failure now loses everything since then.'

  test('come half a minute apart, warnings at once', async () => {
    const early = await watched({...two, between: 29_999})
    expect(early.said).toEqual([first, warning, without, second('  ETA 0:30')])
    const late = await watched({...two, between: 30_000})
    expect(late.said).toEqual([first, second('  ETA 0:30'), warning, without])
  })

  test('are not repeated, nor are warnings', async () => {
    const {said} = await watched({states, log: [stepLine(2, 'nan')], between: 60_000})
    expect(said).toEqual([`● ${id}  step 2/10  loss no number  lr 1.00e-5  grad 1.5`, warning.replace('6', '2')])
  })

  test('tell the time that is left by the steps that were seen', async () => {
    const log = [stepLine(2, '0.5')]
    const said = async (later: string[], between: number) =>
      (await watched({states, log, later, between, checkpoint: 6})).said.at(-1)
    expect(await said([stepLine(6, '0.5')], 40_000)).toMatch(/step 6\/10 .* ETA 0:40$/)
    expect(await said([stepLine(3, '0.5')], 40_000)).toMatch(/step 3\/10 .* ETA 4:40$/)
    expect(await said([stepLine(6, '0.5')], 0)).toMatch(/grad 1.5$/)
    expect(await said([], 40_000)).toBe(first)
  })
})

describe('a frame on a terminal', () => {
  test('is drawn at each look and once more, and then left with the alarms', async () => {
    const {code, said, frames} = await watched({
      states: [status('running')],
      log: [stepLine(2, 'nan')],
      between: 61_000,
      drawn: 40,
      checkpoint: 2,
    })
    const frame = (time: string) => [
      `● ${id}  running  ${time}`,
      '  step 2/10  loss no number  lr 1.00e-5 ',
      '  ! The loss is not finite since step 2.',
    ]
    expect(code).toBe(130)
    expect(frames).toEqual([frame('0:00'), frame('1:01'), frame('1:01'), ['settled']])
    expect(said.map((text) => text.split('\n')[0])).toEqual(['warning: The loss is not finite since step 2.'])
  })
})
