/** An element type: its name of torch is the key; what C++, the device and the graph engine call it. */
interface ElementType {
  bytes: number
  /** How kernel code spells it. */
  type: string
  /** The value of `ORIG_DTYPE_X`, and the graph engine's number for it. */
  constant: string
  number: number
}

/** Source: `ge::DataType` of the graph engine's interface, and the element types of the kernel interface. */
const table = {
  float16: {bytes: 2, type: 'half', constant: 'DT_FLOAT16', number: 1},
  bfloat16: {bytes: 2, type: 'bfloat16_t', constant: 'DT_BF16', number: 27},
  float32: {bytes: 4, type: 'float', constant: 'DT_FLOAT', number: 0},
  float64: {bytes: 8, type: 'double', constant: 'DT_DOUBLE', number: 11},
  int8: {bytes: 1, type: 'int8_t', constant: 'DT_INT8', number: 2},
  uint8: {bytes: 1, type: 'uint8_t', constant: 'DT_UINT8', number: 4},
  int16: {bytes: 2, type: 'int16_t', constant: 'DT_INT16', number: 6},
  uint16: {bytes: 2, type: 'uint16_t', constant: 'DT_UINT16', number: 7},
  int32: {bytes: 4, type: 'int32_t', constant: 'DT_INT32', number: 3},
  uint32: {bytes: 4, type: 'uint32_t', constant: 'DT_UINT32', number: 8},
  int64: {bytes: 8, type: 'int64_t', constant: 'DT_INT64', number: 9},
  uint64: {bytes: 8, type: 'uint64_t', constant: 'DT_UINT64', number: 10},
  bool: {bytes: 1, type: 'bool', constant: 'DT_BOOL', number: 12},
  complex64: {bytes: 8, type: 'complex64', constant: 'DT_COMPLEX64', number: 16},
} satisfies Record<string, ElementType>

/** The name of an element type in torch; `bool` is one byte. */
export type DtypeName = keyof typeof table

export const elementTypes: Readonly<Record<DtypeName, ElementType>> = table

export const dtypeNames = Object.keys(table) as [DtypeName, ...DtypeName[]]

/** Bytes of C++ element types, for `sizeof`. */
export const typeBytes: Readonly<Record<string, number>> = {
  ...Object.fromEntries(Object.values(elementTypes).map(({type, bytes}) => [type, bytes])),
  float16_t: 2,
  char: 1,
  int: 4,
  DTYPE_HALF: 2,
}

/** The element type of a constant of the graph engine, e.g. `DT_BF16`. */
export function dtypeOfConstant(constant: string): DtypeName | undefined {
  return dtypeNames.find((name) => elementTypes[name].constant === constant)
}

/** The element type that kernel code spells so, e.g. `half`. */
export function dtypeOfType(type: string): DtypeName | undefined {
  return dtypeNames.find((name) => elementTypes[name].type === type)
}
