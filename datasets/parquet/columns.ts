import {apiColumns} from './api-columns.ts'
import {assistant, completion, messages, user} from '../tokens/chat-turns.ts'
import {idColumn, originColumns, stagesColumn, tokenColumn, tokenizerColumn, type Column} from './column.ts'
import {confirmationColumn} from './confirmation-column.ts'
import {decisionColumns} from './decision-columns.ts'
import {errorColumns} from './error-columns.ts'
import {canonicalJson} from '../../engine/ids.ts'
import {optimisationColumns, stepColumns} from './optimisation-columns.ts'
import {locatedFiles, locateFiles} from './reply-parts.ts'
import {labels} from '../schema/label.ts'
import type {Config, RecordOf, SplitRow} from '../schema/export.ts'
import type {CotSample, PreferencePair, PreferenceSide} from '../schema/sample.ts'
import type {Verdict} from '../schema/verdict.ts'
import {qwen3, type ChatFormat} from '../tokens/chat-format.ts'
import {unpairedColumns} from './unpaired-columns.ts'

// `prompt`/`completion` and `prompt`/`chosen`/`rejected` are the trainer views, `list<struct<role, content>>` with a
// single turn: the one shape in which TRL masks the prompt and no chat template strips the reasoning of an earlier
// turn. They contain every text once: the `<think>` block separates reasoning from answer, and code is located in the
// answer. Other columns do no harm: HF trainers drop columns that they do not name, the others read
// columns by a map. Only names with a special meaning to trainers are avoided: `messages`, `label`, `tools`,
// `images`, `chat_template_kwargs`.

/** Both sides of a pair with reasoning or both without, otherwise the block's presence would mark the better side. */
export function preferenceCompletions(pair: PreferencePair): {chosen: string; rejected: string} {
  const both = pair.chosen.reasoning !== '' && pair.rejected.reasoning !== ''
  const view = (side: PreferenceSide) => completion(both ? side.reasoning : '', side.answer)
  return {chosen: view(pair.chosen), rejected: view(pair.rejected)}
}

