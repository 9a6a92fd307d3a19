// SPDX-License-Identifier: Apache-2.0
import {dtypeCell, inputOf, numberCell, shapeCell, type TaskReference} from 'ascend-cot/reference'

const reference: TaskReference = {
  describe(row) {
    const like = {dtype: dtypeCell(row, 'dtype'), shape: shapeCell(row, 'shape')}
    return {
      inputs: [{name: 'average', ...like}, {name: 'value', ...like}],
      outputs: [{name: 'average', ...like}],
      attributes: {decay: numberCell(row, 'decay')},
    }
  },
  compute(inputs, row) {
    const decay = numberCell(row, 'decay')
    const second = inputOf(inputs, 'value')
    return {
      average: inputOf(inputs, 'average').map((average, i) => {
        const value = second[i]!
        return decay * average + (1 - decay) * value
      }),
    }
  },
}

export default reference
