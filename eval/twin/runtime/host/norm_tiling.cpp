// Size queries and tilings of the normalisations. Formulas: those of Atlas A2 in the SDK's tiling sources.
#include "twin_host/norm_tiling.h"

#include <algorithm>
#include <cstring>

namespace AscendC {

namespace {

constexpr uint32_t kBlock = 32;
constexpr uint32_t kFloat = 4;
constexpr uint32_t kFloats = kBlock / kFloat;

uint32_t RoundUp(uint32_t value, uint32_t unit) { return (value + unit - 1) / unit * unit; }
uint32_t Axis(const TensorShape& shape, size_t axis) { return axis < shape.GetDimNum() ? static_cast<uint32_t>(shape.GetDim(axis)) : 0; }

struct Rows {
    uint32_t rows, columns;
    uint32_t all() const { return rows * columns; }
};
/// All axes before `axis` are rows.
Rows RowsOf(const TensorShape& shape, size_t axis) {
    Rows r{1, Axis(shape, axis)};
    for (size_t i = 0; i < axis; ++i) r.rows *= Axis(shape, i);
    return r;
}

uint32_t Buffers(uint32_t typeSize, bool isReuseSource) { return isReuseSource && typeSize == kFloat ? 2 : 3; }

/// Bytes for `columns` floats in each temporary buffer, and two statistics for each row.
uint32_t NormBytes(const Rows& r, uint32_t floats, uint32_t buffers) { return buffers * RoundUp(floats * kFloat, kBlock) + 2 * RoundUp(r.rows * kFloat, kBlock); }

/// The fields that describe steps of whole rows in a buffer of `tmpBufSize` floats; false when not even one row fits.
template <typename Tiling>
bool FillSteps(Tiling* t, const Rows& r, uint32_t statistics, uint32_t buffers, uint32_t bytes, uint32_t rowsOfStep) {
    t->inputXSize = r.all();
    t->meanVarSize = r.rows;
    t->numberOfTmpBuf = buffers;
    t->tmpBufSize = bytes / kFloat;
    if (r.columns == 0 || t->tmpBufSize < statistics) return false;
    uint32_t step = (t->tmpBufSize - statistics) / buffers / r.columns * r.columns;
    if (rowsOfStep > 1 && step / (rowsOfStep * r.columns) > 0) step = step / (rowsOfStep * r.columns) * (rowsOfStep * r.columns);
    t->oneTmpSize = std::min(step, r.all());
    if (t->oneTmpSize == 0) return false;
    t->firstTmpStartPos = statistics;
    t->secondTmpStartPos = statistics + t->oneTmpSize;
    t->loopRound = r.all() / t->oneTmpSize;
    t->inputRoundSize = t->oneTmpSize;
    t->inputTailSize = r.all() % t->oneTmpSize;
    t->inputTailPos = r.all() - t->inputTailSize;
    t->meanVarRoundSize = t->inputRoundSize / r.columns;
    t->meanVarTailSize = t->inputTailSize / r.columns;
    t->meanVarTailPos = r.rows - t->meanVarTailSize;
    return true;
}

template <typename Tiling>
bool FillNorm(Tiling* t, const TensorShape& shape, uint32_t original, uint32_t bytes, uint32_t typeSize, bool isReuseSource, bool isBasicBlock) {
    const Rows r = RowsOf(shape, 2);
    t->bLength = Axis(shape, 0);
    t->sLength = Axis(shape, 1);
    t->hLength = r.columns;
    t->originalHLength = original;
    t->meanTmpTensorSize = t->varianceTmpTensorPos = t->varianceTmpTensorSize = RoundUp(r.rows, kFloats);
    if (!FillSteps(t, r, typeSize == kFloat ? 0 : 2 * t->meanTmpTensorSize, Buffers(typeSize, isReuseSource), bytes, isBasicBlock ? 8 : 1)) return false;
    t->thirdTmpStartPos = t->secondTmpStartPos + t->oneTmpSize;
    t->bshCurLength = t->inputRoundSize;
    t->bsCurLength = t->meanVarRoundSize;
    t->lastDimValueBack = 1.0f / static_cast<float>(original);
    return true;
}

#define TWIN_STORE_FIELD(type, name) to->set_##name(from.name);
#define TWIN_STORE(Name, FIELDS) \
    void Store(const tiling::Name& from, optiling::Name* to) { FIELDS(TWIN_STORE_FIELD) }
TWIN_STORE(LayerNormTiling, TWIN_LAYER_NORM_TILING)
TWIN_STORE(DeepNormTiling, TWIN_LAYER_NORM_TILING)
TWIN_STORE(LayerNormSeparateTiling, TWIN_LAYER_NORM_SEPARATE_TILING)
TWIN_STORE(LayerNormGradTiling, TWIN_LAYER_NORM_GRAD_TILING)
TWIN_STORE(LayerNormGradBetaTiling, TWIN_LAYER_NORM_GRAD_BETA_TILING)
TWIN_STORE(RmsNormTiling, TWIN_RMS_NORM_TILING)
TWIN_STORE(BatchNormTiling, TWIN_BATCH_NORM_TILING)
TWIN_STORE(GroupNormTiling, TWIN_GROUP_NORM_TILING)

uint32_t BitsOf(float value) {
    uint32_t bits;
    std::memcpy(&bits, &value, sizeof(bits));
    return bits;
}

bool BasicRows(const Rows& r) { return r.columns % 64 == 0 && r.rows % 8 == 0; }

}  // namespace

void GetLayerNormMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, const bool isReuseSource, uint32_t& maxValue, uint32_t& minValue) {
    const Rows r = RowsOf(srcShape, 2);
    maxValue = NormBytes(r, r.all(), Buffers(typeSize, isReuseSource));
    minValue = NormBytes(r, r.columns, Buffers(typeSize, isReuseSource));
}

