import {z} from 'zod'
import {OperatorDefinition} from '../../cpp/op-def.ts'
import {Branch, Call, ClassSyntax, FunctionFlow, FunctionSyntax, Statement} from '../../cpp/syntax.ts'
import {LabelledCandidate} from './candidate.ts'
import {Decision} from './decision.ts'
import {DrawnCall} from './operator-call.ts'
import {CheckedOperatorSource, Side} from './operator.ts'
import {HostKernelPair} from './scenario.ts'
import {TensorSpec} from './tensor.ts'

const text = z.string()
const texts = z.array(text)
/** A statement or call as written, with its function. */
const Said = z.strictObject({method: text, text})
/** Numbers by name, in declaration order: values of constants, bytes of types. */
const Numbers = z.array(z.tuple([text, z.number()]))
const Branches = z.array(Branch)

export const BufferFact = z.strictObject({
  name: text,
  kind: z.enum(['queue', 'buffer']),
  /** `VECIN`, `VECOUT`, `VECCALC`, `A1` … */
  position: text,
  /** Memory blocks; `1` for a TBuf. */
  count: text,
  /** Bytes of one block; '' when no InitBuffer call names it here. */
  bytes: text,
  /** Whether it is set up in one way unconditionally: not in a branch, nor differently in two functions. */
  certain: z.boolean(),
  /** The class whose function sets it up, or that declares it. */
  owner: text,
})
export type BufferFact = z.infer<typeof BufferFact>

export const GlobalFact = z.strictObject({
  name: text,
  type: text,
  /** Argument of SetGlobalBuffer, and its length argument. */
  address: text,
  length: text,
})
export type GlobalFact = z.infer<typeof GlobalFact>

export const MoveFact = z.strictObject({
  api: text,
  direction: z.enum(['in', 'out', 'inside']),
  local: text,
  global: text,
  /** Last argument: an element count, or the name of a parameter structure. */
  amount: text,
  method: text,
})
export type MoveFact = z.infer<typeof MoveFact>

const CallFact = z.strictObject({
  /** The function that calls, with its class or parameters if its name alone is ambiguous. */
  method: text,
  call: Call,
})

const StepFact = CallFact.extend({
  /** The included file that defines what is called, '' for the file itself; absent for an instruction. */
  from: text.optional(),
})
export type StepFact = z.infer<typeof StepFact>

export const SplitFact = z.strictObject({
  statement: text,
  method: text,
  /** The cores that it applies to, if not all. */
  branches: Branches,
})
export type SplitFact = z.infer<typeof SplitFact>

const Variant = z.strictObject({text, branches: Branches})
export type Variant = z.infer<typeof Variant>

const Method = z.strictObject({
  role: z.enum(['init', 'process', 'copy-in', 'compute', 'copy-out', 'entry', 'other']),
  syntax: FunctionSyntax,
})
export type Method = z.infer<typeof Method>

/** A kernel-side file: what it does itself, given the declarations of its includes. */
export const KernelFacts = z.strictObject({
  classes: z.array(ClassSyntax),
  methods: z.array(Method),
  entries: z.array(z.strictObject({name: text, parameters: texts})),
  /** What the entries run, with the selecting conditions. */
  variants: z.array(Variant),
  buffers: z.array(BufferFact),
  /** Queues through which one function passes tiles to another. */
  passingQueues: texts,
  globals: z.array(GlobalFact),
  moves: z.array(MoveFact),
  vectorCalls: z.array(CallFact),
  /** Vector instructions and calls into the included files, in order: the operations on a tile. */
  steps: z.array(StepFact),
  matrixCalls: texts,
  synchronisation: z.array(CallFact),
  split: z.array(SplitFact),
  tilingFields: texts,
  tilingKeys: texts,
  /** Numeric constants by name, of the target and what it includes. */
  constants: Numbers,
  /** Bytes of types that depend on the dtype (`T`, `DTYPE_X`). */
  types: Numbers,
  atomics: texts,
  /** Comments above the target's classes, without marks. */
  comments: texts,
  /** Functions step by step, in a file that uses neither the vector nor the cube unit; otherwise empty. */
  scalar: z.array(FunctionFlow),
})
export type KernelFacts = z.infer<typeof KernelFacts>

