import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {decontaminationPath} from '../../datasets/contamination/decontamination-file.ts'
import type {Config} from '../../datasets/schema/export.ts'
import type {CheckedJob} from './checked-job.ts'
import {found} from './finding.ts'
import {Tally, type RowCheck} from './row-view.ts'

/** Columns that mark a row as containing benchmark data. */
const telling = ['contaminated', 'is_contaminated', 'leak', 'leaked', 'benchmark']

const isSet = (cell: unknown) => cell !== undefined && cell !== null && cell !== false && cell !== '' && cell !== 0

/** Finds rows that are marked as leaks, and data sets without a record of decontamination. */
export function leaks({data, plan: {spec}}: CheckedJob): RowCheck {
  const leaking = new Tally()
  const told = decontaminationPath(spec.data.config as Config)
  const cleaned = existsSync(join(data.root, told))
  return {
    look(row) {
      if (telling.some((name) => isSet(row.cells[name])) || row.cells['decontaminated'] === false) leaking.add(row)
    },
    findings: () => [
      ...leaking.found(
        'benchmark-leak',
        (rows) => `${rows} are marked as part of a benchmark: a score on it would be meaningless.`,
        'Remove these rows before training.',
      ),
      ...(cleaned
        ? []
        : found(
            'not-decontaminated',
            `${data.root} does not record which benchmarks its rows were compared with (no ${told}).`,
            'Train on a release of this project, whose stage `decontaminate` writes it.',
          )),
    ],
  }
}
