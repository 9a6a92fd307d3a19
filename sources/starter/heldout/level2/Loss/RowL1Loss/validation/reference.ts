// SPDX-License-Identifier: Apache-2.0
import {dtypeCell, inputOf, rowsOf, shapeCell, type TaskReference} from 'ascend-cot/reference'

const reference: TaskReference = {
  describe(row) {
    const dtype = dtypeCell(row, 'dtype')
    const shape = shapeCell(row, 'shape')
    return {
      inputs: [{name: 'prediction', dtype, shape}, {name: 'target', dtype, shape}],
      outputs: [{name: 'loss', dtype: 'float32', shape: shape.slice(0, -1)}],
    }
  },
  compute(inputs, row) {
    const cols = shapeCell(row, 'shape').at(-1)!
    const targets = rowsOf(inputOf(inputs, 'target'), cols)
    return {
      loss: rowsOf(inputOf(inputs, 'prediction'), cols).map((values, r) =>
        values.reduce((sum, prediction, c) => sum + Math.abs(prediction - targets[r]![c]!), 0) / cols),
    }
  },
}

export default reference
