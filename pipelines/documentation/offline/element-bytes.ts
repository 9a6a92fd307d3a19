/** Bytes of one element, for the types whose size a page's numbers can be worked out with. */
export const elementBytes: Readonly<Record<string, number>> = {
  int8_t: 1,
  uint8_t: 1,
  int16_t: 2,
  uint16_t: 2,
  half: 2,
  bfloat16_t: 2,
  int32_t: 4,
  uint32_t: 4,
  float: 4,
  int64_t: 8,
  uint64_t: 8,
}
