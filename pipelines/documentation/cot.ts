import {DocSection, type Evidence, ReferencedSample} from '../../datasets/schema/document.ts'
import type {Origin} from '../../datasets/schema/origin.ts'
import type {Teacher} from '../../datasets/schema/sample.ts'
import type {LanguageModel} from '../../engine/llm/model.ts'
import {each, type Context, type Stage} from '../../engine/stage.ts'
import {askModel, prompts} from './ask-model.ts'
import {refusalOf} from './draft-checks.ts'
import {draftsOf} from './offline/compose.ts'
import type {Draft} from './offline/draft.ts'
import {readSection, type SectionReading} from './offline/page-subject.ts'
import {silenceOf} from './offline/silence.ts'

type Language = DocSection['language']

interface DocumentationCotOptions {
  /**
   * Languages to write in, each section once in each; `page` is that of the page. Offline, another language than the
   * page's gives only what numbers, types and code tell. Default `page`.
   */
  languages?: readonly (Language | 'page')[]
  /** Questions that a model may ask of one section. Default 4. */
  mostQuestions?: number
  /** Sections in progress at once when a model is asked. Default 16. */
  concurrency?: number
}

/**
 * A section of documentation becomes questions with reasoning and answers (paper §4.1.1): by a model, which is asked
 * for questions on all points of the section and then for each answer; without a model from facts that static analysis
 * computes. The reference goes along, so that both kinds are checked alike.
 * Drops: `not-asked-by-role`, `not-read-whole`, `nothing-to-ask`, `nothing-to-derive`, `reasoning-repeats-answer`,
 * `long-quotation`, `question-malformed`, `reply-empty`, `reply-cut-off`, `reply-malformed`,
 * `reply-without-reasoning`, `reply-without-answer`.
 */
export default function documentationCot({
  languages = ['page'],
  mostQuestions = 4,
  concurrency = 16,
}: DocumentationCotOptions = {}): Stage<DocSection, ReferencedSample> {
  return {
    name: 'documentation-cot',
    version: 19,
    options: {...prompts, languages, mostQuestions},
    teacher: 'documentation',
    requestsPerRecord: languages.length * (1 + mostQuestions),
    input: DocSection,
    output: ReferencedSample,
    run: each(
      async (section, context) => {
        const own = languages.map((language) => (language === 'page' ? section.language : language))
        const reading = readSection(section)
        const samples: ReferencedSample[] = []
        for (const language of new Set(own))
          samples.push(...(await write({section, reading, language}, mostQuestions, context)))
        return samples
      },
      {concurrency},
    ),
  }
}

/** A section, how it was read, and the language to write in. */
interface Assignment {
  section: DocSection
  reading: SectionReading
  language: Language
}

function write(assignment: Assignment, most: number, context: Context): Promise<ReferencedSample[]> {
  return context.llm
    ? writeByModel(assignment, most, context.llm, context)
    : Promise.resolve(writeOffline(assignment, context))
}

function writeOffline(assignment: Assignment, context: Context): ReferencedSample[] {
  const {section, reading, language} = assignment
  const drafts = draftsOf(section, context.seed, language, reading).map(({draft}) => draft)
  if (drafts.length === 0) return refused(section, silenceOf(section, reading), section.role, context)
  return drafts.flatMap((draft) => {
    const used = draft.evidence ?? []
    const reference = [referenceOf(section), ...used.map(asPassage)].join('\n\n')
    const evidence = used.length > 0 ? used.map(({origin}) => origin) : undefined
    return checked(draft, assignment, {teacher: {kind: 'offline'}, reference, evidence}, context)
  })
}

async function writeByModel(
  assignment: Assignment,
  most: number,
  llm: LanguageModel,
  context: Context,
): Promise<ReferencedSample[]> {
  const {section, language} = assignment
  // Evidence holds what tells most of the page; without it the page itself is shown.
  const passages = section.evidence?.map(asPassage)
  const references = (passages ?? [section.context]).filter((passage) => passage !== '')
  const outcomes = await askModel({section, language, most, references}, llm, context.signal)
  const reference = [referenceOf(section), ...(passages ?? [])].join('\n\n')
  const evidence = section.evidence?.map(({origin}) => origin)
  return outcomes.flatMap((outcome) => {
    if ('reason' in outcome) return refused(section, outcome.reason, outcome.detail, context)
    const writer: Writer = {teacher: {kind: 'model', model: outcome.model}, reference, evidence}
    return checked(outcome.draft, assignment, writer, context)
  })
}

/** The page's name stands before a passage of another page, so that its rules are not taken for this one's. */
function asPassage({page, headings, markdown}: Evidence): string {
  return `## ${page === headings[0] ? headings.join(' / ') : [page, ...headings].join(' / ')}\n\n${markdown}`
}

/** Who wrote a draft, and what bears it out. */
interface Writer {
  teacher: Teacher
  reference: string
  /** Places of what was shown beside the section. */
  evidence?: Origin[] | undefined
}

function refused(section: DocSection, reason: string, detail: string, context: Context): ReferencedSample[] {
  return [...context.drop({...section, context: ''}, reason, detail)]
}

function checked(draft: Draft, assignment: Assignment, writer: Writer, context: Context): ReferencedSample[] {
  const {section, reading, language} = assignment
  const refusal = refusalOf(draft, writer.reference)
  if (refusal) return refused(section, refusal.reason, refusal.detail, context)
  const {question: prompt, reasoning, answer} = draft
  const {teacher, reference} = writer
  const {origin} = section
  const {stages} = context
  const qa = reading.subject.kind === 'guide' ? 'basic-knowledge' : 'api-call'
  const shown = writer.evidence ? {evidence: writer.evidence} : {}
  return [
    {
      sample: {
        kind: 'documentation',
        qa,
        prompt,
        reasoning,
        answer,
        files: [],
        language,
        origin,
        ...shown,
        teacher,
        stages,
      },
      reference,
      ...(draft.expected === undefined ? {} : {expected: draft.expected}),
    },
  ]
}

function referenceOf(section: DocSection): string {
  return [section.page, ...section.headings, section.markdown, section.context].join('\n')
}
