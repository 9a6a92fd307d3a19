import type {Config} from '../../../datasets/schema/export.ts'

/** What of a configuration is read for all rows, and where the rest of a row is looked for. */
export interface Shown {
  /** Columns to choose values of. */
  facets: readonly string[]
  /** Further short columns in which words are searched. */
  searched: readonly string[]
  /** Columns of numbers to sort by. */
  numbers: readonly string[]
  /** The column whose first words the list shows. */
  head: string
  /** Columns with the texts in which words are searched on demand. */
  texts: readonly string[]
  /** Shown with every row of the list. */
  badges: readonly string[]
}

/** `split` and `mark` are no columns of a file; every configuration has them. */
export const ofEvery = ['split', 'mark'] as const

export const shownOf: {readonly [C in Config]: Shown} = {
  sft: {
    facets: ['kind', 'language', 'proof', 'outcome', 'failed_class', 'qa', 'role', 'asks', 'teacher', 'repository'],
    searched: ['path'],
    numbers: ['tokens', 'counterfactuals'],
    head: 'prompt',
    texts: ['prompt', 'completion'],
    badges: ['kind', 'language', 'proof', 'failed_class'],
  },
  dpo: {
    facets: [
      'rejected_label',
      'strategy',
      'rejected_outcome',
      'rejected_rule',
      'rejected_sampler',
      'task',
      'repository',
    ],
    searched: ['path'],
    numbers: ['changed_lines', 'chosen_tokens', 'length_difference'],
    head: 'prompt',
    texts: ['prompt', 'chosen', 'rejected'],
    badges: ['task', 'rejected_label', 'rejected_outcome', 'rejected_rule'],
  },
  apis: {
    facets: ['kind', 'language', 'product', 'pipe', 'repository'],
    searched: ['name', 'page', 'path'],
    numbers: [],
    head: 'purpose',
    texts: ['purpose', 'constraints'],
    badges: ['name', 'kind', 'language'],
  },
  errors: {
    facets: ['class', 'label', 'outcome', 'rule', 'sampler', 'api', 'task'],
    searched: ['path'],
    numbers: [],
    head: 'message',
    texts: ['message', 'code', 'signature'],
    badges: ['task', 'label', 'class', 'rule'],
  },
  kto: {
    facets: ['colour', 'outcome', 'sampler', 'task', 'repository'],
    searched: ['path'],
    numbers: ['tokens'],
    head: 'prompt',
    texts: ['prompt', 'completion'],
    badges: ['task', 'colour', 'outcome'],
  },
  optimisation: {
    facets: ['step', 'chosen_bottleneck', 'rejected_bottleneck', 'task', 'repository'],
    searched: ['path'],
    numbers: ['margin', 'chosen_modelled_us', 'rejected_modelled_us'],
    head: 'prompt',
    texts: ['prompt', 'chosen', 'rejected'],
    badges: ['task', 'step'],
  },
}

const titles: Readonly<Record<string, string>> = {
  failed_class: 'class of error',
  class: 'class of error',
  qa: 'question',
  rejected_label: 'label of the worse side',
  rejected_outcome: 'worse side',
  rejected_rule: 'broken rule',
  rejected_sampler: 'worse side by',
  chosen_bottleneck: 'faster side waits for',
  rejected_bottleneck: 'slower side waits for',
  chosen_modelled_us: 'µs of the faster, modelled',
  rejected_modelled_us: 'µs of the slower, modelled',
  chosen_tokens: 'tokens of the better side',
  tokens: 'length in tokens',
  api: 'interface',
  colour: 'label',
  asks: 'asks for',
}

export const titleOf = (column: string) => titles[column] ?? column.replaceAll('_', ' ')
