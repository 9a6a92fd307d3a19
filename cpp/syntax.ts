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
  /** The branches that it stands in, outermost first. */
  branches: readonly Branch[]
  /** The loops that it stands in, outermost first, by the index in its function's `loops`. */
  loops: readonly number[]
  /** 1-based line in its file. */
  line: number
}

/** One arm of an `if`, `switch` or `?:`. */
export interface Branch {
  /** The condition, or what a `switch` looks at. */
  condition: string
  /** `then` where the condition holds, `else` where not, the value of a case with the labels that run into it. */
  arm: 'then' | 'else' | {case: string; also?: string[]}
  /** 1-based line of the whole statement. */
  line: number
}

export interface FunctionSyntax {
  name: string
  /** The class it belongs to, `''` for a free function. */
  owner: string
  parameters: {type: string; name: string}[]
  returns: string
  calls: Call[]
  /** Assignments of every kind and initialisations, in order. */
  assignments: Assignment[]
  loops: {header: string; line: number}[]
  conditions: {text: string; line: number}[]
  lines: [number, number]
  body: string
}

export interface Assignment {
  name: string
  /** `=`, also of an initialisation, or `+=`, `-=` … */
  operator: string
  value: string
  /** The branches and loops that it stands in, as of a call. */
  branches: readonly Branch[]
  loops: readonly number[]
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
}
