// SPDX-License-Identifier: Apache-2.0
import {dtypeCell, inputOf, numberCell, shapeCell, type TaskReference} from 'ascend-cot/reference'

const reference: TaskReference = {
  describe(row) {
    const like = {dtype: dtypeCell(row, 'dtype'), shape: shapeCell(row, 'shape')}
    return {
      inputs: [{name: 'x', ...like}],
      outputs: [{name: 'y', ...like}],
      attributes: {alpha: numberCell(row, 'alpha')},
    }
  },
  compute(inputs, row) {
    const alpha = numberCell(row, 'alpha')
    return {y: inputOf(inputs, 'x').map(x => (x > 0 ? x : alpha * Math.expm1(x)))}
  },
}

export default reference
