import type {ChipConfig, DefinedAttribute, DefinedTensor, DefinitionFacts} from '../../datasets/schema/code-facts.ts'
import {withoutComments} from '../../cpp/code-pieces.ts'
import type {OperatorSource} from '../../datasets/schema/operator.ts'
import {type Chain, type DefinitionSyntax, definitionSyntax} from './definition-chains.ts'

/** Facts of a file that defines one operator; of several in one file the first. */
export async function definitionFacts({target, operator}: OperatorSource): Promise<DefinitionFacts> {
  const text = withoutComments(target.text)
  const syntax = await definitionSyntax(text)
  const [defined = operator] = syntax.operators
  const tensors = tensorsOf(own(syntax, defined), syntax)
  return {
    operator: defined,
    tensors,
    attributes: own(syntax, defined).flatMap(attributeOf),
    columns: columnsOf(tensors),
    chips: chipsOf(syntax, defined),
    others: otherCalls(own(syntax, defined)),
    registration: /\bOP_ADD\s*\(\s*\w+\s*\)/.exec(text)?.[0] ?? '',
    constants: [],
  }
}

function own({chains}: DefinitionSyntax, operator: string): Chain[] {
  return chains.filter(({base, method}) => base === 'this' && method === operator)
}

function tensorsOf(chains: readonly Chain[], syntax: DefinitionSyntax): DefinedTensor[] {
  return chains.flatMap(({links}) => {
    const [first, ...calls] = links
    if (!first || (first.name !== 'Input' && first.name !== 'Output')) return []
    const given = (name: string) => calls.find((call) => call.name === name)?.args[0] ?? ''
    const kind = /REQUIRED|OPTIONAL|DYNAMIC/.exec(given('ParamType'))?.[0]?.toLowerCase() ?? 'required'
    return [
      {
        name: unquoted(first.args[0] ?? ''),
        direction: first.name === 'Input' ? 'input' : 'output',
        kind: kind as DefinedTensor['kind'],
        dtypes: listed(given('DataType') || given('DataTypeList'), /\bDT_\w+/g, syntax),
        formats: listed(given('Format') || given('FormatList'), /\bFORMAT_\w+/g, syntax),
        isColumn: !calls.some(({name}) => name === 'DataTypeList'),
        properties: calls
          .filter(({name}) => !/^(?:ParamType|DataType|Format|UnknownShapeFormat|DataTypeList|FormatList)$/.test(name))
          .map(({name, args}) => `${name}(${args.join(', ')})`),
      },
    ]
  })
}

function unquoted(text: string): string {
  return text.replace(/^"(.*)"$/, '$1')
}

/** The names of a braced list, or of the one that the variable holds. */
function listed(argument: string, pattern: RegExp, {variables}: DefinitionSyntax): string[] {
  const text = argument.startsWith('{') ? argument : (variables.get(argument) ?? '')
  return text.startsWith('{') ? (text.match(pattern) ?? []) : []
}

function attributeOf({links: [first, ...calls]}: Chain): DefinedAttribute[] {
  if (first?.name !== 'Attr') return []
  const value = calls.find(({name}) => /^(?:List(?:List)?)?(?:Int|Float|Bool|String)$/.test(name))
  const type = calls.find(({name}) => name === 'AttrType')?.args[0] ?? ''
  if (!value) return []
  return [
    {
      name: unquoted(first.args[0] ?? ''),
      isRequired: !/OPTIONAL/.test(type),
      type: value.name,
      default: value.args.join(', '),
    },
  ]
}

/** Tensors whose types are columns of the operator's table, as far as they can be read. */
export function columnTensors(tensors: readonly DefinedTensor[]): DefinedTensor[] {
  return tensors.filter(({dtypes, isColumn}) => isColumn && dtypes.length > 0)
}

function columnsOf(tensors: readonly DefinedTensor[]): string[][] {
  const read = columnTensors(tensors)
  const length = read[0]?.dtypes.length ?? 0
  if (read.some(({dtypes}) => dtypes.length !== length)) return []
  return Array.from({length}, (_, column) => read.map(({dtypes}) => dtypes[column]!))
}

function chipsOf(syntax: DefinitionSyntax, operator: string): ChipConfig[] {
  return own(syntax, operator).flatMap(({links}) => {
    if (links[0]?.name !== 'AICore') return []
    return links
      .filter(({name}) => name === 'AddConfig')
      .map(({args: [chip = '', config = '']}) => ({chip: unquoted(chip), ...configured(config, syntax)}))
  })
}

function configured(config: string, syntax: DefinitionSyntax): Omit<ChipConfig, 'chip'> {
  const maker = /^(?:this->)?(\w+)\(\)$/.exec(syntax.variables.get(config) ?? config)?.[1]
  const chains = syntax.chains.filter(({base, method}) =>
    maker === undefined ? base === config && config !== '' : method === maker && base !== 'this',
  )
  return {
    flags: chains
      .filter(({links: [first]}) => first && first.name !== 'Input' && first.name !== 'Output')
      .flatMap(({links}) => links.map(({name, args}) => `${name}(${args.join(', ')})`)),
    tensors: tensorsOf(chains, syntax),
  }
}

function otherCalls(chains: readonly Chain[]): string[] {
  const known = /^(?:Input|Output|Attr)$/
  return chains
    .filter(({links: [first]}) => first && !known.test(first.name))
    .flatMap(({links}) => links.filter(({name}) => name !== 'AICore' && name !== 'AddConfig'))
    .map(({name, args}) => `${name}(${args.join(', ')})`)
}
