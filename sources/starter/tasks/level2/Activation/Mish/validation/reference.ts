// SPDX-License-Identifier: Apache-2.0
import {dtypeCell, inputOf, shapeCell, type TaskReference} from 'ascend-cot/reference'

const reference: TaskReference = {
  describe(row) {
    const like = {dtype: dtypeCell(row, 'dtype'), shape: shapeCell(row, 'shape')}
    return {
      inputs: [{name: 'x', ...like}],
      outputs: [{name: 'y', ...like}],
    }
  },
  compute(inputs) {
    return {y: inputOf(inputs, 'x').map(x => x * Math.tanh(Math.log1p(Math.exp(x))))}
  },
  tolerance: {
    bfloat16: {absolute: 1e-3, relative: 2 ** -7}, // one unit in the last place
  },
}

export default reference
