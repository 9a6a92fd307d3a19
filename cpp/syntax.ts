import {z} from 'zod'

// What the reader of C++ gives, as values that may be kept: facts of code are made of them.

/** One arm of an `if`, `switch` or `?:`. */
export const Branch = z.strictObject({
  /** The condition, or what a `switch` looks at. */
  condition: z.string(),
  /** `then` if the condition holds, `else` if not, the value of a case with the labels that run into it. */
  arm: z.union([z.enum(['then', 'else']), z.strictObject({case: z.string(), also: z.array(z.string()).optional()})]),
  /** 1-based line of the whole statement. */
  line: z.int(),
})
export type Branch = z.infer<typeof Branch>

/**
 * A call as it is written: `inQueue_.AllocTensor<T>()` is name `AllocTensor`, receiver `inQueue_`, template arguments
 * `['T']`.
 */
export const Call = z.strictObject({
  name: z.string(),
  /** Namespace or object before the name, `''` without one. */
  receiver: z.string(),
  templates: z.array(z.string()),
  args: z.array(z.string()),
  /** The variable that takes the result, when the call initialises or is assigned to one. */
  result: z.string().optional(),
  /** The enclosing branches, outermost first. */
  branches: z.array(Branch),
  /** The enclosing loops, outermost first, by the index in its function's `loops`. */
  loops: z.array(z.int()),
  /** 1-based line in its file. */
  line: z.int(),
})
export type Call = z.infer<typeof Call>

const Assignment = z.strictObject({
  name: z.string(),
  /** `=`, also of an initialisation, or `+=`, `-=` … */
  operator: z.string(),
  value: z.string(),
  /** The enclosing branches and loops, as for a call. */
  branches: z.array(Branch),
  loops: z.array(z.int()),
  line: z.int(),
})
export type Assignment = z.infer<typeof Assignment>

const Placed = z.strictObject({text: z.string(), line: z.int()})

export const FunctionSyntax = z.strictObject({
  name: z.string(),
  /** The class it belongs to, `''` for a free function. */
  owner: z.string(),
  parameters: z.array(z.strictObject({type: z.string(), name: z.string()})),
  returns: z.string(),
  calls: z.array(Call),
  /** Assignments of every kind and initialisations, in order. */
  assignments: z.array(Assignment),
  loops: z.array(z.strictObject({header: z.string(), line: z.int()})),
  conditions: z.array(Placed),
  lines: z.tuple([z.int(), z.int()]),
  body: z.string(),
})
export type FunctionSyntax = z.infer<typeof FunctionSyntax>

export const ClassSyntax = z.strictObject({
  name: z.string(),
  templates: z.array(z.string()),
  bases: z.array(z.string()),
  lines: z.tuple([z.int(), z.int()]),
  /** Comment right above, without its marks. */
  comment: z.string(),
})
export type ClassSyntax = z.infer<typeof ClassSyntax>

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

/** One simple statement of a function's body, with the way that leads to it. */
export const Statement = z.strictObject({
  kind: z.enum(['value', 'call', 'return']),
  /** What a value is given to, `*yShape` or `outShape`; '' without one. */
  target: z.string(),
  /** `=`, also of an initialisation, or `+=`, `-=` … */
  operator: z.string(),
  /** The value, the call or what is returned, on one line. */
  text: z.string(),
  /** The outermost call of the text. */
  call: z.strictObject({name: z.string(), receiver: z.string(), args: z.array(z.string())}).optional(),
  branches: z.array(Branch),
  /** Headers of the loops around it, outermost first. */
  loops: z.array(z.string()),
  /** For each loop, in how many of the branches it is nested itself. */
  depths: z.array(z.int()),
  line: z.int(),
  /** The comment right above, without its marks. */
  comment: z.string(),
})
export type Statement = z.infer<typeof Statement>

/** A function as it runs: its statements in the order in which they stand. */
export const FunctionFlow = z.strictObject({
  name: z.string(),
  /** The class that it belongs to, '' for a free function. */
  owner: z.string(),
  /** The type as declared, with `const`, `*` and `&`. */
  parameters: z.array(z.strictObject({type: z.string(), name: z.string()})),
  returns: z.string(),
  isStatic: z.boolean(),
  /** Template parameters as declared, with their defaults: `bool isReuseSource = false`. */
  templates: z.array(z.string()),
  /** Whether it only declares the function. */
  isDeclared: z.boolean(),
  comment: z.string(),
  statements: z.array(Statement),
})
export type FunctionFlow = z.infer<typeof FunctionFlow>
