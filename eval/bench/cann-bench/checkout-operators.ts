import {existsSync} from 'node:fs'
import {readFile} from 'node:fs/promises'
import {dirname, join} from 'node:path'
import {parse as parseCsv} from 'csv-parse/sync'
import {parse} from 'yaml'
import {z} from 'zod'
import {jsonIn} from '../../../engine/json.ts'
import {PipelineError} from '../../../engine/errors.ts'
import {walk} from '../../../engine/files.ts'
import {contentId} from '../../../engine/ids.ts'
import {patternTest} from '../../tasks/select-tasks.ts'
import type {ReferenceText} from '../benchmark.ts'

/** A shape, a list of them for one parameter, or nothing for a parameter that a case leaves out. */
type Shape = null | readonly (number | Shape)[]
const Shape: z.ZodType<Shape> = z.lazy(() => z.array(z.union([z.int(), Shape])).nullable())
const Named = z.looseObject({name: z.string()})
const Type = z.union([z.string(), z.array(z.string()), z.null()])

const Prototype = z.object({
  operator: z.object({
    name: z.string(),
    category: z.string().default(''),
    /** `softmax(Tensor x, int dim=-1) -> Tensor y` */
    schema: z.string(),
    precision_thresholds: z.record(z.string(), z.number()).nullish(),
    inputs: z.array(Named).default([]),
    outputs: z.array(
      Named.extend({compare: z.boolean().default(true), index_gather: z.record(z.string(), z.string()).optional()}),
    ),
  }),
})

const listed = <T extends z.ZodType>(one: T) => z.preprocess((value) => (Array.isArray(value) ? value : [value]), one)
const RawCase = z.object({
  case_id: z.union([z.int(), z.string()]).transform(String),
  input_shape: z.preprocess(
    (value) => (Array.isArray(value) && typeof value[0] === 'number' ? [value] : value),
    z.array(Shape).min(1),
  ),
  dtype: listed(z.array(Type)),
  attrs: z.record(z.string(), z.unknown()).nullish(),
  value_range: z.array(z.unknown()).nullish(),
})

/** One case of an operator, as its oracle takes it. */
export interface OperatorCase {
  id: string
  /** One of each parameter with tensors. */
  shapes: readonly Shape[]
  dtypes: readonly (string | readonly string[] | null)[]
  /** `[low, high]`, or one of these for each. */
  ranges: readonly unknown[]
  attrs: Readonly<Record<string, unknown>>
}

/** What an oracle needs to know of an operator. */
export interface OperatorFacts {
  /** Of the golden, and of what a package offers. */
  function: string
  /** Names under which a package may offer it. */
  names: readonly string[]
  inputs: readonly {name: string}[]
  outputs: readonly {name: string; compare: boolean; index?: Record<string, string>}[]
  /** Limits of the mean relative error by element type, where the operator has its own. */
  thresholds: Readonly<Record<string, number>>
}

/** Reads an operator's facts and cases. @throws PipelineError `record-invalid` for a file in another form */
export async function readOperator(folder: string): Promise<{facts: OperatorFacts; cases: OperatorCase[]}> {
  const {operator} = checked(Prototype, join(folder, 'proto.yaml'), parse(await text(folder, 'proto.yaml')))
  const {name, schema, inputs, outputs, precision_thresholds: thresholds} = operator
  const called = schema.trim().split('(')[0]?.trim() || name.toLowerCase()
  const facts = {
    function: called,
    names: [...new Set([called, snakeCase(name), name.toLowerCase(), name])],
    inputs: inputs.map((one) => ({name: one.name})),
    outputs: outputs.map(({name: output, compare, index_gather: index}) => ({
      name: output,
      compare,
      ...(index && {index}),
    })),
    thresholds: thresholds ?? {},
  }
  const cases = (await rawCases(folder)).map((one) => ({
    id: one.case_id,
    shapes: one.input_shape,
    dtypes: one.dtype,
    ranges: (one.value_range ?? []).map(spelt),
    attrs: Object.fromEntries(Object.entries(one.attrs ?? {}).map(([key, value]) => [key, spelt(value)])),
  }))
  return {facts, cases}
}

/** Infinities and NaN as text, which JSON has no numbers for. */
function spelt(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(spelt)
  if (typeof value !== 'number' || Number.isFinite(value)) return value
  return Number.isNaN(value) ? 'nan' : `${value < 0 ? '-' : ''}inf`
}

/** From YAML, or from CSV, whose cells are JSON. */
async function rawCases(folder: string): Promise<z.infer<typeof RawCase>[]> {
  const [yaml, csv] = [join(folder, 'cases.yaml'), join(folder, 'cases.csv')]
  if (existsSync(yaml))
    return checked(z.object({cases: z.array(RawCase)}), yaml, parse(await readFile(yaml, 'utf8'))).cases
  const rows = parseCsv<Record<string, string>>(await readFile(csv, 'utf8'), {columns: true, bom: true})
  const cells = rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([key, cell]) => [key, jsonIn(cell) ?? (cell === '' ? null : cell)])),
  )
  return checked(z.array(RawCase), csv, cells)
}

