import {withoutComments} from '../../datasets/code-pieces.ts'
import {parseOperatorDefinitions, type OperatorDefinition} from '../../datasets/op-def.ts'
import type {KernelSource} from '../../datasets/schema/kernel.ts'
import {scopeOf, syntaxOf} from './facts.ts'
import {squeeze, type FunctionSyntax} from './syntax.ts'

export interface HostFacts {
  definitions: OperatorDefinition[]
  /** Structures that carry the tiling, of the target and what it includes. */
  structures: {name: string; fields: {type: string; name: string}[]}[]
  /** Values given to tiling fields, in order. */
  sets: {field: string; value: string; method: string}[]
  blockDim: string[]
  workspace: string[]
  tilingKeys: string[]
  /** What is asked of the platform: `UB`, `cores`, `workspace`. */
  platform: ('ub' | 'cores' | 'library-workspace')[]
  inputs: number[]
  attributes: {index: string; type: string}[]
  /** Local computations that decide sizes: with division, remainder, minimum, maximum or rounding. */
  formulas: {name: string; value: string; method: string}[]
  /** Conditions on which tiling is refused. */
  refusals: string[]
  constants: Map<string, number>
  functions: FunctionSyntax[]
  /** Registered tiling or inference functions, e.g. `IMPL_OP_OPTILING(IsInf)`. */
  registrations: string[]
}

export async function hostFacts(source: KernelSource): Promise<HostFacts> {
  const own = await syntaxOf(source.target.text)
  const text = withoutComments(source.target.text)
  const everything = [...source.dependencies.map((file) => withoutComments(file.text)), text]
  const included = []
  for (const dependency of source.dependencies) included.push(await syntaxOf(dependency.text))
  const calls = own.functions.flatMap(({calls: made, name: method}) => made.map((call) => ({...call, method})))
  const named = (name: string) => calls.filter((call) => call.name === name)
  const platform: HostFacts['platform'] = []
  if (named('GetCoreMemSize').length > 0) platform.push('ub')
  if (calls.some(({name}) => /^GetCoreNum/.test(name))) platform.push('cores')
  if (named('GetLibApiWorkSpaceSize').length > 0) platform.push('library-workspace')
  return {
    definitions: parseOperatorDefinitions(source.target.text),
    structures: everything.flatMap(tilingStructures),
    sets: setFields(own.functions),
    blockDim: unique(named('SetBlockDim').flatMap(({args}) => args[0] ?? [])),
    workspace: unique(workspaceOf(own.functions)),
    tilingKeys: unique(named('SetTilingKey').flatMap(({args}) => args[0] ?? [])),
    platform,
    inputs: [
      ...new Set(
        calls
          .filter(({name}) => /^Get(?:Optional)?Input(?:Shape|Desc|Tensor)$/.test(name))
          .flatMap(({args}) => (/^\d+$/.test(args[0] ?? '') ? [Number(args[0])] : [])),
      ),
    ].sort((a, b) => a - b),
    attributes: calls
      .filter(({name}) => /^Get(?:AttrPointer|Int|Float|Bool|Str)$/.test(name) && /attr/i.test(text))
      .flatMap(({args, templates}) => (args[0] === undefined ? [] : [{index: args[0], type: templates[0] ?? ''}])),
    formulas: sizeFormulas(own.functions),
    refusals: refusalsIn(text),
    constants: new Map(
      scopeOf([...own.declarations, ...included.flatMap(({declarations}) => declarations)], own, source.dtypes)
        .constants,
    ),
    functions: own.functions,
    registrations: [...text.matchAll(/\b(IMPL_OP_OPTILING|IMPL_OP_INFERSHAPE|IMPL_OP)\s*\(\s*(\w+)\s*\)/g)].map(
      ([, macro, name]) => `${macro}(${name})`,
    ),
  }
}

function tilingStructures(text: string): HostFacts['structures'] {
  return [...text.matchAll(/\bBEGIN_TILING_DATA_DEF\s*\(\s*(\w+)\s*\)([^]*?)\bEND_TILING_DATA_DEF\b/g)].map(
    ([, name, body]) => ({
      name: name as string,
      fields: [
        ...(body as string).matchAll(
          /\bTILING_DATA_FIELD_DEF(?:_ARR|_STRUCT)?\s*\(\s*([\w:]+)\s*,(?:[^,()]*,)?\s*(\w+)\s*\)/g,
        ),
      ].map(([, type, field]) => ({type: type as string, name: field as string})),
    }),
  )
}

/** `tiling.set_x(v)`, and `tiling->x = v` for plain structures. */
function setFields(functions: readonly FunctionSyntax[]): HostFacts['sets'] {
  return functions.flatMap(({name: method, calls, assignments}) => [
    ...calls.flatMap(({name, args}) =>
      name.startsWith('set_') && args[0] !== undefined ? [{field: name.slice(4), value: args[0], method}] : [],
    ),
    ...assignments.flatMap(({name, value}) => {
      const field = /^\w*[tT]iling\w*\s*(?:\.|->)\s*(\w+)$/.exec(name)?.[1]
      return field === undefined ? [] : [{field, value, method}]
    }),
  ])
}

function workspaceOf(functions: readonly FunctionSyntax[]): string[] {
  return functions.flatMap(({assignments, calls}) => {
    if (!calls.some(({name}) => name === 'GetWorkspaceSizes')) return []
    return assignments
      .filter(({name}) => /GetWorkspaceSizes\(|^\*?\w*[wW]ork[sS]pace\w*\[0\]$|^\*\w*[wW]ork[sS]pace\w*$/.test(name))
      .map(({value}) => value)
  })
}

function sizeFormulas(functions: readonly FunctionSyntax[]): HostFacts['formulas'] {
  return functions.flatMap(({name: method, assignments}) =>
    assignments
      .filter(
        ({value}) =>
          value.length <= 160 &&
          /\s[/%]\s|\b(?:min|max|Ceil\w*|Align\w*|Floor\w*|RoundUp|Round\w*)\s*(?:<[^<>]*>)?\(/.test(value) &&
          !/["{;]/.test(value),
      )
      .map(({name, value}) => ({name, value, method})),
  )
}

/** `if (c) { … return ge::GRAPH_FAILED; }` and `OP_CHECK_IF(c, …, return ge::GRAPH_FAILED)`. */
function refusalsIn(text: string): string[] {
  const plain = [
    ...text.matchAll(
      /\bif\s*\(((?:[^(){};]|\([^(){};]*(?:\([^(){};]*\)[^(){};]*)*\))*)\)\s*\{[^{}]*?return\s+(?:ge::)?GRAPH_FAILED/g,
    ),
  ].map((match) => match[1] as string)
  const macros = [...text.matchAll(/\bOP_CHECK_IF\s*\(\s*((?:[^(),;]|\([^();]*(?:\([^();]*\)[^();]*)*\))+),/g)].map(
    (match) => match[1] as string,
  )
  return unique([...plain, ...macros].map(squeeze).map((condition) => condition.replace(/^\((.*)\)$/, '$1'))).filter(
    (condition) => condition.length <= 120,
  )
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)]
}
