import {readFileSync} from 'node:fs'
import {expect, test} from 'vitest'
import {decode, encode} from '../../../../datasets/dtype.ts'
import {interpret} from '../../../../pipelines/ascendcraft/interpret/interpret.ts'
import {checkedText} from '../../../helpers/lowering.ts'

// y[i] = h_post[i] h_out + sum over k of h_res[k, i] x[k], for each token; and the gradients of that.

const folder = new URL('../../../../pipelines/ascendcraft/library/solutions/mhc/', import.meta.url)

interface Sizes {
  tokens: number
  streams: number
  width: number
}

/** More tokens than cores; an odd number of streams; a width of no whole block; a row beyond a tile. */
const sizes: Sizes[] = [
  {tokens: 1, streams: 4, width: 1},
  {tokens: 53, streams: 5, width: 37},
  {tokens: 3, streams: 8, width: 384},
  {tokens: 2, streams: 4, width: 4099},
]

/** Half a step of the type, and what its sums lose. */
const precision = {float16: 2 ** -10, bfloat16: 2 ** -7, float32: 2 ** -18}
type Element = keyof typeof precision

type Tensors = Record<'x' | 'dy' | 'h_res' | 'h_out' | 'h_post', Float64Array>

const shapesOf = ({tokens, streams, width}: Sizes) => ({
  dy: [1, tokens, streams, width],
  x: [1, tokens, streams, width],
  h_res: [1, tokens, streams, streams],
  h_out: [1, tokens, width],
  h_post: [1, tokens, streams],
})

function inputsOf(element: Element, one: Sizes) {
  return Object.entries(shapesOf(one)).map(([name, shape], at) => {
    const dtype = name === 'h_res' || name === 'h_post' ? 'float32' : element
    const count = shape.reduce((product, size) => product * size, 1)
    const values = Float64Array.from({length: count}, (_, place) => 2 * Math.sin(place * 0.7317 + at))
    return {name, dtype, shape, data: encode(values, dtype)} as const
  })
}

function formula({x, dy, h_res, h_out, h_post}: Tensors, {tokens, streams, width}: Sizes) {
  const like = (values: Float64Array) => new Float64Array(values.length)
  const found = {y: like(x), dx: like(x), dh_res: like(h_res), dh_out: like(h_out), dh_post: like(h_post)}
  const add = (to: Float64Array, at: number, value: number) => (to[at] = to[at]! + value)
  for (let row = 0; row < tokens * streams; row += 1) {
    const token = Math.floor(row / streams)
    for (let column = 0; column < width; column += 1) {
      const [at, out] = [row * width + column, token * width + column]
      add(found.y, at, h_post[row]! * h_out[out]!)
      add(found.dh_out, out, h_post[row]! * dy[at]!)
      add(found.dh_post, row, h_out[out]! * dy[at]!)
      for (let old = 0; old < streams; old += 1) {
        const from = (token * streams + old) * width + column
        const gate = (token * streams + old) * streams + (row % streams)
        add(found.y, at, h_res[gate]! * x[from]!)
        add(found.dx, from, h_res[gate]! * dy[at]!)
        add(found.dh_res, gate, x[from]! * dy[at]!)
      }
    }
  }
  return found
}

const elements = Object.keys(precision) as Element[]

test.each(elements.flatMap((element) => sizes.map((one) => ({element, ...one}))))(
  '$tokens tokens of $streams streams, $width wide, in $element',
  ({element, ...one}) => {
    const inputs = inputsOf(element, one)
    const tensors = Object.fromEntries(inputs.map(({name, dtype, data}) => [name, decode(data, dtype)])) as Tensors
    const expected = formula(tensors, one)
    for (const name of ['mhc_post', 'mhc_post_grad']) {
      const checked = checkedText(readFileSync(new URL(`${name}.py`, folder), 'utf8'), {T: element})
      const given = inputs.filter((input) => name === 'mhc_post_grad' || input.name !== 'dy')
      const result = interpret(checked, {inputs: given})
      if (!result.ok) throw new TypeError(`line ${result.fault.line}: ${result.fault.message}`)
      for (const output of result.outputs) {
        const right = expected[output.name as keyof typeof expected]
        const got = decode(output.data, output.dtype)
        expect(got).toHaveLength(right.length)
        const largest = right.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
        const bound = (output.dtype === 'float32' ? precision.float32 : precision[element]) * largest
        const wrong = got.findIndex((value, at) => !(Math.abs(value - right[at]!) <= bound))
        expect([output.name, wrong, got[wrong], right[wrong]]).toEqual([output.name, -1, undefined, undefined])
      }
    }
  },
)
