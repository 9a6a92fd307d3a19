// SPDX-License-Identifier: Apache-2.0
import {dtypeCell, inputOf, numberCell, shapeCell, type TaskReference} from 'ascend-cot/reference'

/** Nearest integer, ties to even; Math.round sends ties up. */
function roundHalfEven(value: number): number {
  const floor = Math.floor(value)
  const rest = value - floor
  if (rest !== 0.5) return rest < 0.5 ? floor : floor + 1
  return floor % 2 === 0 ? floor : floor + 1
}

const reference: TaskReference = {
  describe(row) {
    const shape = shapeCell(row, 'shape')
    return {
      inputs: [{name: 'x', dtype: dtypeCell(row, 'dtype'), shape}],
      outputs: [{name: 'y', dtype: 'int8', shape}],
      attributes: {scale: numberCell(row, 'scale'), offset: numberCell(row, 'offset')},
    }
  },
  // The task fixes single precision: at a tie the last bit of the product decides between two integers.
  compute(inputs, row) {
    const scale = Math.fround(numberCell(row, 'scale'))
    const offset = Math.fround(numberCell(row, 'offset'))
    return {
      y: inputOf(inputs, 'x').map(x => {
        const scaled = Math.fround(Math.fround(x * scale) + offset)
        return roundHalfEven(Math.min(Math.max(scaled, -128), 127))
      }),
    }
  },
}

export default reference
