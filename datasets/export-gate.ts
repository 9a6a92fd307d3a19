import {each, type Context, type Stage} from '../engine/stage.ts'
import {storedBytes} from './column-types.ts'
import {cells, completion, preferenceCompletions} from './columns.ts'
import {contentOf} from './content.ts'
import {cppListings} from './listings.ts'
import {cppTokens} from './normalize.ts'
import {best, isBetter} from './schema/label.ts'
import {recordSchemas, SplitRow, type Config, type RecordOf} from './schema/export.ts'
import type {CotSample, PreferencePair, PreferenceSide} from './schema/sample.ts'
import {secretIn} from './secrets.ts'
import {tokenCount} from './token-count.ts'

interface ExportGateOptions<C extends Config> {
  config: C
  /** Tokens of prompt and reply under o200k_base. Default 32,768, the context that Qwen3 has without extension. */
  maxTokens?: number
}

/** Why a record may not be exported; undefined when it may. */
type Refusal = {reason: string; detail: string} | undefined

// The Hub's viewer gives up on rows of about 2 MB; a cell that large is a log or a table, not a lesson.
const cellBytes = 2_000_000

// Tags and turn markers of the chat templates that the data set is meant for: inside a text they would end the turn.
const templateMarks = /<\/?think>|<\|(?:im_start|im_end|endoftext)\|>/

/**
 * The last gate: what passes here is well-formed for every trainer, proven by an executor where it is code, and fit to
 * publish.
 */
export default function exportGate<C extends Config>(options: ExportGateOptions<C>): Stage<RecordOf[C], RecordOf[C]> {
  const {config, maxTokens = 32_768} = options
  const own: {readonly [K in Config]: (record: RecordOf[K]) => Refusal} = {
    sft: refuseSample,
    dpo: refusePair,
    apis: () => undefined,
    errors: () => undefined,
  }

  function check(record: RecordOf[C], context: Context): readonly RecordOf[C][] {
    const refusal = own[config](record) ?? refuseText(config, record) ?? refuseSize(config, record, maxTokens)
    return refusal ? context.drop(record, refusal.reason, refusal.detail) : [record]
  }

  return {
    name: 'export-gate',
    version: 2,
    options: {config, maxTokens},
    input: recordSchemas[config],
    output: recordSchemas[config],
    run: each(check),
  }
}

/**
 * Code is compiled before it is taught: every listing of the answer is among the files, and the files carry a verdict.
 */
function refuseSample({prompt, reasoning, answer, files, verdict, kind, proof}: CotSample): Refusal {
  const unproven = (detail: string) => ({reason: 'unproven-code', detail})
  if ([prompt, reasoning, answer].some(blank))
    return {reason: 'empty-side', detail: 'prompt, reasoning or answer is blank'}
  const judged = files.map((file) => codeText(file.text))
  if (!cppListings(answer).every((listing) => judged.some((text) => text.includes(codeText(listing)))))
    return unproven('the answer holds a listing that no executor was shown')
  if (files.length === 0 && kind === 'documentation') return undefined
  // What a project sample says is not code: that the code of its prompt ran proves it.
  if (kind === 'project' && proof !== 'ran') return unproven('a project sample whose code was not run')
  if (files.length === 0 && kind !== 'project') return unproven(`a ${kind} sample without files`)
  if (proof === 'parsed' && !verdict) return undefined
  if (!verdict) return unproven('no verdict')
  if (verdict.outcome !== 'compiled' && verdict.outcome !== 'correct') return unproven(`outcome ${verdict.outcome}`)
  if (blank(verdict.executor.name) || blank(verdict.executor.fingerprint)) return unproven('the executor is not named')
  return undefined
}

function refusePair(pair: PreferencePair): Refusal {
  const {chosen, rejected} = pair
  if ([pair.prompt, chosen.answer, rejected.answer].some(blank))
    return {reason: 'empty-side', detail: 'prompt or answer is blank'}
  const views = preferenceCompletions(pair)
  if (views.chosen === views.rejected || sameFiles(chosen, rejected))
    return {reason: 'same-sides', detail: `both sides of ${pair.task} say the same`}
  if (!isBetter(chosen.label, rejected.label))
    return {reason: 'no-preference', detail: `${chosen.label} over ${rejected.label}`}
  return unprovenSide('chosen', chosen) ?? unprovenSide('rejected', rejected)
}

function unprovenSide(name: string, {label, verdict}: PreferenceSide): Refusal {
  if (blank(verdict.executor.name)) return {reason: 'unproven-code', detail: `${name}: the executor is not named`}
  if (label !== best) return undefined
  const passed = verdict.outcome === 'correct' && verdict.cases.length > 0 && verdict.cases.every((it) => it.hardened)
  return passed
    ? undefined
    : {reason: 'unproven-code', detail: `${name}: ${best} without a hardened pass (${verdict.outcome})`}
}

function refuseText<C extends Config>(config: C, record: RecordOf[C]): Refusal {
  const {prompt, replies, files} = contentOf(config, record)
  const texts = [prompt, ...replies, ...files.map((file) => file.text)]
  for (const text of texts) {
    const mark = templateMarks.exec(text)
    if (mark) return {reason: 'template-mark', detail: `${mark[0]} inside a text`}
    const secret = secretIn(text)
    // The detail is shown and stored, so it names only the kind of secret.
    if (secret !== undefined) return {reason: 'secret', detail: secret}
  }
  return undefined
}

function refuseSize<C extends Config>(config: C, record: RecordOf[C], maxTokens: number): Refusal {
  for (const reply of repliesOf(config, record)) {
    const text = `${contentOf(config, record).prompt}\n${reply}`
    // A token is at least one byte: short texts need no tokenizer.
    if (Buffer.byteLength(text) <= maxTokens) continue
    const tokens = tokenCount(text)
    if (tokens > maxTokens) return {reason: 'too-long', detail: `${tokens} tokens, limit ${maxTokens}`}
  }
  // No cell is larger than its record, so most records need no closer look.
  if (Buffer.byteLength(JSON.stringify(record)) <= cellBytes) return undefined
  const row = SplitRow.parse({config, id: '-', split: 'train', record})
  for (const [name, value] of Object.entries(cells(row))) {
    if (storedBytes(value) > cellBytes)
      return {reason: 'cell-too-large', detail: `${name}: ${storedBytes(value)} bytes, limit ${cellBytes}`}
  }
  return undefined
}

const replyTexts: {readonly [C in Config]: (record: RecordOf[C]) => string[]} = {
  sft: ({reasoning, answer}) => [completion(reasoning, answer)],
  dpo: (pair) => Object.values(preferenceCompletions(pair)),
  apis: () => [],
  errors: () => [],
}

function repliesOf<C extends Config>(config: C, record: RecordOf[C]): string[] {
  return replyTexts[config](record)
}

const blank = (text: string) => text.trim() === ''

/** Code without comments and layout. */
const codeText = (code: string) => cppTokens(code, {identifiers: 'kept'}).join(' ')

function sameFiles(a: PreferenceSide, b: PreferenceSide): boolean {
  return a.files.length === b.files.length && a.files.every((file, index) => file.text === b.files[index]?.text)
}
