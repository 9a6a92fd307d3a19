// SPDX-License-Identifier: Apache-2.0
import {dtypeCell, inputOf, numberCell, shapeCell, type TaskReference} from 'ascend-cot/reference'

const reference: TaskReference = {
  describe(row) {
    const like = {dtype: dtypeCell(row, 'dtype'), shape: shapeCell(row, 'shape')}
    return {
      inputs: [{name: 'x', ...like}],
      outputs: [{name: 'y', ...like}],
      attributes: {negative_slope: numberCell(row, 'negative_slope')},
    }
  },
  compute(inputs, row) {
    const negativeSlope = numberCell(row, 'negative_slope')
    return {y: inputOf(inputs, 'x').map(x => (x >= 0 ? x : negativeSlope * x))}
  },
}

export default reference
