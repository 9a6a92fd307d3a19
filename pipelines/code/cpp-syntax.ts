/**
 * A call as it is written: `inQueue_.AllocTensor<T>()` is name `AllocTensor`, receiver `inQueue_`, template arguments
 * `['T']`.
 */
export interface Call {
  name: string
  /** Namespace or object before the name, `''` without one. */
  receiver: string
  templates: string[]
  args: string[]
  /** The variable that takes the result, when the call initialises or is assigned to one. */
  result: string | undefined
  /** Stands inside an `if`, `else`, `switch` or `?:`. */
  conditional: boolean
  /** Stands inside a loop. */
  looped: boolean
  /** 1-based line in its file. */
  line: number
}

export interface FunctionSyntax {
  name: string
  /** The class it belongs to, `''` for a free function. */
  owner: string
  parameters: {type: string; name: string}[]
  returns: string
  calls: Call[]
  /** `name = expression`, `name += expression` and initialisations, in order. */
  assignments: Assignment[]
  loops: {header: string; line: number}[]
  conditions: {text: string; line: number}[]
  lines: [number, number]
  body: string
}

interface Assignment {
  name: string
  value: string
  line: number
}

export interface ClassSyntax {
  name: string
  templates: string[]
  bases: string[]
  lines: [number, number]
  /** Comment right above, without its marks. */
  comment: string
}

export interface Declaration {
  type: string
  name: string
  value: string
  owner: string
  /** `const`, `constexpr`, an enumerator or a macro: its value does not change. */
  constant: boolean
}

export interface FileSyntax {
  classes: ClassSyntax[]
  functions: FunctionSyntax[]
  /** Members, constants and global variables; local variables are assignments of their function. */
  declarations: Declaration[]
  structs: {name: string; fields: Declaration[]}[]
  /** Bytes inside nodes that the grammar could not make sense of, as a share of all. */
  errorShare: number
}
