import {describe, expect, test} from 'vitest'
import {clock, describeSpending, stageInWords, stageLine} from '../../../pipelines/commands/stage-line.ts'
import {startCounting, type StageCounts} from '../../../engine/progress.ts'

const counts = (stage: string, given: Partial<StageCounts>): StageCounts => ({...startCounting(stage).counts, ...given})
const upstream = counts('segment', {read: 16, written: 120, ended: true})
const line = (count: StageCounts, more: Partial<Parameters<typeof stageLine>[0]> = {}) =>
  stageLine({count, upstream, seconds: 10, state: 'running', nameWidth: 8, width: 120, ...more})

describe('the line of a stage', () => {
  const busy = counts('cot', {read: 60, written: 55, dropped: 3, failed: 1, reused: 2})

  test('tells bar, share, what came of it, pace and time to go', () => {
    expect(line(busy)).toBe(
      '  ▸ cot       ████████░░░░░░░░       60/120  → 55  1 failed  3 dropped  2 done before  6.0/s  ETA 0:10',
    )
  })

  test('leaves out what matters least where there is no room, and never passes the width', () => {
    const texts = [100, 80, 60, 40, 20, 5].map((width) => line(busy, {width}))
    expect(texts).toEqual([
      '  ▸ cot            60/120  → 55  1 failed  3 dropped  2 done before  6.0/s  ETA 0:10',
      '  ▸ cot            60/120  → 55  1 failed  3 dropped  6.0/s  ETA 0:10',
      '  ▸ cot            60/120  → 55  1 failed  3 dropped',
      '  ▸ cot            60/120  → 55',
      '  ▸ cot',
      '  ▸ c',
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

  test('has words for a pipe', () => {
    expect(stageInWords(busy)).toBe('cot 60→55 (3 dropped, 1 failed)')
    expect(stageInWords(counts('cot', {read: 2, written: 2}))).toBe('cot 2→2')
  })
})

test('a clock counts hours from the first on', () => {
  expect([0, 65, 3599.6, 7265].map(clock)).toEqual(['0:00', '1:05', '1:00:00', '2:01:05'])
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
    cost: 0,
    currency: '',
  }
  expect(describeSpending(spent)).toBe('')
  expect(describeSpending({...spent, requests: 2, tokens: 10})).toBe('2 requests, 0 from cache, 10 tokens')
  expect(describeSpending({...spent, requests: 2, tokens: 10, cost: 0.5, currency: 'USD'})).toBe(
    '2 requests, 0 from cache, 10 tokens, 0.5000 USD',
  )
})