void GetLayerNormNDTilingInfo(const TensorShape& srcShape, const uint32_t stackBufferSize, const uint32_t typeSize, const bool isReuseSource, tiling::LayerNormTiling& tiling) {
    tiling = {};
    FillNorm(&tiling, srcShape, Axis(srcShape, 3), stackBufferSize, typeSize, isReuseSource, false);
}

void GetLayerNormNDTilingInfo(const TensorShape& srcShape, const uint32_t stackBufferSize, const uint32_t typeSize, const bool isReuseSource, optiling::LayerNormTiling& tiling) {
    tiling::LayerNormTiling own;
    GetLayerNormNDTilingInfo(srcShape, stackBufferSize, typeSize, isReuseSource, own);
    Store(own, &tiling);
}

void GetLayerNormNDTillingInfo(const TensorShape& srcShape, const uint32_t stackBufferSize, const uint32_t typeSize, const bool isReuseSource, optiling::LayerNormTiling& tilling) {
    GetLayerNormNDTilingInfo(srcShape, stackBufferSize, typeSize, isReuseSource, tilling);
}

void GetNormalizeMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSizeU, const uint32_t typeSizeT, const bool, const bool, const bool, uint32_t& maxValue, uint32_t& minValue) {
    if (typeSizeT == 0) return;
    const uint32_t rows = Axis(srcShape, 0), row = RoundUp(RoundUp(Axis(srcShape, 1), kBlock / typeSizeT) * kFloat, kBlock);
    maxValue = 2 * row + 2 * RoundUp(rows, 8) * row;
    minValue = std::max(RoundUp(rows * kFloat, kBlock), (typeSizeU == kFloat ? 2 : 4) * row);
}

void GetLayerNormMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, const bool isReuseSource, const bool isComputeRstd, const bool isOnlyOutput, uint32_t& maxValue, uint32_t& minValue) {
    if (typeSize == 0) return;
    const uint32_t rows = Axis(srcShape, 0), row = RoundUp(RoundUp(Axis(srcShape, 1), kBlock / typeSize) * kFloat, kBlock), statistics = RoundUp(rows * kFloat, kBlock);
    uint32_t most = 0, least = 0;
    GetNormalizeMaxMinTmpSize(srcShape, typeSize, typeSize, isReuseSource, isComputeRstd, isOnlyOutput, most, least);
    maxValue = statistics + std::max(2 * rows * row, most);
    minValue = statistics + std::max(2 * row, least);
}

