import {describe, expect, test} from 'vitest'
import {
  describeSpending,
  estimates,
  stageInWords,
  stageLine,
  tallyLine,
} from '../../../pipelines/commands/stage-line.ts'
import {startCounting, type StageCounts} from '../../../engine/progress.ts'

const counts = (stage: string, given: Partial<StageCounts>): StageCounts => ({...startCounting(stage).counts, ...given})
const upstream = counts('segment', {read: 16, written: 120, ended: true})
const line = (count: StageCounts, more: Partial<Parameters<typeof stageLine>[0]> = {}) =>
  stageLine({count, upstream, seconds: 10, state: 'running', nameWidth: 8, width: 120, ...more}).join('\n')

describe('the line of a stage', () => {
  const busy = counts('cot', {read: 60, written: 55, dropped: 3, failed: 1, reused: 2})

  test('tells bar, share, what came of it, pace and time to go', () => {
    expect(line(busy)).toBe(
      '  ▸ cot       ████████░░░░░░░░       60/120  → 55  1 failed  3 dropped  2 done before  5.8/s  ETA 0:10',
    )
  })

  test('leaves out what matters least where there is no room, but no count and no pace', () => {
    const texts = [100, 80, 60, 45, 40, 32].map((width) => line(busy, {width}))
    expect(texts).toEqual([
      '  ▸ cot            60/120  → 55  1 failed  3 dropped  2 done before  5.8/s  ETA 0:10',
      '  ▸ cot            60/120  → 55  1 failed  3 dropped  5.8/s  ETA 0:10',
      '  ▸ cot            60/120  → 55  1 failed  3 dropped\n      5.8/s  ETA 0:10',
      '  ▸ cot\n      60/120  → 55  1 failed  3 dropped\n      5.8/s  ETA 0:10',
      '  ▸ cot\n      60/120  → 55  1 failed  3 dropped\n      5.8/s  ETA 0:10',
      '  ▸ cot\n      60/120  → 55  1 failed\n      3 dropped  5.8/s  ETA 0:10',
    ])
  })

  test('knows no share while the stage before goes on, and counts no folders', () => {
    expect(line(busy, {upstream: {...upstream, ended: false}})).toContain('       60  → 55')
    expect(line(counts('pages', {read: 1, written: 7}), {upstream: undefined})).toBe('  ▸ pages     → 7  0.1/s')
  })

  test('is only a name before the first record, and has no pace after the last', () => {
    expect(line(counts('cot', {}))).toBe('    cot')
    expect(line(counts('cot', {}), {state: 'stopped'})).toBe('  ✗ cot')
    expect(line(counts('cot', {read: 120, written: 120, ended: true}))).toBe('  ✓ cot           120/120  → 120')
    expect(line(busy, {state: 'stopped'})).toBe(
      '  ✗ cot       ████████░░░░░░░░       60/120  → 55  1 failed  3 dropped  2 done before',
    )
    expect(line(counts('cot', {read: 2, written: 2}), {state: 'finished'})).toMatch(/^ {2}✓ cot/)
  })

  test('shows no pace before the first record is through, and never a pace of 0.0', () => {
    expect(line(counts('cot', {read: 16}))).not.toContain('/s')
    expect(line(counts('cot', {read: 16}))).not.toContain('ETA')
    const slow = line(counts('cot', {read: 1, written: 1}), {seconds: 30})
    expect(slow).not.toContain('0.0/s')
    expect(slow).toContain('ETA 59:30')
  })

  test('tells about how many there will be, and the time to go, while the stage before goes on', () => {
    const going = {upstream: {...upstream, ended: false}, estimate: 240}
    expect(line(busy, going)).toBe(
      '  ▸ cot       ████░░░░░░░░░░░░      60/~240  → 55  1 failed  3 dropped  2 done before  5.8/s  ETA 0:31',
    )
    expect(line(counts('cot', {read: 60, written: 60, ended: true}), going)).toBe('  ✓ cot                60  → 60')
  })

  test('has no time to go where all is read: the next stage has one', () => {
    expect(line(counts('cot', {read: 120, written: 55}))).toContain('12/s')
    expect(line(counts('cot', {read: 120, written: 55}))).not.toContain('ETA')
    expect(line(counts('cot', {read: 119, written: 55}))).toContain('ETA')
  })

  test('has no pace while all was done before, which comes at once', () => {
    const resumed = counts('cot', {read: 60, written: 60, accepted: 60, reused: 60})
    expect(line(resumed)).not.toMatch(/\/s|ETA/)
    expect(line({...resumed, read: 70, written: 70})).toContain('1.0/s  ETA 0:50')
  })

  test('has words for a pipe', () => {
    const judged = counts('judge', {read: 9, written: 8, dropped: 1, tallies: {purple: 3, green: 5}})
    expect(stageInWords(judged)).toBe('judge 9→8 (green 5, purple 3, 1 dropped)')
    expect(stageInWords(busy)).toBe('cot 60→55 (3 dropped, 1 failed)')
    expect(stageInWords(counts('cot', {read: 2, written: 2}))).toBe('cot 2→2')
  })
})

