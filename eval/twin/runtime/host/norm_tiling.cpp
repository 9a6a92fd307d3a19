// Size queries and tilings of the other normalisations. Formulas: those of Atlas A2 in the SDK's tiling sources.
#include "norm_steps.h"

namespace AscendC {

namespace {

using namespace twin_detail;

TWIN_STORE(DeepNormTiling, TWIN_LAYER_NORM_TILING)
TWIN_STORE(RmsNormTiling, TWIN_RMS_NORM_TILING)
TWIN_STORE(BatchNormTiling, TWIN_BATCH_NORM_TILING)
TWIN_STORE(GroupNormTiling, TWIN_GROUP_NORM_TILING)

bool BasicRows(const Rows& r) { return r.columns % 64 == 0 && r.rows % 8 == 0; }

}  // namespace

bool GetRmsNormMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, uint32_t& maxValue,
                             uint32_t& minValue, const bool isBasicBlock) {
    const Rows r = RowsOf(srcShape, 2);
    if (typeSize == 0 || (isBasicBlock && (!BasicRows(r) || r.columns >= 2048))) return false;
    maxValue = (r.all() * (typeSize == 2 ? 2 : 1) + RoundUp(r.rows, kBlock / typeSize)) * kFloat;
    minValue = (r.columns * (typeSize == 2 ? 2 : 1) + kFloats) * kFloat;
    return true;
}

bool GetRmsNormTilingInfo(const TensorShape& srcShape, const TensorShape& originSrcShape,
                          const uint32_t stackBufferByteSize, const uint32_t typeSize, tiling::RmsNormTiling& t,
                          const bool isBasicBlock) {
    t = {};
    const Rows r = RowsOf(srcShape, 2);
    const uint32_t original = Axis(originSrcShape, 2), wide = typeSize == kFloat ? 1 : 2;
    uint32_t most = 0, least = 0;
    if (srcShape.GetDimNum() != 3 || originSrcShape.GetDimNum() != 3 ||
        !GetRmsNormMaxMinTmpSize(srcShape, typeSize, most, least, isBasicBlock))
        return false;
    if (Axis(srcShape, 0) != Axis(originSrcShape, 0) || Axis(srcShape, 1) != Axis(originSrcShape, 1) || original == 0 ||
        original > r.columns)
        return false;
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

bool GetRmsNormTilingInfo(const TensorShape& srcShape, const TensorShape& originSrcShape,
                          const uint32_t stackBufferByteSize, const uint32_t typeSize, optiling::RmsNormTiling& tiling,
                          const bool isBasicBlock) {
    tiling::RmsNormTiling own;
    const bool done = GetRmsNormTilingInfo(srcShape, originSrcShape, stackBufferByteSize, typeSize, own, isBasicBlock);
    Store(own, &tiling);
    return done;
}

bool GetDeepNormMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, const bool isReuseSource,
                              const bool isBasicBlock, uint32_t& maxValue, uint32_t& minValue) {
    const Rows r = RowsOf(srcShape, 2);
    if (isBasicBlock && (r.columns == 0 || !BasicRows(r))) return false;
    maxValue = NormBytes(r, r.all(), Buffers(typeSize, isReuseSource));
    minValue = NormBytes(r, r.columns, Buffers(typeSize, isReuseSource));
    return true;
}

bool GetDeepNormTilingInfo(const TensorShape& srcShape, const TensorShape& originSrcShape,
                           const uint32_t stackBufferSize, const uint32_t typeSize, const bool isReuseSource,
                           const bool isBasicBlock, tiling::DeepNormTiling& tiling) {
    tiling = {};
    const Rows r = RowsOf(srcShape, 2);
    const uint32_t original = Axis(originSrcShape, 2);
    uint32_t most = 0, least = 0;
    if (!GetDeepNormMaxMinTmpSize(srcShape, typeSize, isReuseSource, isBasicBlock, most, least) ||
        stackBufferSize < least)
        return false;
    if (Axis(srcShape, 0) != Axis(originSrcShape, 0) || Axis(srcShape, 1) != Axis(originSrcShape, 1) || original == 0 ||
        original > r.columns)
        return false;
    if (r.columns * typeSize % kBlock != 0 || r.columns > 2040 || (isBasicBlock && original != r.columns)) return false;
    return FillNorm(&tiling, srcShape, original, stackBufferSize, typeSize, isReuseSource, isBasicBlock);
}

bool GetDeepNormTilingInfo(const TensorShape& srcShape, const TensorShape& originSrcShape,
                           const uint32_t stackBufferSize, const uint32_t typeSize, const bool isReuseSource,
                           const bool isBasicBlock, optiling::DeepNormTiling& tiling) {
    tiling::DeepNormTiling own;
    const bool done =
        GetDeepNormTilingInfo(srcShape, originSrcShape, stackBufferSize, typeSize, isReuseSource, isBasicBlock, own);
    Store(own, &tiling);
    return done;
}

