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
    return {y: rowsOf(inputOf(inputs, 'x'), cols).map(values => values.reduce((a, b) => Math.max(a, b)))}
  },
}

export default reference
