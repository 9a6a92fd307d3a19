/** A formula in a picture, and the page around it. */
export interface FormulaCase {
  title: string
  /** Of the prototype, as the page declares them. */
  parameters: string
  prose: string
  /** What the picture shows. */
  latex: string
  /** The same in pseudo-code or words, where the page has it. */
  pseudo?: string
  /** The page says one thing, the picture another: nothing but the picture's formula would be right. */
  isOdd?: boolean
}

const unary = 'const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const uint32_t calCount'
const binary = 'const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, const int32_t& count'
const scalar = 'const LocalTensor<T>& dst, const LocalTensor<T>& src, const T& scalarValue, const int32_t& count'
const quant =
  'const LocalTensor<int8_t>& dstTensor, const LocalTensor<T>& srcTensor, const float scale, const float offset'
const norm =
  'const LocalTensor<T>& output, const LocalTensor<T>& inputX, const LocalTensor<T>& gamma, const LocalTensor<T>& beta'

type Row = [title: string, parameters: string, prose: string, latex: string, pseudo?: string]

const rows: Row[] = [
  ['Exp', unary, '按元素取自然指数', 'dst_i = e^{src_i}'],
  ['Exp', unary, 'Takes the natural exponential of each element', '\\mathrm{dst}=e^{\\mathrm{src}}'],
  ['Ln', unary, '按元素取自然对数', 'dst_i = \\ln(src_i)'],
  ['Log', unary, '按元素以e为底做对数运算', 'dst_i = \\log(src_i)'],
  ['Abs', unary, '按元素取绝对值', 'dst_i = |src_i|'],
  ['Sqrt', unary, '按元素做开方', 'dst_i = \\sqrt{src_i}'],
  ['Rsqrt', unary, '按元素做开方后取倒数', 'dst_i = \\frac{1}{\\sqrt{src_i}}'],
  ['Reciprocal', unary, '按元素取倒数', 'dst_i = \\frac{1}{src_i}'],
  ['Relu', unary, '按元素做线性整流', 'dst_i = \\max(src_i, 0)'],
  ['Relu', unary, '按元素做线性整流', 'dst = max(0, src)'],
  ['Add', binary, '按元素求和', 'dst_i = src0_i + src1_i'],
  ['Sub', binary, '按元素求差', 'dst_i = src0_i - src1_i'],
  ['Mul', binary, '按元素求积', 'dst_i = src0_i \\times src1_i'],
  ['Div', binary, '按元素求商', 'dst_i = \\frac{src0_i}{src1_i}'],
  ['Div', binary, '按元素求商', 'dst = src0 / src1'],
  ['Max', binary, '按元素求最大值', 'dst_i = \\max(src0_i, src1_i)'],
  ['Min', binary, '按元素求最小值', 'dst = \\min(src0, src1)'],
  ['Adds', scalar, '矢量内每个元素与标量求和', 'dst_i = src_i + scalarValue'],
  ['Muls', scalar, '矢量内每个元素与标量求积', 'dst_i = src_i \\times scalarValue'],
  ['Axpy', scalar, '源操作数中每个元素与标量求积后和目的操作数中的对应元素相加', 'dst = scalarValue \\times src + dst'],
  ['MulAddDst', binary, 'src0与src1相乘并和dst相加，结果存入dst', 'dst = src0 \\times src1 + dst'],
  ['Sigmoid', unary, '按元素做逻辑回归Sigmoid', 'y = \\frac{1}{1+e^{-x}}'],
  ['Sigmoid', unary, '按元素做逻辑回归Sigmoid', 'dst_i = \\frac{1}{1+e^{-src_i}}'],
  ['Silu', unary, '按元素做Silu运算', 'dst_i = \\frac{src_i}{1+e^{-src_i}}'],
  ['Swish', unary, '按元素做Swish运算，β为常量', 'Swish(x) = \\frac{x}{1+e^{-\\beta x}}'],
  ['Swish', unary, '按元素做Swish运算，x与sigmoid(βx)相乘', 'y = x \\cdot sigmoid(\\beta x)'],
  ['Tanh', unary, '按元素做逻辑回归Tanh', 'dst_i = \\tanh(src_i)'],
  ['Tanh', unary, '按元素做逻辑回归Tanh', '\\tanh(x) = \\frac{e^x-e^{-x}}{e^x+e^{-x}}'],
  ['Sinh', unary, '按元素做双曲正弦', 'dst_i = \\frac{e^{src_i}-e^{-src_i}}{2}'],
  ['Cosh', unary, '按元素做双曲余弦', 'y = \\frac{e^{x}+e^{-x}}{2}'],
  ['Sin', unary, '按元素做正弦函数计算', 'dst_i = \\sin(src_i)'],
  ['Atan', unary, '按元素做反正切', 'dst_i = atan(src_i)'],
  ['Erf', unary, '按元素做误差函数计算', 'dst_i = erf(src_i)'],
  ['Erf', unary, '按元素做误差函数计算', 'erf(x) = \\frac{2}{\\sqrt{\\pi}}\\int_0^x e^{-t^2}dt'],
  ['Floor', unary, '按元素做向下取整', 'dst_i = \\lfloor src_i \\rfloor'],
  ['Ceil', unary, '按元素做向上取整', 'dst = ceil(src)'],
  ['Power', binary, '按元素做幂运算', 'dst_i = src0_i^{src1_i}'],
  ['Hypot', binary, '按元素计算两数平方和的平方根', 'dst_i = \\sqrt{src0_i^2 + src1_i^2}'],
  [
    'Gelu',
    unary,
    '按元素做Gelu运算',
    'y = 0.5x(1+\\tanh(\\sqrt{\\frac{2}{\\pi}}(x+0.044715x^3)))',
    'y = 0.5 * x * (1 + tanh(sqrt(2 / π) * (x + 0.044715 * x ** 3)))',
  ],
  ['FasterGelu', unary, '按元素做简化的Gelu运算', 'y = \\frac{x}{1+e^{-1.702x}}', 'y = x / (1 + exp(-1.702 * x))'],
  ['GeGLU', binary, '采用GELU作为激活函数的GLU变体', 'dst = src0 \\times Gelu(src1)', 'dst = src0 * Gelu(src1)'],
  ['ReGlu', binary, '采用Relu作为激活函数的GLU变体', 'dst = src0 \\times Relu(src1)'],
  ['SwiGLU', binary, '采用Swish作为激活函数的GLU变体', 'dst_i = src0_i \\times Swish(src1_i)'],
  ['SoftMax', unary, '将输入按行做如下计算', 'dst = \\frac{e^{src-max}}{sum}', 'dst = np.exp(src - max) / sum'],
  ['SoftMax', unary, '按行做softmax', 'y_i = \\frac{e^{x_i-max(x)}}{\\sum_{j=1}^{n}e^{x_j-max(x)}}'],
  ['LogSoftMax', unary, '先做softmax再取对数', 'y_i = x_i - max - \\log(sum)', 'y[i] = x[i] - max - log(sum)'],
  ['SimpleSoftMax', unary, 'max与sum已算好', 'dst = \\exp(src - max) / sum', 'dst = exp(src - max) / sum'],
  [
    'LayerNorm',
    norm,
    '其中γ为缩放系数，β为平移系数，ε为防除零的系数',
    'y = \\frac{x-\\mu}{\\sqrt{\\sigma^2+\\epsilon}}\\gamma+\\beta',
  ],
  ['LayerNorm', norm, '输入在H轴的均值', '\\mu = \\frac{1}{H}\\sum_{i=1}^{H}x_i'],
  ['LayerNorm', norm, '输入在H轴的方差', '\\sigma^2 = \\frac{1}{H}\\sum_{i=1}^{H}(x_i-\\mu)^2'],
  ['RmsNorm', norm, '输入的均方根', 'rms = \\sqrt{\\frac{1}{n}\\sum_{i=1}^{n}x_i^2+\\epsilon}'],
  [
    'Normalize',
    norm,
    'rstd为标准差的倒数',
    'output = (inputX - mean) \\times rstd \\times gamma + beta',
    'output = (inputX - mean) * rstd * gamma + beta',
  ],
  ['ReduceSum', unary, '对所有的输入数据求和', 'dst = \\sum_{i=0}^{n-1} src_i'],
  ['Mean', unary, '对n个元素求平均', 'dst = \\frac{1}{n}\\sum_{i=1}^{n}src_i'],
  ['ReduceMax', unary, '在所有的输入数据中找出最大值', 'dst = max(src)', 'dst = max(src)'],
  ['CumSum', unary, '按行依次累加', 'dst_i = dst_{i-1} + src_i'],
  [
    'AscendQuant',
    quant,
    '按元素做量化计算，round表示四舍六入五成双取整',
    'dst = round(src \\times scale + offset)',
    'dst = round(src * scale + offset)',
  ],
  ['AscendQuant', quant, '按元素做量化计算', 'dst_i = round(src_i \\times scale + offset)'],
  ['AscendDequant', quant, '按元素做反量化计算', 'dst_i = src_i \\times scale'],
  [
    'AscendAntiQuant',
    quant,
    '按元素做伪量化计算',
    'dst = (src + offset) \\times scale',
    'dst = (src + offset) * scale',
  ],
  ['Cast', unary, '根据源操作数和目的操作数的数据类型进行精度转换', 'dst_i = cast(src_i)'],
  [
    'Matmul',
    'const LocalTensor<T>& C, const LocalTensor<T>& A, const LocalTensor<T>& B, const LocalTensor<T>& Bias',
    'A、B为源操作数，C为目的操作数，Bias为矩阵乘偏置',
    'C = A \\times B + Bias',
    'C = A * B + Bias',
  ],
  [
    'Clamp',
    scalar,
    '将src中大于scalarValue的数替换为scalarValue',
    'dst_i = \\min(src_i, scalarValue)',
    'dst[i] = min(src[i], scalarValue)',
  ],
  ['Frac', unary, '按元素取小数部分', 'dst_i = src_i - trunc(src_i)', 'dst[i] = src[i] - trunc(src[i])'],
  [
    'LeakyRelu',
    scalar,
    '按元素做带泄露线性整流',
    'dst_i = \\max(src_i,0) + scalarValue \\times \\min(src_i,0)',
    'dst[i] = max(src[i], 0) + scalarValue * min(src[i], 0)',
  ],
]