bool GetBatchNormMaxMinTmpSize(const TensorShape& srcShape, const TensorShape& originSrcShape, const uint32_t typeSize,
                               const bool, uint32_t& maxValue, uint32_t& minValue, const bool isBasicBlock) {
    const uint32_t batches = Axis(originSrcShape, 0), columns = Axis(srcShape, 1) * Axis(srcShape, 2),
                   statistics = 2 * RoundUp(columns * kFloat, kBlock);
    if (isBasicBlock && (columns % 64 != 0 || columns >= 2048 || batches % 8 != 0)) return false;
    maxValue = 3 * RoundUp(batches * columns * kFloat, kBlock) + statistics;
    minValue = 3 * batches * (isBasicBlock ? 64 * kFloat : typeSize == 2 ? 2 * kBlock : kBlock) + statistics;
    return true;
}

bool GetBatchNormNDTilingInfo(const TensorShape& srcShape, const TensorShape& originSrcShape,
                              const uint32_t stackBufferByteSize, const uint32_t typeSize, const bool isReuseSource,
                              tiling::BatchNormTiling& t, const bool isBasicBlock) {
    t = {};
    const uint32_t batches = Axis(originSrcShape, 0), columns = Axis(srcShape, 1) * Axis(srcShape, 2);
    uint32_t most = 0, least = 0;
    if (srcShape.GetDimNum() != 3 || originSrcShape.GetDimNum() != 3 || columns * typeSize % kBlock != 0 ||
        batches == 0 || columns == 0)
        return false;
    if (!GetBatchNormMaxMinTmpSize(srcShape, originSrcShape, typeSize, isReuseSource, most, least, isBasicBlock) ||
        stackBufferByteSize < least)
        return false;
    const uint32_t statistics = typeSize == kFloat ? 0 : 2 * RoundUp(columns, kFloats),
                   unit = batches * (typeSize == kFloat ? kFloats : 16);
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

bool GetBatchNormNDTilingInfo(const TensorShape& srcShape, const TensorShape& originSrcShape,
                              const uint32_t stackBufferByteSize, const uint32_t typeSize, const bool isReuseSource,
                              optiling::BatchNormTiling& tilling, const bool isBasicBlock) {
    tiling::BatchNormTiling own;
    const bool done = GetBatchNormNDTilingInfo(srcShape, originSrcShape, stackBufferByteSize, typeSize, isReuseSource,
                                               own, isBasicBlock);
    Store(own, &tilling);
    return done;
}

void GetGroupNormMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, const bool isReuseSource,
                               const uint32_t groupNum, uint32_t& maxValue, uint32_t& minValue) {
    if (typeSize == 0 || groupNum == 0) return;
    const uint32_t n = Axis(srcShape, 0), c = Axis(srcShape, 1),
                   row = RoundUp(Axis(srcShape, 2) * Axis(srcShape, 3) * typeSize, kBlock) / typeSize * kFloat;
    const uint32_t statistics = 2 * RoundUp(n * groupNum * kFloat, kBlock);
    maxValue = Buffers(typeSize, isReuseSource) * n * c * row + statistics;
    minValue = Buffers(typeSize, isReuseSource) * (c / groupNum) * row + statistics;
}

void GetGroupNormNDTilingInfo(const TensorShape& srcShape, const uint32_t stackBufferSize, const uint32_t typeSize,
                              const bool isReuseSource, const uint32_t groupNum, tiling::GroupNormTiling& t) {
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
    if (!FillSteps(&t, {t.n * groupNum, t.dhwAlignSize}, typeSize == kFloat ? 0 : 2 * t.meanTmpTensorSize,
                   Buffers(typeSize, isReuseSource), stackBufferSize / kBlock * kBlock, 1))
        return;
    t.thirdTmpStartPos = t.secondTmpStartPos + t.oneTmpSize;
    t.bshCurLength = t.inputRoundSize;
    t.bsCurLength = t.meanVarRoundSize;
    t.factor = 1.0f / static_cast<float>(t.d * t.hw);
    uint32_t k = 8;
    while (t.dhwAlignSize / kFloats % k != 0) --k;
    t.smallShape = t.hwAlignSize <= 64 && t.dhwAlignSize <= 64 * k;
}

void GetGroupNormNDTilingInfo(const TensorShape& srcShape, const uint32_t stackBufferSize, const uint32_t typeSize,
                              const bool isReuseSource, const uint32_t groupNum, optiling::GroupNormTiling& tiling) {
    tiling::GroupNormTiling own;
    GetGroupNormNDTilingInfo(srcShape, stackBufferSize, typeSize, isReuseSource, groupNum, own);
    Store(own, &tiling);
}

}  // namespace AscendC
