import {DocSection, type Evidence, ReferencedSample} from '../../datasets/schema/document.ts'
import type {Origin} from '../../datasets/schema/origin.ts'
import {type LanguageModel, withoutTeacher} from '../../engine/llm/model.ts'
import {each, type Context, type Stage} from '../../engine/stage.ts'
import {askModel, prompts} from './ask-model.ts'
import type {Draft} from './draft.ts'
import {subjectOf} from './page-subject.ts'
import {pageFacts} from './section-facts.ts'
import {cppListings} from '../../datasets/listings.ts'
import {longestQuotation, shareRepeated, withoutCode} from './overlap.ts'

type Language = DocSection['language']

interface DocumentationCotOptions {
  /** Languages to write in, each section once in each; `page` is that of the page. Default `page`. */
  languages?: readonly (Language | 'page')[]
  /** Questions that a model may ask of one section. Default 4. */
  mostQuestions?: number
  /** Sections in progress at once. Default 16. */
  concurrency?: number
}

/**
 * A section of documentation becomes questions with reasoning and answers (paper §4.1.1): a model is asked for
 * questions on all points of the section and then for each answer. The reference is passed on, so that the answer can
 * be checked against it. Without a model nothing is written, because a program can only repeat a page: questions with
 * numbers come from the recipe `worked`. Drops: `hollow`, `nothing-to-derive`, `reasoning-repeats-answer`,
 * `long-quotation`, `question-malformed`, `reply-empty`, `reply-cut-off`, `reply-malformed`, `reply-without-reasoning`,
 * `reply-without-answer`.
 * @throws PipelineError `teacher-missing` where no model is connected
 */
export default function documentationCot({
  languages = ['page'],
  mostQuestions = 4,
  concurrency = 16,
}: DocumentationCotOptions = {}): Stage<DocSection, ReferencedSample> {
  return {
    name: 'documentation-cot',
    version: 20,
    options: {...prompts, languages, mostQuestions},
    teacher: 'documentation',
    requestsPerRecord: languages.length * (1 + mostQuestions),
    input: DocSection,
    output: ReferencedSample,
    run: each(
      async (section, context) => {
        const {llm} = context
        if (!llm) throw withoutTeacher('documentation')
        const own = languages.map((language) => (language === 'page' ? section.language : language))
        const samples: ReferencedSample[] = []
        for (const language of new Set(own))
          samples.push(...(await written({section, language}, mostQuestions, llm, context)))
        return samples
      },
      {concurrency},
    ),
  }
}

/** A section, and the language to write in. */
interface Assignment {
  section: DocSection
  language: Language
}

async function written(
  {section, language}: Assignment,
  most: number,
  llm: LanguageModel,
  context: Context,
): Promise<ReferencedSample[]> {
  // Evidence holds what tells most of the page; without it the page itself is shown.
  const passages = section.evidence?.map(asPassage)
  const references = (passages ?? [section.context]).filter((passage) => passage !== '')
  const outcomes = await askModel({section, language, most, references}, llm, context.signal)
  const reference = [referenceOf(section), ...(passages ?? [])].join('\n\n')
  const evidence = section.evidence?.map(({origin}) => origin)
  return outcomes.flatMap((outcome) => {
    if ('reason' in outcome) return refused(section, outcome.reason, outcome.detail, context)
    const refusal = refusalOf(outcome.draft, reference)
    if (refusal) return refused(section, refusal.reason, refusal.detail, context)
    return [{sample: sampleOf(outcome, {section, language}, evidence, context), reference}]
  })
}

/** The page's name precedes a passage of another page, so that its rules are not mistaken for this one's. */
function asPassage({page, headings, markdown}: Evidence): string {
  return `## ${page === headings[0] ? headings.join(' / ') : [page, ...headings].join(' / ')}\n\n${markdown}`
}

function refused(section: DocSection, reason: string, detail: string, context: Context): ReferencedSample[] {
  return [...context.drop({...section, context: ''}, reason, detail)]
}

/** @param evidence places of what was shown besides the section */
function sampleOf(
  {draft, model}: {draft: Draft; model: string},
  {section, language}: Assignment,
  evidence: Origin[] | undefined,
  {stages}: Context,
): ReferencedSample['sample'] {
  const {question: prompt, reasoning, answer} = draft
  const isOnGuide = subjectOf(section, pageFacts(section)).kind === 'guide'
  return {
    ...{kind: 'documentation', qa: isOnGuide ? 'basic-knowledge' : 'api-call', prompt, reasoning, answer, files: []},
    ...{language, origin: section.origin, ...(evidence && {evidence}), teacher: {kind: 'model', model}, stages},
  }
}

function referenceOf(section: DocSection): string {
  return [section.page, ...section.headings, section.markdown, section.context].join('\n')
}

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
