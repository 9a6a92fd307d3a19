import type {CraftDesign, Layout} from '../../../datasets/schema/crafted-operator.ts'
import type {TaskCase} from '../../../datasets/schema/task.ts'
import type {Random} from '../../../engine/random.ts'

/** Columns that end in the middle of a block, rows of a whole number of tiles, one more, and fewer rows than cores. */
const shortRows = [7, 33, 64, 130, 257] as const
const middleRows = [500, 768, 1000, 1025, 2047] as const
const fewRows = [1, 2, 3, 5] as const
const someRows = [17, 48, 50, 97] as const

/** Kinds of values that stay inside the domains of the inputs. */
export const inputFamilies = ['uniform', 'boundary', 'large', 'alike'] as const

/** The most elements of one tensor of a case: references are run for each of them. */
const mostElements = 400_000

/** Sizes to test a design at: tails, alignments, fewer rows than cores, and rows beyond a tile. */
export function casesOf(design: CraftDesign, tile: number, random: Random): TaskCase[] {
  const {form, strategy} = design
  // Where a tile is a part of a row, a row of more than one belongs to the cases; where it is a row, the longest one.
  const long = {elements: tile + 37, rows: strategy === 'row-fits' ? tile : tile + 37}[form as 'rows'] ?? 3001
  const few = Math.max(1, Math.min(random.pick(fewRows), Math.floor(mostElements / long)))
  const rows = (least: number) => Math.max(least, random.pick(someRows))
  const least = design.window ? design.window.size + 1 : 1
  const shapes: (readonly [number, number])[] = [
    [Math.max(least, random.pick(fewRows)), random.pick(shortRows)],
    [rows(least), random.pick(shortRows)],
    [rows(least), random.pick(middleRows)],
    [Math.max(least, few), long],
  ]
  const seen = new Set<string>()
  const distinct = shapes.filter((shape) => !seen.has(shape.join()) && seen.add(shape.join()))
  return distinct.map(([one, cols], at) => {
    const picked = form === 'lookup' ? {picked: `[${[5, 33, 64, 3][at]}]`} : {}
    const attributes = design.attributes.map(({name, value, other}) => [name, String(at % 2 === 0 ? value : other)])
    return {case_id: String(at), shape: `[${one}, ${cols}]`, ...picked, ...Object.fromEntries(attributes)}
  })
}

/** `validation/test_cases.csv`. */
export function casesText(cases: readonly TaskCase[]): string {
  const columns = Object.keys(cases[0]!)
  return `${[columns.join(';'), ...cases.map((row) => columns.map((one) => row[one]).join(';'))].join('\n')}\n`
}

/** The cases as calls of the operator, in the form of the tables of CANN's test tools (`ttk_kernel_add.csv`). */
export function callsText({inputs, outputs, attributes, ...design}: CraftDesign, cases: readonly TaskCase[]): string {
  const types = (tensors: readonly {type: string}[]) => tensors.map(({type}) => `'${type}'`).join(', ')
  const lines = cases.map((row) => {
    const sizes = sizesOf(design, row)
    const shapes = (tensors: readonly {layout: Layout}[]) => tensors.map(({layout}) => `[${sizes[layout].join(', ')}]`)
    const cells = [
      `[${shapes(inputs).join(', ')}]`,
      `[${types(inputs)}]`,
      `[${shapes(outputs).join(', ')}]`,
      `[${types(outputs)}]`,
      `{${attributes.map(({name}) => `'${name}': ${row[name]}`).join(', ')}}`,
      `[${inputs.map(({domain}) => `[${domain.join(', ')}]`).join(', ')}]`,
    ]
    return cells.map((cell) => `"${cell}"`).join(',')
  })
  return `${callColumns.join(',')}\n${lines.join('\n')}\n`
}

const callColumns = 'input_shapes input_dtypes output_shapes output_dtypes attributes input_data_ranges'.split(' ')

function sizesOf({form, window}: Pick<CraftDesign, 'form' | 'window'>, row: TaskCase): Record<Layout, number[]> {
  const [held, cols] = JSON.parse(row['shape']!) as [number, number]
  const [rows] = form === 'lookup' ? (JSON.parse(row['picked']!) as [number]) : [held]
  const windows = window ? Math.floor((rows - window.size) / window.step) + 1 : 0
  const full = [rows, cols]
  return {full, table: [held, cols], columns: [cols], rows: [rows], one: [], windows: [windows, cols]}
}
