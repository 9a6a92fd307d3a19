import {canonicalJson} from '../../engine/ids.ts'
import {assistant, completion, messages, user} from '../tokens/chat-turns.ts'
import {idColumn, originColumns, stagesColumn, tokenColumn, tokenizerColumn, type Column} from './column.ts'
import {confirmationColumn} from './confirmation-column.ts'
import {best} from '../schema/label.ts'
import type {UnpairedReply} from '../schema/unpaired.ts'

/** The columns of unpaired replies: `prompt`, `completion` and `label` are TRL's names for KTO and BCO. */
export const unpairedColumns: readonly Column<UnpairedReply>[] = [
  idColumn,
  {name: 'prompt', type: messages, meaning: 'Trainer view: the user turn.', value: (row) => user(row.prompt)},
  {
    name: 'completion',
    type: messages,
    meaning: 'Trainer view: the assistant turn; replies to one prompt either all have a `<think>` block, or none do.',
    value: (row) => assistant(completion(row.reasoning, row.answer)),
  },
  {
    name: 'label',
    type: 'bool',
    meaning: `Trainer view: true for a desirable reply, which is ${best}; false for every other colour.`,
    value: (row) => row.label === best,
  },
  {name: 'colour', type: 'string', meaning: 'Colour of the candidate.', value: (row) => row.label},
  {name: 'task', type: 'string', meaning: 'The task that it answers.', value: (row) => row.task},
  {name: 'outcome', type: 'string', meaning: 'What the executor found.', value: (row) => row.verdict.outcome},
  {
    name: 'sampler',
    type: 'string',
    meaning: 'Author of the reply: `answer`, `variant`, `mutation` or `model`.',
    value: (row) => row.sampler.kind,
  },
  {
    name: 'sampler_detail',
    type: 'string',
    meaning: 'JSON: the author with its parameters.',
    value: (row) => canonicalJson(row.sampler),
  },
  {name: 'executor', type: 'string', meaning: 'Who judged it.', value: (row) => row.verdict.executor.name},
  {
    name: 'executor_fingerprint',
    type: 'string',
    meaning: 'Hash of the compiler, its flags, the executor version and the SoC.',
    value: (row) => row.verdict.executor.fingerprint,
  },
  {
    name: 'compiler',
    type: 'string',
    meaning: 'Compiler of the executor.',
    value: (row) => row.verdict.executor.compiler,
  },
  {name: 'soc', type: 'string', meaning: 'The requested chip.', value: (row) => row.verdict.executor.soc},
  confirmationColumn('confirmation', (row) => row.confirmation),
  ...originColumns<UnpairedReply>(),
  stagesColumn,
  tokenColumn('tokens', 'Tokens of prompt and completion', ({prompt, reasoning, answer}) => [
    prompt,
    completion(reasoning, answer),
  ]),
  tokenizerColumn,
]
