// SPDX-License-Identifier: Apache-2.0
import {dtypeCell, inputOf, shapeCell, type TaskReference} from 'ascend-cot/reference'

const reference: TaskReference = {
  describe(row) {
    const like = {dtype: dtypeCell(row, 'dtype'), shape: shapeCell(row, 'shape')}
    return {
      inputs: [{name: 'x', ...like}, {name: 'y', ...like}],
      outputs: [{name: 'z', ...like}],
    }
  },
  compute(inputs) {
    const second = inputOf(inputs, 'y')
    return {
      z: inputOf(inputs, 'x').map((x, i) => {
        const y = second[i]!
        return Math.abs(x - y)
      }),
    }
  },
}

export default reference
