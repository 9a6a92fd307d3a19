import {expect, test} from 'vitest'
import {startCounting, StageCounts} from '../../engine/progress.ts'

const record = (id: string) => ({id, json: '{}'})

test('a stage that has done nothing has counted nothing', () => {
  expect(startCounting('s').counts).toEqual({
    ...{stage: 's', read: 0, written: 0, accepted: 0, dropped: 0, failed: 0, reused: 0, ended: false},
    ...{reasons: {}, failures: {}, tallies: {}},
  })
})

test('everything is counted once, by its name', () => {
  const progress = startCounting('s')
  for (let at = 0; at < 5; at += 1) progress.input()
  progress.outcome({outputs: [record('a'), record('b')], drops: []}, {reused: false})
  progress.outcome({outputs: [record('c')], drops: [{reason: 'part', detail: ''}]}, {reused: true})
  progress.outcome({outputs: [], drops: [{reason: 'whole', detail: ''}]}, {reused: false})
  progress.outcome({outputs: [], drops: [], failure: {code: 'disk-full', message: '', fix: ''}}, {reused: false})
  progress.outcome(
    {outputs: [record('d')], drops: [], failure: {code: 'disk-full', message: '', fix: ''}},
    {reused: false},
  )
  progress.drop('whole')
  progress.output()
  progress.tally('green')
  progress.tally('green')
  progress.tally('red')
  expect(progress.counts).toEqual({
    ...{stage: 's', read: 5, written: 5, accepted: 2, dropped: 2, failed: 2, reused: 1, ended: false},
    reasons: {part: 1, whole: 2},
    failures: {'disk-full': 2},
    tallies: {green: 2, red: 1},
  })
  progress.expect(7)
  expect(progress.counts.expected).toBe(7)
  progress.expect(3)
  expect(progress.counts.expected).toBe(10)
  progress.end()
  expect(progress.counts.ended).toBe(true)
})

test('counts of before there were names have none', () => {
  const {tallies: _, ...before} = startCounting('s').counts
  expect(StageCounts.parse(before).tallies).toEqual({})
})
