/**
 * `error` stops a launch unless the specification allows its code; `warning` needs a decision; `note` is information.
 */
export type Severity = 'error' | 'warning' | 'note'

/** Every code that a finding may have, valid in a specification's `allow`, with its severity unless the job decides. */
const severities = {
  'turns-malformed': 'error',
  'turns-lost': 'error',
  'prompt-empty': 'error',
  'reply-empty': 'error',
  'rows-repeated': 'warning',
  'think-malformed': 'error',
  'think-missing': 'error',
  'think-as-text': 'warning',
  'think-one-sided': 'error',
  'think-in-history': 'warning',
  'control-token': 'error',
  lengths: 'note',
  'lengths-estimated': 'warning',
  'lengths-near-limit': 'warning',
  'rows-cut': 'error',
  'context-short': 'error',
  'template-missing': 'error',
  'template-drops-text': 'error',
  'thinking-differs': 'warning',
  pairs: 'note',
  'sides-equal': 'error',
  'sides-same-code': 'error',
  'labels-reversed': 'error',
  'labels-one-sided': 'error',
  'length-tells': 'warning',
  'pairs-repeated': 'warning',
  'pairs-close': 'note',
  'task-dominates': 'warning',
  'pairs-off-policy': 'note',
  'benchmark-leak': 'error',
  'not-decontaminated': 'warning',
  'composition-unchanged': 'warning',
  'warm-up-whole': 'warning',
  'rows-unseen': 'note',
  'checkpoint-late': 'warning',
  'disk-short': 'error',
  'memory-short': 'error',
  'shape-unknown': 'note',
  'environment-unasked': 'warning',
  'trainer-missing': 'error',
  'key-unknown': 'error',
  'number-as-text': 'error',
  'devices-short': 'error',
  'scheduler-missing': 'error',
  'output-unwritable': 'error',
  'output-occupied': 'error',
  'checkpoint-missing': 'error',
  'resume-differs': 'error',
  'adapter-rank': 'error',
  'adapter-untuned': 'warning',
  'allow-unknown': 'warning',
} as const satisfies Record<string, Severity>
export type FindingCode = keyof typeof severities
export const findingCodes = Object.keys(severities) as FindingCode[]

export interface Finding {
  code: FindingCode
  severity: Severity
  /** What was seen against what was expected, with numbers. */
  message: string
  /** What to do, in the imperative; '' if no action is needed. */
  fix: string
}

/** One finding, as a check reports it. */
export function found(code: FindingCode, message: string, fix = '', severity: Severity = severities[code]): Finding[] {
  return [{code, severity, message, fix}]
}

/** Numbers formatted alike on every machine. */
export const count = (value: number): string => value.toLocaleString('en-US', {maximumFractionDigits: 0})

export const percent = (share: number): string => `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`

export const gib = (bytes: number): string => `${(bytes / 2 ** 30).toFixed(bytes < 10 * 2 ** 30 ? 1 : 0)} GiB`
