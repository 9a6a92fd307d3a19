import {z} from 'zod'
import {ClusteredError} from './error-cluster.ts'

const text = z.string()

/** A C++ token, with its place in the text and its 1-based line. */
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

/** A statement, the head of a block up to its `{`, a closing `}`, or a preprocessor line. */
const CodeStatement = z.strictObject({
  tokens: z.array(LineToken),
  /** Its tokens, separated by single spaces: equal for statements that only differ in layout. */
  key: text,
  /** As written, on one line, without comments. */
  text,
  line: z.int(),
  lastLine: z.int(),
})
export type CodeStatement = z.infer<typeof CodeStatement>

const statements = z.array(CodeStatement)

/**
 * The differing tokens of two statements, between their common start and end: from `start` to an end on either side.
 */
const Difference = z.strictObject({start: z.int(), wrongEnd: z.int(), rightEnd: z.int()})

/** `line` is 1-based in the failed file: of the removed statement, or of the one before which something is inserted. */
const Place = z.strictObject({path: text, line: z.int()})

/** One step from one text to another, from failed to correct code. */
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
    /** What it is swapped with. */
    passed: statements,
  }),
  /** A block around kept statements: `head` opens it. */
  Place.extend({kind: z.literal('unwrapped'), head: CodeStatement, inner: statements}),
  /** Marks such as `;` or `)` that one side lacks: the statements around them differ on both sides. */
  Place.extend({kind: z.literal('marks'), missing: text, surplus: text, before: text, opener: text}),
])
export type Edit = z.infer<typeof Edit>

/** The differences between two texts: steps in the order of the second. */
export const EditFacts = z.array(Edit)
export type EditFacts = z.infer<typeof EditFacts>

/** A kept candidate of a cluster, with the steps that correct it. */
export const DescribedError = ClusteredError.extend({edits: EditFacts})
export type DescribedError = z.infer<typeof DescribedError>
