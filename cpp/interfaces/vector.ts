import {type ApiEntry, family} from './row.ts'

const floats = 'float32 float16'
const numbers = 'float32 float16 int32 int16'
const bits = 'int16 uint16'
const words = 'float32 float16 bfloat16 int32 int16 uint32 uint16'
const movable = 'float32 float16 bfloat16 int64 int32 int16 int8 uint8'

/** Instructions of the vector unit. Source: the vendor's API reference, in our words, as Atlas A2 (910B) has them. */
export const vectorRows: readonly ApiEntry[] = [
  ...family('elementwise', {operands: 'out in in count', types: numbers}, [
    ['Add', 'adds two tensors', '两个张量逐元素相加', '$1 + $2'],
    ['Sub', 'subtracts the second tensor from the first', '两个张量逐元素相减', '$1 - $2'],
    ['Mul', 'multiplies two tensors', '两个张量逐元素相乘', '$1 * $2'],
    ['Max', 'keeps the larger of two values per element', '逐元素取较大值', 'max($1, $2)'],
    ['Min', 'keeps the smaller of two values per element', '逐元素取较小值', 'min($1, $2)'],
  ]),
  ...family('elementwise', {operands: 'out in in count', types: floats}, [
    ['Div', 'divides the first tensor by the second', '两个张量逐元素相除', '$1 / $2'],
  ]),
  ...family('elementwise', {operands: 'out in scalar count', types: numbers}, [
    ['Adds', 'adds a scalar', '加一个标量', '$1 + $2'],
    ['Muls', 'multiplies by a scalar', '乘一个标量', '$1 * $2'],
    ['Maxs', 'bounds values from below by a scalar', '用标量限制下界', 'max($1, $2)'],
    ['Mins', 'bounds values from above by a scalar', '用标量限制上界', 'min($1, $2)'],
  ]),
  ...family('elementwise', {operands: 'out in scalar count', types: floats}, [
    [
      'LeakyRelu',
      'scales negative values by a slope',
      '负值乘以斜率',
      {
        formula: '($1 >= 0 ? $1 : $1 * $2)',
        writes: ['$1 where it is not negative, else $1 * $2', '$1非负时取$1，否则取$1 * $2'],
      },
    ],
    [
      'Axpy',
      'adds a scaled tensor to the destination',
      '把缩放后的张量累加到目的张量',
      {formula: 'dst + $1 * $2', writes: ['itself + $1 * $2', '自身 + $1 * $2'], operands: 'inout in scalar count'},
    ],
  ]),
  ...family('elementwise', {operands: 'out in scalar count', types: 'int32 int16 uint32 uint16'}, [
    ['ShiftLeft', 'shifts bits left', '左移', '$1 << $2'],
    ['ShiftRight', 'shifts bits right, signed types with their sign', '右移（有符号数用符号位补齐）', '$1 >> $2'],
  ]),
  ...family('elementwise', {operands: 'out in count', types: floats}, [
    ['Abs', 'computes absolute values', '取绝对值', '|$1|'],
    ['Exp', 'computes the exponential', '求指数', 'exp($1)'],
    ['Ln', 'computes the natural logarithm', '求自然对数', 'ln($1)'],
    ['Sqrt', 'computes the square root', '求平方根', 'sqrt($1)'],
    [
      'Rsqrt',
      'computes the reciprocal square root (an approximation in hardware)',
      '求平方根的倒数(硬件近似)',
      '1 / sqrt($1)',
    ],
    ['Reciprocal', 'computes the reciprocal (an approximation in hardware)', '求倒数(硬件近似)', '1 / $1'],
    ['Relu', 'sets negative values to zero', '负值置零', {formula: 'max($1, 0)', types: 'float32 float16 int32'}],
  ]),
  ...family('elementwise', {operands: 'out in in count', types: bits}, [
    ['Not', 'inverts bits', '按位取反', {formula: '~$1', operands: 'out in count'}],
    ['And', 'ands bits', '按位与', '$1 & $2'],
    ['Or', 'ors bits', '按位或', '$1 | $2'],
  ]),
  ...family('elementwise', {operands: 'inout in in count', types: floats}, [
    ['MulAddDst', 'adds a product to the destination', '把乘积累加到目的张量', 'dst + $1 * $2'],
    [
      'FusedMulAdd',
      'multiplies the destination by a tensor and adds another',
      '目的张量乘一个张量再加一个张量',
      'dst * $1 + $2',
    ],
  ]),
  ...family('elementwise', {types: floats}, [
    [
      'MulAddRelu FusedMulAddRelu',
      'multiplies the destination by the first source, adds the second and sets negative results to zero',
      '目的张量乘以第一个源操作数、加上第二个源操作数后负值置零',
    ],
  ]),
  ...family('conversion', {types: 'float32 float16 int16 int8'}, [
    [
      'AddReluCast',
      'adds, sets negative results to zero and rounds to a narrower type',
      '相加后负值置零，再舍入为更窄的类型',
    ],
    [
      'SubReluCast',
      'subtracts, sets negative results to zero and rounds to a narrower type',
      '相减后负值置零，再舍入为更窄的类型',
    ],
    ['MulCast', 'multiplies and rounds to eight bits', '相乘后舍入为 8 位整数', {types: 'float16 int8 uint8'}],
    [
      'AddDeqRelu',
      'adds, scales to half and sets negative results to zero',
      '相加后按系数转换为 half，再把负值置零',
      {types: 'float16 int32'},
    ],
    [
      'CastDequant',
      'scales integers by what SetDeqScale has set',
      '按 SetDeqScale 设置的系数转换整数',
      {types: 'float16 int32 int16 int8 uint8'},
    ],
  ]),
  ...family('elementwise', {operands: 'out in in count', types: 'float32 float16 int16'}, [
    ['AddRelu', 'adds and sets negative results to zero', '相加后负值置零', 'max($1 + $2, 0)'],
    ['SubRelu', 'subtracts and sets negative results to zero', '相减后负值置零', 'max($1 - $2, 0)'],
  ]),
  // Atlas A2 lacks these.
  ...family('elementwise', {operands: 'out in scalar count'}, [
    ['Subs', 'subtracts a scalar', '减一个标量', '$1 - $2'],
    ['Divs', 'divides by a scalar', '除以一个标量', '$1 / $2'],
    ['Neg', 'negates', '取负', {formula: '-$1', operands: 'out in count'}],
  ]),
  ...family('conversion', {operands: 'out in mode count', types: movable}, [
    [
      'Cast',
      'converts the element type',
      '转换数据类型',
      {formula: '$1', writes: ['$1 in another element type', '转换了元素类型的$1']},
    ],
  ]),
  ...family('fill', {operands: 'out scalar count', types: words}, [
    [
      'Duplicate',
      'fills a tensor with one value',
      '用一个值填充张量',
      {formula: '$1', writes: ['$1 in every element', '每个元素都取$1']},
    ],
    ['CreateVecIndex', 'writes an arithmetic progression', '生成等差序列', {types: numbers}],
    [
      'ArithProgression',
      'writes an arithmetic progression',
      '生成等差序列',
      {types: numbers, operands: 'out scalar scalar count'},
    ],
  ]),
  ...family('fill', {types: words}, [
    ['Brcb', 'spreads single elements over whole data blocks', '把单个元素广播成数据块'],
    ['Copy', 'copies inside the unified buffer', '在 UB 内拷贝', {formula: '$1', operands: 'out in repeats'}],
  ]),
  ...family('comparison', {operands: 'mask-out in in mode count', types: 'float32 float16 int32', unit: 256}, [
    [
      'Compare',
      'compares two tensors into a bit mask',
      '比较两个张量得到比特掩码',
      {writes: ['one bit an element, from $1 and $2', '由$1和$2得到的逐元素比特']},
    ],
    [
      'CompareScalar Compares',
      'compares with a scalar into a bit mask',
      '与标量比较得到比特掩码',
      {
        writes: ['one bit an element, from $1 and $2', '由$1和$2得到的逐元素比特'],
        operands: 'mask-out in scalar mode count',
      },
    ],
  ]),
  ...family('selection', {operands: 'out mask-in in in mode count', types: floats, ubTaken: 8192}, [
    [
      'Select',
      'chooses per element by a bit mask',
      '按比特掩码逐元素选择',
      {writes: ['$2 where the bit of $1 is set, else $3', '$1的位为1时取$2，否则取$3']},
    ],
  ]),
  ...family('gather', {operands: 'out in in:uint32 number count', types: words, apart: true}, [
    ['Gather', 'collects elements by byte offsets', '按字节偏移收集元素'],
  ]),
  ...family('gather', {types: words}, [
    ['Gatherb', 'collects data blocks by byte offsets', '按字节偏移收集数据块', {types: 'uint32 uint16'}],
    [
      'BilinearInterpolation',
      'collects data blocks by byte offsets, multiplies them by weights and adds them up',
      '按字节偏移收集数据块，乘以权重后累加',
      {types: 'float16'},
    ],
    ['GatherMask', 'packs the elements that a mask keeps', '压缩保留掩码选中的元素'],
  ]),
  ...family('reduction', {operands: 'out in tmp count', types: floats}, [
    ['ReduceSum', 'sums up to one value', '归约求和', {formula: 'sum($1)', writes: ['the sum of $1', '$1的和']}],
    [
      'ReduceMax',
      'reduces to the largest value',
      '归约求最大值',
      {formula: 'max($1)', writes: ['the largest element of $1', '$1的最大值'], operands: 'out in tmp count flag?'},
    ],
    [
      'ReduceMin',
      'reduces to the smallest value',
      '归约求最小值',
      {formula: 'min($1)', writes: ['the smallest element of $1', '$1的最小值'], operands: 'out in tmp count flag?'},
    ],
  ]),
  ...family('reduction', {types: floats}, [
    ['WholeReduceSum RepeatReduceSum', 'sums within each repeat', '每个迭代内求和'],
    ['WholeReduceMax', 'computes the maximum within each repeat', '每个迭代内求最大值'],
    ['WholeReduceMin', 'computes the minimum within each repeat', '每个迭代内求最小值'],
    ['BlockReduceSum', 'sums within each data block', '每个数据块内求和'],
    ['BlockReduceMax', 'computes the maximum within each data block', '每个数据块内求最大值'],
    ['BlockReduceMin', 'computes the minimum within each data block', '每个数据块内求最小值'],
    ['ReduceRepeat', 'reduces within each repeat', '每个迭代内归约'],
    ['ReduceDataBlock', 'reduces within each data block', '每个数据块内归约'],
    ['PairReduceSum ReducePairElem', 'sums neighbouring pairs', '相邻元素两两求和'],
    ['GetReduceRepeatSumSpr', 'returns the sum of the last ReduceSum', '返回最近一次 ReduceSum 的和', {types: ''}],
    [
      'GetReduceRepeatMaxMinSpr',
      'gives the extreme value and its index over all repeats of the last ReduceRepeat or WholeReduceMax, WholeReduceMin',
      '给出最近一次 ReduceRepeat 或 WholeReduceMax、WholeReduceMin 在全部迭代内的最值及其索引',
      {types: ''},
    ],
  ]),
  ...family('layout', {types: 'float16 int16 uint16'}, [
    ['Transpose', 'transposes 16 by 16 blocks', '转置 16×16 数据块', {operands: 'out in'}],
    [
      'TransDataTo5HD',
      'rearranges blocks of 16 rows',
      '按 16 行重排数据块',
      {types: 'float32 float16 int32 int16 int8 uint32 uint16 uint8'},
    ],
  ]),
  ...family('sort', {types: floats}, [
    ['Sort32', 'sorts with indices', '带索引排序', {operands: 'out in in:uint32 number'}],
    ['Sort', 'sorts with indices', '带索引排序', {operands: 'out in in:uint32 tmp number'}],
    ['MrgSort', 'merges sorted lists', '归并有序序列'],
    [
      'GetMrgSortResult',
      'tells how many records of each queue MrgSort took before the first of them ended',
      '给出 MrgSort 在某个队列耗尽之前从各队列取走的元素个数',
      {types: ''},
    ],
    [
      'GetSortLen',
      'tells how many elements of a tensor so many sorted pairs take',
      '给出若干个排序结果占用的张量元素个数',
      {types: ''},
    ],
    [
      'GetSortOffset',
      'tells at which element of a tensor a sorted pair begins',
      '给出某个排序结果在张量中的起始元素偏移',
      {types: ''},
    ],
  ]),
]