/** Pictures that do not show what their page leads to expect. */
const odd: Row[] = [
  ['Exp', unary, '按元素取自然指数', 'dst_i = 2^{src_i}'],
  ['Exp', unary, '按元素取自然指数', 'dst_j = e^{src_j}'],
  ['Exp', unary, '按元素取自然指数', 'dst_i = e^{-src_i}'],
  ['Sqrt', unary, '按元素做开方', 'dst_i = \\sqrt{src_i + 1}'],
  ['Rsqrt', unary, '按元素做开方后取倒数', 'dst_i = \\frac{2}{\\sqrt{src_i}}'],
  ['Sub', binary, '按元素求差', 'dst_i = src1_i - src0_i', 'dst[i] = src0[i] - src1[i]'],
  ['Add', binary, '按元素求和', 'dst_i = src0_i + src0_i'],
  ['Max', binary, '按元素求最大值', 'dst_i = \\min(src0_i, src1_i)'],
  ['Mul', binary, '按元素求积', 'dst_i = src0_i + src1_i'],
  ['Sigmoid', unary, '按元素做逻辑回归Sigmoid', 'y = \\frac{1}{1+e^{x}}'],
  ['Sigmoid', unary, '按元素做逻辑回归Sigmoid', 'y = \\frac{1}{1-e^{-x}}'],
  ['Silu', unary, '按元素做Silu运算', 'dst_i = \\frac{1}{1+e^{-src_i}}'],
  [
    'Tanh',
    unary,
    '按元素做逻辑回归Tanh',
    'y = \\frac{e^x+e^{-x}}{e^x-e^{-x}}',
    'y = (exp(x) - exp(-x)) / (exp(x) + exp(-x))',
  ],
  ['SoftMax', unary, '将输入按行做如下计算', 'dst = \\frac{e^{src-sum}}{max}', 'dst = np.exp(src - max) / sum'],
  [
    'AscendQuant',
    quant,
    '按元素做量化计算',
    'dst = round(src \\times offset + scale)',
    'dst = round(src * scale + offset)',
  ],
  ['FasterGelu', unary, '按元素做简化的Gelu运算', 'y = \\frac{x}{1+e^{-1.782x}}', 'y = x / (1 + exp(-1.702 * x))'],
  ['Cosh', unary, '按元素做双曲余弦', 'y = \\frac{e^{x}+e^{-x}}{3}'],
  ['Power', binary, '按元素做幂运算', 'dst_i = src1_i^{src0_i}'],
  ['Floor', unary, '按元素做向下取整', 'dst_i = \\lceil src_i \\rceil'],
  ['Floor', unary, '按元素做向下取整', 'dst_i = (src_i)'],
  ['ReduceSum', unary, '对所有的输入数据求和', 'dst = \\prod_{i=0}^{n-1} src_i', 'dst = sum(src)'],
]

export const formulaCases: readonly FormulaCase[] = [
  ...rows.map((row) => asCase(row, false)),
  ...odd.map((row) => asCase(row, true)),
]

function asCase([title, parameters, prose, latex, pseudo]: Row, isOdd: boolean): FormulaCase {
  return {title, parameters, prose, latex, ...(pseudo !== undefined && {pseudo}), ...(isOdd && {isOdd})}
}

/** The page of a case, with its picture at `file`. */
export function pageOf({title, parameters, prose, pseudo}: FormulaCase, file: string): string {
  return [
    `# ${title}`,
    '## 功能说明',
    `${prose}，计算公式如下：`,
    `![](${file})`,
    ...(pseudo === undefined ? [] : ['为方便理解，用伪代码表达如下：', `\`\`\`\n${pseudo}\n\`\`\``]),
    '## 函数原型',
    `\`\`\`cpp\ntemplate <typename T>\n__aicore__ inline void ${title}(${parameters})\n\`\`\``,
    '## 约束说明',
    '操作数地址对齐要求请参见通用地址对齐约束。',
  ].join('\n\n')
}
