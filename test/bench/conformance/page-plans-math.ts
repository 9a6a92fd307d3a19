import type {PagePlan} from './page-plan.ts'

const float: PagePlan = {type: 'float32'}

/** The math functions, activations and sorts of the high-level API. */
export const mathPlans: Record<string, PagePlan> = {
  // These pages print results with more digits than half has, whatever type their comments name.
  Acosh: float,
  Acos: float,
  Asinh: float,
  Asin: float,
  Atanh: float,
  Cosh: float,
  Cos: float,
  Erfc: float,
  Erf: float,
  'Exp-81': {...float, replace: [[/<half/, '<T']]},
  Lgamma: float,
  Sigmoid: float,
  Silu: float,
  Sign: float,
  SwiGLU: float,
  Swish: {
    ...float,
    replace: [[/32, \S+702/, '32, -1.702f']],
    wrong: 'the numbers are of a factor of 1.702: by the formula of the page, -1.702 gives -3.9956 for -4',
  },
  'Log-79': float,
  'Log-79#1': {explicit: ['Log2(dstLocal, srcLocal)']},
  'Log-79#2': {explicit: ['Log10(dstLocal, srcLocal)']},
  Digamma: {...float, total: 1024},
  'Round#1': {wrong: 'the page itself says that halves are rounded to the even number, so 6.5 gives 6'},
  Power: {...float, calls: /srcLocalBase, srcLocalExp\)/, replace: [[/T scalarValue\w+ = [^;]*;/g, '']]},
  'Power#1': {explicit: ['Power<T, false>(dstLocal, static_cast<T>(2), srcLocalExp)']},
  'Power#2': {explicit: ['Power<T, false>(dstLocal, srcLocalBase, static_cast<T>(4))']},
  Sin: {wrong: 'a gap is left out behind the 0 in the output; the page of Tanh prints the same input with it'},
  'Xor-82': {type: 'int16', wrong: '13 ^ 6 is 11, by the formula of the page; 10 is printed'},
  FasterGelu: {calls: /FasterGelu\(/, declare: 'uint32_t dataSize = 16;'},
  FasterGeluV2: {calls: /FasterGeluV2\(/, declare: 'uint32_t dataSize = 32;'},
  ReGlu: {replace: [[/srcLocal, /g, 'srcLocal0, srcLocal1, ']]},
  DropOut: {
    types: {maskLocal: 'uint8'},
    replace: [[/tilingData\.firstAxis \/ tilingData\.tileNum/, '1']],
    declare: 'uint32_t tileLength = 32;',
  },
  'Select-95': {
    types: {maskLocal: 'uint8'},
    drop: ['scalar'],
    declare: `half scalar = 35.6; SelectWithBytesMaskShapeInfo info;${selectShape()}`,
    explicit: ['Select(dstLocal, srcLocal1, scalar, maskLocal, tmpBuffer, info)'],
  },
  AscendDequant: {
    type: 'float32',
    types: {srcLocal: 'int32'},
    calls: /deqScaleLocal/,
    computed: (index) => index % 8 < 6,
    after: 'for (int i = 0; i < 512; ++i) { if (i % 8 > 5 || i >= 32) { dstLocal.SetValue(i, 0); } }',
  },
  AscendAntiQuant: {
    types: {srcLocal: 'int8'},
    globals: 'using InputType = int8_t; using OutType = half;',
    declare: 'uint32_t elementCountOfOffset = 64, k = 2;',
    room: 128,
  },
  Pad: {
    fields: 'TILING_DATA_FIELD_DEF_STRUCT(PadTiling, padTilingData);',
    host: 'AscendC::PadTilingFunc(ge::Shape({16, 15}), ge::Shape({16, 15}), 16384, 2, tiling.padTilingData);',
  },
  'MrgSort-93': {
    types: {indexLocal: 'uint32', dstIndexLocal: 'uint32'},
    rename: sortNames(),
    temporary: {names: ['sortedLocal', 'sortTmpLocal'], type: 'half', bytes: 4096},
    declare: 'Sort32<half>(sortedLocal, valueLocal, indexLocal, 4);',
    after: 'Extract(dstValueLocal, dstIndexLocal, sortTmpLocal, extractRepeatTimes)',
  },
  Sort: {
    types: {indexLocal: 'uint32', dstIndexLocal: 'uint32'},
    rename: sortNames(),
    names: 'Extract',
    globals: 'constexpr bool isFullSort = true;',
    temporary: {names: ['concatTmpLocal', 'sortedLocal', 'sortTmpLocal'], type: 'half', bytes: 4096},
    declare: 'LocalTensor<half> concatLocal; int32_t m_concatRepeatTimes = 8;',
  },
}

function selectShape(): string {
  return ' info.firstAxis = 1; info.srcLastAxis = 64; info.maskLastAxis = 64;'
}

function sortNames(): Record<string, string> {
  return {
    srcValueGm: 'valueLocal',
    srcIndexGm: 'indexLocal',
    dstValueGm: 'dstValueLocal',
    dstIndexGm: 'dstIndexLocal',
  }
}
