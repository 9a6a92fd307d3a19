import {canonicalJson} from '../../engine/ids.ts'
import {idColumn, originColumns, stagesColumn, type Column} from './column.ts'
import type {ErrorEntry} from '../schema/error-entry.ts'

/** Text and place of the first error; a cell is null if there is none. */
const first: readonly Column<ErrorEntry>[] = [
  {
    name: 'message',
    type: 'string',
    meaning: 'First message of the compiler, the device or the numerical comparison.',
    value: ({error}) => error.message || null,
  },
  {
    name: 'file',
    type: 'string',
    meaning: "The candidate's file with the compile error.",
    value: ({error}) => error.file || null,
  },
  {
    name: 'line',
    type: 'int32',
    meaning: 'Its line, 1-based.',
    value: ({error}) => error.line || null,
  },
  {name: 'code', type: 'string', meaning: 'That line.', value: ({error}) => error.code || null},
]

/** The columns of the errors of candidates. */
export const errorColumns: readonly Column<ErrorEntry>[] = [
  idColumn,
  {
    name: 'candidate',
    type: 'string',
    meaning: 'Content id of the candidate, for `ascend-cot inspect`.',
    value: (row) => row.candidate,
  },
  {name: 'task', type: 'string', meaning: 'Operator type of the task.', value: (row) => row.task},
  {
    name: 'sampler',
    type: 'string',
    meaning: 'Author of the candidate: `answer`, `variant`, `rewound`, `mutation` or `model`.',
    value: (row) => row.sampler.kind,
  },
  {
    name: 'sampler_detail',
    type: 'string',
    meaning: 'JSON: the author with its parameters.',
    value: (row) => canonicalJson(row.sampler),
  },
  {name: 'label', type: 'string', meaning: 'Colour of the candidate.', value: (row) => row.label},
  {name: 'outcome', type: 'string', meaning: 'What the executor found.', value: (row) => row.outcome},
  {
    name: 'class',
    type: 'string',
    meaning:
      'How it failed. Code that does not compile is in one of the six classes of Appendix C of the AscendKernelGen ' +
      'paper, by its first error, or `unclassified`.',
    value: (row) => row.class,
  },
  {name: 'rule', type: 'string', meaning: 'The hardware rule that was broken.', value: (row) => row.rule || null},
  {
    name: 'signature',
    type: 'string',
    meaning:
      "For compile and link errors: the message with `…` for the candidate's names, `#` for numbers, and why " +
      'overloads refuse the call. The same for the same fault under other names.',
    value: (row) => row.signature || null,
  },
  {
    name: 'api',
    type: 'string',
    meaning: 'The name of the interface that the error is about.',
    value: (row) => row.api || null,
  },
  ...first,
  {name: 'executor', type: 'string', meaning: 'Who judged it.', value: (row) => row.executor.name},
  {
    name: 'executor_fingerprint',
    type: 'string',
    meaning: 'Hash of the compiler, its flags, the executor version and the SoC.',
    value: (row) => row.executor.fingerprint,
  },
  {name: 'compiler', type: 'string', meaning: 'Compiler of the executor.', value: (row) => row.executor.compiler},
  {name: 'soc', type: 'string', meaning: 'The requested chip.', value: (row) => row.executor.soc},
  ...originColumns<ErrorEntry>(),
  stagesColumn,
]