function checked<T>(schema: z.ZodType<T>, path: string, value: unknown): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new PipelineError('record-invalid', `${path}: ${issue?.path.join('.')}: ${issue?.message}`, {
    fix: 'Give the folder of an unchanged checkout.',
    evidence: {path},
  })
}

const text = (folder: string, file: string) => readFile(join(folder, file), 'utf8')

/** `ApplyAdamW` → `apply_adam_w` */
function snakeCase(name: string): string {
  return name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, '_').toLowerCase()
}

const sizes: Readonly<Record<string, number>> = {
  ...{float64: 8, int64: 8, uint64: 8, float32: 4, int32: 4, uint32: 4},
  ...{float16: 2, bfloat16: 2, int16: 2, uint16: 2},
}

/** Bytes of a case's input, before its golden changes it. */
export function inputBytes({shapes, dtypes}: Pick<OperatorCase, 'shapes' | 'dtypes'>): number {
  const nth = <T>(list: readonly T[], at: number) => list[Math.min(at, list.length - 1)]
  const bytes = (shape: Shape | number, type: string | readonly string[] | null | undefined): number => {
    if (!Array.isArray(shape)) return 0
    const parts: readonly (number | Shape)[] = shape
    const types = typeof type === 'string' ? [type] : (type ?? [])
    if (Array.isArray(parts[0])) return parts.reduce<number>((sum, one, at) => sum + bytes(one, nth(types, at)), 0)
    return parts.reduce<number>((all, one) => all * Number(one), sizes[types[0] ?? 'float32'] ?? 1)
  }
  return shapes.reduce<number>((sum, shape, at) => sum + bytes(shape, nth(dtypes, at)), 0)
}

/** An operator of a checkout. */
export interface CheckoutTask {
  /** CamelCase. */
  name: string
  /** `level1` … `level4`. */
  category: string
  /** `tasks/<level>/<operator>` */
  path: string
  root: string
  /** Id of what it is judged by: its prototype, cases and golden. */
  content: string
}

const folders = /^(level\d)\/([^/]+)\/proto\.yaml$/

/** Operators of a checkout that a glob over `<level>/<operator>` or names matches, by level and folder. */
export async function readTasks(root: string, pattern = '*'): Promise<CheckoutTask[]> {
  const [found, matches] = [[] as CheckoutTask[], patternTest(pattern)]
  for await (const file of walk(join(root, 'tasks'))) {
    const [, level = '', operator = ''] = folders.exec(file) ?? []
    if (level === '') continue
    const folder = join(root, 'tasks', dirname(file))
    const texts = await Promise.all(['proto.yaml', 'golden.py'].map((one) => text(folder, one)))
    const {name} = checked(Prototype, join(folder, 'proto.yaml'), parse(texts[0] as string)).operator
    if (![name, operator, `${level}/${operator}`].some(matches)) continue
    const content = contentId([...texts, JSON.stringify(await rawCases(folder))])
    found.push({name, category: level, path: `tasks/${level}/${operator}`, root, content})
  }
  return found
}

/** Cases shown in a request. */
const shownCases = 4

/** Values of a request's placeholders. */
export async function requestValues({root, path}: CheckoutTask): Promise<Record<string, string>> {
  const home = join(root, path)
  const [{facts, cases}, prototype] = [await readOperator(home), parse(await text(home, 'proto.yaml'))]
  const shown = cases.slice(0, shownCases).map(({shapes, dtypes, attrs}) => ({shapes, dtypes, attrs}))
  return {
    function: facts.function,
    schema: checked(Prototype, path, prototype).operator.schema.trim(),
    description: existsSync(join(home, 'desc.md')) ? (await text(home, 'desc.md')).trim() : '',
    golden: (await text(home, 'golden.py')).trim(),
    cases: shown.map((one) => JSON.stringify(one)).join('\n'),
    folder: path.split('/').at(-1) ?? '',
  }
}

/** Descriptions, goldens and worked examples: what must not come back in training data. */
export async function referenceTexts(root: string): Promise<ReferenceText[]> {
  const found = new Map<string, ReferenceText>()
  const add = async (path: string, name: string) => {
    const known = found.get(name) ?? {name, operator: name.split('/').at(-1) ?? name, texts: []}
    known.texts.push(await readFile(join(root, path), 'utf8'))
    found.set(name, known)
  }
  for (const top of ['tasks', 'bench_lab', 'examples'].filter((one) => existsSync(join(root, one))))
    for await (const file of walk(join(root, top))) {
      const path = `${top}/${file}`
      const text = /\.(?:cpp|h)$/.test(file) || /\/(?:desc\.md|proto\.yaml|golden\.py|[\w]*task[\w]*\.py)$/.test(file)
      if (text) await add(path, /^(.*?)\/(?:op_\w+\/)?[^/]+$/.exec(path)?.[1] ?? path)
    }
  return [...found.values()]
}
