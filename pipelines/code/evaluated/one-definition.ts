import {withoutCommentsAndLiterals} from '../../../cpp/code-pieces.ts'
import {balanced} from '../../../cpp/tokenized.ts'
import type {HostKernelPair} from '../../../datasets/schema/scenario.ts'
import {declaredHost} from '../specialise/declared-host.ts'
import {definitionOf} from './requested-task.ts'

/**
 * A host text whose definition of the operator has the types of the scenario alone, as the kernel serves no others;
 * undefined when there is no definition in it. What only spoke of other types goes with them.
 */
export function withDefinition(text: string, pair: HostKernelPair): string | undefined {
  const definition = definitionOf(pair)
  const {operator, scenario} = pair
  const found = classOf(text, operator)
  if (!definition || !found) return undefined
  const own = declaredHost(definition, scenario.dtypes).text
  const [start, end] = classOf(own, operator) as [number, number]
  const original = text.slice(...found)
  const depends = definition.inputs.filter(({hostValue}) => hostValue === 'depends').map(({name}) => name)
  const written = depends.reduce(
    (changed, name) => withValueDepend(changed, name, original),
    withFunctions(own.slice(start, end), original),
  )
  return withoutLists(`${text.slice(0, found[0])}${written}${text.slice(found[1])}`)
}

/** `class X … { … };` */
function classOf(text: string, operator: string): [start: number, end: number] | undefined {
  const head = new RegExp(String.raw`\bclass\s+${operator}\s*(?:final\s*)?:\s*public\b[^{;]*`).exec(text)
  const open = head ? head.index + head[0].length : -1
  const body = balanced(text, open)
  if (!head || body === undefined) return undefined
  const close = open + body.length + 2
  return [head.index, close + (/^\s*;/.exec(text.slice(close))?.[0].length ?? 0)]
}

/** The functions that the definition names itself; others are registered by macros next to it. */
function withFunctions(declared: string, original: string): string {
  const bare = withoutCommentsAndLiterals(original)
  const tiling = /\bSetTiling\s*\(\s*([\w:]+)\s*\)/.exec(bare)?.[1]
  const inferred = ['SetInferShape', 'SetInferDataType'].flatMap((call) => {
    const name = new RegExp(String.raw`\b${call}\s*\(\s*([\w:]+)\s*\)`).exec(bare)?.[1]
    return name === undefined ? [] : [`        this->${call}(${name});\n`]
  })
  const set = tiling === undefined ? '' : `        this->AICore().SetTiling(${tiling});\n`
  return declared.replace(/^[ \t]*this->AICore\(\)\.SetTiling\([^\n]*\n/m, `${inferred.join('')}${set}`)
}

function withValueDepend(declared: string, name: string, original: string): string {
  const chain = original.slice(original.indexOf(`Input("${name}")`))
  const how = /\.ValueDepend\s*\([^()]*\)/.exec(chain)?.[0] ?? '.ValueDepend(OPTIONAL)'
  return declared.replace(`Input("${name}")\n`, `Input("${name}")\n            ${how}\n`)
}

/** Lists of types and formats that nothing names any more. */
function withoutLists(text: string): string {
  const list =
    /^[ \t]*(?:static\s+)?const\s+std::vector<ge::(?:DataType|Format)>\s+(\w+)\s*(?:=\s*)?\{[^{}]*\};[ \t]*\n/gm
  return text.replace(list, (whole, name: string) =>
    (text.match(new RegExp(String.raw`\b${name}\b`, 'g')) ?? []).length > 1 ? whole : '',
  )
}
