// SPDX-License-Identifier: Apache-2.0
import {inputOf, shapeCell, type TaskReference} from 'ascend-cot/reference'

const reference: TaskReference = {
  describe(row) {
    const like = {dtype: 'float16' as const, shape: shapeCell(row, 'shape')}
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
        return x * y
      }),
    }
  },
}

export default reference
