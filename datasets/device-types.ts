import type {Dtype} from './schema/tensor.ts'

interface DeviceType {
  /** How kernel code spells it. */
  type: string
  /** The value of `ORIG_DTYPE_X`, and the graph engine's number for it. */
  constant: string
  number: number
}

/** Source: `ge::DataType` of the graph engine's interface, and the element types of the kernel interface. */
export const deviceTypes: Readonly<Record<Dtype, DeviceType>> = {
  float32: {type: 'float', constant: 'DT_FLOAT', number: 0},
  float16: {type: 'half', constant: 'DT_FLOAT16', number: 1},
  int8: {type: 'int8_t', constant: 'DT_INT8', number: 2},
  int32: {type: 'int32_t', constant: 'DT_INT32', number: 3},
  uint8: {type: 'uint8_t', constant: 'DT_UINT8', number: 4},
  int16: {type: 'int16_t', constant: 'DT_INT16', number: 6},
  uint16: {type: 'uint16_t', constant: 'DT_UINT16', number: 7},
  uint32: {type: 'uint32_t', constant: 'DT_UINT32', number: 8},
  int64: {type: 'int64_t', constant: 'DT_INT64', number: 9},
  uint64: {type: 'uint64_t', constant: 'DT_UINT64', number: 10},
  float64: {type: 'double', constant: 'DT_DOUBLE', number: 11},
  bool: {type: 'bool', constant: 'DT_BOOL', number: 12},
  complex64: {type: 'complex64', constant: 'DT_COMPLEX64', number: 16},
  bfloat16: {type: 'bfloat16_t', constant: 'DT_BF16', number: 27},
}
