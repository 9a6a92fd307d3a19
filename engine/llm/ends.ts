/** How a reply ended. `cut`: truncated, or with an unknown finish reason; half an answer is not data. */
type End = 'finished' | 'length' | 'filtered' | 'cut'

/** The servers' finish reasons, in lower case. */
export const endWords: Readonly<Record<Exclude<End, 'cut'>, readonly string[]>> = {
  finished: ['stop', 'stop_sequence', 'end_turn', 'eos', 'eos_token', 'complete', 'completed', 'finished'],
  length: ['length', 'max_tokens', 'max_output_tokens', 'max_length', 'model_length', 'model_context_window_exceeded'],
  filtered: [
    'content_filter',
    'content_filtered',
    'sensitive',
    'safety',
    'prohibited_content',
    'blocklist',
    'recitation',
    'spii',
    'refusal',
  ],
}

const ends = new Map<string, End>(
  Object.entries(endWords).flatMap(([end, said]) => said.map((word): [string, End] => [word, end as End])),
)

/** `reason`: the last finish reason that was not empty; `done`: it closed its stream with `[DONE]`. */
export function endOf(reason: string | undefined, done: boolean): End {
  if (reason === undefined) return done ? 'finished' : 'cut'
  const [word = ''] = reason.toLowerCase().split(/[^a-z_]/)
  return ends.get(word) ?? 'cut'
}

/**
 * OpenRouter reports `stop` for a provider that failed, with this field next to it; its other native reasons are the
 * model's.
 */
const failures = new Set(['error', 'network_error'])

export function failureWord(native: unknown): string | undefined {
  const word = endWord(native)
  return word !== undefined && failures.has(word.toLowerCase()) ? word : undefined
}

/** The reason in a `finish_reason`: SGLang's native form is an object, `{type: 'stop', matched: 2}`. */
export function endWord(reason: unknown): string | undefined {
  if (typeof reason === 'object' && reason !== null && 'type' in reason) return endWord(reason.type)
  return typeof reason === 'string' && reason.trim() !== '' ? reason.trim() : undefined
}
