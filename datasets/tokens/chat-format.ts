import {o200k, tokenCount, type TokenCounter} from './token-count.ts'

/** What becomes of a row of one question and one reply on its way into a trainer. */
export interface ChatFormat {
  name: string
  /** Changes with everything that shapes what the functions below return. */
  fingerprint: string
  /** The conversation as the model is trained on it. */
  render(prompt: string, reply: string): string
  /** The same up to where the model goes on. */
  renderHead(prompt: string): string
  /** Tokens of the rendered conversation. */
  tokens(prompt: string, reply: string): number
  /** Counts plain texts, without the marks of a template. */
  vocabulary: TokenCounter
  /** Spellings of control tokens: inside a text they would be read as such. */
  reserved: readonly string[]
  /** Whether the template leaves the thought of an assistant's turn out, as of one that is history. */
  dropsReasoning?: boolean
}

/**
 * Qwen3's chat template as its model page documents it, for one question and one reply: the reply is cut at its think
 * tags and put together again, an empty think block stands where there is no reasoning, and a question that is the
 * response of a tool is none. Tokens are estimates under o200k_base, which needs no file of the model's.
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

/** Reasoning is all before the first `</think>`, from the last `<think>` there; answer is all behind the last. */
function cutReply(reply: string): {reasoning: string; answer: string} {
  const parts = reply.split('</think>')
  if (parts.length === 1) return {reasoning: '', answer: reply}
  return {reasoning: parts[0]?.split('<think>').at(-1) ?? '', answer: parts.at(-1) ?? ''}
}

const isToolResponse = (prompt: string) => prompt.startsWith('<tool_response>') && prompt.endsWith('</tool_response>')

const stripped = (text: string) => text.replace(/^\n+|\n+$/g, '')

/**
 * What a format loses of a reply: `prompt`, `reasoning` or `answer`; undefined where all come back from the rendered
 * conversation. Line breaks around a part are layout, which templates set as they like.
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
  // Behind the answer only the end of the turn may stand.
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
