// SPDX-License-Identifier: Apache-2.0
import {dtypeCell, inputOf, rowsOf, shapeCell, type TaskReference} from 'ascend-cot/reference'

const reference: TaskReference = {
  describe(row) {
    const dtype = dtypeCell(row, 'dtype')
    const shape = shapeCell(row, 'shape')
    return {
      inputs: [{name: 'x', dtype, shape}],
      outputs: [{name: 'y', dtype, shape}],
    }
  },
  compute(inputs, row) {
    const cols = shapeCell(row, 'shape').at(-1)!
    return {
      y: rowsOf(inputOf(inputs, 'x'), cols).flatMap(values => {
        const largest = values.reduce((a, b) => Math.max(a, b))
        const exponentials = Array.from(values, x => Math.exp(x - largest))
        const sum = exponentials.reduce((a, b) => a + b)
        return exponentials.map(e => e / sum)
      }),
    }
  },
  // Probabilities are small: the default absolute tolerance would accept zeros in a long row.
  tolerance: {
    float16: {absolute: 1e-6, relative: 1e-3},
    float32: {absolute: 1e-7, relative: 1e-4},
    bfloat16: {absolute: 1e-6, relative: 2 ** -7},
  },
}

export default reference