describe('the line of tallies', () => {
  const judged = counts('judge', {accepted: 90, dropped: 10, reused: 40, tallies: {purple: 30, green: 51, orange: 9}})

  test('gives counts and shares by name, and how many are done in a minute', () => {
    expect(tallyLine(judged, 30)).toBe('      green 51 (57 %)  orange 9 (10 %)  purple 30 (33 %)  120/min')
  })

  test('is empty for a stage that has no names, and without a pace when all was done before', () => {
    expect(tallyLine(counts('cot', {accepted: 9}), 30)).toBe('')
    expect(tallyLine({...judged, reused: 100}, 30)).toBe('      green 51 (57 %)  orange 9 (10 %)  purple 30 (33 %)')
  })
})

describe('how many records will reach a stage', () => {
  const tasks = counts('tasks', {read: 1, accepted: 1, written: 20})
  const drawn = counts('candidates', {read: 4, accepted: 3, dropped: 1, written: 36})

  test('follows from what the stages before made of each so far', () => {
    expect(estimates([tasks, drawn, counts('judge', {})])).toEqual([undefined, 20, 180, undefined])
  })

  test('is what the source said, and what a stage that ended has written', () => {
    expect(estimates([{...tasks, expected: 5}, drawn])).toEqual([undefined, 5, 45])
    expect(estimates([{...tasks, ended: true, written: 7}, drawn])).toEqual([undefined, 7, 63])
  })

  test('takes a stage over the whole stream for one that passes on what it reads, and a join for nothing', () => {
    const joined = counts('folder-tasks', {read: 2, written: 6})
    expect(estimates([{...tasks, expected: 10}, joined])).toEqual([undefined, 10, 14])
    expect(estimates([{...tasks, expected: 2}, joined])).toEqual([undefined, 2, undefined])
  })
})

test('spending is silent about nothing, and names money only where there is a price', () => {
  const spent = {
    requests: 0,
    retries: 0,
    cachedReplies: 0,
    promptTokens: 0,
    completionTokens: 0,
    tokens: 0,
    estimated: 0,
    trimmed: 0,
    faults: {},
    cost: 0,
    currency: '',
  }
  expect(describeSpending(spent)).toBe('')
  expect(describeSpending({...spent, requests: 2, tokens: 10})).toBe('2 requests, 0 from cache, 10 tokens')
  expect(describeSpending({...spent, requests: 2, tokens: 10, cost: 0.5, currency: 'USD'})).toBe(
    '2 requests, 0 from cache, 10 tokens, 0.5000 USD',
  )
  expect(describeSpending({...spent, requests: 1200, tokens: 2_086_850, faults: {cut: 1, overloaded: 2}})).toBe(
    '1,200 requests, 0 from cache, 2,086,850 tokens, failed: 1 cut, 2 overloaded',
  )
  expect(describeSpending({...spent, requests: 2, tokens: 10, trimmed: 1})).toBe(
    '2 requests, 0 from cache, 10 tokens, control tokens removed from 1 reply',
  )
})
