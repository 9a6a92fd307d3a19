import type {ChatReply} from '../../engine/llm/model.ts'

type Parsed = {ok: true; value: string} | {ok: false; reason: ReplyFault; detail: string}
type ReplyFault = 'reply-empty' | 'reply-cut-off' | 'reply-malformed' | 'reply-speaks-of-answer' | 'reply-claims-run'

/**
 * What stands between `<tag>` and `</tag>`; a reply that stopped for its length is refused even when the tag is closed
 * by chance.
 */
export function parseTagged(reply: ChatReply, tag: 'request' | 'reasoning'): Parsed {
  if (reply.finishReason === 'length')
    return {ok: false, reason: 'reply-cut-off', detail: `${reply.usage.completionTokens} tokens were not enough`}
  const text = reply.text.trim()
  if (text === '') return {ok: false, reason: 'reply-empty', detail: `finish reason ${reply.finishReason}`}
  const found = [...text.matchAll(new RegExp(`<${tag}>([^]*?)</${tag}>`, 'g'))]
  const value = found[0]?.[1]?.trim() ?? ''
  if (found.length !== 1 || value === '')
    return {
      ok: false,
      reason: 'reply-malformed',
      detail: `expected one <${tag}> block, saw ${found.length}: ${text.slice(0, 80)}`,
    }
  const spoken = speaksOfAnswer.exec(value)
  if (spoken) return {ok: false, reason: 'reply-speaks-of-answer', detail: spoken[0]}
  const claimed = claimsRun.exec(value)
  if (claimed) return {ok: false, reason: 'reply-claims-run', detail: claimed[0]}
  return {ok: true, value}
}

/** A model cannot run code while it reasons: a text that says so teaches to claim runs. */
const claimsRun = new RegExp(
  [
    String.raw`\b(?:I|we)(?:'ve| have)? (?:ran|executed|tested|measured|observed|benchmarked)\b`,
    String.raw`\b(?:I|we)(?:'ve| have) run\b`,
    String.raw`\brunning (?:it|this|the (?:code|kernel)) (?:shows?|showed|confirms?|confirmed)`,
    String.raw`\b(?:a|the|my|our) (?:test |trial )?run (?:shows?|showed|confirms?|confirmed)`,
    '(?:运行|执行|测试)(?:结果|后)?(?:显示|表明|可见|证实|发现)|实测|经(?:过)?测试',
  ].join('|'),
  'i',
)

const speaksOfAnswer = new RegExp(
  [
    '(?:the|this) (?:given|provided|reference|supplied) (?:answer|solution|code|file|implementation)',
    '(?:answer|reference) code',
    '(?:给定|提供|参考)的?(?:答案|实现|代码)',
  ].join('|'),
  'i',
)