const Structure = z.strictObject({
  name: text,
  /** `size`: how many an array has, as it is written. */
  fields: z.array(z.strictObject({type: text, name: text, size: text.optional()})),
})
export type Structure = z.infer<typeof Structure>

const Launch = z.strictObject({
  cores: z.array(Statement),
  workspace: z.array(Statement),
  /** Where the key gets its value: assignments to the variable passed, otherwise the setting calls. */
  keys: z.array(Statement),
})
export type Launch = z.infer<typeof Launch>

const numbers = z.array(z.int())
const InputReads = z.strictObject({
  shapes: numbers,
  types: numbers,
  /** Only checked for presence. */
  presence: numbers,
})
export type InputReads = z.infer<typeof InputReads>

const KnownSize = z.strictObject({statement: Statement, value: z.number()})
export type KnownSize = z.infer<typeof KnownSize>

/** A host-side file, given the declarations of its includes. */
export const HostFacts = z.strictObject({
  definitions: z.array(OperatorDefinition),
  /** Structures that carry the tiling: those that the target fills, or those that it declares. */
  structures: z.array(Structure),
  /** Values given to tiling fields, in order. */
  sets: z.array(z.strictObject({field: text, operator: text, value: text, method: text})),
  /** Calls of SetBlockDim, SetTilingKey and of what sets the workspace size. */
  launch: Launch,
  /** Arguments of SetBlockDim and SetTilingKey, each once. */
  blockDim: texts,
  tilingKeys: texts,
  /** Memory sizes and other values queried from the platform. */
  platform: z.array(z.enum(['ub', 'l1', 'l0', 'cores', 'library-workspace'])),
  inputs: InputReads,
  /** With the variable that receives the value, '' without one. */
  attributes: z.array(z.strictObject({name: text, index: z.int(), type: text})),
  /** Functions with a body, statement by statement. */
  flows: z.array(FunctionFlow),
  /** Values of sizes that only depend on the unified buffer, for Atlas A2. */
  known: z.array(KnownSize),
  /** Conditions under which tiling is refused, with the branches around them. */
  refusals: z.array(z.strictObject({condition: text, branches: Branches})),
  constants: Numbers,
  functions: z.array(FunctionSyntax),
  /** Registered tiling or inference functions, e.g. `IMPL_OP_OPTILING(IsInf)`. */
  registrations: texts,
  /** Which operator, or which tiling key of it, gets which structure. */
  bindings: z.array(z.strictObject({operator: text, structure: text})),
})
export type HostFacts = z.infer<typeof HostFacts>

const DefinedTensor = z.strictObject({
  name: text,
  direction: z.enum(['input', 'output']),
  kind: z.enum(['required', 'optional', 'dynamic']),
  /** `DT_FLOAT16` …, one per column; empty if they cannot be read. */
  dtypes: texts,
  /** `FORMAT_ND` …, one per column. */
  formats: texts,
  /** Whether the types are columns of one table, or lists whose entries combine freely. */
  isColumn: z.boolean(),
  /** The other calls as written: `ValueDepend(OPTIONAL)`, `AutoContiguous()`. */
  properties: texts,
})
export type DefinedTensor = z.infer<typeof DefinedTensor>

const DefinedAttribute = z.strictObject({name: text, isRequired: z.boolean(), type: text, default: text})
export type DefinedAttribute = z.infer<typeof DefinedAttribute>

