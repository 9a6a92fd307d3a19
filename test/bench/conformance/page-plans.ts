import type {Dtype} from '../../../datasets/schema/tensor.ts'

/**
 * What an example leaves to its reader. A page prints arrays and a call; types, lengths and names are in its prose, in
 * another page, or nowhere.
 */
export interface PagePlan {
  /** Element type of every tensor that `types` does not name, and of `T`, `srcType` and the like. Default half. */
  type?: Dtype
  types?: Record<string, Dtype>
  /** A label's name to the name that the code has. */
  rename?: Record<string, string>
  /** Elements that an abridged array stands for, by the code's name. */
  size?: Record<string, number>
  /** Elements of every abridged array that says nothing itself. Default: the longest that does, or 512. */
  total?: number
  /** Elements of every buffer at least. Default 512. */
  room?: number
  /** Rows of an input that the code wants padded: elements of a row, and from row to row. */
  rows?: Record<string, [number, number]>
  /** Which calls of the page the arrays belong to. Default all. */
  calls?: RegExp
  /** Which functions the example calls, where the title does not say. A pattern. */
  names?: string
  /** Only the last fence belongs to the arrays. */
  lastFence?: boolean
  /** Calls where the page has them in comments or not at all. */
  explicit?: string[]
  /** Spelling that differs between the code, which shows one case, and the arrays, which show several. */
  replace?: [RegExp, string][]
  globals?: string
  declare?: string
  after?: string
  fields?: string
  host?: string
  temporary?: {names?: string[]; type?: string; bytes?: number}
  blocks?: number
  /** Elements of outputs that the page shows as computed. Default all. */
  computed?: (index: number) => boolean
  /** Names of arrays that are no tensors. */
  drop?: string[]
  /** Why the page cannot be run, or what it says wrong and which page settles it. */
  lacks?: string
}

const scalarInt16: PagePlan = {type: 'int16'}
const float: PagePlan = {type: 'float32'}

