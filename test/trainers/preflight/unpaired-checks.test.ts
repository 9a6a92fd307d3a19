import {expect, test} from 'vitest'
import type {CheckedJob} from '../../../trainers/preflight/checked-job.ts'
import {rowView} from '../../../trainers/preflight/row-view.ts'
import {unpairedChecks} from '../../../trainers/preflight/unpaired-checks.ts'

test.each<[unknown[], string | undefined]>([
  [[true, false], undefined],
  [[true], '1 replies are desirable, 0 are not; KTO needs both.'],
  [[false, false], '0 replies are desirable, 2 are not; KTO needs both.'],
  [[], '0 replies are desirable, 0 are not; KTO needs both.'],
  // Only the truth is a preference.
  [[true, 'true'], undefined],
  [['true', 1], '0 replies are desirable, 2 are not; KTO needs both.'],
])('labels %j', (labels, message) => {
  const check = unpairedChecks({} as CheckedJob)
  for (const [at, label] of labels.entries()) check.look(rowView({label}, at + 1, 'kto'))
  expect(check.findings()).toEqual(
    message === undefined
      ? []
      : [{code: 'labels-one-sided', severity: 'error', message, fix: 'Use a data set with replies of both kinds.'}],
  )
})
