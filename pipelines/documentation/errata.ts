/** Words by which known faulty listings of the CANN documentation are found, each with what is wrong. */
const knownFaults: readonly {words: string; why: string}[] = [
  {
    words: '只有第7个float数字参与compare',
    why: 'GetCmpMask: a mask of 64 in the continuous mode takes part with its first 64 elements',
  },
  {words: '根据VacantInQue判断当前que中是否有已入队的Tensor', why: 'HasTensorInQue: it is told of VacantInQue'},
  {words: 'asc_pair_reduce_sum(dst, src, 2, 1, 1, 8)', why: 'two repeats of half give 128 sums, dst holds 16'},
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

/** Whether a listing says what is not so: a comment names another type than the line below it passes. */
export function isFaulty(code: string): boolean {
  const member = (name: string) => members[name] ?? name.replace(/_t$/, '').toUpperCase()
  const isOther = [...code.matchAll(typed)].some(([, said = '', passed = '']) => member(said) !== member(passed))
  return isOther || knownFaults.some(({words}) => code.includes(words))
}
