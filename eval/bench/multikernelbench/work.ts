import type {RunTrace} from '../../../datasets/schema/executor.ts'
import type {InputSize} from './oracle/oracle.ts'

/** From this many elements on, a kernel's work shows in the data that it moves; below, a tail may dominate. */
const enough = 1 << 16

/** Pooling windows may omit the ends of rows. */
const leastRead = 0.9

/**
 * Whether kernels did their operator's work: inputs read, outputs written, by vector instructions on more than one
 * core. Detects work done on the host, or copied from an earlier run. @param outputBytes of all outputs @returns the
 * fault, or undefined
 */
export function workTrouble(
  traces: readonly RunTrace[],
  {inputs, outputBytes}: {inputs: readonly InputSize[]; outputBytes: number},
): string | undefined {
  if (traces.length === 0) return 'no kernel was launched'
  const elements = inputs.reduce(
    (most, {shape}) =>
      Math.max(
        most,
        shape.reduce((all, one) => all * one, 1),
      ),
    0,
  )
  if (elements < enough) return undefined
  const blocks = traces.flatMap((trace) => trace.blocks)
  const sum = (of: (block: (typeof blocks)[number]) => number) => blocks.reduce((all, block) => all + of(block), 0)
  const inputBytes = inputs.reduce((all, {bytes}) => all + bytes, 0)
  const [read, written] = [sum(({readBytes}) => readBytes), sum(({writtenBytes}) => writtenBytes)]
  if (read < leastRead * inputBytes) return `kernels read ${read} bytes of ${inputBytes} that the inputs have`
  if (written < outputBytes) return `kernels wrote ${written} bytes of ${outputBytes} that the outputs have`
  if (sum(({work}) => work?.vectorInstructions ?? 1) === 0) return 'no vector instruction was used'
  const scalar = sum(({work}) => work?.scalarAccesses ?? 0)
  if (scalar > elements / 2) return `${scalar} single values were read or written for ${elements} elements`
  const busy = traces.map((trace) => trace.blocks.filter(({readBytes, writtenBytes}) => readBytes + writtenBytes > 0))
  return Math.max(...busy.map(({length}) => length)) > 1 ? undefined : 'one core did all the work'
}