const sft: readonly Column<CotSample>[] = [
  idColumn,
  {name: 'prompt', type: messages, meaning: 'Trainer view: the user turn.', value: (row) => user(row.prompt)},
  {
    name: 'completion',
    type: messages,
    meaning: 'Trainer view: the assistant turn, `<think>` block and answer.',
    value: (row) => assistant(completion(row.reasoning, row.answer)),
  },
  {
    name: 'kind',
    type: 'string',
    meaning:
      'What the sample teaches: `documentation`, `kernel` (one file of an operator), `project` (an operator for one ' +
      'call, tiling values included), `evaluated` (a kernel as NPUKernelBench asks for it), `api-correction` (code ' +
      'that did not compile), `kernel-correction` (an operator that compiled and was wrong), `optimisation` (a ' +
      'correct operator that was modelled as slow) or `general` (from an external data set; its code was not run).',
    value: (row) => row.kind,
  },
  {
    name: 'qa',
    type: 'string',
    meaning: 'For documentation: `basic-knowledge` (the machine or a guide) or `api-call`; null for others.',
    value: (row) => row.qa ?? null,
  },
  {
    name: 'role',
    type: 'string',
    meaning: 'For `kernel`: the role of the file; null for others.',
    value: (row) => row.role ?? null,
  },
  {
    name: 'side',
    type: 'string',
    meaning: 'For `kernel`: where the code runs, `kernel` (device) or `host`; null for others.',
    value: (row) => row.side ?? null,
  },
  {
    name: 'asks',
    type: 'string',
    meaning: 'For `kernel`: a whole `file`, one `function` of it or a `change` to it, as a patch; null for others.',
    value: (row) => row.asks ?? null,
  },
  {
    name: 'contract',
    type: 'string',
    meaning:
      'Origin of the call of `project` and `evaluated`: a human-written `example`, a `page`, `inferred` from ' +
      'the shapes of its outputs, or `none`; null for others.',
    value: (row) => row.contract ?? null,
  },
  {
    name: 'formula',
    type: 'string',
    meaning:
      "Whether the outputs of that call match the operator's formula (`agrees`), computed independently of " +
      'its code; `none` if no formula covers the call; null for others.',
    value: (row) => row.formula ?? null,
  },
  ...decisionColumns,
  {
    name: 'proof',
    type: 'string',
    meaning:
      'How far code was proven: `ran` (tiling and kernel; an example), `compiled` or `parsed`; null for prose and ' +
      '`general`.',
    value: (row) => row.proof ?? null,
  },
  {
    name: 'files',
    type: locatedFiles,
    meaning: `The code of the answer, empty for prose: ${placeOf('completion')}`,
    value: (row) => locateFiles(row.files, completion(row.reasoning, row.answer)),
  },
  {name: 'language', type: 'string', meaning: '`zh` or `en`.', value: (row) => row.language},
  ...originColumns<CotSample>(),
  {
    name: 'evidence',
    type: {list: {struct: {repository: 'string', revision: 'string', path: 'string', lines: 'string'}}},
    meaning: 'Other sections and pages shown to the writer, lines as `first-last`; empty if none.',
    value: (row) =>
      (row.evidence ?? []).map(({repository, revision, path, lines}) => ({
        repository,
        revision,
        path,
        lines: lines ? lines.join('-') : null,
      })),
  },
  {
    name: 'teacher',
    type: 'string',
    meaning: '`model`, or `offline`: composed from computed facts without a model.',
    value: (row) => row.teacher.kind,
  },
  {
    name: 'model',
    type: 'string',
    meaning: 'The teacher model; null for `offline`.',
    value: (row) => (row.teacher.kind === 'model' ? row.teacher.model : null),
  },
  {
    name: 'failed_outcome',
    type: 'string',
    meaning: "For corrections: how the question's code failed, as an outcome of the executor; null for others.",
    value: (row) => row.failed?.outcome ?? null,
  },
  {
    name: 'failed_what',
    type: 'string',
    meaning: "For corrections: the compiler's first error, or the broken rule; empty if neither.",
    value: (row) => row.failed?.what ?? null,
  },
  {
    name: 'failed_class',
    type: 'string',
    meaning: 'For corrections: the class of the failure, in the terms of the AscendKernelGen paper (Figure 6).',
    value: (row) => row.failed?.class ?? null,
  },
  {
    name: 'failed_signature',
    type: 'string',
    meaning: 'For corrections: the signature shared by failures with the same cause, without names and places.',
    value: (row) => row.failed?.signature ?? null,
  },
  {
    name: 'failed_sampler',
    type: 'string',
    meaning: 'For corrections: who wrote the failed code: a planted fault (mutation) or a model; null for others.',
    value: (row) => row.failed?.sampler.kind ?? null,
  },
  {
    name: 'rounds',
    type: 'int32',
    meaning: 'For corrections: attempts that a model needed; 0 if the correct code already existed.',
    value: (row) => row.failed?.rounds ?? null,
  },
  ...stepColumns,
  {
    name: 'outcome',
    type: 'string',
    meaning: 'What the executor found: `compiled` or `correct`; null for prose and for code that was only parsed.',
    value: (row) => row.verdict?.outcome ?? null,
  },
  {
    name: 'executor',
    type: 'string',
    meaning: 'Who judged the code.',
    value: (row) => row.verdict?.executor.name ?? null,
  },
  {
    name: 'executor_fingerprint',
    type: 'string',
    meaning: 'Hash of the compiler, its flags, the executor version and the SoC.',
    value: (row) => row.verdict?.executor.fingerprint ?? null,
  },
  {
    name: 'compiler',
    type: 'string',
    meaning: 'The compiler that the executor used.',
    value: (row) => row.verdict?.executor.compiler ?? null,
  },
  {
    name: 'soc',
    type: 'string',
    meaning: 'The SoC that the verdict applies to.',
    value: (row) => row.verdict?.executor.soc ?? null,
  },
  confirmationColumn('confirmation', (row) => row.confirmation),
  stagesColumn,
  tokenColumn('tokens', 'Tokens of prompt and completion', ({prompt, reasoning, answer}) => [
    prompt,
    completion(reasoning, answer),
  ]),
  tokenizerColumn,
]

const dpo: readonly Column<PreferencePair>[] = [
  idColumn,
  {name: 'prompt', type: messages, meaning: 'Trainer view: the user turn.', value: (row) => user(row.prompt)},
  {
    name: 'chosen',
    type: messages,
    meaning: 'Trainer view: the better assistant turn.',
    value: (row) => assistant(preferenceCompletions(row).chosen),
  },
  {
    name: 'rejected',
    type: messages,
    meaning: 'Trainer view: the worse assistant turn.',
    value: (row) => assistant(preferenceCompletions(row).rejected),
  },
  {name: 'task', type: 'string', meaning: 'The task that both sides answer.', value: (row) => row.task},
  {
    name: 'strategy',
    type: 'string',
    meaning:
      'How the sides differ: `execution-fail` (correct over wrong), `compile-fail` (correct over what does not ' +
      'compile) or `orange-over-purple` (wrong over what does not compile).',
    value: (row) => row.strategy,
  },
  {
    name: 'changed_lines',
    type: 'int32',
    meaning: 'Lines of code on either side that the other lacks, ignoring comments, layout and names.',
    value: (row) => row.changed.lines,
  },
  {
    name: 'changed_share',
    type: 'float64',
    meaning: 'The same, as a share of the lines of both sides.',
    value: (row) => row.changed.share,
  },
  {
    name: 'length_difference',
    type: 'int32',
    meaning: 'Tokens of the better reply minus those of the worse one, by `tokenizer`.',
    value: (row, _, format) => {
      const {chosen, rejected} = preferenceCompletions(row)
      return format.tokens(row.prompt, chosen) - format.tokens(row.prompt, rejected)
    },
  },
  ...side('chosen', 'the better side'),
  ...side('rejected', 'the worse side'),
  ...originColumns<PreferencePair>(),
  stagesColumn,
  tokenizerColumn,
]

