import {o200k, tokenCount, type TokenCounter} from './token-count.ts'

/** How a row of one question and one reply is turned into a trainer's input. */
export interface ChatFormat {
  name: string
  /** Changes with everything that affects the results of the functions below. */
  fingerprint: string
  /** The conversation as used in training. */
  render(prompt: string, reply: string): string
  /** The same up to where the model continues. */
  renderHead(prompt: string): string
  /** Tokens of the rendered conversation. */
  tokens(prompt: string, reply: string): number
  /** Counts plain texts, without the marks of a template. */
  vocabulary: TokenCounter
  /** Spellings of control tokens: inside a text they would be read as control tokens. */
  reserved: readonly string[]
  /** Whether the template drops the reasoning of an assistant's turn, treating it as history. */
  dropsReasoning?: boolean
}

/**
 * Qwen3's chat template as documented on its model page, for one question and one reply: the reply is split at its
 * think tags and reassembled, with an empty think block if there is no reasoning; a tool response does not count as a
 * question. Tokens are estimates under o200k_base, which needs no file of the model's.
 */
export const qwen3: ChatFormat = {
  name: 'qwen3',
  fingerprint: 'qwen3-2',
  render,
  renderHead,
  tokens: (prompt, reply) => tokenCount(render(prompt, reply)),
  vocabulary: o200k,
  reserved: [],
}

function renderHead(prompt: string): string {
  return `<|im_start|>user\n${prompt}<|im_end|>\n<|im_start|>assistant\n`
}

function render(prompt: string, reply: string): string {
  const {reasoning, answer} = cutReply(reply)
  const think = isToolResponse(prompt) ? '' : `<think>\n${stripped(reasoning)}\n</think>\n\n`
  return `${renderHead(prompt)}${think}${answer.replace(/^\n+/, '')}<|im_end|>\n`
}

/**
 * Reasoning is everything before the first `</think>`, from the last `<think>` there; the answer is everything after
 * the last.
 */
function cutReply(reply: string): {reasoning: string; answer: string} {
  const parts = reply.split('</think>')
  if (parts.length === 1) return {reasoning: '', answer: reply}
  return {reasoning: parts[0]?.split('<think>').at(-1) ?? '', answer: parts.at(-1) ?? ''}
}

const isToolResponse = (prompt: string) => prompt.startsWith('<tool_response>') && prompt.endsWith('</tool_response>')

const stripped = (text: string) => text.replace(/^\n+|\n+$/g, '')

/**
 * What a format loses of a reply: `prompt`, `reasoning` or `answer`; undefined if all can be recovered from the
 * rendered conversation. Line breaks around a part are layout, which templates may change.
 */
export function lostIn(format: ChatFormat, prompt: string, reply: string, parts: ReplyParts): string | undefined {
  const rendered = format.render(prompt, reply)
  const head = format.renderHead(prompt)
  if (!head.includes(prompt.trim())) return 'prompt'
  const own = rendered.slice(sharedPrefix(rendered, head))
  const end = own.indexOf('</think>')
  const reasoning = end < 0 ? '' : own.slice(0, end).replace(/^\s*<think>/, '')
  if (reasoning.trim() !== parts.reasoning.trim()) return 'reasoning'
  const rest = own.slice(end < 0 ? 0 : end + '</think>'.length).trimStart()
  const answer = parts.answer.trim()
  // Only the end of the turn may follow the answer.
  return rest.startsWith(answer) && rest.length - answer.length <= longestTurnEnd ? undefined : 'answer'
}

interface ReplyParts {
  reasoning: string
  answer: string
}

const longestTurnEnd = 64

function sharedPrefix(one: string, other: string): number {
  const shorter = Math.min(one.length, other.length)
  let at = 0
  while (at < shorter && one.charCodeAt(at) === other.charCodeAt(at)) at += 1
  return at
}
