import {apiColumns} from './api-columns.ts'
import {assistant, completion, messages, preferenceCompletions} from '../tokens/chat-turns.ts'
import {
  column,
  confirmationColumn,
  fingerprintColumn,
  idColumn,
  originColumns,
  own,
  promptColumn,
  real,
  speedupColumn,
  stagesColumn,
  text,
  tokenColumn,
  tokenizerColumn,
  whole,
  type Column,
} from './column.ts'
import {decisionColumns} from './decision-columns.ts'
import {canonicalJson} from '../../engine/ids.ts'
import {optimisationColumns, stepColumns} from './optimisation-columns.ts'
import {locatedFiles, locateFiles} from './reply-parts.ts'
import {labels, best} from '../schema/label.ts'
import type {Config, RecordOf, SplitRow} from '../schema/export.ts'
import type {CotSample, PreferencePair} from '../schema/sample.ts'
import type {Verdict} from '../schema/verdict.ts'
import {qwen3, type ChatFormat} from '../tokens/chat-format.ts'
import type {UnpairedReply} from '../schema/unpaired.ts'
import type {ErrorEntry} from '../schema/error-entry.ts'

// `prompt`/`completion` and `prompt`/`chosen`/`rejected` are the trainer views, `list<struct<role, content>>` with a
// single turn: the one shape in which TRL masks the prompt and no chat template strips the reasoning of an earlier
// turn. They contain every text once: the `<think>` block separates reasoning from answer, and code is located in the
// answer. Other columns do no harm: HF trainers drop columns that they do not name, the others read
// columns by a map. Only names with a special meaning to trainers are avoided: `messages`, `label`, `tools`,
// `images`, `chat_template_kwargs`.

const sft: readonly Column<CotSample>[] = [
  idColumn,
  promptColumn,
  column('completion', messages, 'Trainer view: the assistant turn, `<think>` block and answer.', (row) =>
    assistant(completion(row.reasoning, row.answer)),
  ),
  own(
    'kind',
    'What the sample teaches: `documentation`, `kernel` (one file of an operator), `project` (an operator for one ' +
      'call, tiling values included), `evaluated` (a kernel as NPUKernelBench asks for it), `api-correction` (code ' +
      'that did not compile), `kernel-correction` (an operator that compiled and was wrong), `optimisation` (a ' +
      'correct operator that was modelled as slow) or `general` (from an external data set; its code was not run).',
  ),
  own('qa', 'For documentation: `basic-knowledge` (the machine or a guide) or `api-call`; null for others.'),
  own('role', 'For `kernel`: the role of the file; null for others.'),
  own('side', 'For `kernel`: where the code runs, `kernel` (device) or `host`; null for others.'),
  own('asks', 'For `kernel`: a whole `file`, one `function` of it or a `change` to it, as a patch; null for others.'),
  own(
    'contract',
    'Origin of the call of `project` and `evaluated`: a human-written `example`, a `page`, `inferred` from ' +
      'the shapes of its outputs, or `none`; null for others.',
  ),
  own(
    'formula',
    "Whether the outputs of that call match the operator's formula (`agrees`), computed independently of " +
      'its code; `none` if no formula covers the call; null for others.',
  ),
  ...decisionColumns,
  own(
    'proof',
    'How far code was proven: `ran` (tiling and kernel; an example), `compiled` or `parsed`; null for prose and ' +
      '`general`.',
  ),
  column('files', locatedFiles, `The code of the answer, empty for prose: ${placeOf('completion')}`, (row) =>
    locateFiles(row.files, completion(row.reasoning, row.answer)),
  ),
  own('language', '`zh` or `en`.'),
  ...originColumns<CotSample>(),
  column(
    'evidence',
    {list: {struct: {repository: 'string', revision: 'string', path: 'string', lines: 'string'}}},
    'Other sections and pages shown to the writer, lines as `first-last`; empty if none.',
    (row) =>
      (row.evidence ?? []).map(({repository, revision, path, lines}) => ({
        repository,
        revision,
        path,
        lines: lines ? lines.join('-') : null,
      })),
  ),
  text('teacher', '`model`, or `offline`: composed from computed facts without a model.', (row) => row.teacher.kind),
  text('model', 'The teacher model; null for `offline`.', (row) =>
    row.teacher.kind === 'model' ? row.teacher.model : null,
  ),
  text(
    'failed_outcome',
    "For corrections: how the question's code failed, as an outcome of the executor; null for others.",
    (row) => row.failed?.outcome,
  ),
  text(
    'failed_what',
    "For corrections: the compiler's first error, or the broken rule; empty if neither.",
    (row) => row.failed?.what,
  ),
  text(
    'failed_class',
    'For corrections: the class of the failure, in the terms of the AscendKernelGen paper (Figure 6).',
    (row) => row.failed?.class,
  ),
  text(
    'failed_signature',
    'For corrections: the signature shared by failures with the same cause, without names and places.',
    (row) => row.failed?.signature,
  ),
  text(
    'failed_sampler',
    'For corrections: who wrote the failed code: a planted fault (mutation) or a model; null for others.',
    (row) => row.failed?.sampler.kind,
  ),
  whole(
    'rounds',
    'For corrections: attempts that a model needed; 0 if the correct code already existed.',
    (row) => row.failed?.rounds,
  ),
  ...stepColumns,
  text(
    'outcome',
    'What the executor found: `compiled` or `correct`; null for prose and for code that was only parsed.',
    (row) => row.verdict?.outcome,
  ),
  text('executor', 'Who judged the code.', (row) => row.verdict?.executor.name),
  fingerprintColumn('executor_fingerprint', (row) => row.verdict?.executor),
  text('compiler', 'The compiler that the executor used.', (row) => row.verdict?.executor.compiler),
  text('soc', 'The SoC that the verdict applies to.', (row) => row.verdict?.executor.soc),
  confirmationColumn('confirmation', (row) => row.confirmation),
  speedupColumn('speedup', (row) => row.verdict),
  stagesColumn,
  tokenColumn('tokens', 'Tokens of prompt and completion', ({prompt, reasoning, answer}) => [
    prompt,
    completion(reasoning, answer),
  ]),
  tokenizerColumn,
]

