import {readFileSync} from 'node:fs'
import {expect, test} from 'vitest'
import {firstOutput, interpretedText} from '../../../helpers/interpreting.ts'
import {wave} from '../../../helpers/lowering.ts'

const folder = new URL('../../../../pipelines/ascendcraft/library/solutions/pooling/', import.meta.url)

test.each(['max', 'average'])('%s pooling of rows counts the padding as it should', (kind) => {
  const [width, kernel, stride, padding] = [57, 8, 2, 4]
  const values = wave(2 * width).map((one) => one - 3)
  const attributes = {kernel_size: kernel, stride, padding}
  const text = readFileSync(new URL(`${kind}_pooling_1d.py`, folder), 'utf8')
  const got = firstOutput(interpretedText(text, [{shape: [1, 2, width], values}], {attributes}))
  const outputs = Math.floor((width + 2 * padding - kernel) / stride) + 1
  const expected = Array.from({length: 2 * outputs}, (_, at) => {
    const begin = (at % outputs) * stride - padding
    const row = values.subarray(Math.floor(at / outputs) * width).subarray(0, width)
    const window = [...row.subarray(Math.max(begin, 0), begin + kernel)]
    return kind === 'max' ? Math.max(...window) : window.reduce((sum, one) => sum + one, 0) / kernel
  })
  expect(got).toHaveLength(expected.length)
  for (const [at, value] of expected.entries()) expect(got[at]).toBeCloseTo(value, 5)
})
