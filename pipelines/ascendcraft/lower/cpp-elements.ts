import {elementTypes} from '../../../cpp/types.ts'
import {elementBytes, type ElementType} from '../language/dtypes.ts'

interface ElementNames {
  /** In kernels. */
  cpp: string
  /** In definitions of operators. */
  ge: string
  /** In bindings. */
  torch: string
  /** In project files of msopgen. */
  json: string
  /** Start of the names of constants about it. */
  constant: string
}

const named: Record<ElementType, Pick<ElementNames, 'torch' | 'json' | 'constant'>> = {
  float32: {torch: 'at::kFloat', json: 'float', constant: 'FLOATS'},
  float16: {torch: 'at::kHalf', json: 'float16', constant: 'HALVES'},
  bfloat16: {torch: 'at::kBFloat16', json: 'bfloat16', constant: 'BFLOATS'},
  int64: {torch: 'at::kLong', json: 'int64', constant: 'INT64S'},
  int32: {torch: 'at::kInt', json: 'int32', constant: 'INT32S'},
  int16: {torch: 'at::kShort', json: 'int16', constant: 'INT16S'},
  int8: {torch: 'at::kChar', json: 'int8', constant: 'INT8S'},
  uint8: {torch: 'at::kByte', json: 'uint8', constant: 'BYTES'},
  bool: {torch: 'at::kBool', json: 'bool', constant: 'BYTES'},
}

export function elementNames(type: ElementType): ElementNames {
  // A kernel moves bool as bytes.
  const {type: cpp} = elementTypes[type === 'bool' ? 'uint8' : type]
  return {cpp, ge: elementTypes[type].constant, ...named[type]}
}

/** Name of the constant that says how many elements of a type fit in a block of UB. */
export function perBlock(type: ElementType): string {
  return `${named[type].constant}_PER_BLOCK`
}

/** Name of the constant that says how many elements of a type one vector instruction takes at a time. */
export function perRepeat(type: ElementType): string {
  return `${named[type].constant}_PER_REPEAT`
}

/** Definition of one of these two. */
export function unitConstant(name: string): string {
  const types = Object.keys(named) as ElementType[]
  const type = elementNames(types.find((one) => name.startsWith(`${named[one].constant}_PER`)) ?? 'float32').cpp
  const bytes = name.endsWith('BLOCK') ? 'BLOCK_BYTES' : 'REPEAT_BYTES'
  return `constexpr int64_t ${name} = ${bytes} / static_cast<int64_t>(sizeof(${type}));`
}

/** Bytes that an instruction of the vector unit takes at a time. */
export const repeatBytes = 256

export function elementsIn(bytes: number, type: ElementType): number {
  return bytes / elementBytes[type]
}
