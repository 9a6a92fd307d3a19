import {count, table} from './card-sections.ts'
import {foreignText} from './foreign-text.ts'
import type {ConfigStats} from './stats.ts'
import {o200k} from '../tokens/token-count.ts'
import {lengthSteps, type LengthStats} from '../tokens/token-lengths.ts'

/**
 * The next power of two above 1.25 times the longest reply: the model's vocabulary differs from the one used for
 * counting, and the chat template adds tokens.
 */
export function demandedLength(longest: number): number {
  return 2 ** Math.max(10, Math.ceil(Math.log2(longest * 1.25)))
}

/** The vocabularies used to count the tokens of rows: `under o200k_base`. */
function countedBy(stats: readonly ConfigStats[]): string {
  const names = new Set(stats.flatMap(({tallies}) => (tallies['tokenizer'] ?? []).map(([name]) => name)))
  return [...names]
    .map((name) => (name === o200k.tokenizer ? `under ${name}` : `by ${foreignText(name)}`))
    .join(' and ')
}

/** Lengths of replies, and the trainer settings that truncate none of them; '' without replies. */
export function trainingSection(stats: readonly ConfigStats[]): string {
  const taught = stats.filter(({lengths}) => lengths.length > 0)
  if (taught.length === 0) return ''
  const demanded = taught.map(({config, lengths}) => [config, demandedLength(lengths[0]?.max ?? 0)] as const)
  return [
    '## Training with it',
    `Tokens of prompt and reply together, ${countedBy(taught)}, and how many exceed the limits at which trainers ` +
      `truncate${taught.some(({config}) => config === 'dpo') ? '; a pair has two replies, one for each side' : ''}:`,
    table(
      [
        'configuration',
        'kind',
        'replies',
        'p50',
        'p90',
        'p99',
        'max',
        ...lengthSteps.map((step) => `> ${count(step)}`),
      ],
      taught.flatMap(({config, lengths}) => lengths.map((one) => lengthRow(config, one))),
    ),
    [
      '**Set the length.** TRL truncates at 1,024 tokens unless `max_length` is set, LLaMA-Factory at 2,048',
      '(`cutoff_len`), the templates of MindSpeed-LLM at 4,096 (`--seq-length`). They cut the end, the code; TRL',
      'skips a row of which only the prompt remains, ms-swift every longer row (`max_length`). None reports how',
      'many. The smallest power of two that keeps every reply complete, with a quarter to spare for another vocabulary',
      'and the chat template:',
    ].join('\n'),
    table(
      ['', ...demanded.map(([config]) => `\`${config}\``)],
      settings.map(([trainer, key]) => [`${trainer}: \`${key}\``, ...demanded.map(([, length]) => String(length))]),
    ),
  ].join('\n\n')
}

const settings = [
  ['TRL', 'max_length'],
  ['LLaMA-Factory', 'cutoff_len'],
  ['MindSpeed-LLM', '--seq-length'],
  ['ms-swift', 'max_length'],
] as const

function lengthRow(config: string, {kind, replies, total, p50, p90, p99, max, longer}: LengthStats): string[] {
  const numbers = [replies, p50, p90, p99, max, ...longer].map(count)
  return [config, kind === undefined ? `all: ${count(total)} tokens` : foreignText(kind), ...numbers]
}