/** What one chip is given: `AddConfig("ascend910b", config)`. */
const ChipConfig = z.strictObject({
  chip: text,
  /** Calls on its configuration object as written; empty for the default. */
  flags: texts,
  /** Tensors that the configuration redefines. */
  tensors: z.array(DefinedTensor),
})
export type ChipConfig = z.infer<typeof ChipConfig>

/** A file that defines one operator; the first if there are several. */
export const DefinitionFacts = z.strictObject({
  operator: text,
  tensors: z.array(DefinedTensor),
  attributes: z.array(DefinedAttribute),
  /** Combinations of dtypes, one entry per column tensor. Empty if the lists differ in length. */
  columns: z.array(texts),
  chips: z.array(ChipConfig),
  /** Other calls on the operator itself: `SetInferShape(InferShape)`. */
  others: texts,
  registration: text,
  constants: Numbers,
})
export type DefinitionFacts = z.infer<typeof DefinitionFacts>

const ShapeSource = z.discriminatedUnion('kind', [
  z.strictObject({kind: z.literal('dimension'), of: text, index: text}),
  z.strictObject({kind: z.literal('rank'), of: text}),
  z.strictObject({kind: z.literal('attribute'), index: text}),
  z.strictObject({kind: z.literal('number'), value: text}),
])
export type ShapeSource = z.infer<typeof ShapeSource>

const InferredShape = z.strictObject({
  method: text,
  /** The output's index, and the variable that holds its shape. */
  output: text,
  variable: text,
  rule: z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('same'),
      of: z.enum(['input', 'output']),
      index: text,
      isLooped: z.boolean(),
      without: z.number().optional(),
    }),
    z.strictObject({kind: z.literal('scalar')}),
    // Dimensions in order; without a source if static analysis cannot determine the value.
    z.strictObject({
      kind: z.literal('dimensions'),
      values: z.array(z.strictObject({text, source: ShapeSource.optional()})),
    }),
  ]),
  /** Whether the shape is also set in a branch, or the function may succeed without setting it. */
  hasCases: z.boolean(),
})
export type InferredShape = z.infer<typeof InferredShape>

/** A file that infers shapes and types of outputs. */
export const InferenceFacts = z.strictObject({
  functions: z.array(FunctionFlow),
  /** `IMPL_OP_INFERSHAPE(Abs)` and the calls after it: `InferShape(F)`. */
  registrations: z.array(z.strictObject({macro: text, calls: z.array(z.strictObject({name: text, args: text}))})),
  /** Queries to the context, as written: `GetInputShape(0)`. */
  reads: z.strictObject({inputs: texts, values: texts, attributes: texts}),
  /** The same with named indices resolved: which input's shape, type or values, which attribute. */
  asked: z.array(z.strictObject({what: z.enum(['shape', 'type', 'values', 'attribute']), index: text})),
  /** The rule of each output that has one. */
  shapes: z.array(InferredShape),
  /** Statements that give an output its shape. */
  writes: z.array(Said),
  /** Statements that give an output its type; `fixed` if it is always the same. */
  types: z.array(Said.extend({fixed: z.strictObject({output: text, dtype: text}).optional()})),
  /** Called rules of the shared library: `InferShape4Elewise`. */
  rules: texts,
  handlesUnknownRank: z.boolean(),
  handlesUnknownDims: z.boolean(),
  /** A statement that normalises a negative axis. */
  axes: texts,
  /** Conditions under which inference fails. */
  refusals: texts,
  nulls: texts,
  constants: Numbers,
})
export type InferenceFacts = z.infer<typeof InferenceFacts>

const DtypeList = z.strictObject({
  name: text,
  dtypes: texts,
  /** Functions that use it. */
  users: texts,
})
export type DtypeList = z.infer<typeof DtypeList>

const ApiStep = z.strictObject({
  kind: z.enum([
    ...(['executor', 'check', 'contiguous', 'shape', 'type', 'tensor', 'refusal', 'cast', 'compute'] as const),
    ...(['part', 'view-copy', 'empty', 'workspace', 'release'] as const),
  ]),
  text,
  statement: Statement,
  /** Whether the function returns in the same branch. */
  ends: z.boolean(),
})
export type ApiStep = z.infer<typeof ApiStep>

