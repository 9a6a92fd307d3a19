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
  domain: {x: [-100, 100], y: [-100, 100]}, // keeps int32 squares small and half ones finite
  compute(inputs) {
    const second = inputOf(inputs, 'y')
    return {
      z: inputOf(inputs, 'x').map((x, i) => {
        const y = second[i]!
        return (x - y) ** 2
      }),
    }
  },
  tolerance: {
    bfloat16: {absolute: 1e-3, relative: 2 ** -7}, // one unit in the last place
  },
}

export default reference
