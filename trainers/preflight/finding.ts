/**
 * `error` stops a launch unless the specification allows its code; `warning` needs a decision; `note` is information.
 */
export type Severity = 'error' | 'warning' | 'note'

/** Every code that a finding may have; valid in a specification's `allow`. */
export const findingCodes = [
  'turns-malformed',
  'turns-lost',
  'prompt-empty',
  'reply-empty',
  'rows-repeated',
  'think-malformed',
  'think-missing',
  'think-as-text',
  'think-one-sided',
  'think-in-history',
  'control-token',
  'lengths',
  'lengths-estimated',
  'lengths-near-limit',
  'rows-cut',
  'context-short',
  'template-missing',
  'template-drops-text',
  'thinking-differs',
  'pairs',
  'sides-equal',
  'sides-same-code',
  'labels-reversed',
  'labels-one-sided',
  'length-tells',
  'pairs-repeated',
  'pairs-close',
  'task-dominates',
  'pairs-off-policy',
  'benchmark-leak',
  'not-decontaminated',
  'composition-unchanged',
  'warm-up-whole',
  'rows-unseen',
  'checkpoint-late',
  'disk-short',
  'memory-short',
  'shape-unknown',
  'environment-unasked',
  'trainer-missing',
  'key-unknown',
  'number-as-text',
  'devices-short',
  'scheduler-missing',
  'output-unwritable',
  'output-occupied',
  'checkpoint-missing',
  'resume-differs',
  'adapter-rank',
  'adapter-untuned',
  'allow-unknown',
] as const
export type FindingCode = (typeof findingCodes)[number]

export interface Finding {
  code: FindingCode
  severity: Severity
  /** What was seen against what was expected, with numbers. */
  message: string
  /** What to do, in the imperative; '' if no action is needed. */
  fix: string
}

/** Numbers formatted alike on every machine. */
export const count = (value: number): string => value.toLocaleString('en-US', {maximumFractionDigits: 0})

export const percent = (share: number): string => `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`

export const gib = (bytes: number): string => `${(bytes / 2 ** 30).toFixed(bytes < 10 * 2 ** 30 ? 1 : 0)} GiB`
