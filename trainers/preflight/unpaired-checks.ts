import type {CheckedJob} from './checked-job.ts'
import {count} from './finding.ts'
import type {RowCheck} from './row-view.ts'

/** Checks for desirable and undesirable replies; both are needed. */
export function unpairedChecks(_: CheckedJob): RowCheck {
  const labels = {good: 0, bad: 0}
  return {
    look({cells}) {
      if (cells['label'] === true) labels.good += 1
      else labels.bad += 1
    },
    findings: () =>
      labels.good > 0 && labels.bad > 0
        ? []
        : [
            {
              code: 'labels-one-sided',
              severity: 'error',
              message: `Desirable replies: ${count(labels.good)}, others: ${count(labels.bad)}; KTO needs both.`,
              fix: 'Use a data set with replies of both kinds.',
            },
          ],
  }
}
