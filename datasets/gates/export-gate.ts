import {each, type Context, type Stage} from '../../engine/stage.ts'
import {lostIn, qwen3, type ChatFormat} from '../tokens/chat-format.ts'
import {storedBytes} from '../parquet/column-types.ts'
import {completion, preferenceCompletions} from '../tokens/chat-turns.ts'
import {cells} from '../parquet/columns.ts'
import {contentOf} from '../content.ts'
import {cppListings} from '../listings.ts'
import {codeWords} from '../contamination/normalize.ts'
import {personalDataIn} from './personal-data.ts'
import {best, isBetter} from '../schema/label.ts'
import {recordSchemas, SplitRow, type Config, type RecordOf} from '../schema/export.ts'
import type {OptimisationPair} from '../schema/optimisation.ts'
import type {CotSample, PreferencePair, PreferenceSide} from '../schema/sample.ts'
import {languageOf} from '../voice.ts'
import {proseFault, proseOf} from './row-words.ts'
import {secretIn} from './secrets.ts'

interface ExportGateOptions<C extends Config> {
  config: C
  /** Tokens of a rendered conversation. Default 32,768, the context that Qwen3 has without extension. */
  maxTokens?: number
  /** The target model's chat format. Default Qwen3's form, with tokens of o200k_base. */
  format?: ChatFormat
}

/** Why a record may not be exported; undefined when it may. */
type Refusal = {reason: string; detail: string} | undefined

// The Hub's viewer gives up on rows of about 2 MB; a row that large is a log or a table, not a lesson.
const rowBytes = 2_000_000

// Tags and turn markers of chat templates (Qwen's, Llama's, DeepSeek's): inside a text they would end a part or a turn.
const templateMarks = /<\/?think>|<\|[a-z]{2,}(?:_[a-z]+)*\|>|<｜[^｜\n]{1,40}｜>/

/** Words that switch Qwen3's reasoning on and off if a question contains them. */
const softSwitch = /(?<!\S)\/(?:no_)?think(?!\S)/

/**
 * The last gate: what passes here is well-formed for every trainer, proven by an executor if it is code, and fit to
 * publish.
 */
export default function exportGate<C extends Config>(options: ExportGateOptions<C>): Stage<RecordOf[C], RecordOf[C]> {
  const {config, maxTokens = 32_768, format = qwen3} = options
  const own: {readonly [K in Config]: (record: RecordOf[K]) => Refusal} = {
    sft: refuseSample,
    dpo: refusePair,
    apis: () => undefined,
    errors: () => undefined,
    kto: (reply) => unprovenSide('reply', reply),
    optimisation: refuseSlow,
  }

  let isTold = false

  async function check(record: RecordOf[C], context: Context): Promise<readonly RecordOf[C][]> {
    if (format.dropsReasoning === true && !isTold) context.log.warn(dropsReasoning(format))
    isTold = true
    const refusal =
      refuseSize(config, record) ??
      own[config](record) ??
      refuseProse(config, record) ??
      refuseReplies(repliesOf(config, record), format, maxTokens) ??
      (await refuseText(config, record))
    return refusal ? context.drop(record, refusal.reason, refusal.detail) : [record]
  }

  return {
    name: 'export-gate',
    version: 5,
    options: {config, maxTokens, format: format.fingerprint},
    input: recordSchemas[config],
    output: recordSchemas[config],
    run: each(check),
  }
}

const dropsReasoning = ({name}: ChatFormat) =>
  `The chat template of ${name} drops the reasoning of an assistant's turn, so counts and training would ` +
  'lose it: rows with reasoning are refused. Set export.tokenizer to a folder whose template keeps it, or unset it.'

/** External kinds, which teach reasoning: no executor here builds their code. */
const unjudged: ReadonlySet<string> = new Set(['general'])

/**
 * Code is compiled before it is taught: every listing of the answer is among the files, and the files carry a verdict.
 */
function refuseSample({prompt, reasoning, answer, files, verdict, kind, proof}: CotSample): Refusal {
  const unproven = (detail: string) => ({reason: 'unproven-code', detail})
  if ([prompt, reasoning, answer].some(blank))
    return {reason: 'empty-side', detail: 'prompt, reasoning or answer is blank'}
  if (unjudged.has(kind)) return undefined
  const judged = files.map((file) => codeText(file.text))
  if (!cppListings(answer).every((listing) => judged.some((text) => text.includes(codeText(listing)))))
    return unproven('the answer holds a listing that no executor was shown')
  if (files.length === 0 && kind === 'documentation') return undefined
  // A project sample's answer is not code: it is proven by running the prompt's code.
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
  const repeats = [chosen, rejected].some(({answer}) => answer.includes(pair.prompt))
  if (repeats) return {reason: 'prompt-in-reply', detail: `a side of ${pair.task} repeats its question whole`}
  if (!isBetter(chosen.label, rejected.label))
    return {reason: 'no-preference', detail: `${chosen.label} over ${rejected.label}`}
  return unprovenSide('chosen', chosen) ?? unprovenSide('rejected', rejected)
}

/** Both sides of a step are correct; their difference is modelled. */
function refuseSlow({chosen, rejected}: OptimisationPair): Refusal {
  if (sameFiles(chosen, rejected)) return {reason: 'same-sides', detail: 'both sides have the same code'}
  for (const [name, side] of Object.entries({chosen, rejected})) {
    if (side.label !== best) return {reason: 'no-preference', detail: `${name} is ${side.label}`}
    const refusal = unprovenSide(name, side)
    if (refusal) return refusal
  }
  return undefined
}

