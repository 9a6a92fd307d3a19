import {expect, test} from 'vitest'
import type {Decision} from '../../../datasets/schema/decision.ts'
import type {CotSample} from '../../../datasets/schema/sample.ts'
import {decisionColumns} from '../../../datasets/parquet/decision-columns.ts'

const [decisions, counterfactuals] = decisionColumns
const valueOf = (column: (typeof decisionColumns)[number] | undefined, of: CotSample) =>
  column?.value(of, undefined as never, undefined as never)
const row = (all?: Decision[]) => ({...(all && {decisions: all})}) as CotSample

const one: Decision = {
  ...{topic: 'copy', situation: 'pad-needed', subject: 'DataCopyPad', values: {bytes: 14}},
  because: [
    {kind: 'arithmetic', name: 'n', expression: 'm * 2', values: [['m', 7]], worked: '7 × 2', result: 14},
    {
      ...{kind: 'counterfactual', change: 'plain-copy', subject: 'DataCopyPad', path: 'op_kernel/a.cpp', line: 53},
      ...{before: 'DataCopyPad(a, b, p)', after: 'DataCopy(a, b, n)', values: {}},
      observed: {outcome: 'refused', rule: 'unaligned-copy', api: 'DataCopy', message: '14 bytes'},
      modelled: {before: 1.5, after: 2, elements: 9},
    },
  ],
}

test('evidence stands beside its decision, with what was observed as JSON', () => {
  expect(valueOf(decisions, row([one]))).toEqual([
    {
      ...{topic: 'copy', situation: 'pad-needed', subject: 'DataCopyPad', values: '{"bytes":14}'},
      facts: [],
      rules: [],
      arithmetic: [{name: 'n', expression: 'm * 2', worked: '7 × 2', result: 14}],
      counterfactuals: [
        {
          ...{change: 'plain-copy', path: 'op_kernel/a.cpp', line: 53, outcome: 'refused'},
          ...{before: 'DataCopyPad(a, b, p)', after: 'DataCopy(a, b, n)', modelled_us: 1.5, otherwise_us: 2},
          modelled_elements: 9,
          observed: '{"outcome":"refused","rule":"unaligned-copy","api":"DataCopy","message":"14 bytes"}',
        },
      ],
    },
  ])
})

test('programs are counted over all decisions; a row without decisions has no number', () => {
  expect(valueOf(counterfactuals, row([one, {...one, because: []}, one]))).toBe(2)
  expect(valueOf(counterfactuals, row([]))).toBe(0)
  expect([valueOf(counterfactuals, row()), valueOf(decisions, row())]).toEqual([null, []])
})
