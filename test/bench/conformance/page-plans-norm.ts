import type {PagePlan} from './page-plan.ts'

/** The page prints no earlier sum and maximum; what adds nothing is taken. */
const flashInputs = `auto tiling = tilingData.softmax;
        Duplicate(inExpSumLocal, half(0), 5120); Duplicate(inMaxLocal, half(-65504), 5120);`

const divided = 'the numbers are divided by the sum; the formula of the page, in Python, is not'

/** Normalisations and softmaxes: their tiling is filled on the host. */
export const normPlans: Record<string, PagePlan> = {
  // The pages do not print epsilon; these are the ones with which their numbers come out.
  BatchNorm: {
    type: 'float32',
    fields: 'TILING_DATA_FIELD_DEF_STRUCT(BatchNormTiling, norm);',
    host: `AscendC::GetBatchNormNDTilingInfo(ge::Shape({8, 4, 2}), ge::Shape({8, 4, 2}), 32768, 4, false, tiling.norm);`,
    rename: {dstLocal: 'outputLocal'},
    declare: 'auto batchNormTiling = tilingData.norm; float epsilon = 0.01f;',
  },
  DeepNorm: {
    type: 'float32',
    fields: 'TILING_DATA_FIELD_DEF_STRUCT(DeepNormTiling, norm);',
    host: 'AscendC::GetDeepNormTilingInfo(ge::Shape({4, 2, 8}), ge::Shape({4, 2, 8}), 32768, 4, false, false, tiling.norm);',
    declare: 'auto tiling = tilingData.norm; float epsilon = 65504.0f; float alpha = -5.5f;',
  },
  GroupNorm: {
    type: 'float32',
    fields: 'TILING_DATA_FIELD_DEF_STRUCT(GroupNormTiling, norm);',
    host: 'AscendC::GetGroupNormNDTilingInfo(ge::Shape({2, 8, 4, 2}), 32768, 4, false, 4, tiling.norm);',
    declare: 'auto tiling = tilingData.norm; float epsilon = 0.00001f;',
    rename: {
      inputXLocal: 'inputX',
      gammaLocal: 'gamma',
      betaLocal: 'beta',
      dstLocal: 'output',
      meanLocal: 'outputMean',
      varianceLocal: 'outputVariance',
    },
  },
  LayerNorm: {
    type: 'float32',
    fields: 'TILING_DATA_FIELD_DEF_STRUCT(LayerNormTiling, norm);',
    host: 'AscendC::GetLayerNormNDTilingInfo(ge::Shape({1, 8, 8, 8}), 32768, 4, false, tiling.norm);',
    declare: 'auto tiling = tilingData.norm; float epsilon = 0.0001f;',
  },
  LayerNormGrad: {
    type: 'float32',
    fields: 'TILING_DATA_FIELD_DEF_STRUCT(LayerNormGradTiling, norm);',
    host: 'AscendC::GetLayerNormGradNDTilingInfo(ge::Shape({1, 8, 8, 8}), 32768, 4, false, tiling.norm);',
    temporary: {bytes: 65536},
    declare: 'auto tiling = tilingData.norm; float epsilon = 0.0001f;',
  },
  LayerNormGradBeta: {
    type: 'float32',
    fields: 'TILING_DATA_FIELD_DEF_STRUCT(LayerNormGradBetaTiling, norm);',
    host: 'AscendC::GetLayerNormGradBetaNDTilingInfo(ge::Shape({1, 8, 8, 8}), 32768, 4, false, tiling.norm);',
    declare: 'auto tiling = tilingData.norm;',
  },
  Normalize: {
    type: 'float32',
    rename: {srcLocal: 'xLocal'},
    replace: [
      [/DTYPE_[XY]/g, 'float'],
      [/constexpr (AscendC::)?NormalizeConfig CONFIG\{[^}]*\};/, ''],
    ],
    globals: 'constexpr NormalizeConfig CONFIG{.reducePattern = ReducePattern::AR, .aLength = -1};',
    declare: 'float epsilon = 0.001f; NormalizePara para{8, 8, 8};',
  },
  RmsNorm: {
    type: 'float32',
    fields: 'TILING_DATA_FIELD_DEF_STRUCT(RmsNormTiling, norm);',
    host: 'AscendC::GetRmsNormTilingInfo(ge::Shape({1, 1, 16}), ge::Shape({1, 1, 16}), 32768, 4, tiling.norm, false);',
    declare: 'auto tiling = tilingData.norm; float epsilon = 0.0001f;',
  },
  WelfordFinalize: {
    type: 'float32',
    lastFence: true,
    rename: {inputX: 'inputXLocal'},
    types: {inputXLocal: 'int32'},
    declare: `uint32_t rnLength = 4, abLength = 32, head = 0, headLength = 0, tail = 4, tailLength = 32;
        float abRec = 1.0f / 32, rRec = 1.0f / 4096;`,
    // The page says that this member is of Ascend 950 only.
    replace: [[/,\s*rRecWithCorrection/g, '']],
  },
  WelfordUpdate: {
    type: 'float32',
    rename: {
      gammaLocal: 'inputMean',
      betaLocal: 'inputVariance',
      meanLocal: 'outputMean',
      varianceLocal: 'outputVariance',
    },
    // The first mean goes from 0 to 0.125 for an x of 1, so the factor is 0.125; the code prints 0.3.
    replace: [
      [/0\.3\}/, '0.125f}'],
      [/, WELFORD_UPDATE_ENABLE_INPLACE_CFG/, ''],
    ],
    // The page shows lanes behind the 35th as they were: its structure, of which it prints no values, leaves them out.
    computed: (index) => index < 35,
    declare: 'uint32_t nLength = 1, rLength = 64, abComputeLength = 64;',
  },
  SoftMax: {...softmaxRows(8, 8), calls: /sumTempLocal, maxTempLocal, srcLocal, softmaxTiling|T>.*sumTempLocal/},
  SimpleSoftMax: {...softmaxRows(8, 8), calls: /^(?!.*static_config)/},
  LogSoftMax: {
    ...softmaxRows(8, 8),
    fields: 'TILING_DATA_FIELD_DEF_STRUCT(LogSoftMaxTiling, softmax);',
    host: 'AscendC::LogSoftMaxTilingFunc(ge::Shape({8, 8}), 4, 32768, tiling.softmax);',
    replace: [...braces(), [/DTYPE_X/g, 'float']],
  },
  AdjustSoftMaxRes: {
    type: 'float32',
    declare: 'constexpr uint32_t FROM = 0xFF7FFFFF; constexpr float TO = 0; SoftMaxShapeInfo srcShape{32, 8, 32, 8};',
  },
  SoftmaxFlashV3: flashV3(),
  SoftmaxGrad: gradient(),
  SoftmaxGradFront: {...gradient(), size: {srcLocal: 64, dstLocal: 64}, printed: (index) => index % 8 === 0},
  SoftmaxFlashV2: flash(),
  'SoftmaxFlashV2#1': {
    wrong: divided,
    explicit: [
      'SoftmaxFlashV2<T, true>(dstLocal, expSumLocal, maxLocal, srcLocal, expMaxLocal, inExpSumLocal, inMaxLocal, tiling, srcShape)',
    ],
    declare: `${flashInputs} SoftMaxShapeInfo srcShape{320, 64, 320, 63};`,
    fill: {srcLocal: (index) => (index % 64 === 63 ? 0 : -10 + index / 1024)},
    printed: (index) => index % 64 !== 63,
  },
}