void GetLayerNormNDTilingInfo(const TensorShape& srcShape, const uint32_t stackBufferSize, const uint32_t typeSize, const bool, const bool, tiling::LayerNormSeparateTiling& tiling) {
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

void GetLayerNormNDTilingInfo(const TensorShape& srcShape, const uint32_t stackBufferSize, const uint32_t typeSize, const bool isReuseSource, const bool isComputeRstd, optiling::LayerNormSeparateTiling& tiling) {
    tiling::LayerNormSeparateTiling own;
    GetLayerNormNDTilingInfo(srcShape, stackBufferSize, typeSize, isReuseSource, isComputeRstd, own);
    Store(own, &tiling);
}

void GetWelfordUpdateMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSizeT, const uint32_t, const bool isReuseSource, const bool, uint32_t& maxValue, uint32_t& minValue) {
    minValue = 256 * (typeSizeT == 2 ? 3 : isReuseSource ? 1 : 2);
    maxValue = (Axis(srcShape, 0) * Axis(srcShape, 1) + 63) / 64 * minValue;
}

void GetWelfordFinalizeMaxMinTmpSize(const TensorShape& srcShape, const uint32_t, const bool, uint32_t& maxValue, uint32_t& minValue) {
    minValue = 64 * 4 * kFloat;
    maxValue = std::max(minValue, (64 * 2 + Axis(srcShape, 0) * 2) * kFloat);
}

void GetLayerNormGradMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, const bool isReuseSource, uint32_t& maxValue, uint32_t& minValue) {
    const Rows r = RowsOf(srcShape, 2);
    const uint32_t buffers = typeSize == 2 ? 9 : isReuseSource ? 4 : 6, square = r.columns * r.columns;
    maxValue = buffers * std::max(r.all(), square) * typeSize;
    minValue = buffers * std::min(r.all(), square) * typeSize;
}

void GetLayerNormGradNDTilingInfo(const TensorShape srcShape, const uint32_t stackBufferSize, const uint32_t typeSize, const bool isReuseSource, tiling::LayerNormGradTiling& t) {
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
    t.tmpTensorBSHSize = t.pdVarTensorSize = t.pdMeanTensorSize = t.x1TensorSize = t.x2TensorSize = t.x3TensorSize = step;
    t.tmpTensorSize = t.tmpTensor1Size = t.tmpTensor2Size = step;
    t.lastDimValueBack = BitsOf(1.0f / static_cast<float>(t.originalHLength));
    t.lastDimValueBackMulTwo = BitsOf(2.0f / static_cast<float>(t.originalHLength));
}

void GetLayerNormGradNDTilingInfo(const TensorShape srcShape, const uint32_t stackBufferSize, const uint32_t typeSize, const bool isReuseSource, optiling::LayerNormGradTiling& tiling) {
    tiling::LayerNormGradTiling own;
    GetLayerNormGradNDTilingInfo(srcShape, stackBufferSize, typeSize, isReuseSource, own);
    Store(own, &tiling);
}

void GetLayerNormGradBetaMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, const bool, uint32_t& maxValue, uint32_t& minValue) {
    const Rows r = RowsOf(srcShape, 2);
    maxValue = (typeSize == 2 ? 4 : 2) * r.all() * kFloat;
    minValue = (typeSize == 2 ? 4 : 2) * r.columns * kFloat;
}

