import {z} from 'zod'
import {ClusteredError} from './error-cluster.ts'

const text = z.string()

/** A token as the reader of C++ gives it, with its place in the text and its 1-based line. */
const LineToken = z.strictObject({
  kind: z.enum(['word', 'number', 'string', 'character', 'header', 'mark']),
  text,
  start: z.int(),
  end: z.int(),
  leads: z.boolean(),
  spaced: z.boolean(),
  line: z.int(),
})
export type LineToken = z.infer<typeof LineToken>

/** A statement, the head of a block up to its `{`, a closing `}`, or a line for the preprocessor. */
const CodeStatement = z.strictObject({
  tokens: z.array(LineToken),
  /** Its tokens, one space between each two: equal for statements that differ in layout alone. */
  key: text,
  /** As written, on one line, without comments. */
  text,
  line: z.int(),
  lastLine: z.int(),
})
export type CodeStatement = z.infer<typeof CodeStatement>

const statements = z.array(CodeStatement)

/** The tokens between what two statements begin and end with alike: from `start` to an end on either side. */
const Difference = z.strictObject({start: z.int(), wrongEnd: z.int(), rightEnd: z.int()})

/** `line` is 1-based in the failed file: of the statement that goes, or of the one before which something comes. */
const Place = z.strictObject({path: text, line: z.int()})

/** One step from one text to another, from failed code to right code. */
export const Edit = z.discriminatedUnion('kind', [
  Place.extend({kind: z.literal('added'), statements}),
  Place.extend({kind: z.literal('removed'), statements}),
  Place.extend({kind: z.literal('replaced'), before: CodeStatement, after: CodeStatement, differs: Difference}),
  Place.extend({
    kind: z.literal('moved'),
    statement: CodeStatement,
    /** The line of the failed file before which the statement belongs. */
    to: z.int(),
    isLater: z.boolean(),
    /** What it changes places with. */
    passed: statements,
  }),
  /** A block around statements that stay: `head` opens it. */
  Place.extend({kind: z.literal('unwrapped'), head: CodeStatement, inner: statements}),
  /** Marks such as `;` or `)` that one side lacks: the statements around them read otherwise on both sides. */
  Place.extend({kind: z.literal('marks'), missing: text, surplus: text, before: text, opener: text}),
])
export type Edit = z.infer<typeof Edit>

/** What two texts differ in: steps in the order of the second. */
export const EditFacts = z.array(Edit)
export type EditFacts = z.infer<typeof EditFacts>

/** One of the candidates that are kept of a cluster, with the steps that make it right. */
export const DescribedError = ClusteredError.extend({edits: EditFacts})
export type DescribedError = z.infer<typeof DescribedError>
