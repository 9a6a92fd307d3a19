import {cppListings} from '../../datasets/listings.ts'
import type {Draft} from './draft.ts'
import {longestQuotation, shareRepeated, withoutCode} from './overlap.ts'

/** Above this share, an answer only repeats its reasoning. */
const mostRepeated = 0.6
/** Words in a row that reasoning may take from what was shown to its writer; it is thinking, not a quotation. */
const longestQuoted = 80
/** A derivation has at least this many sentences with a number or a name of code. */
const leastSteps = 2

interface Refusal {
  reason: 'hollow' | 'nothing-to-derive' | 'reasoning-repeats-answer' | 'long-quotation'
  detail: string
}

/** Why a draft teaches no reasoning, if it does not. */
export function refusalOf(draft: Draft, reference: string): Refusal | undefined {
  const {question, reasoning, answer} = draft
  if (reasoning.trim() === '') return {reason: 'nothing-to-derive', detail: question}
  const hollow = hollowIn(draft)
  if (hollow !== undefined) return {reason: 'hollow', detail: `${hollow}: ${question}`}
  const share = shareRepeated(answer, reasoning)
  if (share > mostRepeated)
    return {reason: 'reasoning-repeats-answer', detail: `${Math.round(share * 100)} % of: ${question}`}
  const quoted = longestQuotation(reasoning, reference)
  if (quoted > longestQuoted) return {reason: 'long-quotation', detail: `${quoted} words in a row: ${question}`}
  return undefined
}

/** What a draft lacks to teach anything, if it does. */
function hollowIn({question, reasoning, answer}: Draft): string | undefined {
  const steps = withoutCode(reasoning)
    .split(/(?<=[.!?;])\s+|(?<=[。！？；])|\n+/)
    .filter((sentence) => firmIn(sentence).length > 0)
  if (steps.length < leastSteps) return 'fewer than two steps of the reasoning have a number or a name'
  const known = new Set(firmIn(question))
  if (firmIn(answer).every((one) => known.has(one))) return 'the answer adds no number and no name to its question'
  const deferral = deferrals.exec(withoutCode(`${reasoning}\n${answer}`))
  if (deferral) return `the row does not have what it sends its reader to, "${deferral[0].trim()}"`
  const code = cppListings(answer).join('\n')
  const foreign = code === '' ? undefined : asCode(question).find((name) => !words(code).has(name))
  return foreign === undefined ? undefined : `the code of the answer has no ${foreign}, which its question names`
}

/** Numbers, and names that are written as code: with a capital, an underscore or a digit behind the first letter. */
function firmIn(text: string): string[] {
  return text.match(/(?<![\w.])\d+(?:\.\d+)?|\b(?=[A-Za-z_]\w*[A-Z_\d])[A-Za-z_]\w+/g) ?? []
}

/** Variables that a question speaks of in marks of code: a call or a type may well be answered by another. */
function asCode(question: string): string[] {
  return [...question.matchAll(/`([a-z]\w*(?:Local|Gm|Queue|Buf|Tensor))`/g)].map(([, name = '']) => name)
}

const words = (code: string) => new Set(code.match(/[A-Za-z_]\w*/g) ?? [])

const deferrals = new RegExp(
  [
    '以[“"「][^”"」]*[”"」]为准|请?(?:参考|参见|参阅|详见)[^，。]{0,20}',
    String.raw`\b(?:refer to|as described in|see) the (?:page|section|table|documentation|guide)\b`,
  ].join('|'),
  'i',
)
