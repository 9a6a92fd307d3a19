import {withoutComments} from '../../datasets/code-pieces.ts'
import {parseOperatorDefinitions, type OperatorDefinition} from '../../datasets/op-def.ts'
import type {OperatorSource} from '../../datasets/schema/operator.ts'
import type {Call, FileSyntax, FunctionSyntax} from './cpp-syntax.ts'
import {squeeze} from './node-text.ts'
import {syntaxOf} from './read-syntax.ts'
import {scopeOf} from './scope.ts'

export interface HostFacts {
  definitions: OperatorDefinition[]
  /** Structures that carry the tiling, of the target and what it includes. */
  structures: {name: string; fields: {type: string; name: string}[]}[]
  /** Values given to tiling fields, in order. */
  sets: {field: string; operator: string; value: string; method: string}[]
  blockDim: string[]
  workspace: string[]
  tilingKeys: string[]
  /** What is asked of the platform. */
  platform: ('ub' | 'cores' | 'library-workspace')[]
  inputs: number[]
  attributes: {index: string; type: string}[]
  /** Local computations that decide sizes: with division, remainder, minimum, maximum or rounding. */
  formulas: {name: string; operator: string; value: string; method: string}[]
  /** Conditions on which tiling is refused. */
  refusals: string[]
  constants: Map<string, number>
  functions: FunctionSyntax[]
  /** Registered tiling or inference functions, e.g. `IMPL_OP_OPTILING(IsInf)`. */
  registrations: string[]
}

/** Facts of a host-side file, seen with the declarations of the files that it includes. */
export async function hostFacts(source: OperatorSource): Promise<HostFacts> {
  const own = await syntaxOf(source.target.text)
  const included: FileSyntax[] = []
  for (const dependency of source.dependencies) included.push(await syntaxOf(dependency.text))
  const text = withoutComments(source.target.text)
  const everything = [...source.dependencies.map((file) => withoutComments(file.text)), text]
  const declarations = [own, ...included].flatMap((file) => file.declarations)
  return {
    definitions: parseOperatorDefinitions(source.target.text),
    structures: everything.flatMap(tilingStructures),
    sets: setFields(own.functions),
    ...callFacts(own.functions, text),
    workspace: unique(workspaceOf(own.functions)),
    formulas: sizeFormulas(own.functions),
    refusals: refusalsIn(text),
    constants: new Map(scopeOf(declarations, own.classes, source.dtypes).constants),
    functions: own.functions,
    registrations: [...text.matchAll(/\b(IMPL_OP_OPTILING|IMPL_OP_INFERSHAPE|IMPL_OP)\s*\(\s*(\w+)\s*\)/g)].map(
      ([, macro, name]) => `${macro}(${name})`,
    ),
  }
}

type CallFacts = Pick<HostFacts, 'blockDim' | 'tilingKeys' | 'platform' | 'inputs' | 'attributes'>

function callFacts(functions: readonly FunctionSyntax[], text: string): CallFacts {
  const calls = functions.flatMap((one) => one.calls)
  const firstArguments = (pattern: RegExp) =>
    unique(calls.filter(({name}) => pattern.test(name)).flatMap(({args}) => args[0] ?? []))
  const inputs = firstArguments(/^Get(?:Optional)?Input(?:Shape|Desc|Tensor)$/).filter((one) => /^\d+$/.test(one))
  return {
    blockDim: firstArguments(/^SetBlockDim$/),
    tilingKeys: firstArguments(/^SetTilingKey$/),
    platform: platformQueries.filter(([pattern]) => calls.some(({name}) => pattern.test(name))).map(([, what]) => what),
    inputs: [...new Set(inputs.map(Number))].sort((a, b) => a - b),
    attributes: /attr/i.test(text) ? attributesRead(calls) : [],
  }
}

const platformQueries: readonly [RegExp, HostFacts['platform'][number]][] = [
  [/^GetCoreMemSize$/, 'ub'],
  [/^GetCoreNum/, 'cores'],
  [/^GetLibApiWorkSpaceSize$/, 'library-workspace'],
]

