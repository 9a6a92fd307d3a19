import {expect, test} from 'vitest'
import type {Assessment} from '../../../eval/serve/assess.ts'
import type {Desk} from '../../../eval/serve/desk.ts'
import {openMeters} from '../../../eval/serve/meters.ts'
import type {Store} from '../../../eval/serve/store.ts'

function meters() {
  const desk = {load: () => ({waiting: 3, running: 2, places: 9})} as unknown as Desk
  const store = {counts: () => ({findings: 5, requests: 7})} as unknown as Store
  return openMeters(() => desk, store)
}

/** Lines of the text that begin so, without the memory of this process. */
async function lines(given: ReturnType<typeof meters>, start: string): Promise<string[]> {
  return (await given.text()).split('\n').filter((line) => line.startsWith(start))
}

test('what waits, runs and is stored is asked for when it is read', async () => {
  const given = meters()
  expect(await lines(given, 'judge_queue')).toEqual(['judge_queue_waiting 3', 'judge_queue_running 2'])
  expect(await lines(given, 'judge_stored')).toEqual(['judge_stored_verdicts 5', 'judge_stored_requests 7'])
  const [memory = ''] = await lines(given, 'process_resident_bytes')
  expect(Number(memory.split(' ')[1])).toBeGreaterThan(2 ** 20)
})

test('answers are counted by route and status, and timed', async () => {
  const given = meters()
  given.answered('/a', 200, 0.02)
  given.answered('/a', 200, 200)
  given.answered('/a', 499, 0.01)
  expect(await lines(given, 'judge_requests_total')).toEqual([
    'judge_requests_total{route="/a",status="200"} 2',
    'judge_requests_total{route="/a",status="499"} 1',
  ])
  expect(await lines(given, 'judge_seconds')).toEqual([
    ...[
      ['0.01', 1],
      ['0.03', 2],
      ['0.1', 2],
      ['0.3', 2],
      ['1', 2],
      ['3', 2],
      ['10', 2],
      ['30', 2],
      ['100', 2],
      ['+Inf', 3],
    ].map(([limit, count]) => `judge_seconds_bucket{le="${limit}",step="reply"} ${count}`),
    'judge_seconds_sum{step="reply"} 200.03',
    'judge_seconds_count{step="reply"} 3',
  ])
})

test('each step of judging has a time of its own, and what was judged is counted', async () => {
  const given = meters()
  given.judged({waited: 1, judging: 2})
  given.judged({waited: 3, judging: 4})
  given.stepped('build', 5)
  given.stepped('run', 6)
  expect(given.total()).toBe(2)
  expect((await lines(given, 'judge_seconds_sum')).sort()).toEqual([
    'judge_seconds_sum{step="build"} 5',
    'judge_seconds_sum{step="judge"} 6',
    'judge_seconds_sum{step="run"} 6',
    'judge_seconds_sum{step="wait"} 4',
  ])
  expect((await lines(given, 'judge_seconds_count')).sort()).toEqual([
    'judge_seconds_count{step="build"} 1',
    'judge_seconds_count{step="judge"} 2',
    'judge_seconds_count{step="run"} 1',
    'judge_seconds_count{step="wait"} 2',
  ])
})

test('completions are counted by label, outcome and where the verdict came from', async () => {
  const given = meters()
  const one = {label: 'green', evidence: {outcome: 'correct'}, cached: 'no'} as unknown as Assessment
  given.assessed(one)
  given.assessed(one)
  given.assessed({...one, cached: 'disk'} as unknown as Assessment)
  expect(await lines(given, 'judge_verdicts_total')).toEqual([
    'judge_verdicts_total{label="green",outcome="correct",cached="no"} 2',
    'judge_verdicts_total{label="green",outcome="correct",cached="disk"} 1',
  ])
})
