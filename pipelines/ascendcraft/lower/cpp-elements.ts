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

const names: Record<ElementType, ElementNames> = {
  float32: {cpp: 'float', ge: 'DT_FLOAT', torch: 'at::kFloat', json: 'float', constant: 'FLOATS'},
  float16: {cpp: 'half', ge: 'DT_FLOAT16', torch: 'at::kHalf', json: 'float16', constant: 'HALVES'},
  bfloat16: {cpp: 'bfloat16_t', ge: 'DT_BF16', torch: 'at::kBFloat16', json: 'bfloat16', constant: 'BFLOATS'},
  int64: {cpp: 'int64_t', ge: 'DT_INT64', torch: 'at::kLong', json: 'int64', constant: 'INT64S'},
  int32: {cpp: 'int32_t', ge: 'DT_INT32', torch: 'at::kInt', json: 'int32', constant: 'INT32S'},
  int16: {cpp: 'int16_t', ge: 'DT_INT16', torch: 'at::kShort', json: 'int16', constant: 'INT16S'},
  int8: {cpp: 'int8_t', ge: 'DT_INT8', torch: 'at::kChar', json: 'int8', constant: 'INT8S'},
  uint8: {cpp: 'uint8_t', ge: 'DT_UINT8', torch: 'at::kByte', json: 'uint8', constant: 'BYTES'},
  // A kernel moves them as bytes.
  bool: {cpp: 'uint8_t', ge: 'DT_BOOL', torch: 'at::kBool', json: 'bool', constant: 'BYTES'},
}

export function elementNames(type: ElementType): ElementNames {
  return names[type]
}

/** Name of the constant that says how many elements of a type stand in a block of UB. */
export function perBlock(type: ElementType): string {
  return `${names[type].constant}_PER_BLOCK`
}

/** Name of the constant that says how many elements of a type one vector instruction takes at a time. */
export function perRepeat(type: ElementType): string {
  return `${names[type].constant}_PER_REPEAT`
}

/** Definition of one of these two. */
export function unitConstant(name: string): string {
  const type = Object.entries(names).find(([, one]) => name.startsWith(`${one.constant}_PER`))?.[1].cpp ?? 'float'
  const bytes = name.endsWith('BLOCK') ? 'BLOCK_BYTES' : 'REPEAT_BYTES'
  return `constexpr int64_t ${name} = ${bytes} / static_cast<int64_t>(sizeof(${type}));`
}

/** Bytes that an instruction of the vector unit takes at a time. */
export const repeatBytes = 256

export function elementsIn(bytes: number, type: ElementType): number {
  return bytes / elementBytes[type]
}
