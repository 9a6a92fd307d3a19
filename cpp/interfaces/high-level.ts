import {type ApiEntry, family} from './row.ts'

const floats = 'float32 float16'
const padded = 'float32 float16 int32 int16 uint32 uint16'
const small = `${padded} bfloat16 int8 uint8`

/**
 * What high-level APIs do: they stand for many instructions, take scratch memory beside their tensors, and keep their
 * own waits inside. Source: the vendor's high-level API reference, in our words.
 */
export const highLevelRows: readonly ApiEntry[] = [
  ...family('mathematics', {operands: 'out in tmp:uint8? count', types: floats, apart: true}, [
    ['Sin', 'takes the sine', '求正弦', 'sin($1)'],
    ['Cos', 'takes the cosine', '求余弦', 'cos($1)'],
    ['Tan', 'takes the tangent', '求正切', 'tan($1)'],
    ['Asin', 'takes the arc sine', '求反正弦', 'asin($1)'],
    ['Acos', 'takes the arc cosine', '求反余弦', 'acos($1)'],
    ['Atan', 'takes the arc tangent', '求反正切', 'atan($1)'],
    ['Sinh', 'takes the hyperbolic sine', '求双曲正弦', 'sinh($1)'],
    ['Cosh', 'takes the hyperbolic cosine', '求双曲余弦', 'cosh($1)'],
    ['Tanh', 'takes the hyperbolic tangent', '求双曲正切', {formula: 'tanh($1)', work: {float32: 1, float16: 4}}],
    ['Asinh', 'takes the inverse hyperbolic sine', '求反双曲正弦', 'asinh($1)'],
    ['Acosh', 'takes the inverse hyperbolic cosine', '求反双曲余弦', 'acosh($1)'],
    ['Atanh', 'takes the inverse hyperbolic tangent', '求反双曲正切', 'atanh($1)'],
    ['Sigmoid', 'takes the logistic function', '求 sigmoid', {formula: 'sigmoid($1)', work: {float32: 1, float16: 1}}],
    ['Erf', 'takes the error function', '求误差函数', {formula: 'erf($1)', work: {float32: 3, float16: 8}}],
    ['Erfc', 'takes the complementary error function', '求互补误差函数', 'erfc($1)'],
    ['Lgamma', 'takes the logarithm of the absolute gamma function', '求 gamma 函数绝对值的自然对数', {ubTaken: 8192}],
    [
      'Digamma',
      'takes the derivative of the logarithm of the gamma function',
      '求 gamma 函数对数的导数',
      {ubTaken: 8192},
    ],
    ['Floor', 'rounds down', '向下取整', 'floor($1)'],
    ['Ceil', 'rounds up', '向上取整', 'ceil($1)'],
    ['Trunc', 'drops the fraction', '截断取整', 'trunc($1)'],
    ['Round', 'rounds to the nearest integer', '四舍五入', 'round($1)'],
    ['Frac', 'keeps the fraction', '取小数部分'],
    ['Sign', 'takes the sign', '取符号', {formula: 'sign($1)', ubTaken: 8192}],
    ['Gelu', 'takes GELU', '求 GELU', 'gelu($1)'],
    ['FasterGelu FasterGeluV2', 'takes GELU by a faster approximation', '用更快的近似求 GELU'],
    ['Log', 'takes the natural logarithm', '求自然对数', {formula: 'ln($1)', operands: 'out in count'}],
  ]),
  ...family('mathematics', {operands: 'out in in tmp:uint8? count', types: floats}, [
    ['Fmod', 'takes the remainder of a division, with the sign of the dividend', '求余数,符号与被除数相同'],
    ['Xor', 'takes the exclusive or of bits', '按位异或', {types: 'int16 uint16'}],
    ['GeGLU', 'multiplies one tensor by GELU of the other', '一个张量乘以另一个张量的 GELU'],
    [
      'ReGlu',
      'multiplies one tensor by ReLU of the other',
      '一个张量乘以另一个张量的 ReLU',
      {types: 'float32 float16 bfloat16'},
    ],
  ]),
  ...family('mathematics', {operands: 'out in scalar tmp:uint8? count', types: 'float32 float16 int32'}, [
    ['Power', 'raises to a power', '求幂', {formula: '$1 ^ $2', ubTaken: 8192}],
  ]),
  ...family('mathematics', {types: floats}, [
    [
      'ClampMax',
      'replaces what is above a bound by the bound',
      '把大于上界的值替换为上界',
      {operands: 'out in tmp:uint8? scalar count'},
    ],
    [
      'ClampMin',
      'replaces what is below a bound by the bound',
      '把小于下界的值替换为下界',
      {operands: 'out in tmp:uint8? scalar count'},
    ],
    ['Silu', 'takes x times its logistic function', '求 x 与 sigmoid(x) 的乘积', {operands: 'out in count'}],
    [
      'Swish',
      'takes x times the logistic function of a multiple of x',
      '求 x 与 sigmoid(βx) 的乘积',
      {operands: 'out in count scalar'},
    ],
    ['SwiGLU', 'multiplies one tensor by Swish of the other', '一个张量乘以另一个张量的 Swish'],
    [
      'Arange',
      'writes an arithmetic progression',
      '生成等差序列',
      {operands: 'out scalar scalar count', types: 'float32 float16 int32 int16'},
    ],
  ]),
  ...family('composed', {types: floats}, [
    ['SoftMax', 'takes row-wise softmax', '逐行求 softmax'],
    ['Broadcast BroadCast', 'repeats along an axis', '沿一个轴广播', {types: small}],
    ['CumSum', 'sums up along an axis, keeping every partial sum', '沿一个轴逐项累加,保留每个部分和'],
    ['Sum', 'sums up each row', '逐行求和'],
    ['Mean', 'takes the mean of each row', '逐行求均值'],
    ['SimpleSoftMax', 'takes softmax with row maxima and sums that are given', '用给定的行最大值和行和求 softmax'],
    [
      'SoftmaxFlash SoftmaxFlashV2',
      'takes softmax of a part of each row and updates its maximum and sum',
      '对每行的一部分求 softmax,并更新行最大值和行和',
    ],
    ['SoftmaxGrad', 'takes the gradient of softmax', '求 softmax 的梯度'],
    ['SoftmaxGradFront', 'sums gradient times output of softmax along each row', '逐行求 softmax 的梯度与输出之积的和'],
    ['LogSoftMax', 'takes the logarithm of row-wise softmax', '逐行求 log-softmax'],
    [
      'AdjustSoftMaxRes',
      'overwrites the result of rows whose maximum has a given value',
      '把最大值为指定值的行的结果改写为给定值',
    ],
    [
      'LayerNorm',
      'normalises each row by its mean and variance, then scales and shifts',
      '按行均值和方差归一化,再缩放和平移',
      {ubTaken: 8192},
    ],
    ['Normalize', 'normalises by a mean and a variance that are given', '用给定的均值和方差归一化'],
    ['RmsNorm', 'divides each row by the root of its mean square, then scales', '除以每行的均方根,再缩放'],
    ['DeepNorm', 'adds the scaled input to the other one and normalises each row', '缩放后与另一输入相加,再逐行归一化'],
    ['WelfordUpdate', 'takes one more part into a running mean and variance', '把一块数据并入滚动的均值和方差'],
    [
      'WelfordFinalize',
      'combines running means and variances into those of the row',
      '把滚动的均值和方差合并为整行的结果',
    ],
    ['AscendQuant', 'quantises: scales, shifts and rounds to a narrow type', '量化:缩放、偏移并舍入为窄类型'],
    [
      'AscendDequant',
      'dequantises: multiplies integers by a scale into a floating type',
      '反量化:整数乘以系数得到浮点数',
      {types: `${floats} bfloat16`},
    ],
    [
      'AscendAntiQuant',
      'turns narrow integers into floating numbers: adds an offset, then multiplies by a scale',
      '伪量化:窄整数加偏移后乘以系数得到浮点数',
      {types: 'float16 bfloat16'},
    ],
    [
      'SelectWithBytesMask',
      'chooses per element by a mask of one byte each',
      '按每元素一字节的掩码选择',
      {ubTaken: 8192},
    ],
    ['DropOut', 'sets elements to zero by a mask and scales the rest', '按掩码置零并缩放其余元素', {ubTaken: 8192}],
    ['TopK', 'takes the k largest or smallest of each row with their indices', '取每行最大或最小的 k 个值及其索引'],
    ['Concat', 'arranges values as sorting wants them', '把数据整理成排序所需的结构'],
    ['Extract', 'takes sorted pairs apart into values and indices', '把排序结果拆成值和索引'],
    ['Pad', 'pads rows to whole data blocks', '把各行补齐为完整数据块', {types: padded}],
    ['UnPad', 'takes the padding of rows away', '去掉各行的补齐', {types: padded}],
    ['TransData', 'changes the layout of a tensor', '转换数据排布格式', {types: 'float16 bfloat16 int16 uint16'}],
    ['ConfusionTranspose', 'changes layout and transposes', '转换数据排布并转置', {types: padded}],
  ]),
]
