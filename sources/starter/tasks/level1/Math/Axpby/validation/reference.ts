// SPDX-License-Identifier: Apache-2.0
import {dtypeCell, inputOf, numberCell, shapeCell, type TaskReference} from 'ascend-cot/reference'

const reference: TaskReference = {
  describe(row) {
    const like = {dtype: dtypeCell(row, 'dtype'), shape: shapeCell(row, 'shape')}
    return {
      inputs: [{name: 'x', ...like}, {name: 'y', ...like}],
      outputs: [{name: 'z', ...like}],
      attributes: {alpha: numberCell(row, 'alpha'), beta: numberCell(row, 'beta')},
    }
  },
  compute(inputs, row) {
    const alpha = numberCell(row, 'alpha')
    const beta = numberCell(row, 'beta')
    const second = inputOf(inputs, 'y')
    return {
      z: inputOf(inputs, 'x').map((x, i) => {
        const y = second[i]!
        return alpha * x + beta * y
      }),
    }
  },
}

export default reference