void GetLayerNormGradBetaNDTilingInfo(const TensorShape srcShape, const uint32_t stackBufferSize, const uint32_t typeSize, const bool, tiling::LayerNormGradBetaTiling& t) {
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

void GetLayerNormGradBetaNDTilingInfo(const TensorShape srcShape, const uint32_t stackBufferSize, const uint32_t typeSize, const bool isReuseSource, optiling::LayerNormGradBetaTiling& tiling) {
    tiling::LayerNormGradBetaTiling own;
    GetLayerNormGradBetaNDTilingInfo(srcShape, stackBufferSize, typeSize, isReuseSource, own);
    Store(own, &tiling);
}

bool GetRmsNormMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, uint32_t& maxValue, uint32_t& minValue, const bool isBasicBlock) {
    const Rows r = RowsOf(srcShape, 2);
    if (typeSize == 0 || (isBasicBlock && (!BasicRows(r) || r.columns >= 2048))) return false;
    maxValue = (r.all() * (typeSize == 2 ? 2 : 1) + RoundUp(r.rows, kBlock / typeSize)) * kFloat;
    minValue = (r.columns * (typeSize == 2 ? 2 : 1) + kFloats) * kFloat;
    return true;
}

bool GetRmsNormTilingInfo(const TensorShape& srcShape, const TensorShape& originSrcShape, const uint32_t stackBufferByteSize, const uint32_t typeSize, tiling::RmsNormTiling& t, const bool isBasicBlock) {
    t = {};
    const Rows r = RowsOf(srcShape, 2);
    const uint32_t original = Axis(originSrcShape, 2), wide = typeSize == kFloat ? 1 : 2;
    uint32_t most = 0, least = 0;
    if (srcShape.GetDimNum() != 3 || originSrcShape.GetDimNum() != 3 || !GetRmsNormMaxMinTmpSize(srcShape, typeSize, most, least, isBasicBlock)) return false;
    if (Axis(srcShape, 0) != Axis(originSrcShape, 0) || Axis(srcShape, 1) != Axis(originSrcShape, 1) || original == 0 || original > r.columns) return false;
    if (r.columns * typeSize % kBlock != 0 || stackBufferByteSize < least || r.rows == 0) return false;
    uint32_t rows = 1;
    while (stackBufferByteSize / kFloat >= (rows + 1) * r.columns * wide + RoundUp(rows + 1, kFloats)) ++rows;
    rows = std::min(rows, r.rows);
    rows = isBasicBlock ? (rows < 8 ? rows : rows / 8 * 8) : std::min(rows, 255u);
    t.bLength = Axis(srcShape, 0);
    t.sLength = Axis(srcShape, 1);
    t.hLength = r.columns;
    t.originalHLength = original;
    t.reciprocalOfHLength = 1.0f / static_cast<float>(original);
    t.mainBshLength = rows * r.columns;
    t.mainBsLength = rows;
    t.mainBsLengthAlign = RoundUp(rows, kFloats);
    t.loopRound = r.rows / rows;
    t.tailBsLength = r.rows % rows;
    t.tailBshLength = t.tailBsLength * r.columns;
    t.inputTailPos = r.all() - t.tailBshLength;
    return true;
}

bool GetRmsNormTilingInfo(const TensorShape& srcShape, const TensorShape& originSrcShape, const uint32_t stackBufferByteSize, const uint32_t typeSize, optiling::RmsNormTiling& tiling, const bool isBasicBlock) {
    tiling::RmsNormTiling own;
    const bool done = GetRmsNormTilingInfo(srcShape, originSrcShape, stackBufferByteSize, typeSize, own, isBasicBlock);
    Store(own, &tiling);
    return done;
}

bool GetDeepNormMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, const bool isReuseSource, const bool isBasicBlock, uint32_t& maxValue, uint32_t& minValue) {
    const Rows r = RowsOf(srcShape, 2);
    if (isBasicBlock && (r.columns == 0 || !BasicRows(r))) return false;
    maxValue = NormBytes(r, r.all(), Buffers(typeSize, isReuseSource));
    minValue = NormBytes(r, r.columns, Buffers(typeSize, isReuseSource));
    return true;
}

