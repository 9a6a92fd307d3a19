// SPDX-License-Identifier: Apache-2.0
import {dtypeCell, inputOf, numberCell, rowsOf, shapeCell, type TaskReference} from 'ascend-cot/reference'

const reference: TaskReference = {
  describe(row) {
    const dtype = dtypeCell(row, 'dtype')
    const shape = shapeCell(row, 'shape')
    return {
      inputs: [{name: 'x', dtype, shape}],
      outputs: [{name: 'y', dtype, shape}],
      attributes: {epsilon: numberCell(row, 'epsilon')},
    }
  },
  compute(inputs, row) {
    const cols = shapeCell(row, 'shape').at(-1)!
    const epsilon = numberCell(row, 'epsilon')
    return {
      y: rowsOf(inputOf(inputs, 'x'), cols).flatMap(values => {
        const mean = values.reduce((a, b) => a + b) / cols
        const variance = values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / cols
        return Array.from(values, x => (x - mean) / Math.sqrt(variance + epsilon))
      }),
    }
  },
  tolerance: {
    bfloat16: {absolute: 1e-3, relative: 2 ** -7}, // one unit in the last place
  },
}

export default reference
