import type {OperatorDefinition} from '../../../cpp/op-def.ts'
import {balanced} from '../../../cpp/tokenized.ts'
import type {Dtype} from '../../../datasets/schema/tensor.ts'
import {applyEdits, type Edit} from '../../../cpp/edit.ts'

/**
 * A definition with the column of types of one scenario only, and without the configurations of other chips. Lists that
 * are computed stay, and so does the text if no column has these types.
 */
export function oneColumn(
  text: string,
  {operator, inputs, outputs}: OperatorDefinition,
  dtypes: Readonly<Record<string, Dtype>>,
): string {
  const parameters = [...inputs, ...outputs]
  const count = Math.max(...parameters.map((one) => one.dtypes.length))
  const column = Array.from({length: count}, (_, at) => at).find((at) =>
    parameters.every((one) => one.dtypes.length === count && one.dtypes[at] === dtypes[one.name]),
  )
  const opening = new RegExp(String.raw`\bclass\s+${operator}\s*:\s*public\s+OpDef\s*\{`).exec(text)
  if (!opening) return text
  const open = opening.index + opening[0].length - 1
  const body = balanced(text, open) ?? ''
  const chosen = column === undefined || count === 1 ? body : withColumn(body, column, count)
  return `${text.slice(0, open + 1)}${withoutOtherChips(chosen)}${text.slice(open + 1 + body.length)}`
}

function withColumn(body: string, column: number, count: number): string {
  const edits = [...body.matchAll(/\.\s*(?:DataType|Format|UnknownShapeFormat)\s*\(\s*\{/g)].flatMap(
    ({index, 0: call}): Edit[] => {
      const open = index + call.length - 1
      const list = balanced(body, open) ?? ''
      const entries = list
        .split(',')
        .map((entry) => entry.trim())
        .filter((entry) => entry !== '')
      if (entries.length !== count) return []
      return [{start: open + 1, end: open + 1 + list.length, text: entries[column] ?? ''}]
    },
  )
  return applyEdits(body, edits)
}

const ourChip = /^ascend910(?:b|_93)$/

/** `AddConfig` of other chips, and the statements that fill a configuration which is then unused. */
function withoutOtherChips(body: string): string {
  const added = [
    ...body.matchAll(
      /^[ \t]*(?:this->)?AICore\(\)\s*\.\s*AddConfig\s*\(\s*"(\w+)"\s*(?:,\s*(\w+)\s*)?\)\s*;[^\n]*\n/gm,
    ),
  ]
  const foreign = added.filter(([, chip]) => !ourChip.test(chip ?? ''))
  if (foreign.length === added.length) return body
  const without = foreign.reduce((text, [statement]) => text.replace(statement, ''), body)
  const used = new Set(added.flatMap(([, chip, config]) => (ourChip.test(chip ?? '') ? (config ?? []) : [])))
  const idle = new Set(foreign.flatMap(([, , config]) => (config !== undefined && !used.has(config) ? config : [])))
  return [...idle].reduce((text, config) => withoutConfig(text, config), without)
}

function withoutConfig(body: string, config: string): string {
  const statements = new RegExp(String.raw`^[ \t]*(?:OpAICoreConfig\s+${config}\b|${config}\s*\.)[^;]*;[^\n]*\n`, 'gm')
  return body.replace(statements, '')
}
