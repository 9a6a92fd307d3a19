import type {Draft} from './offline/draft.ts'
import {longestQuotation, shareRepeated} from './overlap.ts'

/** Above this share an answer only says again what its reasoning has said. */
const mostRepeated = 0.6
/** Words in a row that reasoning may take from what was shown to its writer; it is thinking, not a quotation. */
const longestQuoted = 80

interface Refusal {
  reason: 'nothing-to-derive' | 'reasoning-repeats-answer' | 'long-quotation'
  detail: string
}

/** Why a draft teaches no reasoning, if it does not. */
export function refusalOf({question, reasoning, answer}: Draft, reference: string): Refusal | undefined {
  if (reasoning.trim() === '') return {reason: 'nothing-to-derive', detail: question}
  const share = shareRepeated(answer, reasoning)
  if (share > mostRepeated)
    return {reason: 'reasoning-repeats-answer', detail: `${Math.round(share * 100)} % of: ${question}`}
  const quoted = longestQuotation(reasoning, reference)
  if (quoted > longestQuoted) return {reason: 'long-quotation', detail: `${quoted} words in a row: ${question}`}
  return undefined
}
