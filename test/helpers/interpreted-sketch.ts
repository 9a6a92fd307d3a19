import {decode} from '../../datasets/dtype.ts'
import {interpretedText, type Sketch, sketched} from './interpreting.ts'

const x = [{shape: [4, 4], values: Float64Array.from({length: 16}, (_, i) => i)}]

/** Outputs, meters and, where it was refused, the rule with its words. */
export function ran(sketch: Sketch, options: Parameters<typeof interpretedText>[2] = {}) {
  const outcome = interpretedText(sketched(sketch), x, options)
  if (!outcome.ok) {
    const {rule, message, mend, core} = outcome.fault
    return `${rule}${core === undefined ? '' : ` on core ${core}`}: ${message} ${mend}`
  }
  const {outputs, meters} = outcome
  return {values: [...decode(outputs[0]!.data, outputs[0]!.dtype)], shape: outputs[0]!.shape, ...meters}
}
export const valuesOf = (sketch: Sketch, options: Parameters<typeof interpretedText>[2] = {}) => {
  const result = ran(sketch, options)
  return typeof result === 'string' ? result : result.values
}

export const buffers = `
x_ub = tl.alloc_ub(32, dtype=tl.float32)
y_ub = tl.alloc_ub(32, dtype=tl.float32)
`
export const stages = (load: string, compute: string, store: string) => `
with tl.copyin():
    ${load}
with tl.compute():
    ${compute}
with tl.copyout():
    ${store}
`
export const copied = stages(
  'tl.load(x_ptr, x_ub, count=16)',
  'tl.copy(y_ub, x_ub, count=16)',
  'tl.store(y_ptr, y_ub, count=16)',
)
export const shape16 = {outputShape: '[16]'}
export const one = (load: string, compute: string, store: string, more: Partial<Sketch> = {}): Sketch => ({
  kernel: buffers + stages(load, compute, store),
  ...shape16,
  ...more,
})
