// Size queries and tilings of LayerNorm and its gradients. Formulas: those of Atlas A2 in the SDK's tiling sources.
#include "norm_steps.h"

#include <cstring>

namespace AscendC {

namespace {

using namespace twin_detail;

TWIN_STORE(LayerNormTiling, TWIN_LAYER_NORM_TILING)
TWIN_STORE(LayerNormSeparateTiling, TWIN_LAYER_NORM_SEPARATE_TILING)
TWIN_STORE(LayerNormGradTiling, TWIN_LAYER_NORM_GRAD_TILING)
TWIN_STORE(LayerNormGradBetaTiling, TWIN_LAYER_NORM_GRAD_BETA_TILING)

uint32_t BitsOf(float value) {
    uint32_t bits;
    std::memcpy(&bits, &value, sizeof(bits));
    return bits;
}

}  // namespace

void GetLayerNormMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, const bool isReuseSource,
                               uint32_t& maxValue, uint32_t& minValue) {
    const Rows r = RowsOf(srcShape, 2);
    maxValue = NormBytes(r, r.all(), Buffers(typeSize, isReuseSource));
    minValue = NormBytes(r, r.columns, Buffers(typeSize, isReuseSource));
}

void GetLayerNormNDTilingInfo(const TensorShape& srcShape, const uint32_t stackBufferSize, const uint32_t typeSize,
                              const bool isReuseSource, tiling::LayerNormTiling& tiling) {
    tiling = {};
    FillNorm(&tiling, srcShape, Axis(srcShape, 3), stackBufferSize, typeSize, isReuseSource, false);
}

void GetLayerNormNDTilingInfo(const TensorShape& srcShape, const uint32_t stackBufferSize, const uint32_t typeSize,
                              const bool isReuseSource, optiling::LayerNormTiling& tiling) {
    tiling::LayerNormTiling own;
    GetLayerNormNDTilingInfo(srcShape, stackBufferSize, typeSize, isReuseSource, own);
    Store(own, &tiling);
}

void GetLayerNormNDTillingInfo(const TensorShape& srcShape, const uint32_t stackBufferSize, const uint32_t typeSize,
                               const bool isReuseSource, optiling::LayerNormTiling& tilling) {
    GetLayerNormNDTilingInfo(srcShape, stackBufferSize, typeSize, isReuseSource, tilling);
}

void GetNormalizeMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSizeU, const uint32_t typeSizeT,
                               const bool, const bool, const bool, uint32_t& maxValue, uint32_t& minValue) {
    if (typeSizeT == 0) return;
    const uint32_t rows = Axis(srcShape, 0),
                   row = RoundUp(RoundUp(Axis(srcShape, 1), kBlock / typeSizeT) * kFloat, kBlock);
    maxValue = 2 * row + 2 * RoundUp(rows, 8) * row;
    minValue = std::max(RoundUp(rows * kFloat, kBlock), (typeSizeU == kFloat ? 2 : 4) * row);
}

void GetLayerNormMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, const bool isReuseSource,
                               const bool isComputeRstd, const bool isOnlyOutput, uint32_t& maxValue,
                               uint32_t& minValue) {
    if (typeSize == 0) return;
    const uint32_t rows = Axis(srcShape, 0),
                   row = RoundUp(RoundUp(Axis(srcShape, 1), kBlock / typeSize) * kFloat, kBlock),
                   statistics = RoundUp(rows * kFloat, kBlock);
    uint32_t most = 0, least = 0;
    GetNormalizeMaxMinTmpSize(srcShape, typeSize, typeSize, isReuseSource, isComputeRstd, isOnlyOutput, most, least);
    maxValue = statistics + std::max(2 * rows * row, most);
    minValue = statistics + std::max(2 * row, least);
}

void GetLayerNormNDTilingInfo(const TensorShape& srcShape, const uint32_t stackBufferSize, const uint32_t typeSize,
                              const bool, const bool, tiling::LayerNormSeparateTiling& tiling) {
    tiling = {};
    if (typeSize == 0) return;
    const Rows r{Axis(srcShape, 0), RoundUp(Axis(srcShape, 1), kBlock / typeSize)};
    tiling.aLength = r.rows;
    tiling.rLength = Axis(srcShape, 1);
    tiling.varianceTmpTensorSize = RoundUp(r.rows, kFloats);
    if (!FillSteps(&tiling, r, tiling.varianceTmpTensorSize, 2, stackBufferSize, 1)) return;
    tiling.arCurLength = tiling.inputRoundSize;
    tiling.aCurLength = tiling.meanVarRoundSize;
    tiling.rValueBack = 1.0f / static_cast<float>(tiling.rLength);
}

void GetLayerNormNDTilingInfo(const TensorShape& srcShape, const uint32_t stackBufferSize, const uint32_t typeSize,
                              const bool isReuseSource, const bool isComputeRstd,
                              optiling::LayerNormSeparateTiling& tiling) {
    tiling::LayerNormSeparateTiling own;
    GetLayerNormNDTilingInfo(srcShape, stackBufferSize, typeSize, isReuseSource, isComputeRstd, own);
    Store(own, &tiling);
}

void GetWelfordUpdateMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSizeT, const uint32_t,
                                   const bool isReuseSource, const bool, uint32_t& maxValue, uint32_t& minValue) {
    minValue = 256 * (typeSizeT == 2 ? 3 : isReuseSource ? 1 : 2);
    maxValue = (Axis(srcShape, 0) * Axis(srcShape, 1) + 63) / 64 * minValue;
}

void GetWelfordFinalizeMaxMinTmpSize(const TensorShape& srcShape, const uint32_t, const bool, uint32_t& maxValue,
                                     uint32_t& minValue) {
    minValue = 64 * 4 * kFloat;
    maxValue = std::max(minValue, (64 * 2 + Axis(srcShape, 0) * 2) * kFloat);
}

void GetLayerNormGradMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, const bool isReuseSource,
                                   uint32_t& maxValue, uint32_t& minValue) {
    const Rows r = RowsOf(srcShape, 2);
    const uint32_t buffers = typeSize == 2 ? 9 : isReuseSource ? 4 : 6, square = r.columns * r.columns;
    maxValue = buffers * std::max(r.all(), square) * typeSize;
    minValue = buffers * std::min(r.all(), square) * typeSize;
}

void GetLayerNormGradNDTilingInfo(const TensorShape srcShape, const uint32_t stackBufferSize, const uint32_t typeSize,
                                  const bool isReuseSource, tiling::LayerNormGradTiling& t) {
    t = {};
    const Rows r = RowsOf(srcShape, 2);
    if (r.columns == 0 || stackBufferSize / kFloat / (typeSize == 2 ? 9 : isReuseSource ? 4 : 6) < r.columns) return;
    const uint32_t fitting = stackBufferSize / kFloat / (typeSize == 2 ? 9 : isReuseSource ? 4 : 6) / r.columns;
    t.nohCalSize = RoundUp(fitting, typeSize == kFloat ? 8 : 16);
    const uint32_t step = t.oneCalSize = t.nohCalSize * r.columns;
    t.stackBufferSize = stackBufferSize;
    t.bLength = Axis(srcShape, 0);
    t.sLength = Axis(srcShape, 1);
    t.hLength = r.columns;
    t.originalHLength = Axis(srcShape, 3);
    t.loopNum = r.all() / step;
    t.tailSize = r.all() % step;
    t.nohTailSize = t.tailSize / r.columns;
    t.pdVarTensorPos = step;
    t.pdMeanTensorPos = 2 * step;
    const bool reused = isReuseSource && typeSize == kFloat;
    t.x1TensorPos = reused ? 0 : 3 * step;
    t.x2TensorPos = reused ? 0 : 4 * step;
    t.x3TensorPos = reused ? 3 * step : 5 * step;
    if (typeSize == 2) {
        t.tmpTensorPos = 6 * step;
        t.tmpTensor1Pos = 7 * step;
        t.tmpTensor2Pos = 8 * step;
    }
    t.tmpTensorBSHSize = t.pdVarTensorSize = t.pdMeanTensorSize = t.x1TensorSize = t.x2TensorSize = t.x3TensorSize =
        step;
    t.tmpTensorSize = t.tmpTensor1Size = t.tmpTensor2Size = step;
    t.lastDimValueBack = BitsOf(1.0f / static_cast<float>(t.originalHLength));
    t.lastDimValueBackMulTwo = BitsOf(2.0f / static_cast<float>(t.originalHLength));
}

void GetLayerNormGradNDTilingInfo(const TensorShape srcShape, const uint32_t stackBufferSize, const uint32_t typeSize,
                                  const bool isReuseSource, optiling::LayerNormGradTiling& tiling) {
    tiling::LayerNormGradTiling own;
    GetLayerNormGradNDTilingInfo(srcShape, stackBufferSize, typeSize, isReuseSource, own);
    Store(own, &tiling);
}

void GetLayerNormGradBetaMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, const bool,
                                       uint32_t& maxValue, uint32_t& minValue) {
    const Rows r = RowsOf(srcShape, 2);
    maxValue = (typeSize == 2 ? 4 : 2) * r.all() * kFloat;
    minValue = (typeSize == 2 ? 4 : 2) * r.columns * kFloat;
}

void GetLayerNormGradBetaNDTilingInfo(const TensorShape srcShape, const uint32_t stackBufferSize,
                                      const uint32_t typeSize, const bool, tiling::LayerNormGradBetaTiling& t) {
    t = {};
    const Rows r = RowsOf(srcShape, 2);
    const uint32_t floats = stackBufferSize / kFloat;
    if (r.columns == 0 || floats < 2 * r.columns) return;
    t.numberOfTmpBuf = typeSize == 2 ? 2 : 1;
    t.oneCalSize = std::min((typeSize == 2 ? (floats - 2 * r.columns) / 2 : floats) / r.columns * r.columns, r.all());
    if (t.oneCalSize == 0) return;
    t.stackBufferSize = floats;
    t.bLength = Axis(srcShape, 0);
    t.sLength = Axis(srcShape, 1);
    t.hLength = r.columns;
    t.originalHLength = Axis(srcShape, 3);
    t.bshLength = r.all();
    t.bsLength = r.rows;
    t.loopRound = r.all() / t.oneCalSize;
    t.inputTailSize = r.all() % t.oneCalSize;
    t.inputTailPos = r.all() - t.inputTailSize;
    t.bsTailSize = t.inputTailSize / r.columns;
    t.bshCurLength = t.oneCalSize;
    t.bsCurLength = t.oneCalSize / r.columns;
    if (typeSize != 2) return;
    t.betaTempTensorPos = r.columns;
    t.inputDyTmpTensorPos = 2 * r.columns;
    t.resForGammaTmpTensorPos = 2 * r.columns + t.oneCalSize;
}

void GetLayerNormGradBetaNDTilingInfo(const TensorShape srcShape, const uint32_t stackBufferSize,
                                      const uint32_t typeSize, const bool isReuseSource,
                                      optiling::LayerNormGradBetaTiling& tiling) {
    tiling::LayerNormGradBetaTiling own;
    GetLayerNormGradBetaNDTilingInfo(srcShape, stackBufferSize, typeSize, isReuseSource, own);
    Store(own, &tiling);
}

}  // namespace AscendC
