// SPDX-License-Identifier: Apache-2.0
import {dtypeCell, inputOf, rowsOf, shapeCell, type TaskReference} from 'ascend-cot/reference'

const reference: TaskReference = {
  describe(row) {
    const dtype = dtypeCell(row, 'dtype')
    const shape = shapeCell(row, 'shape')
    return {
      inputs: [{name: 'x', dtype, shape}],
      outputs: [{name: 'y', dtype, shape: shape.slice(0, -1)}],
    }
  },
  compute(inputs, row) {
    const cols = shapeCell(row, 'shape').at(-1)!
    return {y: rowsOf(inputOf(inputs, 'x'), cols).map(values => values.reduce((a, b) => a + b))}
  },
  // Sums of up to 2e4 terms of size 10, in any order: a sum near zero carries the rounding of the large ones before it.
  tolerance: {
    float16: {absolute: 5e-3, relative: 1e-3},
    float32: {absolute: 2e-3, relative: 1e-4},
  },
}

export default reference
