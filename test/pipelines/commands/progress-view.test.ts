import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest'
import {startCounting, type StageCounts} from '../../../engine/progress.ts'
import {progressView} from '../../../pipelines/commands/watched-run.ts'

const counts = (stage: string, given: Partial<StageCounts>): StageCounts => ({...startCounting(stage).counts, ...given})
const spent = {
  ...{requests: 2, retries: 0, cachedReplies: 1, promptTokens: 4, completionTokens: 5},
  ...{tokens: 9, estimated: 0, trimmed: 0, faults: {}, cost: 0, currency: ''},
}
const free = {...spent, requests: 0, cachedReplies: 0}

beforeEach(() => void vi.useFakeTimers({now: 0}))
afterEach(() => void vi.useRealTimers())

function world(width?: number) {
  const said: string[] = []
  const frames: string[][] = []
  const display =
    width === undefined
      ? undefined
      : {
          width,
          draw: (lines: string[]) => void frames.push(lines),
          settle: () => void frames.push(['settled']),
          above: (write: () => void) => write(),
        }
  const terminal = {display, width, print() {}, say: (text: string) => void said.push(text)}
  return {said, frames, terminal: terminal as never}
}

const stages = () => [
  counts('source', {read: 1, written: 8, ended: true}),
  counts('judge', {read: 4, written: 4, accepted: 4, tallies: {green: 3, purple: 1}}),
  counts('pair', {}),
]

describe('without a terminal', () => {
  test('a line is said every ten seconds, and one at the end', () => {
    const {said, terminal} = world()
    const view = progressView(terminal, Date.now, () => spent)
    view.start('kernels', stages())
    vi.advanceTimersByTime(9999)
    expect(said).toEqual([])
    vi.advanceTimersByTime(1)
    const line = 'source 1→8 | judge 4→4 (green 3, purple 1) | 2 requests, 1 from cache, 9 tokens'
    expect(said).toEqual([`kernels 10.0s: ${line}`])
    vi.advanceTimersByTime(2500)
    view.stop({failed: false})
    expect(said[1]).toBe(`kernels 12.5s: ${line}`)
    vi.advanceTimersByTime(60_000)
    view.stop({failed: false})
    expect(said).toHaveLength(2)
  })

  test('nothing read is said as such, and one recipe replaces another', () => {
    const {said, terminal} = world()
    const view = progressView(terminal, Date.now, () => free)
    view.stop({failed: true})
    view.start('first', [counts('source', {})])
    view.start('second', [counts('source', {})])
    vi.advanceTimersByTime(10_000)
    expect(said).toEqual(['second 10.0s: nothing read yet'])
  })
})

describe('on a terminal', () => {
  test('a frame is drawn five times a second, no wider than it', () => {
    const {frames, terminal} = world(100)
    const view = progressView(terminal, Date.now, () => spent)
    view.start('kernels', stages())
    vi.advanceTimersByTime(199)
    expect(frames).toEqual([])
    vi.advanceTimersByTime(1)
    expect(frames).toHaveLength(1)
    vi.advanceTimersByTime(1800)
    expect(frames).toHaveLength(10)
    expect(frames.at(-1)).toEqual([
      '● kernels  0:02',
      '  ✓ source  → 8',
      '  ▸ judge   ████████░░░░░░░░          4/8  → 4  2.0/s  ETA 0:02',
      '      green 3 (75 %)  purple 1 (25 %)  120/min',
      '    pair',
      '    2 requests, 1 from cache, 9 tokens',
    ])
    const narrow = world(12)
    const small = progressView(narrow.terminal, Date.now, () => free)
    small.start('kernels', stages())
    vi.advanceTimersByTime(200)
    expect(narrow.frames[0]?.[0]).toBe('● kernels  0')
    expect(narrow.frames[0]?.every((line) => line.length <= 12)).toBe(true)
    small.stop({failed: false})
    view.stop({failed: false})
  })

  test('what comes behind is told below while it runs, and not of what has ended', () => {
    const {frames, terminal} = world(30)
    const view = progressView(
      terminal,
      Date.now,
      () => free,
      () => 'then pairs, projects, card: about 0:40 left in all',
    )
    view.start('kernels', [counts('source', {})])
    vi.advanceTimersByTime(200)
    expect(frames[0]?.slice(-2)).toEqual(['  then pairs, projects, card:', '  about 0:40 left in all'])
    view.stop({failed: false})
    expect(frames[1]?.join('\n')).not.toContain('then')
  })

  test.each([
    [true, '✗ kernels  0:00', '  ✗ pair'],
    [false, '✓ kernels  0:00', '  ✓ pair              0  → 0'],
  ])('the last frame stays; failed: %s', (failed, head, last) => {
    const {frames, terminal} = world(100)
    const view = progressView(terminal, Date.now, () => free)
    view.start('kernels', stages())
    view.stop({failed})
    expect([frames[0]?.[0], frames[0]?.at(-1), frames[1]]).toEqual([head, last, ['settled']])
  })
})