/** By file name of the page; `Page#1` adds to `Page` for its second example. */
export const pagePlans: Record<string, PagePlan> = {
  Adds: scalarInt16,
  Muls: scalarInt16,
  Maxs: scalarInt16,
  Mins: scalarInt16,
  And: scalarInt16,
  Or: scalarInt16,
  Not: scalarInt16,
  ShiftLeft: scalarInt16,
  ShiftRight: scalarInt16,
  'BilinearInterpolation(ISASI)': {
    types: {src0OffsetLocal: 'uint32'},
    temporary: {names: ['tmpLocal']},
    names: 'BilinearInterpolation',
    size: {dstLocal: 256},
  },
  MulCast: {
    types: {dstLocal: 'int8'},
    declare: 'uint8_t repeatTime = 4; BinaryRepeatParams repeatParams{1, 1, 1, 4, 8, 8};',
  },
  AddDeqRelu: {types: {src0Local: 'int32', src1Local: 'int32'}},
  AddReluCast: {types: {dstLocal: 'int8'}},
  SubReluCast: {types: {dstLocal: 'int8'}},
  Axpy: {calls: /128, 4|mask|512/, declare: 'LocalTensor<half> srcLocal = src0Local;'},
  CastDequant: {types: {srcLocal: 'int16', dstLocal: 'uint8'}, declare: 'SetDeqScale(1.0f, 0, false);'},
  MulAddDst: {types: {dstLocal: 'float32'}},
  ReduceDataBlock: {size: {srcLocal: 128, dstLocal: 8}},
  ReducePairElem: {size: {srcLocal: 128, dstLocal: 64}},
  ReduceMax: {lastFence: true, size: {srcLocal: 512}, temporary: {type: 'half'}},
  ReduceMin: {lastFence: true, size: {srcLocal: 512}, temporary: {type: 'half'}},
  ReduceSum: {lastFence: true, size: {srcLocal: 8320}, temporary: {type: 'half'}},
  'ReduceSum#1': {size: {srcLocal: 288}},
  CreateVecIndex: {
    type: 'int16',
    total: 128,
    declare: 'uint64_t mask = 128; uint8_t repeatTime = 1; uint16_t dstBlkStride = 1; uint8_t dstRepStride = 8;',
  },
  Duplicate: {total: 256},
  TransDataTo5HD: {
    rename: {src: 'srcLocal', dstGm: 'dstLocal'},
    type: 'int8',
    temporary: {names: ['dst', 'src'], type: 'uint64_t', bytes: 256},
  },
  'TransDataTo5HD#1': {type: 'float16', replace: [[/int8_t/g, 'half']]},
  'TransDataTo5HD#2': {type: 'int32', replace: [[/int8_t/g, 'int32_t']]},
  Compare: {type: 'float32', types: {dstLocal: 'uint8'}, calls: /CMPMODE::LT/, declare: 'uint32_t srcDataSize = 64;'},
  'Compare#1': {calls: /CMPMODE::GT/},
  'Compare#2': {calls: /CMPMODE::GE/},
  'Compare#3': {calls: /CMPMODE::LE/},
  'Compare#4': {calls: /CMPMODE::EQ/},
  'Compare#5': {calls: /CMPMODE::NE/},
  Compares: {
    type: 'float32',
    types: {dstLocal: 'uint8'},
    rename: {src1Scalar: 'src1Local'},
    declare: 'uint32_t srcDataSize = 256; float src1Scalar = src1Local.GetValue(0);',
  },
  'Compare（结果存入寄存器）': {
    type: 'float32',
    types: {dstLocal: 'uint8'},
    rename: {cmpMask: 'dstLocal'},
    after: 'GetCmpMask(dstLocal)',
  },
  GatherMask: {type: 'float32', lastFence: true, rename: {dstLocal: 'src0Local'}},
  Select: {
    type: 'float32',
    types: {maskLocal: 'uint8'},
    calls: /TENSOR_TENSOR/,
    declare: 'uint32_t dataSize = 256;',
  },
  'Select#1': {calls: /TENSOR_SCALAR/},
  'Select#2': {calls: /CMPMASK_SPR/},
  Gather: {types: {srcOffsetLocal: 'uint32'}},
  'Gatherb(ISASI)': {
    type: 'uint16',
    names: 'Gatherb',
    types: {offset_buf: 'uint32'},
    rename: {offsetLocal: 'offset_buf', srcLocal: 'x_buf', dstGlobal: 'y_buf'},
  },
  Cast: {types: {dstLocal: 'int32'}, calls: /count|mask/},
  'Cast#1': {replace: [[/CAST_CEIL/g, 'CAST_RINT']]},
  'Cast#2': {replace: [[/CAST_CEIL/g, 'CAST_FLOOR']]},
  'Cast#3': {replace: [[/CAST_CEIL/g, 'CAST_ROUND']]},
  'Cast#4': {replace: [[/CAST_CEIL/g, 'CAST_TRUNC']]},
  'Cast#5': {lastFence: true, computed: (index) => index % 64 < 32},
  'operator()': {names: 'inputLocal', calls: /= 200/, type: 'float32', total: 256},
  operator: {names: 'Add', declare: 'int32_t M = 50;'},
  LocalTensor构造函数: {names: 'Add', calls: /outputLocal/, declare: 'int32_t M = 50;'},
  Broadcast: float,
  'Fill-97': {
    type: 'float32',
    size: {zGm: 8 * 65536},
    blocks: 8,
    declare: 'GM_ADDR z = gm_out0_zGm;',
  },
  Mean: {explicit: ['Mean<half, half>(dstLocal, srcLocal, tmplocalTensor, meanParams)'], declare: meanParams()},
  Sum: {
    rename: {srcLocal: 'xLocal', dstLocal: 'yLocal'},
    declare: 'uint32_t outter = 2, n = 3, inner = 16, out_inner = 16;',
  },
  ReduceAll: float,
  ReduceAny: float,
  'ReduceMax-91': float,
  'ReduceMax-91#1': {type: 'float16', rows: {srcLocal: [5, 16]}},
  ReduceMean: float,
  'ReduceMin-92': float,
  ReduceProd: float,
  'ReduceSum-90': float,
  ReduceXorSum: {type: 'int16'},
}

function meanParams(): string {
  return 'MeanParams meanParams; meanParams.outter = 2; meanParams.n = 3; meanParams.inner = 16;'
}
