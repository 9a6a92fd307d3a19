import {z} from 'zod'

/** What a decision is about; in this order one follows from the other. */
export const decisionTopics = [
  'instructions',
  'range',
  'element-type',
  'cores',
  'tile',
  'handed-over',
  'depth',
  'rows',
  'copy',
  'tail',
  'synchronisation',
  'rounding',
  // Of single files of the device.
  'division',
  'formula',
  'instruction',
  'conversion',
  'buffers',
  'rounding-up',
  'elements',
  'matmul',
  'places',
  'copies',
  'waits',
  'keys',
  'workspace',
  // Of host files.
  'host-order',
  'host-known',
  'host-types',
  'host-unit',
  'host-share',
  'host-cores',
  'host-tile',
  'host-key',
  'host-refusal',
  'host-library',
  'host-handed',
  'host-workspace',
  'host-struct',
  'inference-shape',
  'inference-unknown',
  'inference-types',
  'inference-refusal',
  'definition-types',
  'definition-tensors',
  'definition-attributes',
  'definition-chips',
  // Of questions on interfaces.
  'worked',
  // Of the C interface, and of what stands behind high-level interfaces.
  'api-plan',
  'api-types',
  'api-shapes',
  'api-checks',
  'api-memory',
  'api-layout',
  'api-steps',
  'api-unit',
  'api-output',
  'library-memory',
  'library-mode',
  'library-size',
  'library-check',
] as const
export const DecisionTopic = z.enum(decisionTopics)
export type DecisionTopic = z.infer<typeof DecisionTopic>

/** An expression of the host with the values that it had in the row's call. */
export const Arithmetic = z.strictObject({
  kind: z.literal('arithmetic'),
  name: z.string(),
  expression: z.string(),
  /** Of the names in it. */
  values: z.array(z.tuple([z.string(), z.number()])),
  /** The expression with numbers in place of its names; absent where it asks for something that is no number. */
  worked: z.string().optional(),
  result: z.number(),
  /** Whether it is an attribute as it is given. */
  isAttribute: z.literal(true).optional(),
  /** Conditions of the branches that it stands in, and whether each holds. */
  where: z.array(z.tuple([z.string(), z.boolean()])).optional(),
})
export type Arithmetic = z.infer<typeof Arithmetic>

/** What the row's call did in a program that was decided otherwise. */
export const Observation = z.discriminatedUnion('outcome', [
  /** The same outputs to the bit, with large values as well where `large` was tried. */
  z.strictObject({outcome: z.literal('equal'), large: z.boolean()}),
  /** Other values; `close`: within what the check of outputs allows. */
  z.strictObject({
    outcome: z.enum(['close', 'wrong']),
    /** Of the call, or from a range that is much wider. */
    inputs: z.enum(['call', 'large']),
    output: z.string(),
    index: z.int(),
    /** `NaN` and `Infinity` are text. */
    seen: z.union([z.number(), z.string()]),
    expected: z.union([z.number(), z.string()]),
    /** Elements that differ, of all. */
    differ: z.int(),
    of: z.int(),
    /** What the inputs with as many elements hold at this place, by name. */
    at: z.array(z.tuple([z.string(), z.number()])),
  }),
  z.strictObject({outcome: z.literal('refused'), rule: z.string(), api: z.string(), message: z.string()}),
  z.strictObject({outcome: z.literal('not-built'), message: z.string()}),
  z.strictObject({outcome: z.literal('stopped'), how: z.enum(['crashed', 'timed-out', 'launch-failed'])}),
])
export type Observation = z.infer<typeof Observation>

/** The same program with one decision made otherwise, on the row's own call. */
export const Counterfactual = z.strictObject({
  kind: z.literal('counterfactual'),
  /** Kebab-case: what was decided otherwise. */
  change: z.string(),
  /** The name or the code that was decided on. */
  subject: z.string(),
  /** Where, and the code before and after. */
  path: z.string(),
  line: z.int().positive(),
  before: z.string(),
  after: z.string(),
  /** Numbers of what was changed, by name. */
  values: z.record(z.string(), z.number()),
  observed: Observation,
  /** Modelled times in µs of the program and of the changed one, on the call made longer to so many elements. */
  modelled: z.strictObject({before: z.number(), after: z.number(), elements: z.int()}).optional(),
})
export type Counterfactual = z.infer<typeof Counterfactual>

/** What the code shows: a statement or a part of one, as it is written. */
export const Fact = z.strictObject({kind: z.literal('fact'), code: z.string()})
export type Fact = z.infer<typeof Fact>

/** What the device or an interface demands, by the name of the interface, e.g. `DataCopy` and `whole-blocks`. */
export const Rule = z.strictObject({kind: z.literal('rule'), api: z.string(), rule: z.string()})
export type Rule = z.infer<typeof Rule>

/** Why a piece of code is as it is. What its messages speak of stands in `values`, by name. */
export const Decision = z.strictObject({
  topic: DecisionTopic,
  /** Kebab-case: which of the topic's situations this is. */
  situation: z.string(),
  /** The name or the code that was decided on. */
  subject: z.string(),
  values: z.record(z.string(), z.union([z.number(), z.string(), z.array(z.string())])),
  because: z.array(z.discriminatedUnion('kind', [Arithmetic, Counterfactual, Fact, Rule])),
})
export type Decision = z.infer<typeof Decision>

/** Fewer decisions with evidence than this and a row only retells its code. */
const leastEvidenced = 2

/** Whether decisions give reasoning nothing to derive. */
export const isHollow = (decisions: readonly Decision[]): boolean =>
  decisions.filter(({because}) => because.length > 0).length < leastEvidenced
