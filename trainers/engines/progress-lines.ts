import type {Progress} from '../../datasets/schema/job.ts'

type Values = Readonly<Record<string, unknown>>

/** Prefix of reports from `python/progress.py`. */
const REPORT = /\bPROGRESS (\{.*\})\s*$/

/** A report line of `python/progress.py`. */
export function reportedProgress(line: string): Progress | null {
  const [, json] = REPORT.exec(line) ?? []
  return json === undefined ? null : progress(parsed(json))
}

/** A line of a log with one JSON object per line: LLaMA-Factory's `trainer_log.jsonl`, ms-swift's `logging.jsonl`. */
export const jsonProgress = (line: string): Progress | null => (line.startsWith('{"') ? progress(parsed(line)) : null)

/**
 * A dictionary as Python prints it, which is how transformers and ms-swift log: numbers bare, in quotes (transformers
 * 5.18 and later), or `nan` and `inf`. A progress bar may precede it on the line.
 */
export function dictionaryProgress(line: string): Progress | null {
  const [, inside] = /\{('.*)\}\s*$/.exec(line) ?? []
  if (inside === undefined) return null
  const entries = inside.matchAll(/'([^']+)': (?:'([^']*)'|"([^"]*)"|([^,]+))/g)
  return progress(Object.fromEntries([...entries].map(([, key, ...values]) => [key, values.find(Boolean)])))
}

/** JSON as Python writes it: with bare words such as NaN. */
function parsed(json: string): Values {
  try {
    const value: unknown = JSON.parse(json.replace(/: (-?Infinity|NaN)(?=[,}])/g, ': "$1"'))
    return typeof value === 'object' && value !== null ? (value as Values) : {}
  } catch {
    // A line that is interleaved or truncated reports nothing.
    return {}
  }
}

const steps = ['step', 'current_steps', 'global_step']
const totals = ['total', 'total_steps', 'max_steps']
const learningRates = ['learning_rate', 'lr']
const gradientNorms = ['grad_norm']

/** A line without a loss is a summary, an evaluation or a save, not a step. */
function progress(values: Values): Progress | null {
  const [step, total] = position(values)
  if (step === null || !('loss' in values)) return null
  const named = new Set(['loss', 'global_step/max_steps', ...steps, ...totals, ...learningRates, ...gradientNorms])
  const others = Object.entries(values).filter(([name]) => !named.has(name))
  const numbers = others.flatMap(([name, value]) => {
    const number = numberOf(value)
    return number === null ? [] : [[name, number] as const]
  })
  return {
    step,
    total: total ?? 0,
    loss: numberOf(values['loss']),
    learningRate: numberOf(first(values, learningRates)),
    gradientNorm: numberOf(first(values, gradientNorms)),
    metrics: Object.fromEntries(numbers),
  }
}

function position(values: Values): [number | null, number | null] {
  const [, step, total] = /^(\d+)\/(\d+)$/.exec(String(values['global_step/max_steps'] ?? '')) ?? []
  if (step !== undefined) return [Number(step), Number(total)]
  return [numberOf(first(values, steps)), numberOf(first(values, totals))]
}

const first = (values: Values, names: readonly string[]): unknown => values[names.find((name) => name in values) ?? '']

/** null for NaN, infinity and everything else that is not a number. */
export function numberOf(value: unknown): number | null {
  if (typeof value === 'string' && value.trim() === '') return null
  const number = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN
  return Number.isFinite(number) ? number : null
}