bool GetDeepNormTilingInfo(const TensorShape& srcShape, const TensorShape& originSrcShape, const uint32_t stackBufferSize, const uint32_t typeSize, const bool isReuseSource, const bool isBasicBlock,
                           tiling::DeepNormTiling& tiling) {
    tiling = {};
    const Rows r = RowsOf(srcShape, 2);
    const uint32_t original = Axis(originSrcShape, 2);
    uint32_t most = 0, least = 0;
    if (!GetDeepNormMaxMinTmpSize(srcShape, typeSize, isReuseSource, isBasicBlock, most, least) || stackBufferSize < least) return false;
    if (Axis(srcShape, 0) != Axis(originSrcShape, 0) || Axis(srcShape, 1) != Axis(originSrcShape, 1) || original == 0 || original > r.columns) return false;
    if (r.columns * typeSize % kBlock != 0 || r.columns > 2040 || (isBasicBlock && original != r.columns)) return false;
    return FillNorm(&tiling, srcShape, original, stackBufferSize, typeSize, isReuseSource, isBasicBlock);
}

bool GetDeepNormTilingInfo(const TensorShape& srcShape, const TensorShape& originSrcShape, const uint32_t stackBufferSize, const uint32_t typeSize, const bool isReuseSource, const bool isBasicBlock,
                           optiling::DeepNormTiling& tiling) {
    tiling::DeepNormTiling own;
    const bool done = GetDeepNormTilingInfo(srcShape, originSrcShape, stackBufferSize, typeSize, isReuseSource, isBasicBlock, own);
    Store(own, &tiling);
    return done;
}

bool GetBatchNormMaxMinTmpSize(const TensorShape& srcShape, const TensorShape& originSrcShape, const uint32_t typeSize, const bool, uint32_t& maxValue, uint32_t& minValue, const bool isBasicBlock) {
    const uint32_t batches = Axis(originSrcShape, 0), columns = Axis(srcShape, 1) * Axis(srcShape, 2), statistics = 2 * RoundUp(columns * kFloat, kBlock);
    if (isBasicBlock && (columns % 64 != 0 || columns >= 2048 || batches % 8 != 0)) return false;
    maxValue = 3 * RoundUp(batches * columns * kFloat, kBlock) + statistics;
    minValue = 3 * batches * (isBasicBlock ? 64 * kFloat : typeSize == 2 ? 2 * kBlock : kBlock) + statistics;
    return true;
}

bool GetBatchNormNDTilingInfo(const TensorShape& srcShape, const TensorShape& originSrcShape, const uint32_t stackBufferByteSize, const uint32_t typeSize, const bool isReuseSource,
                              tiling::BatchNormTiling& t, const bool isBasicBlock) {
    t = {};
    const uint32_t batches = Axis(originSrcShape, 0), columns = Axis(srcShape, 1) * Axis(srcShape, 2);
    uint32_t most = 0, least = 0;
    if (srcShape.GetDimNum() != 3 || originSrcShape.GetDimNum() != 3 || columns * typeSize % kBlock != 0 || batches == 0 || columns == 0) return false;
    if (!GetBatchNormMaxMinTmpSize(srcShape, originSrcShape, typeSize, isReuseSource, most, least, isBasicBlock) || stackBufferByteSize < least) return false;
    const uint32_t statistics = typeSize == kFloat ? 0 : 2 * RoundUp(columns, kFloats), unit = batches * (typeSize == kFloat ? kFloats : 16);
    uint32_t step = std::min((stackBufferByteSize / kFloat - statistics) / 3 / unit * unit, batches * columns);
    if (isBasicBlock) step = step / batches / 64 * 64 * batches;
    if (step == 0) return false;
    t.originalBLength = batches;
    t.meanVarSize = columns;
    t.varianceTmpTensorPos = RoundUp(columns, kFloats);
    t.tmpBufSize = stackBufferByteSize / kFloat;
    t.oneTmpSize = t.bshCurLength = step;
    t.firstTmpStartPos = statistics;
    t.secondTmpStartPos = statistics + step;
    t.thirdTmpStartPos = statistics + 2 * step;
    t.loopRound = batches * columns / step;
    t.inputTailSize = batches * columns % step;
    t.inputTailPos = (batches * columns - t.inputTailSize) / batches;
    t.meanVarTailSize = t.inputTailSize / batches;
    t.meanVarTailPos = columns - t.meanVarTailSize;
    t.shCurLength = step / batches;
    t.firstDimValueBack = 1.0f / static_cast<float>(batches);
    t.castHalfRepStride = 4;
    t.shCurLengthBlockNum = t.shCurLength / kFloats;
    t.castHalfOutRepStride = columns / 16;
    return true;
}

