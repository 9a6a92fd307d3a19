import {describe, expect, test} from 'vitest'
import {Table, type Query} from '../../../pipelines/view/page/row-table.ts'

const ask = (over: Partial<Query> = {}): Query => ({filters: {}, words: [], searched: ['path'], sort: '', ...over})

function table(): Table {
  const made = new Table(6)
  made.fill('kind', 0, ['page', 'kernel', 'page'])
  made.fill('kind', 3, ['kernel', null, 'page'])
  made.fill('language', 0, ['en', 'en', 'zh', 'zh', 'zh', 'en'])
  made.fill('tokens', 0, [30, 100, 9, 100, null, 7])
  made.fill('path', 0, ['a/add.cpp', 'b/Mul.cpp', 'a/mul.html', 'c', 'mul', 'a/add.html'])
  return made
}

const rows = (query: Query) => [...table().find(query, []).rows]

describe('a table', () => {
  test('filters by values of one column or another, and by none', () => {
    expect(rows(ask({filters: {kind: ['kernel']}}))).toEqual([1, 3])
    expect(rows(ask({filters: {kind: ['kernel', 'page'], language: ['zh']}}))).toEqual([2, 3])
    expect(rows(ask({filters: {kind: [null]}}))).toEqual([4])
    expect(rows(ask({filters: {kind: []}}))).toHaveLength(6)
  })

  test('finds every word in some column, whatever its case', () => {
    expect(rows(ask({words: ['MUL']}))).toEqual([1, 2, 4])
    expect(rows(ask({words: ['mul', 'page'], searched: ['path', 'kind']}))).toEqual([2])
    expect(rows(ask({words: ['nothing']}))).toEqual([])
  })

  test('sorts both ways, numbers as numbers, rows of one value in their order, and none last', () => {
    expect(rows(ask({sort: 'tokens'}))).toEqual([5, 2, 0, 1, 3, 4])
    expect(rows(ask({sort: '-tokens'}))).toEqual([1, 3, 0, 2, 5, 4])
    expect(rows(ask({sort: 'path'}))).toEqual([0, 5, 2, 1, 3, 4])
  })

  test('counts what a choice would leave: other filters narrow a column, its own does not', () => {
    const {facets} = table().find(ask({filters: {kind: ['kernel']}}), ['kind', 'language'])
    expect(facets['kind']).toEqual([
      ['page', 3],
      ['kernel', 2],
      [null, 1],
    ])
    expect(facets['language']).toEqual([
      ['en', 1],
      ['zh', 1],
    ])
    const both = table().find(ask({filters: {kind: ['kernel'], language: ['zh']}}), ['kind', 'language'])
    expect(both.facets['kind']).toEqual([
      ['kernel', 1],
      ['page', 1],
      [null, 1],
    ])
  })

  test('draws the same rows for a seed, other rows for another, and only what the filters leave', () => {
    const many = new Table(5000)
    many.fill(
      'kind',
      0,
      Array.from({length: 5000}, (_, at) => (at % 2 === 0 ? 'even' : 'odd')),
    )
    const drawn = (seed: string, filters = {}) => [...many.find(ask({filters, draw: {count: 40, seed}}), []).rows]
    expect(drawn('one')).toEqual(drawn('one'))
    expect(new Set(drawn('one')).size).toBe(40)
    expect(drawn('one')).not.toEqual(drawn('two'))
    expect(drawn('one', {kind: ['odd']}).every((row) => row % 2 === 1)).toBe(true)
    // Neither the first rows nor one stretch of them.
    const mean = drawn('three').reduce((sum, row) => sum + row, 0) / 40
    expect(mean).toBeGreaterThan(1500)
    expect(mean).toBeLessThan(3500)
  })

  test('keeps to rows that were found elsewhere', () => {
    const among = Uint8Array.from([1, 0, 0, 1, 0, 0])
    const {rows: kept, facets} = table().find(ask({among, filters: {kind: ['kernel']}}), ['kind'])
    expect([...kept]).toEqual([3])
    expect(facets['kind']).toEqual([
      ['kernel', 1],
      ['page', 1],
    ])
  })
})
