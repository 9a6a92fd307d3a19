import {DocSection, ReferencedSample, type SectionRole} from '../../datasets/schema/document.ts'
import type {Teacher} from '../../datasets/schema/sample.ts'
import type {ChatReply, LanguageModel} from '../../engine/llm/model.ts'
import {loadPrompt, renderPrompt} from '../../engine/prompt.ts'
import {each, type Context, type Stage} from '../../engine/stage.ts'
import {draftsOf} from './offline/compose.ts'
import type {Draft} from './offline/draft.ts'
import {refusalOf} from './draft-checks.ts'
import {parseAnswer, parseQuestion} from './answer-reply.ts'

const questionPrompt = loadPrompt(new URL('cot-question.md', import.meta.url))
const answerPrompt = loadPrompt(new URL('cot-answer.md', import.meta.url))

interface DocumentationCotOptions {
  /** Sections in progress at once when a model is asked. Default 16. */
  concurrency?: number
}

/**
 * A section of documentation becomes questions with reasoning and answers (paper §4.1.1): by a model in two requests,
 * question then answer; without a model from facts that static analysis computes. The reference goes along, so that
 * both kinds are checked alike.
 * Drops: `nothing-to-ask`, `nothing-to-derive`, `reasoning-repeats-answer`, `long-quotation`, `question-malformed`,
 * `reply-empty`, `reply-cut-off`, `reply-malformed`, `reply-without-reasoning`, `reply-without-answer`.
 */
export default function documentationCot({
  concurrency = 16,
}: DocumentationCotOptions = {}): Stage<DocSection, ReferencedSample> {
  return {
    name: 'documentation-cot',
    version: 4,
    options: {question: questionPrompt, answer: answerPrompt},
    teacher: 'documentation',
    requestsPerRecord: 2,
    input: DocSection,
    output: ReferencedSample,
    run: each(
      (section, context) => (context.llm ? askModel(section, context.llm, context) : writeOffline(section, context)),
      {concurrency},
    ),
  }
}

function writeOffline(section: DocSection, context: Context): ReferencedSample[] {
  const drafts = draftsOf(section, context.seed).map(({draft}) => draft)
  if (drafts.length === 0) return [...context.drop({...section, context: ''}, 'nothing-to-ask', section.role)]
  const reference = referenceOf(section)
  return drafts.flatMap((draft) => checked(draft, section, reference, context, {kind: 'offline'}))
}

async function askModel(section: DocSection, llm: LanguageModel, context: Context): Promise<ReferencedSample[]> {
  const drop = (reason: string, detail?: string) => [...context.drop({...section, context: ''}, reason, detail)]
  const language = section.language === 'zh' ? 'Chinese' : 'English'
  const asked = await complete(
    llm,
    renderPrompt(questionPrompt, {
      language,
      page: section.page,
      headings: section.headings.join(' > '),
      focus: focus[section.role],
      section: section.markdown,
    }),
    context,
  )
  const question = parseQuestion(asked)
  if (!question.ok) return drop(question.reason, question.detail)
  const passages = section.related ?? []
  const references = [section.context, ...passages].filter((passage) => passage !== '')
  const replied = await complete(
    llm,
    renderPrompt(answerPrompt, {
      language,
      question: question.value,
      section: section.markdown,
      related: references.join('\n\n'),
    }),
    context,
  )
  const answer = parseAnswer(replied)
  if (!answer.ok) return drop(answer.reason, answer.detail)
  const draft = {question: question.value, ...answer.value}
  const shown = [referenceOf(section), ...passages].join('\n\n')
  return checked(draft, section, shown, context, {kind: 'model', model: replied.model})
}

function checked(draft: Draft, section: DocSection, reference: string, context: Context, teacher: Teacher) {
  const refusal = refusalOf(draft, reference)
  return refusal
    ? [...context.drop({...section, context: ''}, refusal.reason, refusal.detail)]
    : [sampleOf(section, draft, teacher, reference, context)]
}

function complete(llm: LanguageModel, content: string, context: Context): Promise<ChatReply> {
  return llm.complete({messages: [{role: 'user', content}]}, context.signal)
}

function referenceOf(section: DocSection): string {
  return [section.page, ...section.headings, section.markdown, section.context].join('\n')
}

function sampleOf(
  section: DocSection,
  draft: Draft,
  teacher: Teacher,
  reference: string,
  {stages}: Context,
): ReferencedSample {
  return {
    sample: {
      kind: 'documentation',
      prompt: draft.question,
      reasoning: draft.reasoning,
      answer: draft.answer,
      files: [],
      language: section.language,
      origin: section.origin,
      teacher,
      stages,
    },
    reference,
  }
}

/** What to ask for in each kind of section, so that the questions of a page differ. */
const focus: Record<SectionRole, string> = {
  support: 'Here: whether and where it can be used.',
  function: 'Here: what it does and when it is the right choice.',
  prototype: 'Here: how the forms differ and which one to choose.',
  parameters: 'Here: how one parameter is set correctly.',
  'data-types': 'Here: which element types are allowed and what to do with others.',
  returns: 'Here: what comes back and how it is used.',
  constraints: 'Here: what must hold and what follows when it does not.',
  example: 'Here: a short piece of code for a concrete case.',
  headers: 'Here: what must be included.',
  pipe: 'Here: on which pipe it runs and what that means for synchronisation.',
  other: 'Here: why it is done this way.',
}
