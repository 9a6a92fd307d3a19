import {describe, expect, test} from 'vitest'
import {interpretedText, type Sketch, sketched} from '../../../helpers/interpreting.ts'
import {decode} from '../../../../datasets/dtype.ts'

/** Values of y, or the rule that was broken; x has sixteen elements, 1 to 16. */
function ran(sketch: Sketch): number[] | string {
  const values = Float64Array.from({length: 16}, (_, at) => at + 1)
  const outcome = interpretedText(sketched(sketch), [{shape: [16], values}])
  if (!outcome.ok) return `${outcome.fault.rule}: ${outcome.fault.message}`
  const [y] = outcome.outputs
  return [...decode(y!.data, y!.dtype)]
}

interface Copy {
  type?: 'float32' | 'float16' | 'int32' | 'int16'
  size?: number
  load: string
  compute?: string
  store: string
  cores?: string
}

const copied = ({
  type = 'float32',
  size = 16,
  load,
  compute = 'tl.copy(y_ub, x_ub, count=16)',
  store,
  cores,
}: Copy): Sketch => ({
  type,
  ...(cores && {cores}),
  scalars: {k: 'n - 16'},
  kernel: `x_ub = tl.alloc_ub(${size}, dtype=tl.${type})
y_ub = tl.alloc_ub(32, dtype=tl.${type})
with tl.copyin():
    ${load}
with tl.compute():
    ${compute}
with tl.copyout():
    ${store}
`,
})
const whole = 'tl.store(y_ptr, y_ub, count=16)'

describe('what fills the rest of a block', () => {
  const fifteen = (value: number) => [...Array.from({length: 15}, (_, at) => at + 1), value]

  test.each<[NonNullable<Copy['type']>, string, number]>([
    ['float32', '0.1', Math.fround(0.1)],
    ['float32', '-2', -2],
    ['float16', '0.1', 0.0999755859375],
    ['float16', '2049', 2048],
    ['int32', '7', 7],
    ['int16', '-1', -1],
  ])('%s, padded by %s', (type, pad, value) => {
    expect(ran(copied({type, load: `tl.load(x_ptr, x_ub, count=15, pad=${pad})`, store: whole}))).toEqual(
      fifteen(value),
    )
  })

  test('is there up to the end of the buffer alone', () => {
    const load = 'tl.load(x_ptr, x_ub, count=9, pad=5)'
    const ten = copied({
      size: 10,
      load,
      compute: 'tl.duplicate(y_ub, 0, count=16)\n    tl.copy(y_ub, x_ub, count=10)',
      store: whole,
    })
    expect(ran(ten)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 5, 0, 0, 0, 0, 0, 0])
  })

  test('is not there without a value', () => {
    expect(ran(copied({load: 'tl.load(x_ptr, x_ub, count=15)', store: whole}))).toBe(
      'unwritten-ub: tl.copy reads element 15 of x_ub, which nobody wrote.',
    )
  })

  test('is filled behind each row', () => {
    const load = 'tl.load(x_ptr + 1, x_ub, count=3, rows=2, stride=4, pad=0)'
    expect(ran(copied({load, store: whole}))).toEqual([2, 3, 4, 0, 0, 0, 0, 0, 6, 7, 8, 0, 0, 0, 0, 0])
  })
})

describe('rows', () => {
  test('of one element, as far apart as there are', () => {
    const load = 'tl.load(x_ptr, x_ub, count=1, rows=2, stride=15, pad=0)'
    expect(ran(copied({load, store: whole}))).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0])
    const beyond = copied({load: load.replace('15', '16 + k'), store: whole})
    expect(ran(beyond)).toBe('gm-bounds: A load touches elements 16 to 16 of x, which has 16.')
  })

  test('that stand on each other in GM', () => {
    expect(ran(copied({load: 'tl.load(x_ptr, x_ub, count=8, rows=2, stride=k)', store: whole}))).toEqual([
      ...[1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8],
    ])
  })

  test('reach to the end of the buffer, and no further', () => {
    const rows = (size: number) =>
      copied({
        size,
        load: 'tl.load(x_ptr, x_ub, count=1 + k, rows=2, pitch=8 + k, pad=0)',
        compute: 'tl.duplicate(y_ub, 3, count=16)\n    tl.copy(y_ub, x_ub, count=8)',
        store: whole,
      })
    expect(ran(rows(9))).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 3, 3, 3, 3, 3, 3, 3, 3])
    expect(ran(rows(8))).toMatch(/^ub-bounds: /)
  })
})
