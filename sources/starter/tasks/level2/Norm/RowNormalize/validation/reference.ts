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
        const norm = Math.max(Math.sqrt(values.reduce((sum, x) => sum + x * x, 0)), epsilon)
        return Array.from(values, x => x / norm)
      }),
    }
  },
  // A long row has small entries: the default absolute tolerance would be a twentieth of them.
  tolerance: {
    float16: {absolute: 1e-5, relative: 1e-3},
    float32: {absolute: 1e-6, relative: 1e-4},
  },
}

export default reference
