// SPDX-License-Identifier: Apache-2.0
import {inputOf, numberCell, shapeCell, type TaskReference} from 'ascend-cot/reference'

const reference: TaskReference = {
  describe(row) {
    const like = {dtype: 'float32' as const, shape: shapeCell(row, 'shape')}
    return {
      inputs: [{name: 'score', ...like}, {name: 'label', ...like}],
      outputs: [{name: 'loss', dtype: 'float32', shape: [1]}],
      attributes: {margin: numberCell(row, 'margin')},
    }
  },
  domain: {label: [-1, 1]},
  compute(inputs, row) {
    const margin = numberCell(row, 'margin')
    const label = inputOf(inputs, 'label')
    const terms = inputOf(inputs, 'score').map((score, i) => Math.max(0, margin - score * label[i]!))
    return {loss: [terms.reduce((a, b) => a + b) / terms.length]}
  },
}

export default reference
