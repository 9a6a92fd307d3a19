// SPDX-License-Identifier: Apache-2.0
import {dtypeCell, inputOf, numberCell, shapeCell, type TaskReference} from 'ascend-cot/reference'

const reference: TaskReference = {
  describe(row) {
    const like = {dtype: dtypeCell(row, 'dtype'), shape: shapeCell(row, 'shape')}
    return {
      inputs: [{name: 'prediction', ...like}, {name: 'target', ...like}],
      outputs: [{name: 'loss', ...like}],
      attributes: {beta: numberCell(row, 'beta')},
    }
  },
  compute(inputs, row) {
    const beta = numberCell(row, 'beta')
    const second = inputOf(inputs, 'target')
    return {
      loss: inputOf(inputs, 'prediction').map((prediction, i) => {
        const target = second[i]!
        const distance = Math.abs(prediction - target)
        return distance < beta ? (0.5 * distance ** 2) / beta : distance - 0.5 * beta
      }),
    }
  },
}

export default reference
