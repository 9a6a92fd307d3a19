import {z} from 'zod'
import {Origin} from './origin.ts'
import {PageImage, TextRepair} from './page-image.ts'
import {CotSample} from './sample.ts'

/** One page of documentation, as Markdown with tables, code and formulas. */
export const DocPage = z.strictObject({
  origin: Origin,
  title: z.string().min(1),
  language: z.enum(['zh', 'en']),
  markdown: z.string(),
  /** Lines of the Markdown's headings in the page's file, 1-based; null if unknown. */
  headingLines: z.array(z.int().positive().nullable()).optional(),
  /** Lines of the page's file. */
  lineCount: z.int().positive().optional(),
  /** The images that it refers to; absent if none. */
  images: z.array(PageImage).min(1).optional(),
  /** Repairs to its text by rules; absent if none. */
  repairs: z.array(TextRepair).min(1).optional(),
  /** Formulas that the source has as LaTeX; absent if none. */
  latex: z
    .strictObject({
      formulas: z.int().positive(),
      /** Those that KaTeX cannot parse. */
      faulty: z.array(z.strictObject({latex: z.string(), problem: z.string()})),
    })
    .optional(),
})
export type DocPage = z.infer<typeof DocPage>

/** What a section is about; decides which question is asked. `other` is prose that fits no other kind. */
export const SectionRole = z.enum([
  'support',
  'function',
  'prototype',
  'parameters',
  'data-types',
  'returns',
  'constraints',
  'example',
  'headers',
  'pipe',
  'other',
])
export type SectionRole = z.infer<typeof SectionRole>

/** Why a passage was added to a section. */
export const EvidenceReason = z.enum([
  /** Another section of the same page. */
  'same-page',
  /** The interface is called in the section's code, or in the example of its page. */
  'calls',
  /** The interface, or the heading, is named in the text. */
  'names',
  /** It explains a rule that the section states or relies on: alignment, overlap, masks, repeats. */
  'constraint',
  /** Another page of the same name: an overload, another layer of the API. */
  'same-name',
  /** It has the section's rarest words; used if nothing else was found. */
  'similar',
])
export type EvidenceReason = z.infer<typeof EvidenceReason>

/** A passage of documentation that is relevant to a section: whole blocks from the start of another section. */
export const Evidence = z.strictObject({
  why: EvidenceReason,
  /** The link: the name that is called or mentioned, the word of the rule; '' for `same-page` and `similar`. */
  about: z.string(),
  /** The section that it comes from, with its lines if known. */
  origin: Origin,
  page: z.string().min(1),
  headings: z.array(z.string()).min(1),
  role: SectionRole,
  markdown: z.string().min(1),
})
export type Evidence = z.infer<typeof Evidence>

/** A page cut at its headings; tables and code blocks are never split. */
export const DocSection = z.strictObject({
  origin: Origin,
  /** The page's title, e.g. the API name. */
  page: z.string().min(1),
  language: z.enum(['zh', 'en']),
  /** Headings from the page's title down to this section. */
  headings: z.array(z.string()).min(1),
  role: SectionRole,
  markdown: z.string().min(1),
  /** The sections of the same page, joined: the reference that an answer may use. */
  context: z.string(),
  /** Passages relevant to this section, from its page and others; absent if not searched. */
  evidence: z.array(Evidence).optional(),
})
export type DocSection = z.infer<typeof DocSection>

/**
 * A sample on its way to the grounding check, with the text that must support it: the section, its page, retrieved
 * passages.
 */
export const ReferencedSample = z.strictObject({sample: CotSample, reference: z.string().min(1)})
export type ReferencedSample = z.infer<typeof ReferencedSample>
