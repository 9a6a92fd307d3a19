// SPDX-License-Identifier: Apache-2.0
import {dtypeCell, inputOf, rowsOf, shapeCell, type TaskReference} from 'ascend-cot/reference'

const reference: TaskReference = {
  describe(row) {
    const dtype = dtypeCell(row, 'dtype')
    const shape = shapeCell(row, 'shape')
    return {
      inputs: [{name: 'x', dtype, shape}],
      outputs: [{name: 'y', dtype, shape: [...shape.slice(0, -1), shape.at(-1)! / 2]}],
    }
  },
  compute(inputs, row) {
    const cols = shapeCell(row, 'shape').at(-1)! / 2
    const rows = rowsOf(inputOf(inputs, 'x'), 2 * cols)
    return {y: rows.flatMap(values => Array.from({length: cols}, (_, c) => Math.max(values[c]!, 0) * values[cols + c]!))}
  },
}

export default reference