function attributesRead(calls: readonly Call[]): HostFacts['attributes'] {
  return calls
    .filter(({name}) => /^Get(?:AttrPointer|Int|Float|Bool|Str)$/.test(name))
    .flatMap(({args: [index], templates: [type = '']}) => (index === undefined ? [] : [{index, type}]))
}

const structureDefinition = /\bBEGIN_TILING_DATA_DEF\s*\(\s*(\w+)\s*\)([^]*?)\bEND_TILING_DATA_DEF\b/g
const fieldDefinition = /\bTILING_DATA_FIELD_DEF(?:_ARR|_STRUCT)?\s*\(\s*([\w:]+)\s*,(?:[^,()]*,)?\s*(\w+)\s*\)/g

function tilingStructures(text: string): HostFacts['structures'] {
  return [...text.matchAll(structureDefinition)].map(([, name, body]) => ({
    name: name!,
    fields: [...body!.matchAll(fieldDefinition)].map(([, type, field]) => ({type: type!, name: field!})),
  }))
}

/** `tiling.set_x(v)`, and `tiling->x = v` for plain structures. */
function setFields(functions: readonly FunctionSyntax[]): HostFacts['sets'] {
  return functions.flatMap(({name: method, calls, assignments}) => [
    ...calls.flatMap(({name, args}) =>
      name.startsWith('set_') && args[0] !== undefined
        ? [{field: name.slice(4), operator: '=', value: args[0], method}]
        : [],
    ),
    ...assignments.flatMap(({name, operator, value}) => {
      const field = /^\w*[tT]iling\w*\s*(?:\.|->)\s*(\w+)$/.exec(name)?.[1]
      return field === undefined ? [] : [{field, operator, value, method}]
    }),
  ])
}

function workspaceOf(functions: readonly FunctionSyntax[]): string[] {
  return functions.flatMap(({assignments, calls}) => {
    if (!calls.some(({name}) => name === 'GetWorkspaceSizes')) return []
    return assignments
      .filter(
        ({name, operator}) =>
          operator === '=' &&
          /GetWorkspaceSizes\(|^\*?\w*[wW]ork[sS]pace\w*\[0\]$|^\*\w*[wW]ork[sS]pace\w*$/.test(name),
      )
      .map(({value}) => value)
  })
}

const rounding = /\s[/%]\s|\b(?:min|max|Ceil\w*|Align\w*|Floor\w*|RoundUp|Round\w*)\s*(?:<[^<>]*>)?\(/

function sizeFormulas(functions: readonly FunctionSyntax[]): HostFacts['formulas'] {
  const decidesSize = (value: string) => value.length <= 160 && rounding.test(value) && !/["{;]/.test(value)
  return functions.flatMap(({name: method, assignments}) =>
    assignments
      .filter(({value}) => decidesSize(value))
      .map(({name, operator, value}) => ({name, operator, value, method})),
  )
}

// Parentheses two deep are as many as these conditions have.
const condition = String.raw`(?:[^(){};]|\([^(){};]*(?:\([^(){};]*\)[^(){};]*)*\))*`
const refusal = String.raw`\{[^{}]*?return\s+(?:ge::)?GRAPH_FAILED`
const refusingIf = new RegExp(String.raw`\bif\s*\((${condition})\)\s*${refusal}`, 'g')
const refusingMacro = /\bOP_CHECK_IF\s*\(\s*((?:[^(),;]|\([^();]*(?:\([^();]*\)[^();]*)*\))+),/g

/** `if (c) { … return ge::GRAPH_FAILED; }` and `OP_CHECK_IF(c, …, return ge::GRAPH_FAILED)`. */
function refusalsIn(text: string): string[] {
  const conditions = [...text.matchAll(refusingIf), ...text.matchAll(refusingMacro)].map((match) => squeeze(match[1]!))
  return unique(conditions.map((one) => one.replace(/^\((.*)\)$/, '$1'))).filter((one) => one.length <= 120)
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)]
}