/** A file of an operator's C interface. */
export const ApiFacts = z.strictObject({
  functions: z.array(FunctionFlow),
  /** Only declared here. */
  prototypes: z.array(FunctionFlow),
  /** The steps of plans, such as `l0op::Abs`, in order of their first call. */
  computations: texts,
  lists: z.array(DtypeList),
  /** Steps of each planning function, by its name. */
  steps: z.array(z.tuple([text, z.array(ApiStep)])),
  /** Status returned if a check fails: `CheckNotNull`, `ACLNN_ERR_PARAM_NULLPTR`. */
  statuses: z.array(z.tuple([text, text])),
  /** `OP_TYPE_REGISTER(Abs)`. */
  registered: texts,
  /** Calls that put work on a queue: the unit, and the call as written. */
  launches: z.array(Said.extend({unit: z.enum(['AI Core', 'AI CPU'])})),
  constants: Numbers,
})
export type ApiFacts = z.infer<typeof ApiFacts>

/** A file of the implementation of a high-level API. */
export const LibraryFacts = z.strictObject({
  side: Side,
  functions: z.array(FunctionFlow),
  prototypes: z.array(FunctionFlow),
  /** Instructions, buffers and synchronisation of device code. */
  kernel: KernelFacts,
  /** Statements that carve working memory out of the caller's buffer. */
  temporaries: z.array(Said),
  /** Calls that decide which elements an instruction works on: masks and counters. */
  masks: texts,
  /** On the host: statements that compute a size. */
  sizes: z.array(Said),
  constants: Numbers,
})
export type LibraryFacts = z.infer<typeof LibraryFacts>

/** Static facts of a file, by the file's role. */
export const Described = z.discriminatedUnion('role', [
  z.strictObject({role: z.literal('kernel'), facts: KernelFacts}),
  z.strictObject({role: z.literal('tiling'), facts: HostFacts}),
  z.strictObject({role: z.literal('definition'), facts: DefinitionFacts}),
  z.strictObject({role: z.literal('infer-shape'), facts: InferenceFacts}),
  z.strictObject({role: z.literal('api'), facts: ApiFacts}),
  z.strictObject({role: z.literal('library'), facts: LibraryFacts}),
])
export type Described = z.infer<typeof Described>

/** A call in which a file ran, with observations for alternatives to its own lines. */
export const SourceRun = z.strictObject({
  inputs: z.array(TensorSpec),
  attributes: DrawnCall.shape.attributes,
  blockDim: z.int(),
  tilingKey: z.number(),
  tiling: z.record(text, z.union([z.number(), z.array(z.number())])),
  /** Counterfactuals refer to the file's lines by number; arithmetic to values that it computes. */
  decisions: z.array(Decision),
})
export type SourceRun = z.infer<typeof SourceRun>

/** A checked file with its facts, and with a call in which it ran, if known. */
export const DescribedSource = CheckedOperatorSource.extend({described: Described, ran: SourceRun.optional()})
export type DescribedSource = z.infer<typeof DescribedSource>

/** Facts of the two sides of an operator: for the host, of the deciding file. */
const OperatorFacts = z.strictObject({host: HostFacts, kernel: KernelFacts})
export type OperatorFacts = z.infer<typeof OperatorFacts>

/** A pair with the facts of both sides. */
export const DescribedPair = z.strictObject({pair: HostKernelPair, ...OperatorFacts.shape})
export type DescribedPair = z.infer<typeof DescribedPair>

/** A candidate, with its facts if its reasoning is made from them. */
export const DescribedCandidate = z.strictObject({candidate: LabelledCandidate, facts: OperatorFacts.optional()})
export type DescribedCandidate = z.infer<typeof DescribedCandidate>
