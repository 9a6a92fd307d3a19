import {expect, test} from 'vitest'
import {cells} from '../../../datasets/parquet/columns.ts'
import {originColumnNames, originOfRow} from '../../../datasets/parquet/row-origin.ts'
import type {SplitRow} from '../../../datasets/schema/export.ts'
import {groupOf} from '../../../datasets/split.ts'
import {dpoRow, kernelSample, kernelText, pair, sample, sftRow} from '../rows.ts'

const origin = (path: string) => ({repository: 'r', revision: '1', licence: 'Apache-2.0', path})

const rows: [string, SplitRow][] = [
  ['a page', sftRow(sample())],
  ['a page of a project', sftRow(sample({origin: origin('math/op_add/op_host/a.md')}))],
  ['an operator in its folder', sftRow(kernelSample({origin: origin('math/op_add/op_kernel/k.cpp')}))],
  ['an operator known by its entry', sftRow(kernelSample({origin: origin('loose/k.cpp')}))],
  [
    'an operator whose code does not stand in the answer',
    sftRow(
      kernelSample({origin: origin('loose/k.cpp'), files: [{path: 'k.cpp', text: kernelText}], answer: 'See above.'}),
    ),
  ],
  ['a question of others', sftRow(sample({kind: 'general', prompt: 'Why  Is it so?'}))],
  ['a pair', dpoRow(pair())],
]

test.each(rows)('%s has the origin of its record', (_, row) => {
  const read = Object.entries(cells(row)).filter(([name]) => (originColumnNames as readonly string[]).includes(name))
  expect(originOfRow(Object.fromEntries(read))).toBe(groupOf(row.record))
})

test('of rows that do not say where they are from, each question is an origin', () => {
  const row = (prompt: string, completion = 'a') => ({prompt: [{content: prompt}], completion: [{content: completion}]})
  expect(originOfRow(row('Why  is it so?'))).toBe(originOfRow(row('why is it so?', 'b')))
  expect(originOfRow(row('Why is it so?'))).not.toBe(originOfRow(row('Why not?')))
})
