import {describe, expect, test} from 'vitest'
import {startCounting, type StageCounts} from '../../../engine/progress.ts'
import type {RunRecord} from '../../../engine/run.ts'
import type {Pipeline} from '../../../engine/pipeline.ts'
import {dropReasons} from '../../../pipelines/report/drop-reasons.ts'
import {exitCode, tellSources} from '../../../pipelines/commands/run-recipes.ts'

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

  const inspecting = (stage: string) =>
    `See what ${stage} said of each record in the report, or with \`ascend-cot inspect <id>\`.`
  const means = (reason: string) => {
    const known = dropReasons.named(reason)
    return `${known?.means} What to do: ${known?.do}`
  }
  const failing = 'See `ascend-cot failed`, then run `ascend-cot resume`.'
  test.each<[string, StageCounts[], object, string, string]>([
    [
      'found nothing',
      [counts('source', {}), counts('judge', {})],
      {},
      'source found nothing to read.',
      'Check its source folder.',
    ],
    [
      'reads runs that are empty',
      [counts('from-run', {})],
      {reads: [{directory: '/out/pairs'}, {directory: '/out/worked'}]},
      'the runs it reads (pairs and worked) hold no records.',
      'First make them hold some: `ascend-cot status` shows where each run lost its records.',
    ],
    [
      'passed its only record on to nobody',
      [
        counts('source', {read: 1, written: 1}),
        counts('pairs', {read: 1, reasons: {alike: 1, 'source-too-long': 6, own: 2, hollow: 3}}),
      ],
      {},
      'pairs did not pass its only record (source-too-long 6, hollow 3, own 2, alike 1).',
      [
        `source-too-long: ${means('source-too-long')}`,
        `hollow: ${means('hollow')}`,
        'With more input (a larger --limit, more folders), other records may pass.',
      ].join('\n  → '),
    ],
    [
      'could use none',
      [counts('source', {read: 9, reasons: {'too-odd': 2, binary: 7}}), counts('judge', {})],
      {},
      'source could not use anything that it read (binary 7, too-odd 2).',
      inspecting('source'),
    ],
    [
      'passed none on',
      [counts('source', {read: 1, written: 9}), counts('judge', {read: 9, reasons: {a: 4}, failures: {b: 5}})],
      {},
      'judge passed none of its 9 records (b 5, a 4).',
      failing,
    ],
    [
      'passed none on, by drops and failures of one name',
      [counts('source', {read: 1, written: 9}), counts('judge', {read: 9, reasons: {a: 4}, failures: {a: 5}})],
      {},
      'judge passed none of its 9 records (a 5, a 4).',
      failing,
    ],
    [
      'passed none on, without a word',
      [counts('source', {read: 1, written: 9}), counts('judge', {read: 9}), counts('pair', {})],
      {},
      'judge passed none of its 9 records.',
      inspecting('judge'),
    ],
  ])('1 and why when one %s', (_, all, over, why, advice) => {
    const error = `error: kernels made nothing: ${why}\n  → ${advice}`
    expect(told([run(all, over)])).toEqual([1, error])
    expect(told([fine, run(all, over)])).toEqual([1, error])
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
