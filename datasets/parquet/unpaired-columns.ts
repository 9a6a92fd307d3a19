import {canonicalJson} from '../../engine/ids.ts'
import {assistant, completion, messages} from '../tokens/chat-turns.ts'
import {
  column,
  confirmationColumn,
  fingerprintColumn,
  idColumn,
  originColumns,
  own,
  promptColumn,
  speedupColumn,
  stagesColumn,
  text,
  tokenColumn,
  tokenizerColumn,
  type Column,
} from './column.ts'
import {best} from '../schema/label.ts'
import type {UnpairedReply} from '../schema/unpaired.ts'

/** The columns of unpaired replies: `prompt`, `completion` and `label` are TRL's names for KTO and BCO. */
export const unpairedColumns: readonly Column<UnpairedReply>[] = [
  idColumn,
  promptColumn,
  column(
    'completion',
    messages,
    'Trainer view: the assistant turn; replies to one prompt either all have a `<think>` block, or none do.',
    (row) => assistant(completion(row.reasoning, row.answer)),
  ),
  column(
    'label',
    'bool',
    `Trainer view: true for a desirable reply, which is ${best}; false for every other colour.`,
    (row) => row.label === best,
  ),
  text('colour', 'Colour of the candidate.', (row) => row.label),
  own('task', 'The task that it answers.'),
  text('outcome', 'What the executor found.', (row) => row.verdict.outcome),
  text('sampler', 'Author of the reply: `answer`, `variant`, `mutation` or `model`.', (row) => row.sampler.kind),
  text('sampler_detail', 'JSON: the author with its parameters.', (row) => canonicalJson(row.sampler)),
  text('executor', 'Who judged it.', (row) => row.verdict.executor.name),
  fingerprintColumn('executor_fingerprint', (row) => row.verdict.executor),
  text('compiler', 'Compiler of the executor.', (row) => row.verdict.executor.compiler),
  text('soc', 'The requested chip.', (row) => row.verdict.executor.soc),
  confirmationColumn('confirmation', (row) => row.confirmation),
  speedupColumn('speedup', (row) => row.verdict),
  ...originColumns<UnpairedReply>(),
  stagesColumn,
  tokenColumn('tokens', 'Tokens of prompt and completion', ({prompt, reasoning, answer}) => [
    prompt,
    completion(reasoning, answer),
  ]),
  tokenizerColumn,
]
