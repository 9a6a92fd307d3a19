// SPDX-License-Identifier: Apache-2.0
import {dtypeCell, inputOf, numberCell, shapeCell, type TaskReference} from 'ascend-cot/reference'

const reference: TaskReference = {
  describe(row) {
    const like = {dtype: dtypeCell(row, 'dtype'), shape: shapeCell(row, 'shape')}
    return {
      inputs: [{name: 'x', ...like}],
      outputs: [{name: 'y', ...like}],
      attributes: {threshold: numberCell(row, 'threshold'), value: numberCell(row, 'value')},
    }
  },
  compute(inputs, row) {
    const threshold = numberCell(row, 'threshold')
    const value = numberCell(row, 'value')
    return {y: inputOf(inputs, 'x').map(x => (x > threshold ? x : value))}
  },
}

export default reference