/** Structures of shapes are aggregates in the header, so they take braces where the pages print brackets. */
function braces(): [RegExp, string][] {
  return [[/(softmaxInfo|params)\(([^)]*)\)/g, '$1{$2}']]
}

function softmaxRows(rows: number, columns: number): PagePlan {
  return {
    type: 'float32',
    fields: 'TILING_DATA_FIELD_DEF_STRUCT(SoftMaxTiling, softmax);',
    host: `AscendC::SoftMaxTilingFunc(ge::Shape({${rows}, ${columns}}), 4, 32768, tiling.softmax);`,
    replace: braces(),
    declare: `auto softmaxTiling = tilingData.softmax;
        uint32_t srcM = ${rows}, srcK = ${columns}, oriSrcM = ${rows}, oriSrcK = ${columns};`,
  }
}

/** Rows of 2048, as the printed step of 0.00122 says; the page names 1024. It names neither alpha nor loopCnt. */
function flashV3(): PagePlan {
  return {
    types: {inMeanLocal: 'float32'},
    fields: 'TILING_DATA_FIELD_DEF_STRUCT(SoftMaxTiling, softmax);',
    host: `uint32_t most = 0, least = 0;
    AscendC::GetSoftMaxFlashV3MaxMinTmpSize(ge::Shape({8, 2048}), 2, 4, most, least, true);
    AscendC::SoftMaxFlashV3TilingFunc(ge::Shape({8, 2048}), 2, 4, least, tiling.softmax, true);`,
    calls: /sharedTmpBuffer/,
    temporary: {bytes: 17 * 1024},
    replace: [...braces(), [/<T, U, true>/, '<half, float, true>']],
    declare: `TBuf<TPosition::VECCALC> more; pipe.InitBuffer(more, 1536); auto blocks = more.Get<float>();
        auto meanLocal = blocks, expSumLocal = blocks[64], maxLocal = blocks[128], inExpSumLocal = blocks[192], inMaxLocal = blocks[256];
        auto expMaxLocal = blocks[320].ReinterpretCast<half>(); auto tiling = tilingData.softmax;
        Duplicate(blocks, 0.5f, 384); uint32_t srcM = 8, srcK = 2048, oriSrcM = 8, oriSrcK = 2048, loopCn = 1, splitMeanCnt = 8;
        float alpha = 0.9375f;`,
    size: {srcLocal: 8 * 2048, dstLocal: 8 * 2048, inMeanLocal: 64},
    fill: {srcLocal: (index) => (index * 20) / (8 * 2048)},
  }
}

function gradient(): PagePlan {
  return {
    ...softmaxRows(8, 8),
    host: 'AscendC::SoftMaxGradTilingFunc(ge::Shape({8, 8}), 4, 32768, tiling.softmax, false);',
    size: {srcLocal: 64},
  }
}

function flash(): PagePlan {
  return {
    wrong: divided,
    fields: 'TILING_DATA_FIELD_DEF_STRUCT(SoftMaxTiling, softmax);',
    host: 'AscendC::SoftMaxFlashV2TilingFunc(ge::Shape({320, 64}), 2, 2, 32768, tiling.softmax, false, false);',
    replace: braces(),
    calls: /^(?!.*(static_config|sharedTmp))/,
    temporary: {names: ['expMaxLocal', 'inExpSumLocal', 'inMaxLocal'], type: 'half', bytes: 10240},
    declare: flashInputs,
    size: {srcLocal: 320 * 64, dstLocal: 320 * 64, expSumLocal: 320 * 16, maxLocal: 320 * 16},
    fill: {srcLocal: (index) => -10 + index / 1024},
  }
}
