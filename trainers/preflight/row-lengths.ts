import {counted as inWords} from '../../engine/counted.ts'
import {LengthTally} from '../../datasets/tokens/token-lengths.ts'
import {countedColumns} from '../training-rows.ts'
import type {CheckedJob} from './checked-job.ts'
import {count, found, percent, type Finding} from './finding.ts'
import {Tally, type RowCheck, type RowView} from './row-view.ts'

/** Counts under another vocabulary may be off by this factor, those of a small one by more. */
const margin = 1.25

interface Lost {
  rows: Tally
  near: Tally
  /** With more tokens than the model has positions. */
  beyond: Tally
  /** Fewest tokens of one of them, as the data set counts them; Infinity if it does not. */
  counted: number
  tokens: number
  /** Replies that lose their `</think>`, and those with nothing left. */
  thoughts: number
  whole: number
}

/** Checks lengths in tokens against the trainer's limit: truncation removes the end, which is the code. */
export function rowLengths({plan: {spec, model}, chat}: CheckedJob): RowCheck & {tokens(): number} {
  const limit = spec.hyperparameters.maxLength.value
  const context = model.shape?.context ?? Infinity
  const tally = new LengthTally()
  const lost: Lost = {
    rows: new Tally(),
    near: new Tally(),
    beyond: new Tally(),
    counted: Infinity,
    tokens: 0,
    thoughts: 0,
    whole: 0,
  }
  return {
    look(row) {
      // With a reward, replies are unknown before they are sampled.
      const replies = row.replies.length === 0 ? [''] : row.replies.map(({text}) => text)
      for (const reply of replies) {
        const tokens = chat.format.tokens(row.question, reply)
        tally.add('', tokens)
        if (tokens > context) addBeyond(lost, row, countedColumns(spec.method))
        if (tokens > limit) addLost(lost, {row, reply, tokens, limit, count: chat.format.tokens})
        else if (!chat.exact && tokens * margin > limit) lost.near.add(row)
      }
    },
    /** For all rows, both sides of a pair. */
    tokens: () => tally.result()[0]?.total ?? 0,
    findings: () => findingsOf(lost, tally, {limit, context, exact: chat.exact}),
  }
}

interface Cut {
  row: RowView
  reply: string
  tokens: number
  limit: number
  count: (prompt: string, reply: string) => number
}

interface Limits {
  limit: number
  /** Infinity if the model does not say. */
  context: number
  exact: boolean
}

function addBeyond(lost: Lost, row: RowView, columns: readonly string[]): void {
  lost.beyond.add(row)
  const counts = columns.map((name) => Number(row.cells[name] ?? Infinity))
  lost.counted = Math.min(lost.counted, Math.max(...counts))
}

function addLost(lost: Lost, {row, reply, tokens, limit, count}: Cut): void {
  lost.rows.add(row)
  lost.tokens += tokens - limit
  if (count(row.question, '') >= limit) lost.whole += 1
  const end = reply.indexOf('</think>')
  if (end >= 0 && count(row.question, reply.slice(0, end)) >= limit) lost.thoughts += 1
}

function findingsOf(lost: Lost, tally: LengthTally, {limit, context, exact}: Limits): Finding[] {
  const [all] = tally.result()
  if (!all) return []
  const wanted = fitting(all.max * (exact ? 1 : margin))
  const roughly = exact ? '' : ' by estimate'
  return [
    ...found(
      'lengths',
      `${inWords(all.replies, 'reply', 'replies')}, prompt included: ${inWords(all.total, 'token')}${roughly}, ` +
        `p50 ${count(all.p50)}, p90 ${count(all.p90)}, p99 ${count(all.p99)}, longest ${count(all.max)}, ` +
        `limit ${count(limit)}.`,
    ),
    ...lost.rows.found(
      'rows-cut',
      (rows) =>
        `${rows} are longer than \`hyperparameters.maxLength\`, ${count(limit)} tokens${roughly}: trainers silently ` +
        `truncate them by ${inWords(lost.tokens, 'token')} in all (${percent(lost.tokens / all.total)}); ` +
        `${count(lost.thoughts)} would lose \`</think>\`, ${count(lost.whole)} would lose the whole reply.`,
      `Use --set hyperparameters.maxLength=${wanted}, or export shorter rows (\`export.maxTokens\`).`,
    ),
    ...contextFindings(lost, all.max, {limit, context, exact}),
    ...lost.near.found(
      'lengths-near-limit',
      (rows) => `${rows} come within a quarter of \`hyperparameters.maxLength\`, ${count(limit)} tokens, by estimate.`,
      `Use --set hyperparameters.maxLength=${wanted}, or a model folder with its tokenizer.json.`,
    ),
    ...(exact ? [] : estimated),
  ]
}

/** Positions that a model has never seen are noise to it; some trainers stop there, others continue. */
function contextFindings({beyond, counted}: Lost, longest: number, {limit, context, exact}: Limits): Finding[] {
  if (beyond.count === 0) {
    if (limit <= context) return []
    const message =
      `\`hyperparameters.maxLength\` is ${count(limit)}, the model's own context is ${count(context)} tokens ` +
      `(\`max_position_embeddings\`); the longest row, ${count(longest)}, fits.`
    return found('context-short', message, '', 'note')
  }
  const roughly = exact ? '' : ' by estimate'
  const limited = exact ? `${counted - 1}, as the data set counts` : `${Math.floor(context / margin)}, also an estimate`
  const most = ` (--set data.maxTokens=${limited})`
  return beyond.found(
    'context-short',
    (rows) =>
      `${rows} are longer${roughly} than the model's own context, ${count(context)} tokens ` +
      `(\`max_position_embeddings\`); the longest has ${count(longest)}.`,
    `Train on shorter rows${counted === Infinity ? '' : most}, use a model with a longer context, or extend this ` +
      'one (`rope_scaling` in its config.json).',
  )
}

const estimated = found(
  'lengths-estimated',
  "The model's tokenizer.json is not available: token counts are estimated with another model's vocabulary.",
  "Set `model.name` to the model's folder, or download it first: `hf download <owner>/<name>`.",
)

/** The next multiple of 1,024. */
const fitting = (tokens: number) => Math.ceil(tokens / 1024) * 1024
