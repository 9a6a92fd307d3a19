import type {OperatorDefinition} from '../../cpp/op-def.ts'
import {elementTypes} from '../../cpp/types.ts'
import type {Scenario} from '../../datasets/schema/scenario.ts'
import {elementCount, type TensorSpec} from '../../datasets/schema/tensor.ts'
import {reportedUbBytes} from './memory-plan.ts'

/** What host code learns by asking: of tensors by their number, of attributes, and of the platform. */
export interface CallAnswers {
  /** By the number in the definition; undefined for one that the call omits. */
  inputs: readonly (TensorSpec | undefined)[]
  outputs: readonly (TensorSpec | undefined)[]
  /** Whole numbers by the number in the definition; undefined for others. */
  attributes: readonly (number | undefined)[]
  /** What variables hold that only pass a shape, a description or an attribute on, as it is written. */
  aliases: ReadonlyMap<string, string>
}

export const hardware = {vectorCores: 48, cubeCores: 24, ubBytes: reportedUbBytes, libraryBytes: 16777216} as const

/** What the library's own interfaces keep of a workspace, which the platform is asked for. */
export const libraryWorkspace = /\b\w+\s*(?:\.|->)\s*GetLibApiWorkSpaceSize\(\)/g

export function answersOf(
  definition: OperatorDefinition | undefined,
  {inputs, outputs, attributes}: Scenario,
  aliases: ReadonlyMap<string, string>,
): CallAnswers {
  const among = (tensors: readonly TensorSpec[], declared: readonly {name: string}[]) =>
    declared.map(({name}) => tensors.find((one) => one.name === name))
  return {
    inputs: among(inputs, definition?.inputs ?? []),
    outputs: among(outputs, definition?.outputs ?? []),
    attributes: (definition?.attributes ?? []).map(({name, default: value}) => whole(attributes[name] ?? value)),
    aliases,
  }
}

function whole(value: unknown): number | undefined {
  const number = /^(?:true|false)$/.test(String(value)) ? Number(String(value) === 'true') : Number(value)
  return String(value).trim() !== '' && Number.isSafeInteger(number) ? number : undefined
}

/** An expression that returns its query, without arithmetic. */
export function isAlias(value: string): boolean {
  return (
    /^[\w\s>.:()<-]+$/.test(value) && /(?:^|->|\.)\s*Get\w+(?:<[\w:\s]*>)?\([\w:]*\)$/.test(value) && asks.test(value)
  )
}

const asks = new RegExp(
  [
    String.raw`Get(?:Optional)?(?:Input|Output)(?:Shape|Desc|Tensor)\(`,
    String.raw`Get(?:Storage|Origin)Shape\(|GetAttrs\(|GetAttrPointer|Get(?:Int|Bool)\(`,
  ].join('|'),
)

const tensor = String.raw`\b\w+\s*->\s*Get(?:Optional)?(Input|Output)`
const storage = String.raw`(?:\s*->\s*Get(?:Storage|Origin)Shape\(\))?`
const shape = String.raw`${tensor}(?:Shape|Tensor)\(\s*(\w+)\s*\)${storage}\s*(?:\.|->)\s*`
const sizes = new RegExp(String.raw`${shape}GetShapeSize\(\)`, 'g')
const ranks = new RegExp(String.raw`${shape}GetDimNum\(\)`, 'g')
const lengths = new RegExp(String.raw`${shape}GetDim\(([^()]*)\)`, 'g')
const types = new RegExp(String.raw`${tensor}(?:Desc|Tensor)\(\s*(\w+)\s*\)\s*->\s*GetDataType\(\)`, 'g')
const attribute =
  /\*\s*\(?\s*\w+\s*->\s*(?:GetAttrs\(\)\s*->\s*)?Get(?:AttrPointer\s*<[\w:\s]*>|Int|Bool)\(\s*(\w+)\s*\)\)?/g

/** An expression with the answers in place of its queries. @param valueOf of an index that is an expression */
export function withAnswers(
  expression: string,
  {inputs, outputs, attributes, aliases}: CallAnswers,
  valueOf: (text: string) => number | undefined,
): string {
  const specOf = (side: string, at: string) => (side === 'Input' ? inputs : outputs)[valueOf(at) ?? -1]
  return unfolded(expression, aliases)
    .replace(sizes, (asked, side: string, at: string) => {
      const spec = specOf(side, at)
      return spec ? String(elementCount(spec.shape)) : asked
    })
    .replace(ranks, (asked, side: string, at: string) => String(specOf(side, at)?.shape.length ?? asked))
    .replace(lengths, (asked, side: string, at: string, axis: string) =>
      String(specOf(side, at)?.shape[valueOf(axis) ?? -1] ?? asked),
    )
    .replace(types, (asked, side: string, at: string) => {
      const dtype = specOf(side, at)?.dtype
      return dtype === undefined ? asked : elementTypes[dtype].constant
    })
    .replace(attribute, (asked, at: string) => String(attributes[valueOf(at) ?? -1] ?? asked))
    .replace(libraryWorkspace, String(hardware.libraryBytes))
    .replace(/\b(?:\w+::)*GetUbBlockSize\(\w*\)/g, '32')
    .replace(/\b\w+\s*(?:\.|->)\s*GetCoreNumAiv\(\)/g, String(hardware.vectorCores))
    .replace(/\b\w+\s*(?:\.|->)\s*GetCoreNumAic\(\)/g, String(hardware.cubeCores))
}

/** Aliases of aliases: a tensor, its shape, the shape's storage. */
const mostAliases = 4

function unfolded(expression: string, aliases: ReadonlyMap<string, string>): string {
  let text = expression.replace(/\bthis\s*->\s*/g, '')
  for (let round = 0; round < mostAliases; round += 1) {
    const next = text
      .replace(/(?<![\w.>])([A-Za-z_]\w*)(?=\s*(?:->|\.)\s*Get)/g, (name) => aliases.get(name) ?? name)
      .replace(/(\*\s*\(?\s*)([A-Za-z_]\w*)\b(?!\s*(?:->|\.|\())/g, (text, star: string, name: string) => {
        const held = aliases.get(name)
        return held !== undefined && /Get(?:AttrPointer|Int|Bool)/.test(held) ? `${star}${held}` : text
      })
    if (next === text) break
    text = next
  }
  return text
}
