import type {CraftDesign, Layout} from '../../../datasets/schema/crafted-operator.ts'
import type {Dtype} from '../../../datasets/schema/tensor.ts'
import type {Random} from '../../../engine/random.ts'

/** Types of an operator's inputs, of its computation and of its outputs, and how often they are drawn. */
export interface Route {
  input: Dtype
  compute: CraftDesign['compute']
  output: Dtype
  weight: number
}

export const routes: readonly Route[] = (
  [
    ['float32', 'float32', 'float32', 8],
    ['float16', 'float32', 'float16', 5],
    ['bfloat16', 'float32', 'bfloat16', 4],
    ['float16', 'float32', 'float32', 1],
    ['float32', 'float32', 'float16', 1],
    ['bfloat16', 'float32', 'float32', 1],
    ['int32', 'float32', 'float32', 1],
    ['int32', 'int32', 'int32', 2],
  ] as const
).map(([input, compute, output, weight]) => ({input, compute, output, weight}))

/** A kind of operator: what it reads, how it reduces, and how its rows may be divided. */
export interface Family {
  category: string
  form: CraftDesign['form']
  weight: number
  /** Layouts of the inputs, one of these lists. */
  inputs: readonly (readonly Layout[])[]
  /** Fewest and most reductions. */
  stages: readonly [number, number]
  output: Layout
  strategies: readonly CraftDesign['strategy'][]
  /** Also on integers. */
  integers: boolean
  /** Which drawing makes it. */
  draw: 'plain' | 'softmax' | 'optimizer' | 'scan' | 'windows'
}

/** Of a family: its inputs in short form, separated by `|`, and the rest in the order of `Family`. */
type Row = readonly [
  category: string,
  form: Family['form'],
  weight: number,
  inputs: string,
  stages: Family['stages'],
  output: Layout,
  strategies: string,
  draw?: Family['draw'],
  integers?: 'integers',
]

const rows: readonly Row[] = [
  ['activation', 'elements', 4, 'full', [0, 0], 'full', 'runs turns'],
  [
    'math',
    'elements',
    6,
    'full full|full full full|full full full full',
    [0, 0],
    'full',
    'runs turns',
    'plain',
    'integers',
  ],
  ['optimizer', 'elements', 3, 'full full full|full full full full', [0, 0], 'full', 'runs turns', 'optimizer'],
  [
    'broadcast',
    'rows',
    4,
    'full columns|full rows|full columns rows|full full columns',
    [0, 0],
    'full',
    'row-fits row-split strips',
  ],
  [
    'normalization',
    'rows',
    6,
    'full|full columns|full columns columns|full full columns',
    [1, 2],
    'full',
    'row-fits row-split',
  ],
  ['softmax', 'rows', 3, 'full|full columns|full full', [2, 2], 'full', 'row-fits row-split', 'softmax'],
  ['reduce', 'rows', 4, 'full|full columns|full full', [1, 2], 'rows', 'row-fits row-split'],
  ['reduce', 'columns', 4, 'full|full full|full rows|full columns', [1, 2], 'columns', 'strips', 'plain', 'integers'],
  ['normalization', 'columns', 2, 'full|full columns', [1, 2], 'full', 'strips'],
  ['loss', 'all', 4, 'full full|full full full', [1, 1], 'one', 'meeting'],
  ['fused', 'all', 2, 'full|full full', [1, 2], 'full', 'meeting'],
  ['scan', 'scan', 3, 'full|full full|full columns', [0, 0], 'full', 'strips', 'scan', 'integers'],
  ['pooling', 'windows', 3, 'full|full columns', [1, 1], 'windows', 'strips', 'windows', 'integers'],
  ['index', 'lookup', 2, 'table|table columns|table full', [0, 0], 'full', 'row-split', 'plain', 'integers'],
]

export const families: readonly Family[] = rows.map(
  ([category, form, weight, inputs, stages, output, strategies, draw = 'plain', integers]) => ({
    category,
    form,
    weight,
    inputs: inputs.split('|').map((one) => one.split(' ') as Layout[]),
    stages,
    output,
    strategies: strategies.split(' ') as Family['strategies'],
    integers: integers !== undefined,
    draw,
  }),
)

/** One of a table, by its weights. */
export function weighted<T extends {weight: number}>(random: Random, all: readonly T[]): T {
  let left = random.unit() * all.reduce((sum, {weight}) => sum + weight, 0)
  for (const one of all) {
    left -= one.weight
    if (left < 0) return one
  }
  return all[0]!
}
