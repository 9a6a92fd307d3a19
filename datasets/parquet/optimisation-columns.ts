import {canonicalJson} from '../../engine/ids.ts'
import {assistant, messages, user} from '../tokens/chat-turns.ts'
import {idColumn, originColumns, stagesColumn, tokenColumn, tokenizerColumn, type Column} from './column.ts'
import type {OptimisationPair} from '../schema/optimisation.ts'
import type {CotSample} from '../schema/sample.ts'

const sides = [
  ['chosen', 'the faster side'],
  ['rejected', 'the slower side'],
] as const

/** For samples of the kind `optimisation`; null for others. */
export const stepColumns: readonly Column<CotSample>[] = [
  {
    name: 'step',
    type: 'string',
    meaning: "For optimisations: what the answer has and the question's code lacks; null for others.",
    value: (row) => row.optimised?.step ?? null,
  },
  {
    name: 'modelled_us_before',
    type: 'float64',
    meaning: "For optimisations: modelled microseconds of the question's code, never measured; null for others.",
    value: (row) => row.optimised?.modelledMicroseconds.before ?? null,
  },
  {
    name: 'modelled_us_after',
    type: 'float64',
    meaning: 'For optimisations: modelled microseconds of the answer, never measured; null for others.',
    value: (row) => row.optimised?.modelledMicroseconds.after ?? null,
  },
]

/** The columns of pairs whose sides are both correct. */
export const optimisationColumns: readonly Column<OptimisationPair>[] = [
  idColumn,
  {name: 'prompt', type: messages, meaning: 'Trainer view: the user turn.', value: (row) => user(row.prompt)},
  ...sides.map(
    ([name, which]): Column<OptimisationPair> => ({
      name,
      type: messages,
      meaning: `Trainer view: the assistant turn of ${which}; neither side has reasoning.`,
      value: (row) => assistant(row[name].answer),
    }),
  ),
  {name: 'task', type: 'string', meaning: 'The task that both sides answer correctly.', value: (row) => row.task},
  {
    name: 'step',
    type: 'string',
    meaning: 'What the slower side lacks compared with the faster one.',
    value: (row) => row.step,
  },
  {
    name: 'margin',
    type: 'float64',
    meaning: 'Modelled time of the slower side divided by that of the faster one, never measured.',
    value: (row) => row.margin,
  },
  {name: 'sizes', type: 'string', meaning: 'The call that both modelled times refer to.', value: (row) => row.sizes},
  ...sides.flatMap(([name, which]) => sideColumns(name, which)),
  ...originColumns<OptimisationPair>(),
  stagesColumn,
  tokenizerColumn,
]

function sideColumns(name: 'chosen' | 'rejected', which: string): Column<OptimisationPair>[] {
  const of = (read: (side: OptimisationPair['chosen']) => unknown) => (row: OptimisationPair) => read(row[name])
  return [
    {
      name: `${name}_modelled_us`,
      type: 'float64',
      meaning: `Modelled microseconds of ${which}, without the launch; never measured.`,
      value: of((it) => it.cost.microseconds),
    },
    {
      name: `${name}_bottleneck`,
      type: 'string',
      meaning: `The pipe of ${which} that is modelled as busy longest: MTE2, V, S or MTE3.`,
      value: of((it) => it.cost.bottleneck),
    },
    {
      name: `${name}_cost`,
      type: 'string',
      meaning: `JSON: the whole modelled cost of ${which}, with what the executor counted.`,
      value: of((it) => canonicalJson(it.cost)),
    },
    {
      name: `${name}_sampler_detail`,
      type: 'string',
      meaning: `JSON: the author of ${which} with its parameters.`,
      value: of((it) => canonicalJson(it.sampler)),
    },
    {
      name: `${name}_outcome`,
      type: 'string',
      meaning: `What the executor found for ${which}.`,
      value: of((it) => it.verdict.outcome),
    },
    {
      name: `${name}_executor`,
      type: 'string',
      meaning: `Who judged ${which} and counted its work.`,
      value: of((it) => it.verdict.executor.name),
    },
    {
      name: `${name}_executor_fingerprint`,
      type: 'string',
      meaning: 'Hash of the compiler, its flags, the executor version and the SoC.',
      value: of((it) => it.verdict.executor.fingerprint),
    },
    tokenColumn(`${name}_tokens`, `Tokens of prompt and ${name}`, (row) => [row.prompt, row[name].answer]),
  ]
}