function unprovenSide(name: string, {label, verdict}: PreferenceSide): Refusal {
  if (blank(verdict.executor.name)) return {reason: 'unproven-code', detail: `${name}: the executor is not named`}
  if (label !== best) return undefined
  const passed = verdict.outcome === 'correct' && verdict.cases.length > 0 && verdict.cases.every((it) => it.hardened)
  return passed
    ? undefined
    : {reason: 'unproven-code', detail: `${name}: ${best} without a hardened pass (${verdict.outcome})`}
}

/** A row is in one language, that of its request, and contains no references that only this project understands. */
function refuseProse<C extends Config>(config: C, record: RecordOf[C]): Refusal {
  if (config === 'apis' || config === 'errors' || ('kind' in record && unjudged.has(record.kind))) return undefined
  const {prompt, replies} = contentOf(config, record)
  const language = 'language' in record ? record.language : languageOf(proseOf(prompt))
  for (const text of [prompt, ...replies]) {
    const fault = proseFault(text, language)
    if (fault) return fault
  }
  return undefined
}

/** Nothing published may contain credentials or personal data. The detail is stored, so it only names the kind. */
async function refuseText<C extends Config>(config: C, record: RecordOf[C]): Promise<Refusal> {
  const {prompt, replies, files} = contentOf(config, record)
  // A file's code is usually in the answer.
  const texts = new Set([prompt, ...replies])
  for (const {text} of files) if (!replies.some((reply) => reply.includes(text))) texts.add(text)
  for (const text of texts) {
    const secret = await secretIn(text)
    if (secret !== undefined) return {reason: 'secret', detail: secret}
    const personal = personalDataIn(text)
    if (personal !== undefined) return {reason: 'personal-data', detail: personal}
  }
  return undefined
}

/** A count always takes the same bytes, while counting a text of megabytes takes seconds. */
const uncounted: ChatFormat = {...qwen3, tokens: () => 0}

function refuseSize<C extends Config>(config: C, record: RecordOf[C]): Refusal {
  // Texts are repeated in several columns, so up to a quarter of the limit needs no closer check.
  if (Buffer.byteLength(JSON.stringify(record)) <= rowBytes / 4) return undefined
  const row = SplitRow.parse({config, id: '-', split: 'train', record})
  const sizes = Object.entries(cells(row, uncounted)).map(([name, value]) => ({name, bytes: storedBytes(value)}))
  const bytes = sizes.reduce((sum, one) => sum + one.bytes, 0)
  if (bytes <= rowBytes) return undefined
  const [largest] = sizes.sort((a, b) => b.bytes - a.bytes)
  const detail = `${bytes} bytes, limit ${rowBytes}; ${largest?.name} has ${largest?.bytes}`
  return {reason: 'row-too-large', detail}
}

/** One question and reply as a trainer reads them. */
interface Turn {
  prompt: string
  reasoning: string
  answer: string
}

/** What a trainer's template and length would do to a reply. */
function refuseReplies(turns: readonly Turn[], format: ChatFormat, maxTokens: number): Refusal {
  for (const {prompt, reasoning, answer} of turns) {
    const mark = markIn(prompt, [reasoning, answer], format.reserved)
    if (mark !== undefined) return {reason: 'template-mark', detail: mark}
    const reply = completion(reasoning, answer)
    const lost = lostIn(format, prompt, reply, {reasoning, answer})
    if (lost !== undefined) {
      const detail = `the ${lost} does not come back from the template of ${format.name} as it is`
      return {reason: 'template-loses-text', detail}
    }
    // A token is at least one byte, and two turns have fewer marks than this.
    if (Buffer.byteLength(prompt) + Buffer.byteLength(reply) + 256 <= maxTokens) continue
    const tokens = format.tokens(prompt, reply)
    if (tokens > maxTokens) return {reason: 'too-long', detail: `${tokens} tokens, limit ${maxTokens}`}
  }
  return undefined
}

/** A control token or think tag inside a text, and where. */
function markIn(prompt: string, replies: readonly string[], reserved: readonly string[]): string | undefined {
  for (const [place, text] of [['prompt', prompt], ...replies.map((reply) => ['reply', reply])] as const) {
    const mark = templateMarks.exec(text)?.[0] ?? reserved.find((token) => text.includes(token))
    if (mark !== undefined) return `${mark} inside the ${place}`
  }
  const [found] = softSwitch.exec(prompt) ?? []
  return found === undefined ? undefined : `${found} inside the prompt switches reasoning`
}

function ofSides(pair: RecordOf['dpo' | 'optimisation']): Turn[] {
  const views = preferenceCompletions(pair)
  return (['chosen', 'rejected'] as const).map((name) => {
    const {reasoning, answer} = pair[name]
    return {prompt: pair.prompt, answer, reasoning: views[name] === answer ? '' : reasoning}
  })
}

const turns: {readonly [C in Config]: (record: RecordOf[C]) => Turn[]} = {
  sft: ({prompt, reasoning, answer}) => [{prompt, reasoning, answer}],
  dpo: ofSides,
  apis: () => [],
  errors: () => [],
  kto: ({prompt, reasoning, answer}) => [{prompt, reasoning, answer}],
  optimisation: ofSides,
}

function repliesOf<C extends Config>(config: C, record: RecordOf[C]): Turn[] {
  return turns[config](record)
}

/** Also for text of only zero-width characters. */
const blank = (text: string) => /^[\s\p{Cf}]*$/u.test(text)

/** Code without comments and layout. */
const codeText = (code: string) => codeWords(code).join(' ')

function sameFiles(a: PreferenceSide, b: PreferenceSide): boolean {
  const other = b.files.map(({text}) => codeText(text))
  return a.files.length === b.files.length && a.files.every(({text}, index) => codeText(text) === other[index])
}
