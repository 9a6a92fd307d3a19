import {z} from 'zod'
import {Origin} from './origin.ts'

/** Which columns hold what; for data sets whose columns do not say it by their names. */
export const GeneralColumns = z.union([
  z.strictObject({
    /** Column of the question. */
    prompt: z.string().min(1),
    /** Column of the answer. */
    answer: z.string().min(1),
    /** Column of the reasoning. Absent where the answer holds the reasoning between tags. */
    reasoning: z.string().min(1).optional(),
    /** What an instruction is about (alpaca); put below the prompt. */
    input: z.string().min(1).optional(),
    /** Of an answer that is a list: the list that says of each whether it is right. The first right one is taken. */
    verified: z.string().min(1).optional(),
  }),
  z.strictObject({
    /** Column with a list of turns: `role` and `content`, or `from` and `value`. */
    messages: z.string().min(1),
    /** Column of the reasoning, where the turns lack it. */
    reasoning: z.string().min(1).optional(),
  }),
])
export type GeneralColumns = z.infer<typeof GeneralColumns>

/** What is done with conversations that are more than one question and one answer. */
const conversationChoices = {
  /** `only`: conversations of several exchanges are dropped; `first`: their first exchange is kept. Default `only`. */
  turns: z.enum(['only', 'first']).optional(),
  /**
   * Whether the text of a system turn is put above the question. By default it is in a `prompt` that is a list, and is
   * left out of conversations, where it mostly tells how to format.
   */
  system: z.enum(['keep', 'leave-out']).optional(),
}

/** General chains of thought to read: a data set on the Hub, or a folder of Parquet, Arrow, JSON or CSV. */
export const GeneralSource = z
  .strictObject({
    /** A folder here. */
    root: z.string().min(1).optional(),
    /** `owner/name` on the Hub. */
    dataset: z
      .string()
      .regex(/^[\w-][\w.-]*\/[\w-][\w.-]*$/, 'expected owner/name')
      .optional(),
    /** Of a data set on the Hub: a commit, tag or branch; read at the commit behind it. Default: the newest. */
    revision: z.string().min(1).optional(),
    /** A configuration of the data set. Default: its first. */
    config: z.string().min(1).optional(),
    /** Default `train`. */
    split: z.string().min(1).optional(),
    /** Which columns hold what, where their names do not say it. */
    columns: GeneralColumns.optional(),
    ...conversationChoices,
    /** SPDX identifier; wins over what the data set says of itself. */
    licence: z.string().min(1).optional(),
    /** The model that wrote reasoning and answers, where it is known. */
    model: z.string().min(1).optional(),
    /** Of a folder here: where it is from. */
    repository: z.string().min(1).optional(),
  })
  .refine(({root, dataset}) => (root === undefined) !== (dataset === undefined), 'expected either root or dataset')
export type GeneralSource = z.infer<typeof GeneralSource>

export const GeneralFormat = z.enum(['parquet', 'arrow', 'jsonl', 'json', 'csv'])
export type GeneralFormat = z.infer<typeof GeneralFormat>

/** The files of one source, found, known by their bytes and of a known shape: what a run reads. */
export const GeneralFiles = z.strictObject({
  /** Folder that the paths are relative to. */
  root: z.string(),
  files: z
    .array(
      z.strictObject({
        path: z.string(),
        format: GeneralFormat,
        sha256: z.string(),
        /** Where they are others than the source's. */
        columns: GeneralColumns.optional(),
      }),
    )
    .min(1),
  columns: GeneralColumns,
  ...conversationChoices,
  /** Files of which no row could be read, and why. */
  refused: z.array(z.strictObject({path: z.string(), reason: z.string(), detail: z.string()})).optional(),
  origin: Origin.omit({path: true, lines: true}),
  model: z.string().optional(),
})
export type GeneralFiles = z.infer<typeof GeneralFiles>

/** A row in the one form: a question, what was thought, what was answered; its text as it came. */
export const GeneralRow = z.strictObject({
  prompt: z.string().min(1),
  reasoning: z.string().min(1),
  answer: z.string().min(1),
  origin: Origin,
  model: z.string().optional(),
})
export type GeneralRow = z.infer<typeof GeneralRow>
