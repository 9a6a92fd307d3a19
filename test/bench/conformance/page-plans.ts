import type {PagePlan} from './page-plan.ts'
import {cPlans} from './page-plans-c.ts'
import {mathPlans} from './page-plans-math.ts'
import {normPlans} from './page-plans-norm.ts'

const scalarInt16: PagePlan = {type: 'int16'}
const float: PagePlan = {type: 'float32'}

/** By file name of the page; `Page#1` adds to `Page` for its second example. */
const hidden = 'the element that decides stands behind `...` of the input'
const maskIgnored = 'the page itself says that Atlas A2 ignores the mask here; the numbers are of a chip that heeds it'
const byteOf255 =
  'eight bits that are all 1 are printed as 127 and 126, beside their bits 0b11111110: 255 and 254 are meant'

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
    names: 'BilinearInterpolation',
    size: {dstLocal: 256},
  },
  MulCast: {
    types: {dstLocal: 'int8'},
    declare: 'uint8_t repeatTime = 4; BinaryRepeatParams repeatParams{1, 1, 1, 4, 8, 8};',
  },
  AddDeqRelu: {types: {src0Local: 'int32', src1Local: 'int32'}},
  AddReluCast: {types: {dstLocal: 'int8'}, total: 512},
  SubRelu: {total: 512},
  SubReluCast: {types: {dstLocal: 'int8'}, total: 512},
  Axpy: {calls: /128, 4|mask|512/, declare: 'LocalTensor<half> srcLocal = src0Local;'},
  CastDequant: {
    types: {srcLocal: 'int16', dstLocal: 'uint8'},
    size: {dstLocal: 512},
    // The page sets no factors; these leave values as they are, as its numbers do.
    declare: `TBuf<TPosition::VECCALC> set; pipe.InitBuffer(set, 128); LocalTensor<uint64_t> vdeq = set.Get<uint64_t>();
        float scale[16]; int16_t offset[16] = {}; bool sign[16] = {}; for (int i = 0; i < 16; ++i) scale[i] = 1;
        SetDeqScale<uint64_t>(vdeq, VdeqInfo(scale, offset, sign));`,
  },
  MulAddDst: {types: {dstLocal: 'float32'}},
  ReduceDataBlock: {size: {srcLocal: 128, dstLocal: 8}},
  ReducePairElem: {size: {srcLocal: 128, dstLocal: 64}},
  ReduceMax: {lacks: hidden},
  ReduceMin: {lacks: hidden},
  ReduceSum: {lastFence: true, size: {srcLocal: 8320}, temporary: {type: 'half'}},
  'ReduceSum#1': {size: {srcLocal: 288}},
  Brcb: {size: {dstLocal: 256}},
  GetMrgSortResult: {
    type: 'float32',
    types: {indices: 'uint32'},
    rename: {srcList: 'values', workLocal: 'indices'},
    temporary: {names: ['workLocal'], type: 'float', bytes: 1024},
    declare: 'Sort32<float>(workLocal, values, indices, 4);',
    wrong:
      'the queue of the largest values ends first and suspension is asked for, so MrgSort stops after 32 as its page says',
  },
  CreateVecIndex: {
    type: 'int16',
    total: 128,
    declare: 'uint64_t mask = 128; uint8_t repeatTime = 1; uint16_t dstBlkStride = 1; uint8_t dstRepStride = 8;',
  },
  Duplicate: {total: 256},
  // The layouts name a depth of 2; both arrays have 512 numbers, which is a depth of 1.
  TransData: {
    replace: [
      [/\(1, 32, 2, 2, 8\)/, '(1, 32, 1, 2, 8)'],
      [/\(1, 2, 2, 2, 8, 16\)/, '(1, 1, 2, 2, 8, 16)'],
    ],
  },
  TransDataTo5HD: {
    rename: {src: 'srcLocal', dstGm: 'dstLocal'},
    type: 'int8',
    temporary: {names: ['dst', 'src'], type: 'uint64_t', bytes: 256},
  },
  'TransDataTo5HD#1': {type: 'float16', replace: [[/int8_t/g, 'half']]},
  'TransDataTo5HD#2': {type: 'int32', replace: [[/int8_t/g, 'int32_t']]},
  Compare: {
    type: 'float32',
    types: {dstLocal: 'uint8'},
    calls: /CMPMODE::LT/,
    declare: 'uint32_t srcDataSize = 64;',
    wrong: byteOf255,
  },
  'Compare#1': {calls: /CMPMODE::GT/, wrong: ''},
  'Compare#2': {calls: /CMPMODE::GE/, wrong: ''},
  'Compare#3': {calls: /CMPMODE::LE/, wrong: ''},
  'Compare#4': {calls: /CMPMODE::EQ/, wrong: ''},
  'Compare#5': {calls: /CMPMODE::NE/},
  'Compare#6': {calls: /CMPMODE::LE/, wrong: maskIgnored},
  'Compare#7': {calls: /CMPMODE::LE/, wrong: maskIgnored},
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
  Cast: {types: {dstLocal: 'int32'}, calls: /^(?!.*\{ 0, UINT64_MAX \})/},
  'Cast#1': {replace: [[/CAST_CEIL/g, 'CAST_RINT']]},
  'Cast#2': {replace: [[/CAST_CEIL/g, 'CAST_FLOOR']]},
  'Cast#3': {replace: [[/CAST_CEIL/g, 'CAST_ROUND']]},
  'Cast#4': {replace: [[/CAST_CEIL/g, 'CAST_TRUNC']]},
  'Cast#5': {
    wrong: 'input 414 prints 2 where 91 comes out: the digits before it are lost',
    lastFence: true,
    computed: (index) => index % 64 < 32,
  },
  'operator()': {names: 'inputLocal', calls: /= 200/, type: 'float32', total: 256},
  'GlobalTensor/operator': {
    type: 'int64',
    rename: {aGlobal: 'sourceGlobal'},
    size: {gmA: 96},
    explicit: ['DataCopy(gmA, sourceGlobal[4], 96)'],
  },
  'LocalTensor/operator': {names: 'Add', declare: 'int32_t M = 50;'},
  LocalTensor构造函数: {explicit: ['Add(outputLocal[16], inputLocal[16], inputLocal2[16], 50)']},
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
  ...cPlans,
  ...mathPlans,
  ...normPlans,
}

function meanParams(): string {
  return 'MeanParams meanParams; meanParams.outter = 2; meanParams.n = 3; meanParams.inner = 16;'
}
