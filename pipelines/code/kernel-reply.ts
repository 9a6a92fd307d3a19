import type {ChatMessage, ChatReply, LanguageModel} from '../../engine/llm/model.ts'
import {loadPrompt, renderPrompt} from '../../engine/prompt.ts'

/** What a reply that cannot be kept is answered with. */
export const againPrompt = loadPrompt(new URL('reply-again.md', import.meta.url))

interface Asked {
  tag: 'request' | 'reasoning'
  /**
   * What contradicts the records that the model was given, or is not supported by any of them; nothing by default.
   * @param beside the text around the tags
   */
  faults?: (text: string, beside: string) => readonly string[]
}

/**
 * Requests the text between `<tag>` and `</tag>`. An unusable reply is sent back once with the finding, except a
 * truncated one, which would only grow.
 */
export async function askTagged(
  llm: LanguageModel,
  content: string,
  asked: Asked,
  signal: AbortSignal,
): Promise<{reply: ChatReply; parsed: Parsed}> {
  const messages: ChatMessage[] = [{role: 'user', content}]
  const reply = await llm.complete({messages}, signal)
  const parsed = judged(reply, asked)
  if (parsed.ok || parsed.reason === 'reply-cut-off') return {reply, parsed}
  const finding = `${findings[parsed.reason]} (${parsed.detail}).`
  messages.push({role: 'assistant', content: reply.text}, {role: 'user', content: renderPrompt(againPrompt, {finding})})
  const second = await llm.complete({messages}, signal)
  return {reply: second, parsed: judged(second, asked)}
}

function judged(reply: ChatReply, {tag, faults = () => []}: Asked): Parsed {
  const parsed = parseTagged(reply, tag)
  const found = parsed.ok ? faults(parsed.value, reply.text.replace(parsed.value, '')) : []
  return found.length > 0 ? {ok: false, reason: 'code-disagreement', detail: found.slice(0, 5).join('; ')} : parsed
}

/** The message to the model. */
const findings: Readonly<Record<Exclude<ReplyFault, 'reply-cut-off'>, string>> = {
  'reply-empty': 'there was no text',
  'reply-malformed': 'it has not the form that was asked for',
  'reply-speaks-of-answer': 'it speaks of the answer as something that was given',
  'reply-claims-run': 'it claims that something was run or measured',
  'code-disagreement': 'it is not borne out by the code, the evidence and its own numbers',
}

type Parsed = {ok: true; value: string} | {ok: false; reason: ReplyFault; detail: string}
type ReplyFault =
  | ('reply-empty' | 'reply-cut-off' | 'reply-malformed' | 'reply-speaks-of-answer' | 'reply-claims-run')
  | 'code-disagreement'

/**
 * The text between `<tag>` and `</tag>`; a reply that stopped for its length is refused even when the tag is closed by
 * chance.
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

/** A model cannot run code while it reasons: text that claims a run teaches false claims. */
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
