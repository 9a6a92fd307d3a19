import type {DocSection, SectionRole} from '../../datasets/schema/document.ts'
import type {ChatReply, LanguageModel} from '../../engine/llm/model.ts'
import {loadPrompt, renderPrompt} from '../../engine/prompt.ts'
import type {Draft} from './draft.ts'

const questionPrompt = loadPrompt(new URL('cot-question.md', import.meta.url))
const answerPrompt = loadPrompt(new URL('cot-answer.md', import.meta.url))

/** The texts that shape what a model writes. */
export const prompts = {question: questionPrompt, answer: answerPrompt}

/** What came of one question, or of the request for questions. */
type Outcome = {draft: Draft; model: string} | {reason: string; detail: string}

interface Request {
  section: DocSection
  language: DocSection['language']
  /** Questions that are asked for at most. */
  most: number
  /** What the writer of an answer sees besides the section. */
  references: readonly string[]
}

/** One request for questions on all points of a section, then one request for each answer. */
export async function askModel(request: Request, llm: LanguageModel, signal: AbortSignal): Promise<Outcome[]> {
  const {section, most} = request
  const language = request.language === 'zh' ? 'Chinese' : 'English'
  const complete = (content: string): Promise<ChatReply> => llm.complete({messages: [{role: 'user', content}]}, signal)
  const asked = parseQuestions(
    await complete(
      renderPrompt(questionPrompt, {
        language,
        most: String(most),
        page: section.page,
        headings: section.headings.join(' > '),
        focus: focus[section.role],
        section: section.markdown,
      }),
    ),
  )
  if (!asked.ok) return [{reason: asked.reason, detail: asked.detail}]
  const questions = [...new Set(asked.value)].slice(0, most)
  const answer = (question: string) =>
    complete(
      renderPrompt(answerPrompt, {
        language,
        question,
        section: section.markdown,
        related: request.references.join('\n\n'),
      }),
    )
  return Promise.all(questions.map(async (question) => outcomeOf(question, await answer(question))))
}

function outcomeOf(question: string, reply: ChatReply): Outcome {
  const answer = parseAnswer(reply)
  return answer.ok
    ? {draft: {question, ...answer.value}, model: reply.model}
    : {reason: answer.reason, detail: answer.detail}
}

/** Subjects of questions by kind of section, so that the questions of a page differ. */
const focus: Record<SectionRole, string> = {
  support: 'Here: whether and where it can be used.',
  function: 'Here: what it does and when it is the right choice.',
  prototype: 'Here: how the forms differ, which one to choose, and how its template arguments are given.',
  parameters: 'Here: how the parameters are set correctly.',
  'data-types': 'Here: which element types are allowed and what to do with others.',
  returns: 'Here: what comes back and how it is used.',
  constraints: 'Here: what must hold and what follows when it does not.',
  example: 'Here: a short piece of code for a concrete case.',
  headers: 'Here: what must be included.',
  pipe: 'Here: on which pipe it runs and what that means for synchronisation.',
  other: 'Here: why it is done this way.',
}

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
