import type {Expression, Module, Place} from './ast.ts'
import type {ElementType} from './dtypes.ts'

export type ScalarType = 'int' | 'float' | 'bool'

/** A program that has passed the checks, with what they found out: interpreter and lowering read this. */
export interface CheckedModule {
  /** All of its types are named: type parameters have been replaced. */
  module: Module
  /** Types chosen for the parameters, e.g. `{T: 'float16'}`. */
  types: Readonly<Record<string, ElementType>>
  /** Parameters of the kernel, in their order. */
  parameters: readonly KernelParameter[]
  /** Buffers in the order in which they are allocated. */
  buffers: readonly Buffer[]
  /** Scalars of the kernel by name, loop variables and scalar parameters among them. */
  scalars: Readonly<Record<string, ScalarType>>
  /** Scalars of the host by name, attributes among them. */
  hostScalars: Readonly<Record<string, ScalarType>>
  usesSyncAll: boolean
}

export type KernelParameter = {name: string} & (
  | {kind: 'scalar'; type: ScalarType; argument: Expression}
  | {
      kind: 'gm'
      type: ElementType
      /** Name of the host's tensor or workspace. */
      argument: string
      of: 'input' | 'output' | 'workspace'
      loaded: boolean
      stored: boolean
      /** By a store with `atomic="add"`. */
      added: boolean
    }
)

export interface Buffer extends Place {
  name: string
  type: ElementType
  /** Elements; of parameters and numbers. */
  size: Expression
  /** `in`: loaded, `out`: stored, `scratch`: neither. */
  role: 'in' | 'out' | 'scratch'
  /** How often it exists: 2 if its load or store is in a loop and nothing else is requested. */
  depth: 1 | 2
}
