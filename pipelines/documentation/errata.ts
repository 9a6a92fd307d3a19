/** Faulty listings of the CANN documentation that reading found, by pieces of text that one of them has together. */
const knownFaults: readonly (readonly string[])[] = [
  // GetCmpMask: with a mask of 64 in the continuous mode the first 64 elements take part, not one of each block.
  ['GetCmpMask', '只有第7个'],
  // HasTensorInQue is called, another function is spoken of.
  ['HasTensorInQue', '根据VacantInQue'],
  // Two repeats of half give 128 sums.
  ['dst_length = 16;', 'asc_pair_reduce_sum(dst, src, 2,'],
]

/** Types as comments write them, and as the members of `ge::DataType` and `matmul_tiling::DataType` go. */
const members: Readonly<Record<string, string>> = {
  half: 'FLOAT16',
  bfloat16_t: 'BF16',
  BFLOAT16: 'BF16',
  bfloat16: 'BF16',
  float32: 'FLOAT',
  float: 'FLOAT',
  float16: 'FLOAT16',
}

const typed = /\/\/[^\n]*数据类型为(\w+)[^\n]*\n[^\n]*DataType::DT_(\w+)/g

/** Whether a listing says what is not so: a known one, or one with a type in a comment that the next line denies. */
export function isFaulty(code: string): boolean {
  const member = (name: string) => members[name] ?? name.replace(/_t$/, '').toUpperCase()
  const isOther = [...code.matchAll(typed)].some(([, said = '', passed = '']) => member(said) !== member(passed))
  return isOther || knownFaults.some((pieces) => pieces.every((piece) => code.includes(piece)))
}
