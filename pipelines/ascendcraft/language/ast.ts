import type {ElementType} from './dtypes.ts'
import type {PrimitiveName, StageKind} from './primitives.ts'

/**
 * A program: a kernel, and the host function that launches it once. What the grammar allows is Python syntax; anything
 * else of Python is refused when the text is read.
 */
export interface Module {
  /** `T = tl.dtypes(…)`: names for one of several element types; the first is the default. */
  typeParameters: TypeParameter[]
  kernel: KernelFunction
  host: HostFunction
  /** The text that it was read from, for messages and for the comments that lowering keeps. */
  text: string
}

/** Counted from 1. */
export interface Place {
  line: number
  column: number
}

export interface TypeParameter extends Place {
  name: string
  choices: ElementType[]
}

/** `tl.float32`, or a type parameter by its name. */
export type TypeName = {kind: 'type'; type: ElementType} | {kind: 'parameter'; name: string}

export interface HostFunction extends Place {
  name: string
  parameters: HostParameter[]
  body: HostStatement[]
}

export type HostParameter = Place & {name: string} & (
    | {kind: 'tensor'; type: TypeName}
    /** Allocated by the caller with this shape, an integer expression for each axis; a scalar has none. */
    | {kind: 'output'; type: TypeName; shape: Expression[]}
    | {kind: 'attribute'; type: 'float' | 'int' | 'bool'; default: number | boolean}
  )

export type HostStatement = Place &
  (
    | {kind: 'assign'; name: string; value: Expression; comments: string[]}
    | {kind: 'workspace'; name: string; size: Expression; type: TypeName}
    | {kind: 'assert'; condition: Expression; message: string}
    | {kind: 'if'; branches: {condition: Expression | undefined; body: HostStatement[]}[]}
    | {kind: 'launch'; kernel: string; cores: Expression; arguments: Expression[]}
  )

export interface KernelFunction extends Place {
  name: string
  parameters: (Place & {name: string})[]
  body: KernelStatement[]
}

/** Comment lines directly above a statement, without `#`. */
interface Commented {
  comments: string[]
}

export type KernelStatement = Place &
  Commented &
  (
    | {kind: 'assign'; name: string; value: Expression}
    | {kind: 'alloc'; name: string; size: Expression; type: TypeName; depth: number | undefined}
    | {kind: 'for'; variable: string; start: Expression; stop: Expression; step: Expression; body: KernelStatement[]}
    | {kind: 'if'; branches: {condition: Expression | undefined; body: KernelStatement[]}[]}
    | {kind: 'stage'; stage: StageKind; body: KernelStatement[]}
    | {kind: 'sync_all'}
    /** A call without a used value: `tl.load`, `tl.store`, `tl.set` and every vector operation. */
    | {kind: 'operation'; primitive: PrimitiveName; arguments: Expression[]; named: Record<string, Expression>}
  )

export type Expression = Place &
  (
    | {kind: 'number'; value: number; isFloat: boolean}
    | {kind: 'boolean'; value: boolean}
    | {kind: 'text'; value: string}
    /** `float("inf")` is a number; `None` is an omitted argument. */
    | {kind: 'name'; name: string}
    | {kind: 'type'; type: TypeName}
    | {kind: 'unary'; operator: '-' | 'not'; operand: Expression}
    | {kind: 'binary'; operator: BinaryOperator; left: Expression; right: Expression}
    /** `a if c else b`. */
    | {kind: 'choice'; condition: Expression; yes: Expression; no: Expression}
    | {kind: 'call'; callee: ScalarFunction; arguments: Expression[]}
    /** Host only: `x.shape[i]`, `x.numel()`, `x.dim()`. */
    | {kind: 'shape'; tensor: string; axis: Expression}
    | {kind: 'count'; tensor: string; of: 'elements' | 'axes'}
    /** Kernel only: a buffer from an element on, `ub[offset]`. */
    | {kind: 'slice'; buffer: string; offset: Expression}
  )

export type BinaryOperator =
  | '+'
  | '-'
  | '*'
  | '/'
  | '//'
  | '%'
  | '**'
  | '=='
  | '!='
  | '<'
  | '<='
  | '>'
  | '>='
  | 'and'
  | 'or'

/**
 * Functions of scalars. `program_id`, `num_programs` and `extract` are only allowed in kernels; `cdiv(a, b)` rounds the
 * quotient up, `align(a, b)` rounds `a` up to a multiple of `b`; `item_bytes(T)` is the size of an element.
 */
export const scalarFunctions = [
  'program_id',
  'num_programs',
  'extract',
  'cdiv',
  'align',
  'item_bytes',
  'min',
  'max',
  'abs',
  'sqrt',
  'float',
  'int',
] as const

export type ScalarFunction = (typeof scalarFunctions)[number]
