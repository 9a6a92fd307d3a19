import {z} from 'zod'
import {withoutComments} from './code-pieces.ts'
import {type DtypeName, dtypeNames, dtypeOfConstant} from './types.ts'

/**
 * An input or output of an operator definition. `dtypes` is its column list: entry i belongs to the i-th supported
 * combination.
 */
const OpParameter = z.strictObject({
  name: z.string(),
  kind: z.enum(['required', 'optional', 'dynamic']),
  dtypes: z.array(z.enum(dtypeNames)),
  /**
   * How the definition gives the input's values to the host: `ValueDepend`, or as a scalar of the single-operator
   * interface.
   */
  hostValue: z.enum(['depends', 'scalar', 'scalar-list']).optional(),
})
export type OpParameter = z.infer<typeof OpParameter>

const OpAttribute = z.strictObject({
  name: z.string(),
  required: z.boolean(),
  /** `Int`, `Float`, `Bool`, `String`, `ListInt`, … as in the definition. */
  type: z.string(),
  /** The default as it is written, '' when there is none. */
  default: z.string(),
})
type OpAttribute = z.infer<typeof OpAttribute>

/** What a host file declares of one operator, in declaration order. */
export const OperatorDefinition = z.strictObject({
  operator: z.string(),
  inputs: z.array(OpParameter),
  outputs: z.array(OpParameter),
  attributes: z.array(OpAttribute),
  /** Lower-case SoC names of AddConfig. */
  socs: z.array(z.string()),
  /** Some output's shape is known only to the kernel, which then gets one more argument. */
  shapeFromKernel: z.boolean(),
})
export type OperatorDefinition = z.infer<typeof OperatorDefinition>

/** The definitions of all `class X : public OpDef` in a host file; a definition that cannot be read is left out. */
export function parseOperatorDefinitions(text: string): OperatorDefinition[] {
  const source = withoutComments(text)
  const definitions: OperatorDefinition[] = []
  for (const match of source.matchAll(/\bclass\s+(\w+)\s*(?:final\s*)?:\s*public\s+(?:::)?(?:ops::)?OpDef\b/g)) {
    const operator = match[1] as string
    const body = balanced(source, source.indexOf('{', match.index), '{', '}')
    if (body !== undefined) definitions.push(parseBody(operator, body, source))
  }
  return definitions
}

/** CamelCase to the kernel's name: `AddCustom` → `add_custom`, `Conv2DCustom` → `conv2_d_custom`. */
export function kernelName(operator: string): string {
  return operator
    .replace(/(.)([A-Z][a-z]+)/g, '$1_$2')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
}

/** What stands between the bracket at `start` and its partner. */
export function balanced(text: string, start: number, open: string, close: string): string | undefined {
  if (start < 0) return undefined
  let depth = 0
  for (let i = start; i < text.length; i += 1) {
    if (text[i] === open) depth += 1
    else if (text[i] === close) {
      depth -= 1
      if (depth === 0) return text.slice(start + 1, i)
    }
  }
  return undefined
}

interface Call {
  name: string
  argument: string
}

/** `.A(x).B(y)` from `start` on, as calls in order. */
function chain(text: string, start: number): Call[] {
  const calls: Call[] = []
  const next = /\s*(?:\.|->)?\s*(\w+)\s*(?:<[^<>]*>)?\s*\(/y
  next.lastIndex = start
  for (let match = next.exec(text); match; match = next.exec(text)) {
    const open = next.lastIndex - 1
    const argument = balanced(text, open, '(', ')')
    if (argument === undefined) break
    calls.push({name: match[1] as string, argument: argument.trim()})
    next.lastIndex = open + argument.length + 2
    if (!/^\s*(?:\.|->)/.test(text.slice(next.lastIndex, next.lastIndex + 200))) break
  }
  return calls
}

function parseBody(operator: string, body: string, source: string): OperatorDefinition {
  const definition: OperatorDefinition = {
    operator,
    inputs: [],
    outputs: [],
    attributes: [],
    socs: [],
    shapeFromKernel: false,
  }
  // `config.Input(…)` of an OpAICoreConfig repeats parameters for one SoC; only the operator's own count.
  for (const match of body.matchAll(/(?<![\w.)>]\s*)(?:this\s*->\s*)?\b(Input|Output|Attr|AICore)\s*\(/g)) {
    const calls = chain(body, match.index + match[0].indexOf(match[1] as string))
    const name = /^"([^"]*)"$/.exec(calls[0]?.argument ?? '')?.[1]
    if (match[1] === 'AICore')
      definition.socs.push(
        ...calls
          .filter((call) => call.name === 'AddConfig')
          .flatMap(({argument}) => /"([^"]*)"/.exec(argument)?.[1] ?? []),
      )
    else if (name !== undefined && match[1] === 'Attr') definition.attributes.push(parseAttribute(name, calls))
    else if (name !== undefined)
      (match[1] === 'Input' ? definition.inputs : definition.outputs).push(parseParameter(name, calls, source))
    if (calls.some((call) => call.name === 'OutputShapeDependOnCompute')) definition.shapeFromKernel = true
  }
  return definition
}

function parseParameter(name: string, calls: readonly Call[], source: string): OpParameter {
  const kind = /REQUIRED|OPTIONAL|DYNAMIC/
    .exec(calls.find((call) => call.name === 'ParamType')?.argument ?? '')?.[0]
    ?.toLowerCase()
  const types = calls.find((call) => call.name === 'DataType' || call.name === 'DataTypeList')?.argument ?? ''
  const hostValue = calls.flatMap((call) => hostValues[call.name] ?? [])[0]
  return {
    name,
    kind: (kind ?? 'required') as OpParameter['kind'],
    dtypes: dtypesIn(types, source),
    ...(hostValue && {hostValue}),
  }
}

const hostValues: Readonly<Record<string, OpParameter['hostValue']>> = {
  ValueDepend: 'depends',
  Scalar: 'scalar',
  ScalarList: 'scalar-list',
}

/** A braced list, or the name of a vector or a macro that is defined elsewhere in the file. */
function dtypesIn(argument: string, source: string): DtypeName[] {
  const list = argument.includes('{') || argument.includes('DT_') ? argument : initialiserOf(argument, source)
  return [...list.matchAll(/\bDT_\w+/g)].flatMap(([name]) => dtypeOfConstant(name) ?? [])
}

function initialiserOf(name: string, source: string): string {
  if (!/^\w+$/.test(name)) return ''
  return new RegExp(`\\b${name}[\\s\\\\]*(?:=\\s*)?\\{([^}]*)\\}`).exec(source)?.[1] ?? ''
}

function parseAttribute(name: string, calls: readonly Call[]): OpAttribute {
  const value = calls.find((call) => /^(List(List)?)?(Int|Float|Bool|String)$/.test(call.name))
  const required = /REQUIRED/.test(calls.find((call) => call.name === 'AttrType')?.argument ?? 'REQUIRED')
  return {name, required, type: value?.name ?? 'Int', default: value?.argument ?? ''}
}
