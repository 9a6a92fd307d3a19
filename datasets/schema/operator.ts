import {z} from 'zod'
import {Origin} from './origin.ts'
import {Verdict} from './verdict.ts'

/** A text file of a project; `path` is relative to the project's root, `/`-separated. */
export const SourceFile = z.strictObject({path: z.string().min(1), text: z.string()})
export type SourceFile = z.infer<typeof SourceFile>

/** What an operator computes, as its own documentation says; either part may be empty. */
const Purpose = z.strictObject({
  text: z.string(),
  /** LaTeX without dollar signs. */
  formulas: z.array(z.string()),
})
export type Purpose = z.infer<typeof Purpose>

/** One operator: the host side (definition, tiling, shape inference) and the kernel side. */
export const OperatorProject = z.strictObject({
  origin: Origin,
  /** The operator's type in CamelCase, as in `OP_ADD(AddCustom)`. */
  operator: z.string().min(1),
  purpose: Purpose.optional(),
  /** Files of `op_host/`, headers included. Empty for a kernel that is launched directly. */
  host: z.array(SourceFile),
  /** Files of `op_kernel/`, headers included. */
  kernel: z.array(SourceFile).min(1),
})
export type OperatorProject = z.infer<typeof OperatorProject>

export const Side = z.enum(['host', 'kernel'])
export type Side = z.infer<typeof Side>

/** One file of a project made self-contained: everything it includes from the project stands before it. */
export const OperatorSource = z.strictObject({
  origin: Origin,
  operator: z.string().min(1),
  purpose: Purpose.optional(),
  side: Side,
  /** The file that a training sample asks for. */
  target: SourceFile,
  /** Local files that the target includes, in the order the preprocessor needs them. */
  dependencies: z.array(SourceFile),
  /** Headers of the SDK and of the C++ library that stay as `#include`. */
  externalIncludes: z.array(z.string()),
  /** Dependencies and target in one translation unit, each part marked with its path. */
  flattened: z.string().min(1),
  /**
   * The tiling structures that the host side declares (`BEGIN_TILING_DATA_DEF` blocks); a kernel needs them to compile.
   */
  tiling: z.string(),
  /** First dtype of each input and output by OpDef name, e.g. `{x: 'float16'}`; empty without a definition. */
  dtypes: z.record(z.string(), z.string()),
})
export type OperatorSource = z.infer<typeof OperatorSource>

/** A source that an executor compiled; the verdict says which one. */
export const CheckedOperatorSource = OperatorSource.extend({verdict: Verdict})
export type CheckedOperatorSource = z.infer<typeof CheckedOperatorSource>
