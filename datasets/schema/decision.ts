import {z} from 'zod'

/** What a decision is about; each follows from the earlier ones. */
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
  // For single device files.
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
  // For host files.
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
  // For questions about interfaces.
  'worked',
  // For the C interface, and for implementations of high-level interfaces.
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

/** What a size of the host is, whatever its name. */
export const ArithmeticRole = z.enum(['reported', 'block', 'repeat', 'cost', 'fixed', 'fits', 'whole', 'cores'])
export type ArithmeticRole = z.infer<typeof ArithmeticRole>

/** An expression of the host with its values in the row's call. */
export const Arithmetic = z.strictObject({
  kind: z.literal('arithmetic'),
  name: z.string(),
  expression: z.string(),
  /** Values of the names in it. */
  values: z.array(z.tuple([z.string(), z.number()])),
  /** The expression with numbers in place of its names; absent if it involves something that is not a number. */
  worked: z.string().optional(),
  result: z.number(),
  role: ArithmeticRole.optional(),
  /** Whether it is an attribute, unchanged. */
  isAttribute: z.literal(true).optional(),
  /** Conditions of the enclosing branches, and whether each holds. */
  where: z.array(z.tuple([z.string(), z.boolean()])).optional(),
})
export type Arithmetic = z.infer<typeof Arithmetic>

/** The result of the row's call in a program with an alternative decision. */
export const Observation = z.discriminatedUnion('outcome', [
  /** Bit-identical outputs, also with large values if `large` was tried. */
  z.strictObject({outcome: z.literal('equal'), large: z.boolean()}),
  /** Other values; `close`: within the tolerance of the output check. */
  z.strictObject({
    outcome: z.enum(['close', 'wrong']),
    /** The call's values, or values from a much wider range. */
    inputs: z.enum(['call', 'large']),
    output: z.string(),
    index: z.int(),
    /** `NaN` and `Infinity` are text. */
    seen: z.union([z.number(), z.string()]),
    expected: z.union([z.number(), z.string()]),
    /** Number of differing elements, and of all. */
    differ: z.int(),
    of: z.int(),
    /** Values of all inputs that belong to this index, by name; none where their shapes do not tell which. */
    at: z.array(z.tuple([z.string(), z.number()])),
  }),
  z.strictObject({outcome: z.literal('refused'), rule: z.string(), api: z.string(), message: z.string()}),
  z.strictObject({outcome: z.literal('not-built'), message: z.string()}),
  z.strictObject({outcome: z.literal('stopped'), how: z.enum(['crashed', 'timed-out', 'launch-failed'])}),
])
export type Observation = z.infer<typeof Observation>

/** The same program with one decision changed, on the row's own call. */
export const Counterfactual = z.strictObject({
  kind: z.literal('counterfactual'),
  /** Kebab-case: what was changed. */
  change: z.string(),
  /** The name or code that the decision is about. */
  subject: z.string(),
  /** Where, and the code before and after. */
  path: z.string(),
  line: z.int().positive(),
  before: z.string(),
  after: z.string(),
  /** Numbers of the change, by name. */
  values: z.record(z.string(), z.number()),
  observed: Observation,
  /** Modelled times in µs of the program and of the changed one, on the call extended to this many elements. */
  modelled: z.strictObject({before: z.number(), after: z.number(), elements: z.int()}).optional(),
})
export type Counterfactual = z.infer<typeof Counterfactual>

/** Less than a fiftieth of the time does not count. */
const leastRatio = 1.02

/** Whether another decision takes as long, by the model. */
export const isLevel = ({modelled}: Counterfactual) =>
  modelled !== undefined && modelled.after < modelled.before * leastRatio

/** Evidence in the code: a statement or a part of one, as written. */
export const Fact = z.strictObject({kind: z.literal('fact'), code: z.string()})
export type Fact = z.infer<typeof Fact>

/** A requirement of the device or an interface, by the name of the interface, e.g. `DataCopy` and `whole-blocks`. */
export const Rule = z.strictObject({kind: z.literal('rule'), api: z.string(), rule: z.string()})
export type Rule = z.infer<typeof Rule>

/** The reason for a piece of code. Its messages' values are in `values`, by name. */
export const Decision = z.strictObject({
  topic: DecisionTopic,
  /** Kebab-case: which of the topic's situations this is. */
  situation: z.string(),
  /** The name or code that the decision is about. */
  subject: z.string(),
  values: z.record(z.string(), z.union([z.number(), z.string(), z.array(z.string())])),
  because: z.array(z.discriminatedUnion('kind', [Arithmetic, Counterfactual, Fact, Rule])),
})
export type Decision = z.infer<typeof Decision>

/** With fewer decisions with evidence than this, a row only retells its code. */
const leastEvidenced = 2

/** Whether the decisions leave nothing for reasoning to derive. */
export const isHollow = (decisions: readonly Decision[]): boolean =>
  decisions.filter(({because}) => because.length > 0).length < leastEvidenced
