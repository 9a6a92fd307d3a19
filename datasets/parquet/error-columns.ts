import {canonicalJson} from '../../engine/ids.ts'
import {fingerprintColumn, idColumn, originColumns, own, stagesColumn, text, whole, type Column} from './column.ts'
import type {ErrorEntry} from '../schema/error-entry.ts'

/** Text and place of the first error; a cell is null if there is none. */
const first: readonly Column<ErrorEntry>[] = [
  text(
    'message',
    'First message of the compiler, the device or the numerical comparison.',
    ({error}) => error.message || null,
  ),
  text('file', "The candidate's file with the compile error.", ({error}) => error.file || null),
  whole('line', 'Its line, 1-based.', ({error}) => error.line || null),
  text('code', 'That line.', ({error}) => error.code || null),
]

/** The columns of the errors of candidates. */
export const errorColumns: readonly Column<ErrorEntry>[] = [
  idColumn,
  own('candidate', 'Content id of the candidate, for `ascend-cot inspect`.'),
  own('task', 'Operator type of the task.'),
  text(
    'sampler',
    'Author of the candidate: `answer`, `variant`, `rewound`, `mutation` or `model`.',
    (row) => row.sampler.kind,
  ),
  text('sampler_detail', 'JSON: the author with its parameters.', (row) => canonicalJson(row.sampler)),
  own('label', 'Colour of the candidate.'),
  own('outcome', 'What the executor found.'),
  own(
    'class',
    'How it failed. Code that does not compile is in one of the six classes of Appendix C of the AscendKernelGen ' +
      'paper, by its first error, or `unclassified`.',
  ),
  text('rule', 'The hardware rule that was broken.', (row) => row.rule || null),
  text(
    'signature',
    "For compile and link errors: the message with `…` for the candidate's names, `#` for numbers, and why " +
      'overloads refuse the call. The same for the same fault under other names.',
    (row) => row.signature || null,
  ),
  text('api', 'The name of the interface that the error is about.', (row) => row.api || null),
  ...first,
  text('executor', 'Who judged it.', (row) => row.executor.name),
  fingerprintColumn('executor_fingerprint', (row) => row.executor),
  text('compiler', 'Compiler of the executor.', (row) => row.executor.compiler),
  text('soc', 'The requested chip.', (row) => row.executor.soc),
  ...originColumns<ErrorEntry>(),
  stagesColumn,
]
