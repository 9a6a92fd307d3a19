import {z} from 'zod'
import {Origin} from './origin.ts'

/** The meaning of columns, for data sets whose column names do not show it. */
export const GeneralColumns = z.union([
  z.strictObject({
    /** Column of the question. */
    prompt: z.string().min(1),
    /** Column of the answer. */
    answer: z.string().min(1),
    /** Column of the reasoning. Absent if the answer contains the reasoning between tags. */
    reasoning: z.string().min(1).optional(),
    /** The input of an instruction (alpaca); appended to the prompt. */
    input: z.string().min(1).optional(),
    /** If the answer is a list: the list that marks each entry as correct or not. The first correct one is used. */
    verified: z.string().min(1).optional(),
  }),
  z.strictObject({
    /** Column with a list of turns: `role` and `content`, or `from` and `value`. */
    messages: z.string().min(1),
    /** Column of the reasoning, if the turns lack it. */
    reasoning: z.string().min(1).optional(),
  }),
])
export type GeneralColumns = z.infer<typeof GeneralColumns>

/** How to handle conversations with more than one question and answer. */
const conversationChoices = {
  /** `only`: conversations of several exchanges are dropped; `first`: their first exchange is kept. Default `only`. */
  turns: z.enum(['only', 'first']).optional(),
  /**
   * Whether the text of a system turn is put before the question. By default it is for a `prompt` that is a list, but
   * not for conversations, where it mostly describes formatting.
   */
  system: z.enum(['keep', 'leave-out']).optional(),
}

/** General chains of thought to read: a data set on the Hub, or a folder of Parquet, Arrow, JSON or CSV. */
export const GeneralSource = z
  .strictObject({
    /** A local folder. */
    root: z.string().min(1).optional(),
    /** `owner/name` on the Hub. */
    dataset: z
      .string()
      .regex(/^[\w-][\w.-]*\/[\w-][\w.-]*$/, 'expected owner/name')
      .optional(),
    /** For a data set on the Hub: a commit, tag or branch, resolved to a commit. Default: the newest. */
    revision: z.string().min(1).optional(),
    /** A configuration of the data set. Default: its first. */
    config: z.string().min(1).optional(),
    /** Default `train`. */
    split: z.string().min(1).optional(),
    /** The meaning of columns, if their names do not show it. */
    columns: GeneralColumns.optional(),
    ...conversationChoices,
    /** SPDX identifier; overrides the data set's own statement. */
    licence: z.string().min(1).optional(),
    /** The model that wrote reasoning and answers, if known. */
    model: z.string().min(1).optional(),
    /** For a local folder: its origin. */
    repository: z.string().min(1).optional(),
  })
  .refine(({root, dataset}) => (root === undefined) !== (dataset === undefined), 'expected either root or dataset')
export type GeneralSource = z.infer<typeof GeneralSource>

export const GeneralFormat = z.enum(['parquet', 'arrow', 'jsonl', 'json', 'csv'])
export type GeneralFormat = z.infer<typeof GeneralFormat>

/** The files of one source that a run reads: found, hashed and of a known shape. */
export const GeneralFiles = z.strictObject({
  /** Folder that the paths are relative to. */
  root: z.string(),
  files: z
    .array(
      z.strictObject({
        path: z.string(),
        format: GeneralFormat,
        sha256: z.string(),
        /** If different from the source's. */
        columns: GeneralColumns.optional(),
      }),
    )
    .min(1),
  columns: GeneralColumns,
  ...conversationChoices,
  /** Files without a readable row, and why. */
  refused: z.array(z.strictObject({path: z.string(), reason: z.string(), detail: z.string()})).optional(),
  origin: Origin.omit({path: true, lines: true}),
  model: z.string().optional(),
})
export type GeneralFiles = z.infer<typeof GeneralFiles>

/** A row in the common form: question, reasoning and answer, with unchanged text. */
export const GeneralRow = z.strictObject({
  prompt: z.string().min(1),
  reasoning: z.string().min(1),
  answer: z.string().min(1),
  origin: Origin,
  model: z.string().optional(),
})
export type GeneralRow = z.infer<typeof GeneralRow>
