// SPDX-License-Identifier: Apache-2.0
import {dtypeCell, inputOf, shapeCell, type TaskReference} from 'ascend-cot/reference'

const reference: TaskReference = {
  describe(row) {
    const dtype = dtypeCell(row, 'dtype')
    const shape = shapeCell(row, 'shape')
    return {
      inputs: [{name: 'x', dtype, shape}, {name: 'bias', dtype, shape: shape.slice(-1)}],
      outputs: [{name: 'y', dtype, shape}],
    }
  },
  compute(inputs) {
    const bias = inputOf(inputs, 'bias')
    return {y: inputOf(inputs, 'x').map((x, i) => x + bias[i % bias.length]!)}
  },
  tolerance: {
    bfloat16: {absolute: 1e-3, relative: 2 ** -7}, // one unit in the last place
  },
}

export default reference
