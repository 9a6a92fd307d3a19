import {z} from 'zod'
import {OperatorDefinition} from '../../cpp/op-def.ts'
import {Contract, ContractParameter} from './contract.ts'
import {Origin} from './origin.ts'
import {Verdict} from './verdict.ts'

/** A text file of a project; `path` is relative to the project's root, `/`-separated. */
export const SourceFile = z.strictObject({
  /** Relative, with slashes. */
  path: z.string().min(1),
  /** The whole file. */
  text: z.string(),
})
export type SourceFile = z.infer<typeof SourceFile>

/** What an operator computes, according to its own documentation; either part may be empty. */
export const Purpose = z.strictObject({
  text: z.string(),
  /** LaTeX without dollar signs. */
  formulas: z.array(z.string()),
  /** Its statements about inputs, outputs and attributes, by their names there. */
  parameters: z.array(z.strictObject({name: z.string(), meaning: z.string()})).optional(),
  /** Allowed values, by the same names and by those of the C interface. */
  limits: z.array(ContractParameter.pick({name: true, dtypes: true, ranks: true, like: true, range: true})).optional(),
})
export type Purpose = z.infer<typeof Purpose>

/** One operator: the host side (definition, tiling, shape inference) and the kernel side; or code outside operators. */
export const OperatorProject = z.strictObject({
  origin: Origin,
  /** The operator's type in CamelCase, as in `OP_ADD(AddCustom)`. */
  operator: z.string().min(1),
  purpose: Purpose.optional(),
  contract: Contract.optional(),
  /** Files of `op_host/`, headers included. Empty for a kernel that is launched directly. */
  host: z.array(SourceFile),
  /** Files of `op_kernel/`, headers included. */
  kernel: z.array(SourceFile),
  /**
   * Code that is on neither side of an operator, with the repository's headers that it includes: the C interface in
   * `op_api/`, or the implementation of one high-level API. Such a project has no host and no kernel side.
   */
  beside: z.strictObject({role: z.enum(['api', 'library']), files: z.array(SourceFile)}).optional(),
})
export type OperatorProject = z.infer<typeof OperatorProject>

/** A project whose sides an executor built as a whole. */
export const CheckedProject = OperatorProject.extend({
  verdicts: z.strictObject({host: Verdict.optional(), kernel: Verdict.optional()}),
})
export type CheckedProject = z.infer<typeof CheckedProject>

export const Side = z.enum(['host', 'kernel'])
export type Side = z.infer<typeof Side>

/**
 * What a file is for. `api`: the operator's C interface in `op_api/`; `library`: part of the implementation of a
 * high-level API, which belongs to no operator.
 */
export const Role = z.enum(['kernel', 'tiling', 'definition', 'infer-shape', 'api', 'library'])
export type Role = z.infer<typeof Role>

/** One file of a project made self-contained: preceded by everything that it includes from the project. */
export const OperatorSource = z.strictObject({
  origin: Origin,
  operator: z.string().min(1),
  purpose: Purpose.optional(),
  side: Side,
  role: Role,
  /** What a host file may count on: its operator's tensors and attributes in order. */
  definition: OperatorDefinition.optional(),
  /** The file that a training sample asks for. */
  target: SourceFile,
  /** If the target is one function of a file: that file is the last dependency, without the function's body. */
  part: z.strictObject({name: z.string(), signature: z.string(), comment: z.string()}).optional(),
  /** Local files that the target includes, in the order the preprocessor needs them. */
  dependencies: z.array(SourceFile),
  /** Headers of the SDK and of the C++ library that stay as `#include`. */
  externalIncludes: z.array(z.string()),
  /** Dependencies and target in one translation unit, each part marked with its path; '' if it is not compiled. */
  flattened: z.string(),
  /**
   * For a header that uses names from its includers: the same up to the end of the target, in the context of including
   * files of its side, nearest first.
   */
  within: z
    .array(z.strictObject({path: z.string(), flattened: z.string(), dependencies: z.array(SourceFile)}))
    .optional(),
  /** Verdict on the target's side of the operator, if that was built as a whole. */
  built: Verdict.optional(),
  /**
   * The tiling structures that the host side declares (`BEGIN_TILING_DATA_DEF` blocks); a kernel needs them to compile.
   */
  tiling: z.string(),
  /** First dtype of each input and output by OpDef name, e.g. `{x: 'float16'}`; empty without a definition. */
  dtypes: z.record(z.string(), z.string()),
})
export type OperatorSource = z.infer<typeof OperatorSource>

/**
 * How far code was proven. `ran`: tiling and kernel were executed, or a page's example gave the page's result;
 * `compiled`: built, through an operator's entry if there is one; `parsed`: a file that no executor builds, parsed
 * without a syntax error.
 */
export const Proof = z.enum(['ran', 'compiled', 'parsed'])
export type Proof = z.infer<typeof Proof>

/** A source with its proof; code that was only parsed has no verdict. */
export const CheckedOperatorSource = OperatorSource.omit({within: true}).extend({
  proof: Proof,
  verdict: Verdict.optional(),
  /** The file in which it was compiled, for a header that does not compile alone. */
  through: z.string().optional(),
})
export type CheckedOperatorSource = z.infer<typeof CheckedOperatorSource>
