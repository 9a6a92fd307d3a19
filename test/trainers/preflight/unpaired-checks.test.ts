import {expect, test} from 'vitest'
import type {CheckedJob} from '../../../trainers/preflight/checked-job.ts'
import {rowView} from '../../../trainers/preflight/row-view.ts'
import {unpairedChecks} from '../../../trainers/preflight/pair-checks.ts'

test.each<[unknown[], string | undefined]>([
  [[true, false], undefined],
  [[true], 'Desirable replies: 1, others: 0; KTO needs both.'],
  [[false, false], 'Desirable replies: 0, others: 2; KTO needs both.'],
  [[], 'Desirable replies: 0, others: 0; KTO needs both.'],
  // Only the truth is a preference.
  [[true, 'true'], undefined],
  [['true', 1], 'Desirable replies: 0, others: 2; KTO needs both.'],
])('labels %j', (labels, message) => {
  const check = unpairedChecks({} as CheckedJob)
  for (const [at, label] of labels.entries()) check.look(rowView({label}, at + 1, 'kto'))
  expect(check.findings()).toEqual(
    message === undefined
      ? []
      : [{code: 'labels-one-sided', severity: 'error', message, fix: 'Use a data set with replies of both kinds.'}],
  )
})