bool GetBatchNormNDTilingInfo(const TensorShape& srcShape, const TensorShape& originSrcShape, const uint32_t stackBufferByteSize, const uint32_t typeSize, const bool isReuseSource,
                              optiling::BatchNormTiling& tilling, const bool isBasicBlock) {
    tiling::BatchNormTiling own;
    const bool done = GetBatchNormNDTilingInfo(srcShape, originSrcShape, stackBufferByteSize, typeSize, isReuseSource, own, isBasicBlock);
    Store(own, &tilling);
    return done;
}

void GetGroupNormMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, const bool isReuseSource, const uint32_t groupNum, uint32_t& maxValue, uint32_t& minValue) {
    if (typeSize == 0 || groupNum == 0) return;
    const uint32_t n = Axis(srcShape, 0), c = Axis(srcShape, 1), row = RoundUp(Axis(srcShape, 2) * Axis(srcShape, 3) * typeSize, kBlock) / typeSize * kFloat;
    const uint32_t statistics = 2 * RoundUp(n * groupNum * kFloat, kBlock);
    maxValue = Buffers(typeSize, isReuseSource) * n * c * row + statistics;
    minValue = Buffers(typeSize, isReuseSource) * (c / groupNum) * row + statistics;
}

void GetGroupNormNDTilingInfo(const TensorShape& srcShape, const uint32_t stackBufferSize, const uint32_t typeSize, const bool isReuseSource, const uint32_t groupNum, tiling::GroupNormTiling& t) {
    t = {};
    if (typeSize == 0 || groupNum == 0 || Axis(srcShape, 1) < groupNum) return;
    t.n = Axis(srcShape, 0);
    t.c = Axis(srcShape, 1);
    t.hw = Axis(srcShape, 2) * Axis(srcShape, 3);
    t.g = groupNum;
    t.d = t.c / groupNum;
    t.hwAlignSize = RoundUp(t.hw * typeSize, kBlock) / typeSize;
    t.dhwAlignSize = t.d * t.hwAlignSize;
    t.meanTmpTensorSize = t.varianceTmpTensorPos = t.varianceTmpTensorSize = RoundUp(t.n * groupNum, kFloats);
    if (!FillSteps(&t, {t.n * groupNum, t.dhwAlignSize}, typeSize == kFloat ? 0 : 2 * t.meanTmpTensorSize, Buffers(typeSize, isReuseSource), stackBufferSize / kBlock * kBlock, 1)) return;
    t.thirdTmpStartPos = t.secondTmpStartPos + t.oneTmpSize;
    t.bshCurLength = t.inputRoundSize;
    t.bsCurLength = t.meanVarRoundSize;
    t.factor = 1.0f / static_cast<float>(t.d * t.hw);
    uint32_t k = 8;
    while (t.dhwAlignSize / kFloats % k != 0) --k;
    t.smallShape = t.hwAlignSize <= 64 && t.dhwAlignSize <= 64 * k;
}

void GetGroupNormNDTilingInfo(const TensorShape& srcShape, const uint32_t stackBufferSize, const uint32_t typeSize, const bool isReuseSource, const uint32_t groupNum, optiling::GroupNormTiling& tiling) {
    tiling::GroupNormTiling own;
    GetGroupNormNDTilingInfo(srcShape, stackBufferSize, typeSize, isReuseSource, groupNum, own);
    Store(own, &tiling);
}

}  // namespace AscendC