/** The columns of each configuration, in file order. */
export const columns: {readonly [C in Config]: readonly Column<RecordOf[C]>[]} = {
  sft,
  dpo,
  apis: apiColumns,
  errors: errorColumns,
  kto: unpairedColumns,
  optimisation: optimisationColumns,
}

/** The cells of one row, in column order. */
export function cells(row: SplitRow, format: ChatFormat = qwen3): Record<string, unknown> {
  const own: readonly Column<SplitRow['record']>[] = columns[row.config]
  return Object.fromEntries(own.map((column) => [column.name, column.value(row.record, row.id, format)]))
}

function placeOf(turn: string): string {
  return (
    `path, and the code-point range of \`${turn}\`'s content from \`start\` up to \`end\`; ` +
    '`text`, otherwise null, has code that does not appear there verbatim.'
  )
}

/** Names in code type, with `or` before the last. */
function anyOf(names: readonly string[]): string {
  return names
    .map((name) => `\`${name}\``)
    .join(', ')
    .replace(/, ([^,]*)$/, ' or $1')
}

function brokenRule(verdict: Verdict): string | null {
  if (verdict.outcome === 'violated') return verdict.violation.rule
  return verdict.outcome === 'cheated' ? verdict.rule : null
}

function worst(verdict: Verdict, error: 'worstAbsolute' | 'worstRelative'): number | null {
  const cases = 'cases' in verdict ? (verdict.cases ?? []) : []
  const known = cases.flatMap((one) => one[error] ?? [])
  return known.length > 0 ? Math.max(...known) : null
}

function compileErrors(verdict: Verdict): number | null {
  if (verdict.outcome !== 'compile-failed') return null
  return verdict.diagnostics.filter(({severity}) => severity === 'error').length
}

function side(name: 'chosen' | 'rejected', which: string): Column<PreferencePair>[] {
  const of = (read: (side: PreferenceSide) => unknown) => (row: PreferencePair) => read(row[name])
  return [
    {
      name: `${name}_files`,
      type: locatedFiles,
      meaning: `Code of ${which}: ${placeOf(name)}`,
      value: (row) => locateFiles(row[name].files, preferenceCompletions(row)[name]),
    },
    {
      name: `${name}_label`,
      type: 'string',
      meaning: `Colour of ${which}: ${anyOf(labels)}.`,
      value: of((it) => it.label),
    },
    {
      name: `${name}_outcome`,
      type: 'string',
      meaning: `What the executor found for ${which}.`,
      value: of((it) => it.verdict.outcome),
    },
    ...evidence(name, which),
    {
      name: `${name}_verdict`,
      type: 'string',
      meaning: `JSON: the whole verdict on ${which}, with diagnostics or cases.`,
      value: of((it) => canonicalJson(it.verdict)),
    },
    {
      name: `${name}_executor`,
      type: 'string',
      meaning: `Who judged ${which}.`,
      value: of((it) => it.verdict.executor.name),
    },
    {
      name: `${name}_executor_fingerprint`,
      type: 'string',
      meaning: 'Hash of the compiler, its flags, the executor version and the SoC.',
      value: of((it) => it.verdict.executor.fingerprint),
    },
    confirmationColumn(`${name}_confirmation`, (row) => row[name].confirmation),
    {
      name: `${name}_sampler`,
      type: 'string',
      meaning: `Author of ${which}: \`answer\`, \`variant\`, \`rewound\`, \`mutation\` or \`model\`.`,
      value: of((it) => it.sampler.kind),
    },
    {
      name: `${name}_sampler_detail`,
      type: 'string',
      meaning: `JSON: the sampler of ${which} with its parameters.`,
      value: of((it) => canonicalJson(it.sampler)),
    },
    tokenColumn(`${name}_tokens`, `Tokens of prompt and ${name}`, (row) => [
      row.prompt,
      preferenceCompletions(row)[name],
    ]),
  ]
}

/** How far a side is from correct, as a number or a name if the verdict gives one. */
function evidence(name: 'chosen' | 'rejected', which: string): Column<PreferencePair>[] {
  const of = (read: (verdict: Verdict) => unknown) => (row: PreferencePair) => read(row[name].verdict)
  return [
    {
      name: `${name}_rule`,
      type: 'string',
      meaning: `The rule of the hardware, or against cheating, that ${which} broke; null if none was.`,
      value: of(brokenRule),
    },
    {
      name: `${name}_worst_absolute`,
      type: 'float64',
      meaning:
        `Largest absolute error of ${which} over all cases; null if no outputs were compared. It grows with the ` +
        `values: for outputs of 1e26, an error of 1e22 is small, as \`${name}_worst_relative\` shows.`,
      value: of((verdict) => worst(verdict, 'worstAbsolute')),
    },
    {
      name: `${name}_worst_relative`,
      type: 'float64',
      meaning: `Largest relative error of ${which} over all cases; null if no outputs were compared.`,
      value: of((verdict) => worst(verdict, 'worstRelative')),
    },
    {
      name: `${name}_errors`,
      type: 'int32',
      meaning: `Errors that the compiler reported for ${which}; null if it compiles.`,
      value: of(compileErrors),
    },
  ]
}
