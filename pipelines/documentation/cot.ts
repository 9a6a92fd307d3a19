import {DocSection, type Evidence, ReferencedSample} from '../../datasets/schema/document.ts'
import type {Origin} from '../../datasets/schema/origin.ts'
import {type LanguageModel, withoutTeacher} from '../../engine/llm/model.ts'
import {each, type Context, type Stage} from '../../engine/stage.ts'
import {askModel, prompts} from './ask-model.ts'
import type {Draft} from './draft.ts'
import {refusalOf} from './draft-checks.ts'
import {subjectOf} from './page-subject.ts'
import {pageFacts} from './section-facts.ts'

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
