// SPDX-License-Identifier: Apache-2.0
import {dtypeCell, inputOf, numberCell, shapeCell, type TaskReference} from 'ascend-cot/reference'

const reference: TaskReference = {
  describe(row) {
    const like = {dtype: dtypeCell(row, 'dtype'), shape: shapeCell(row, 'shape')}
    return {
      inputs: [{name: 'x', ...like}],
      outputs: [{name: 'y', ...like}],
      attributes: {lambd: numberCell(row, 'lambd')},
    }
  },
  compute(inputs, row) {
    const lambd = numberCell(row, 'lambd')
    return {y: inputOf(inputs, 'x').map(x => Math.max(x - lambd, 0) + Math.min(x + lambd, 0))}
  },
}

export default reference
