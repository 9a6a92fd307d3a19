import {elementTypes} from '../../../cpp/types.ts'
import type {TensorSpec} from '../../../datasets/schema/tensor.ts'

/**
 * A kernel with the definition's macros where it names the element type of a tensor in global memory, and, for a type
 * in which nothing else is kept, of its copies. The macros stand for the types that they replace.
 */
export function withTypeMacros(text: string, tensors: readonly TensorSpec[]): string {
  const all = new Set(tensors.map(({dtype}) => dtype))
  const first = tensors.filter(({dtype}, index) => tensors.findIndex((one) => one.dtype === dtype) === index)
  return first.reduce((changed, {name, dtype}) => {
    const isHalf = dtype === 'float16' || dtype === 'bfloat16'
    const places = isHalf || (dtype === 'float32' && all.size === 1) ? everywhere : inGlobalMemory
    const pattern = new RegExp(places.replaceAll('TYPE', elementTypes[dtype].type), 'g')
    return changed.replace(pattern, `DTYPE_${name.toUpperCase()}`)
  }, text)
}

const inGlobalMemory = String.raw`(?<=\bGlobalTensor<)TYPE(?=>)|(?<=\b__gm__ )TYPE(?=\s*\*)`
const everywhere = [
  inGlobalMemory,
  String.raw`(?<=\b(?:LocalTensor|AllocTensor|DeQue|EnQue|Get|ReinterpretCast|DataCopyPadExtParams)<)TYPE(?=>)`,
  String.raw`(?<=\bsizeof\()TYPE(?=\))`,
].join('|')