const dpo: readonly Column<PreferencePair>[] = [
  idColumn,
  promptColumn,
  column('chosen', messages, 'Trainer view: the better assistant turn.', (row) =>
    assistant(preferenceCompletions(row).chosen),
  ),
  column('rejected', messages, 'Trainer view: the worse assistant turn.', (row) =>
    assistant(preferenceCompletions(row).rejected),
  ),
  own('task', 'The task that both sides answer.'),
  own(
    'strategy',
    'How the sides differ: `execution-fail` (correct over wrong), `compile-fail` (correct over what does not ' +
      'compile) or `orange-over-purple` (wrong over what does not compile).',
  ),
  whole(
    'changed_lines',
    'Lines of code on either side that the other lacks, ignoring comments, layout and names.',
    (row) => row.changed.lines,
  ),
  real('changed_share', 'The same, as a share of the lines of both sides.', (row) => row.changed.share),
  whole(
    'length_difference',
    'Tokens of the better reply minus those of the worse one, by `tokenizer`.',
    (row, _, format) => {
      const {chosen, rejected} = preferenceCompletions(row)
      return format.tokens(row.prompt, chosen) - format.tokens(row.prompt, rejected)
    },
  ),
  ...side('chosen', 'the better side'),
  ...side('rejected', 'the worse side'),
  ...originColumns<PreferencePair>(),
  stagesColumn,
  tokenizerColumn,
]

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

/** A side, with how far it is from correct, as a number or a name if the verdict gives one. */
function side(name: 'chosen' | 'rejected', which: string): Column<PreferencePair>[] {
  return [
    column(`${name}_files`, locatedFiles, `Code of ${which}: ${placeOf(name)}`, (row) =>
      locateFiles(row[name].files, preferenceCompletions(row)[name]),
    ),
    text(`${name}_label`, `Colour of ${which}: ${anyOf(labels)}.`, (row) => row[name].label),
    text(`${name}_outcome`, `What the executor found for ${which}.`, (row) => row[name].verdict.outcome),
    text(
      `${name}_rule`,
      `The rule of the hardware, or against cheating, that ${which} broke; null if none was.`,
      (row) => brokenRule(row[name].verdict),
    ),
    real(
      `${name}_worst_absolute`,
      `Largest absolute error of ${which} over all cases; null if no outputs were compared. It grows with the ` +
        `values: for outputs of 1e26, an error of 1e22 is small, as \`${name}_worst_relative\` shows.`,
      (row) => worst(row[name].verdict, 'worstAbsolute'),
    ),
    real(
      `${name}_worst_relative`,
      `Largest relative error of ${which} over all cases; null if no outputs were compared.`,
      (row) => worst(row[name].verdict, 'worstRelative'),
    ),
    whole(`${name}_errors`, `Errors that the compiler reported for ${which}; null if it compiles.`, (row) =>
      compileErrors(row[name].verdict),
    ),
    text(`${name}_verdict`, `JSON: the whole verdict on ${which}, with diagnostics or cases.`, (row) =>
      canonicalJson(row[name].verdict),
    ),
    text(`${name}_executor`, `Who judged ${which}.`, (row) => row[name].verdict.executor.name),
    fingerprintColumn(`${name}_executor_fingerprint`, (row) => row[name].verdict.executor),
    confirmationColumn(`${name}_confirmation`, (row) => row[name].confirmation),
    speedupColumn(`${name}_speedup`, (row) => row[name].verdict),
    text(
      `${name}_sampler`,
      `Author of ${which}: \`answer\`, \`variant\`, \`rewound\`, \`mutation\` or \`model\`.`,
      (row) => row[name].sampler.kind,
    ),
    text(`${name}_sampler_detail`, `JSON: the sampler of ${which} with its parameters.`, (row) =>
      canonicalJson(row[name].sampler),
    ),
    tokenColumn(`${name}_tokens`, `Tokens of prompt and ${name}`, (row) => [
      row.prompt,
      preferenceCompletions(row)[name],
    ]),
  ]
}

/** The columns of unpaired replies: `prompt`, `completion` and `label` are TRL's names for KTO and BCO. */
const unpairedColumns: readonly Column<UnpairedReply>[] = [
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
const errorColumns: readonly Column<ErrorEntry>[] = [
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
