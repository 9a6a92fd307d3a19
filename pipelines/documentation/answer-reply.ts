import type {ChatReply} from '../../engine/llm/model.ts'

type Parsed<T> = {ok: true; value: T} | {ok: false; reason: string; detail: string}

function refuse(reason: string, reply: ChatReply): {ok: false; reason: string; detail: string} {
  return {ok: false, reason, detail: `finish reason ${reply.finishReason}; begins: ${reply.text.slice(0, 120)}`}
}

/** One `<question>` block or more, each with text and no mark-up in it. */
export function parseQuestions(reply: ChatReply): Parsed<string[]> {
  if (reply.text.trim() === '') return refuse('reply-empty', reply)
  if (reply.finishReason === 'length') return refuse('reply-cut-off', reply)
  const questions = [...reply.text.matchAll(/<question>([^]*?)<\/question>/g)].map(([, text = '']) => text.trim())
  const isMarkedUp = (text: string) => /<\/?\w+>/.test(text.replace(/`[^`]*`/g, '').replace(/\w+<[\w:]+>/g, ''))
  if (questions.length === 0 || questions.some((text) => text === '' || isMarkedUp(text)))
    return refuse('question-malformed', reply)
  return {ok: true, value: questions}
}

/**
 * `<think>…</think><answer>…</answer>`, in this order and once each. If the endpoint has separated the reasoning, it is
 * in `reply.reasoning` and the text only has the answer; reasoning written out as requested takes precedence, because
 * it was written for a reader.
 */
export function parseAnswer(reply: ChatReply): Parsed<{reasoning: string; answer: string}> {
  const text = reply.text.trim()
  if (text === '') return refuse('reply-empty', reply)
  if (reply.finishReason === 'length') return refuse('reply-cut-off', reply)
  const thinks = [...text.matchAll(/<think>([^]*?)<\/think>/g)]
  const answers = [...text.matchAll(/<answer>([^]*?)<\/answer>/g)]
  const marks = (tag: string) => text.split(`<${tag}>`).length + text.split(`</${tag}>`).length - 2
  if (
    thinks.length > 1 ||
    answers.length > 1 ||
    marks('think') !== 2 * thinks.length ||
    marks('answer') !== 2 * answers.length
  )
    return refuse('reply-malformed', reply)
  const answer = answers[0]?.[1]?.trim() ?? ''
  if (answer === '') return refuse('reply-without-answer', reply)
  if (thinks.length === 1 && thinks[0]!.index > answers[0]!.index) return refuse('reply-malformed', reply)
  const reasoning = (thinks[0]?.[1] ?? reply.reasoning).trim()
  if (reasoning === '') return refuse('reply-without-reasoning', reply)
  return {ok: true, value: {reasoning, answer}}
}
