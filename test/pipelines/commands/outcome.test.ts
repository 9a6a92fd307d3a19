import {describe, expect, test} from 'vitest'
import {startCounting, type StageCounts} from '../../../engine/progress.ts'
import type {RunRecord} from '../../../engine/run.ts'
import type {Pipeline} from '../../../engine/pipeline.ts'
import {exitCode, tellSources} from '../../../pipelines/commands/outcome.ts'

const counts = (stage: string, given: Partial<StageCounts>): StageCounts => ({...startCounting(stage).counts, ...given})
const run = (all: StageCounts[], over: object = {}) => ({recipe: 'kernels', counts: all, ...over}) as RunRecord

function told(records: readonly RunRecord[]): [code: number, ...said: string[]] {
  const said: string[] = []
  const terminal = {display: undefined, width: undefined, print: () => {}, say: (text: string) => void said.push(text)}
  return [exitCode(records, terminal), ...said]
}

describe('a command that ran recipes ends with', () => {
  const fine = run([counts('source', {read: 1, written: 3}), counts('judge', {read: 3, written: 2, dropped: 1})])

  test('0 when each made something and nothing failed', () => {
    expect(told([fine])).toEqual([0])
    expect(told([fine, fine])).toEqual([0])
    expect(told([])).toEqual([0])
    expect(told([run([])])).toEqual([0])
  })

  test('1 when one record of any stage of any recipe failed', () => {
    const failing = run([counts('source', {read: 3, written: 3}), counts('judge', {read: 3, written: 2, failed: 1})])
    expect(told([failing])).toEqual([1])
    expect(told([fine, failing])).toEqual([1])
    expect(told([failing, fine])).toEqual([1])
  })

  test.each<[string, StageCounts[], object, string]>([
    [
      'found nothing',
      [counts('source', {}), counts('judge', {})],
      {},
      'source found nothing to read. Check its source folder.',
    ],
    ['reads runs that are empty', [counts('source', {})], {reads: []}, 'the runs it reads hold no records.'],
    [
      'could use none',
      [counts('source', {read: 9, reasons: {'too-long': 2, binary: 7}}), counts('judge', {})],
      {},
      'source could not use anything that it read (binary 7, too-long 2).',
    ],
    [
      'passed none on',
      [counts('source', {read: 1, written: 9}), counts('judge', {read: 9, reasons: {a: 4}, failures: {b: 5}})],
      {},
      'judge passed none of its 9 records (b 5, a 4).',
    ],
    [
      'passed none on, by drops and failures of one name',
      [counts('source', {read: 1, written: 9}), counts('judge', {read: 9, reasons: {a: 4}, failures: {a: 5}})],
      {},
      'judge passed none of its 9 records (a 5, a 4).',
    ],
    [
      'passed none on, without a word',
      [counts('source', {read: 1, written: 9}), counts('judge', {read: 9}), counts('pair', {})],
      {},
      'judge passed none of its 9 records.',
    ],
  ])('1 and why when one %s', (_, all, over, why) => {
    expect(told([run(all, over)])).toEqual([1, `error: kernels made nothing: ${why}`])
    expect(told([fine, run(all, over)])).toEqual([1, `error: kernels made nothing: ${why}`])
  })
})

describe('a recipe that reads runs says which', () => {
  const said = (origins: object[], made: string[] = []) => {
    const lines: string[] = []
    const terminal = {
      display: undefined,
      width: undefined,
      print: () => {},
      say: (text: string) => void lines.push(text),
    }
    const loaded = made.map((name) => ({name, make: () => Promise.reject(new Error())}))
    tellSources({name: 'card', origins} as unknown as Pipeline<unknown>, loaded, terminal)
    return lines
  }
  const ended = '2026-01-02T03:04:05.678Z'
  test('and when they finished, where this command did not make them', () => {
    expect(said([{directory: '/out/pairs', ended}])).toEqual(['card reads pairs (finished 2026-01-02 03:04)'])
    expect(said([{directory: '/out/pairs', ended}], ['pairs'])).toEqual(['card reads pairs'])
    expect(said([{directory: '/out/pairs', ended}, {directory: '/out/kernels'}], ['other'])).toEqual([
      'card reads pairs (finished 2026-01-02 03:04), kernels',
    ])
  })
  test('and nothing where it reads none', () => {
    expect(said([])).toEqual([])
    expect(said([{checkout: '/x'}])).toEqual([])
  })
})
