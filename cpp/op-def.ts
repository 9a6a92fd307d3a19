import {z} from 'zod'
import {type Stretch, templateClose} from './brackets.ts'
import {withoutComments} from './code-pieces.ts'
import {inBrackets, textOf, tokenized, type Tokenized} from './tokenized.ts'
import {literalValue, type Token} from './tokens.ts'
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
  /** The default as written, '' if there is none. */
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

/** The definitions of all `class X : public OpDef` in a host file; a definition that cannot be read is skipped. */
export function parseOperatorDefinitions(text: string): OperatorDefinition[] {
  if (!text.includes('OpDef')) return []
  const source = tokenized(withoutComments(text), /:\s*public\s+(?:::\s*)?(?:ops\s*::\s*)?OpDef\b/)
  return source.tokens.flatMap(({text: word}, at) => {
    const open = word === 'class' ? bodyOfOpDef(source, at) : undefined
    const body = open === undefined ? undefined : inBrackets(source, open, '{')
    return body ? [parseBody((source.tokens[at + 1] as Token).text, body, source)] : []
  })
}

/** Where the body opens of a class whose first base is OpDef. */
function bodyOfOpDef({tokens}: Tokenized, at: number): number | undefined {
  const head = tokens.slice(at + 2, at + 12).map(({text}) => text)
  const open = head.indexOf('{')
  const isOpDef = /^(?:final )?: public (?::: )?(?:ops :: )?OpDef\b/.test(head.slice(0, open).join(' '))
  return open >= 0 && isOpDef ? at + 2 + open : undefined
}

/** CamelCase to the kernel's name: `AddCustom` → `add_custom`, `Conv2DCustom` → `conv2_d_custom`. */
export function kernelName(operator: string): string {
  return operator
    .replace(/(.)([A-Z][a-z]+)/g, '$1_$2')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
}

interface Call {
  name: string
  argument: Stretch
}

/** `A(x).B(y)` from a token on, as calls in order. */
function chain(source: Tokenized, start: number): Call[] {
  const {tokens} = source
  const calls: Call[] = []
  for (let at = start; ; ) {
    const argument = inBrackets(source, (templateClose(tokens, at + 1) ?? at) + 1, '(')
    if (!argument) return calls
    calls.push({name: (tokens[at] as Token).text, argument})
    at = argument.to + 2
    if (!isMember(tokens[at - 1])) return calls
  }
}

const isMember = (token: Token | undefined) => token?.text === '.' || token?.text === '->'

const declaring = new Set(['Input', 'Output', 'Attr', 'AICore'])

function parseBody(operator: string, {from, to}: Stretch, source: Tokenized): OperatorDefinition {
  const definition: OperatorDefinition = {
    operator,
    inputs: [],
    outputs: [],
    attributes: [],
    socs: [],
    shapeFromKernel: false,
  }
  for (let at = from; at < to; at += 1) {
    const {text: word} = source.tokens[at] as Token
    if (!declaring.has(word) || !isOwnCall(source, at)) continue
    const calls = chain(source, at)
    const name = stringsIn(calls[0]?.argument, source)[0]
    if (word === 'AICore')
      definition.socs.push(
        ...calls.flatMap((call) => (call.name === 'AddConfig' ? stringsIn(call.argument, source).slice(0, 1) : [])),
      )
    else if (name !== undefined && word === 'Attr') definition.attributes.push(parseAttribute(name, calls, source))
    else if (name !== undefined)
      (word === 'Input' ? definition.inputs : definition.outputs).push(
        followed(parseParameter(name, calls, source), calls, definition, source),
      )
    if (calls.some((call) => call.name === 'OutputShapeDependOnCompute')) definition.shapeFromKernel = true
  }
  return definition
}

/** `config.Input(…)` of an OpAICoreConfig repeats parameters for one SoC; only the operator's own count. */
function isOwnCall({tokens}: Tokenized, at: number): boolean {
  const isOfThis = tokens[at - 1]?.text === '->' && tokens[at - 2]?.text === 'this'
  const before = tokens[isOfThis ? at - 3 : at - 1]?.text ?? ''
  return tokens[at + 1]?.text === '(' && !/[\w.)>]$/.test(before)
}

function stringsIn(stretch: Stretch | undefined, {tokens}: Tokenized): string[] {
  return stretch
    ? tokens.slice(stretch.from, stretch.to).flatMap((one) => (one.kind === 'string' ? literalValue(one) : []))
    : []
}

/** The words of the argument of the first call of one of some names. */
function wordsOf(names: readonly string[], calls: readonly Call[], {tokens}: Tokenized): string[] | undefined {
  const argument = calls.find(({name}) => names.includes(name))?.argument
  return argument && tokens.slice(argument.from, argument.to).map(({text}) => text)
}

function parseParameter(name: string, calls: readonly Call[], source: Tokenized): OpParameter {
  const kind = wordsOf(['ParamType'], calls, source)?.find((word) => /^(?:REQUIRED|OPTIONAL|DYNAMIC)$/.test(word))
  const hostValue = calls.flatMap((call) => hostValues[call.name] ?? [])[0]
  return {
    name,
    kind: (kind ?? 'required').toLowerCase() as OpParameter['kind'],
    dtypes: dtypesIn(wordsOf(['DataType', 'DataTypeList'], calls, source) ?? [], source),
    ...(hostValue && {hostValue}),
  }
}

/** `Follow("x")`: the types of another parameter, if it has no types itself. */
function followed(
  parameter: OpParameter,
  calls: readonly Call[],
  {inputs, outputs}: OperatorDefinition,
  source: Tokenized,
): OpParameter {
  const argument = calls.find(({name}) => name === 'Follow')?.argument
  const words = wordsOf(['Follow'], calls, source) ?? []
  if (!argument || parameter.dtypes.length > 0 || words.at(-1) === 'SHAPE') return parameter
  const [other] = stringsIn(argument, source)
  return {...parameter, dtypes: [...inputs, ...outputs].find(({name}) => name === other)?.dtypes ?? []}
}

const hostValues: Readonly<Record<string, OpParameter['hostValue']>> = {
  ValueDepend: 'depends',
  Scalar: 'scalar',
  ScalarList: 'scalar-list',
}

/** A braced list, or the name of a vector or a macro that is defined elsewhere in the file. */
function dtypesIn(words: readonly string[], source: Tokenized): DtypeName[] {
  const isList = words.some((word) => word === '{' || word.startsWith('DT_'))
  const list = isList || words.length !== 1 ? words : initialiserOf(words[0] as string, source)
  return list.flatMap((word) => dtypeOfConstant(word) ?? [])
}

function initialiserOf(name: string, source: Tokenized): string[] {
  const {tokens} = source
  for (const [at, {text}] of tokens.entries()) {
    const list = text === name ? inBrackets(source, tokens[at + 1]?.text === '=' ? at + 2 : at + 1, '{') : undefined
    if (list) return tokens.slice(list.from, list.to).map((token) => token.text)
  }
  return []
}

function parseAttribute(name: string, calls: readonly Call[], source: Tokenized): OpAttribute {
  const value = calls.find((call) => /^(List(List)?)?(Int|Float|Bool|String)$/.test(call.name))
  const required = wordsOf(['AttrType'], calls, source)?.includes('REQUIRED') ?? true
  return {name, required, type: value?.name ?? 'Int', default: value ? textOf(source, value.argument) : ''}
}
