import {CsvError, parse} from 'csv-parse/sync'
import {z} from 'zod'
import type {ContractExample, ExampleTensor} from '../../../datasets/schema/contract.ts'
import {Dtype} from '../../../datasets/schema/tensor.ts'

type Tensor = ExampleTensor | null
type Attribute = ContractExample['attributes'][number]

/** Cases of one file that are read: a table of drawn calls may hold thousands, which only differ in sizes. */
const mostCases = 400

/** A case of a table: its tensors in the order of the definition, in Python's notation. */
const Row = z.object({
  input_shapes: z.array(z.array(z.int().nonnegative()).nullable()),
  input_dtypes: z.array(z.string().nullable()),
  output_shapes: z.array(z.array(z.int().nonnegative())),
  output_dtypes: z.array(z.string()),
  attributes: z.record(z.string(), z.unknown()).nullish(),
  input_data_ranges: z.unknown(),
})

/** Calls of an operator that a table of cases lists (`ttk_kernel_add.csv`); empty for other tables. */
export function tableCases(text: string, path: string): ContractExample[] {
  return tableRows(text)
    .slice(0, mostCases)
    .flatMap(({record, info}) => {
      const read = Object.fromEntries(Object.keys(Row.shape).map((name) => [name, pythonValue(record[name] ?? '')]))
      const row = Row.safeParse(read)
      if (!row.success) return []
      const {input_shapes: shapes, input_dtypes: types, attributes, input_data_ranges: ranges} = row.data
      if (types.length !== shapes.length && types.length !== 1) return []
      const range = (at: number) => (Array.isArray(ranges) ? rangeOf(ranges[at] ?? ranges[0]) : undefined)
      const inputs = shapes.map((shape, at) => tensorOf('', types[at] ?? types[0], shape, range(at)))
      const outputs = row.data.output_shapes.map((shape, at) => tensorOf('', row.data.output_dtypes[at], shape))
      if ([...inputs, ...outputs].includes(undefined)) return []
      return [
        {
          inputs: inputs as Tensor[],
          outputs: outputs.filter((one) => one !== null && one !== undefined),
          attributes: Object.entries(attributes ?? {}).flatMap(([name, value]) => attributeOf(name, value)),
          place: {path, line: info.lines},
        },
      ]
    })
}

interface TableRow {
  record: Readonly<Record<string, string>>
  info: {lines: number}
}

function tableRows(text: string): TableRow[] {
  const header = text.slice(0, text.indexOf('\n'))
  if (!['input_shapes', 'input_dtypes', 'output_shapes'].every((name) => header.includes(name))) return []
  try {
    // With `info`, csv-parse wraps each record; its types do not say so.
    return parse(text, {columns: true, info: true, bom: true, relax_column_count: true}) as unknown as TableRow[]
  } catch (error) {
    if (error instanceof CsvError) return []
    throw error
  }
}

/**
 * A literal of Python, `((47, 1), None)`, as JSON has it; undefined if it is not one. Attributes are dictionaries and
 * ranges may be `nan`, which cells of a benchmark's cases may not hold.
 */
function pythonValue(text: string): unknown {
  const json = text
    .replace(/\bTrue\b/g, 'true')
    .replace(/\bFalse\b/g, 'false')
    .replace(/\bNone\b|-?\b(?:nan|inf)\b/g, 'null')
    .replaceAll("'", '"')
    .replaceAll('(', '[')
    .replaceAll(')', ']')
    .replace(/,\s*(?=[\]}])/g, '')
    .replace(/-0\.0\b/g, '0')
  return parsedJson(json)
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

const Argument = z.object({
  name: z.string(),
  type: z.string(),
  dtype: z.string(),
  shape: z.array(z.int().nonnegative()).nullish(),
  range_values: z.unknown(),
})
type Argument = z.infer<typeof Argument>
const Cases = z.array(
  z
    .object({inputs: z.array(z.union([Argument, z.array(Argument)]))})
    .nullable()
    .catch(null),
)

/** Calls of an operator's C interface that a list of cases gives (`atk_aclnnAdd.json`); empty for other lists. */
export function listedCases(text: string, path: string): ContractExample[] {
  const cases = Cases.safeParse(parsedJson(text))
  if (!cases.success) return []
  const lines = linesOf(text, '"inputs"')
  return cases.data.slice(0, mostCases).flatMap((one, at) => {
    const call = one && callOf(one.inputs)
    return call ? [{...call, outputs: [], place: {path, line: lines[Math.min(at, lines.length - 1)] as number}}] : []
  })
}

/** The line of each place where a text has a word, 1-based. */
function linesOf(text: string, word: string): number[] {
  return text.split('\n').flatMap((line, at) => Array.from({length: line.split(word).length - 1}, () => at + 1))
}

function callOf(given: readonly (Argument | Argument[])[]): Pick<ContractExample, 'inputs' | 'attributes'> | undefined {
  const inputs: Tensor[] = []
  const attributes: Attribute[] = []
  for (const one of given) {
    const [first] = Array.isArray(one) ? one : [one]
    if (!first) continue
    if (first.type.startsWith('tensor')) {
      const tensors = [one].flat().map(({name, dtype, shape, range_values}) => {
        return tensorOf(name, shape ? dtype : undefined, shape ?? null, rangeOf(range_values))
      })
      if (tensors.includes(undefined)) return undefined
      inputs.push(...(tensors as Tensor[]))
    } else if (first.dtype !== 'non_param') {
      // A list instead of one value is what a tool draws it from.
      const value = Array.isArray(one) ? one.map((each) => each.range_values) : first.range_values
      if (Array.isArray(one) || !Array.isArray(value)) attributes.push(...attributeOf(first.name, value))
    }
  }
  return inputs.some((one) => one !== null) ? {inputs, attributes} : undefined
}

const shortNames: Readonly<Record<string, Dtype>> = {fp16: 'float16', fp32: 'float32', bf16: 'bfloat16'}

/** Null for an omitted optional one; undefined if its type is unknown. */
function tensorOf(
  name: string,
  type: string | null | undefined,
  shape: readonly number[] | null,
  range?: [number, number],
): Tensor | undefined {
  if (shape === null) return null
  const dtype = Dtype.safeParse(shortNames[type ?? ''] ?? type)
  return dtype.success ? {name, dtype: dtype.data, shape: [...shape], ...(range && {range})} : undefined
}

/** Larger values test extremes, and say nothing about the operator's purpose. */
const farthest = 1e4

/** `[-5, 5]`, or one number for all; other ways of drawing are replaced by ours. */
function rangeOf(given: unknown): [number, number] | undefined {
  const [least, most] = Array.isArray(given) ? (given as unknown[]) : [given, given]
  if (typeof least !== 'number' || typeof most !== 'number' || least > most) return undefined
  return Math.max(-least, most) <= farthest ? [least, most] : undefined
}

const Value = z.union([z.boolean(), z.number(), z.string(), z.array(z.number())])

function attributeOf(name: string, value: unknown): Attribute[] {
  const read = Value.safeParse(value)
  return read.success ? [{name, value: read.data}] : []
}
