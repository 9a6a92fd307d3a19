import type {RunTrace, Step} from '../../../datasets/schema/executor.ts'
import type {Scenario} from '../../../datasets/schema/scenario.ts'
import {dtypeBytes, elementCount, type Dtype, type TensorSpec} from '../../../datasets/schema/tensor.ts'

interface Piece {
  bytes: number
  /** Undefined where copies of several types cannot be told apart. */
  dtype: Dtype | undefined
  direction: 'in' | 'out'
}

/** What is copied at once, by the instructions of a run; without them, what cores copy in one go. */
export function piecesOf(scenario: Scenario, steps: readonly Step[][] | undefined): Piece[] {
  const {inputs, outputs, trace} = scenario
  const [read, written] = [onlyType(inputs), onlyType(outputs)]
  if (!steps) return trace.blocks.flatMap((block) => piecesOfBlock(block, scenario))
  return steps.flat().flatMap(({api, ...one}): Piece[] => {
    if (api !== 'DataCopyPad') return []
    if (one.burstsOut > 0) return [{bytes: one.writtenBytes / one.burstsOut, dtype: written, direction: 'out'}]
    return one.burstsIn > 0 ? [{bytes: one.readBytes / one.burstsIn, dtype: read, direction: 'in'}] : []
  })
}

/** Of the output that a core writes at once or element by element, and of inputs with as many elements. */
function piecesOfBlock({writtenBytes, work}: RunTrace['blocks'][number], {inputs, outputs}: Scenario): Piece[] {
  const [output, ...others] = outputs
  if (!output || !work || others.length > 0 || writtenBytes === 0) return []
  const {burstsIn, burstsOut} = work
  const elements = writtenBytes / dtypeBytes[output.dtype] / burstsOut
  if (burstsOut !== 1 && elements !== 1) return []
  const alike = inputs.filter(({shape}) => elementCount(shape) === elementCount(output.shape))
  const isEach = burstsOut === 1 && burstsIn === inputs.length
  const pieces = [output, ...(isEach ? alike : [])]
  return pieces.map(({dtype}, at) => ({
    ...{bytes: elements * dtypeBytes[dtype], dtype, direction: at === 0 ? 'out' : 'in'},
  }))
}

export const onlyType = ([first, ...others]: readonly TensorSpec[]) =>
  others.every(({dtype}) => dtype === first?.dtype) ? first?.dtype : undefined
