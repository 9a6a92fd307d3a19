import {canonicalJson} from '../../engine/ids.ts'
import {assistant, messages, preferenceCompletions} from '../tokens/chat-turns.ts'
import {
  fingerprintColumn,
  idColumn,
  originColumns,
  own,
  promptColumn,
  real,
  stagesColumn,
  text,
  tokenColumn,
  tokenizerColumn,
  type Column,
} from './column.ts'
import type {OptimisationPair} from '../schema/optimisation.ts'
import type {CotSample} from '../schema/sample.ts'

const sides = [
  ['chosen', 'the faster side'],
  ['rejected', 'the slower side'],
] as const

/** For samples of the kind `optimisation`; null for others. */
export const stepColumns: readonly Column<CotSample>[] = [
  text(
    'step',
    "For optimisations: what the answer has and the question's code lacks; null for others.",
    (row) => row.optimised?.step,
  ),
  real(
    'modelled_us_before',
    "For optimisations: modelled microseconds of the question's code, never measured; null for others.",
    (row) => row.optimised?.modelledMicroseconds.before,
  ),
  real(
    'modelled_us_after',
    'For optimisations: modelled microseconds of the answer, never measured; null for others.',
    (row) => row.optimised?.modelledMicroseconds.after,
  ),
]

/** The columns of pairs whose sides are both correct. */
export const optimisationColumns: readonly Column<OptimisationPair>[] = [
  idColumn,
  promptColumn,
  ...sides.map(
    ([name, which]): Column<OptimisationPair> => ({
      name,
      type: messages,
      meaning: `Trainer view: the assistant turn of ${which}; both sides have reasoning or neither.`,
      value: (row) => assistant(preferenceCompletions(row)[name]),
    }),
  ),
  own('task', 'The task that both sides answer correctly.'),
  own('step', 'How the faster side differs from the slower one.'),
  own('margin', 'Modelled time of the slower side divided by that of the faster one, never measured.', 'float64'),
  own('sizes', 'The call that both modelled times refer to.'),
  ...sides.flatMap(([name, which]) => sideColumns(name, which)),
  ...originColumns<OptimisationPair>(),
  stagesColumn,
  tokenizerColumn,
]

function sideColumns(name: 'chosen' | 'rejected', which: string): Column<OptimisationPair>[] {
  return [
    real(
      `${name}_modelled_us`,
      `Modelled microseconds of ${which}, without the launch; never measured.`,
      (row) => row[name].cost.microseconds,
    ),
    text(
      `${name}_bottleneck`,
      `The pipe of ${which} that is modelled as busy longest: MTE2, V, S or MTE3.`,
      (row) => row[name].cost.bottleneck,
    ),
    text(`${name}_cost`, `JSON: the whole modelled cost of ${which}, with what the executor counted.`, (row) =>
      canonicalJson(row[name].cost),
    ),
    text(`${name}_sampler_detail`, `JSON: the author of ${which} with its parameters.`, (row) =>
      canonicalJson(row[name].sampler),
    ),
    text(`${name}_outcome`, `What the executor found for ${which}.`, (row) => row[name].verdict.outcome),
    text(`${name}_executor`, `Who judged ${which} and counted its work.`, (row) => row[name].verdict.executor.name),
    fingerprintColumn(`${name}_executor_fingerprint`, (row) => row[name].verdict.executor),
    tokenColumn(`${name}_tokens`, `Tokens of prompt and ${name}`, (row) => [
      row.prompt,
      preferenceCompletions(row)[name],
    ]),
  ]
}
