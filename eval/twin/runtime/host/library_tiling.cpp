// Size queries and tilings of high-level APIs. Formulas: those of Atlas A2 in the SDK's tiling sources.
#include "twin_host/library_tiling.h"

#include <algorithm>

#include "twin/temporary_sizes.h"

namespace AscendC {

namespace {

constexpr uint32_t kBlock = 32;
constexpr uint32_t kRepeat = 64;  // floats of a repeat
constexpr uint32_t kTile = 8;     // rows that are computed together when a row is whole repeats

struct Matrix {
    uint32_t rows, columns;
};

Matrix MatrixOf(const TensorShape& shape) {
    if (shape.GetDimNum() == 0) return {0, 0};
    const auto columns = static_cast<uint32_t>(shape.GetDim(shape.GetDimNum() - 1));
    return {columns == 0 ? 0 : static_cast<uint32_t>(shape.GetShapeSize()) / columns, columns};
}

/// Temporary floats for one row.
uint32_t SoftMaxRow(const Matrix& m, uint32_t typeSize) { return twin::SoftMaxTemporary(m.columns, typeSize) / 4; }

uint32_t GradRow(const Matrix& m, uint32_t typeSize, bool front) {
    return twin::SoftMaxGradTemporary(m.columns, typeSize, front) / 4;
}

bool WholeRepeats(const Matrix& m, bool basic) { return basic && m.columns % kRepeat == 0; }

uint32_t FlashRow(const Matrix& m, uint32_t typeSize, uint32_t sumSize, bool basic) {
    const uint32_t block = kBlock / sumSize;
    if (!basic) return twin::SoftMaxFlashTemporary(m.columns, typeSize, sumSize) / 4;
    const uint32_t repeats = m.columns == 1024 ? 2 : 1;
    return block + (typeSize == 2 ? m.columns : 0) + kRepeat * repeats;
}

/// Rows of a step that divide the matrix and stay below 255 repeats.
uint32_t DivideEvenly(uint32_t rows, const Matrix& m) {
    if (rows <= kTile || m.rows % kTile != 0 || m.columns % kRepeat != 0) return rows;
    rows = rows / kTile * kTile;
    while (m.rows % rows != 0) rows -= kTile;
    while (rows * m.columns >= kRepeat * 256) rows /= 2;
    return rows;
}

uint32_t RowsOfStep(const Matrix& m, uint32_t workspaceBytes, uint32_t rowFloats, uint32_t tile) {
    const uint32_t rows = std::min(workspaceBytes / 4 / rowFloats, m.rows);
    return rows < m.rows && rows > tile ? rows / tile * tile : rows;
}

tiling::SoftMaxTiling Tiling(const Matrix& m, uint32_t outTypeSize, uint32_t step) {
    tiling::SoftMaxTiling t;
    const uint32_t block = kBlock / outTypeSize;
    t.srcM = t.outMaxM = m.rows;
    t.srcK = t.splitK = m.columns;
    t.srcSize = m.rows * m.columns;
    t.outMaxK = t.reduceK = block;
    t.outMaxSize = m.rows * block;
    t.splitM = t.reduceM = step;
    t.splitSize = step * m.columns;
    t.reduceSize = step * block;
    t.rangeM = step == 0 ? 0 : m.rows / step;
    t.tailM = step == 0 ? 0 : m.rows % step;
    t.tailSplitSize = t.tailM * m.columns;
    t.tailReduceSize = t.tailM * block;
    return t;
}

#define TWIN_STORE_FIELD(type, name) to->set_##name(from.name);
template <typename From, typename To>
void Store(const From& from, To* to) {
    TWIN_SOFTMAX_TILING(TWIN_STORE_FIELD)
}
#undef TWIN_STORE_FIELD

bool Known(uint32_t typeSize) { return typeSize == 2 || typeSize == 4; }

uint32_t V3Row(const Matrix& m, uint32_t sumSize) { return twin::SoftMaxFlashV3Temporary(m.columns, sumSize) / 4; }
/// The older form with an update keeps two copies of the row.
uint32_t OldFlashRow(const Matrix& m, uint32_t typeSize, bool update) {
    return twin::OldSoftMaxFlashTemporary(m.columns, typeSize, update) / 4;
}

/// Steps of as many rows as the memory holds, all of the same number; `row` elements of four bytes for each.
tiling::SoftMaxTiling EvenTiling(const Matrix& m, uint32_t dataTypeSize, uint32_t localWorkSpaceSize, uint32_t row) {
    return Tiling(m, dataTypeSize, DivideEvenly(RowsOfStep(m, localWorkSpaceSize, row, kTile), m));
}

}  // namespace

uint32_t GetSoftMaxMaxTmpSize(const TensorShape& srcShape, const uint32_t dataTypeSize, const bool) {
    if (!Known(dataTypeSize)) return 0;
    const Matrix m = MatrixOf(srcShape);
    return m.rows * SoftMaxRow(m, dataTypeSize) * 4;
}

uint32_t GetSoftMaxMinTmpSize(const TensorShape& srcShape, const uint32_t dataTypeSize, const bool) {
    return Known(dataTypeSize) ? SoftMaxRow(MatrixOf(srcShape), dataTypeSize) * 4 : 0;
}

uint32_t GetSoftMaxGradMaxTmpSize(const TensorShape& srcShape, const uint32_t dataTypeSize, const bool isFront,
                                  const bool) {
    if (!Known(dataTypeSize)) return 0;
    const Matrix m = MatrixOf(srcShape);
    return m.rows * GradRow(m, dataTypeSize, isFront) * 4;
}

uint32_t GetSoftMaxGradMinTmpSize(const TensorShape& srcShape, const uint32_t dataTypeSize, const bool isFront,
                                  const bool) {
    return Known(dataTypeSize) ? GradRow(MatrixOf(srcShape), dataTypeSize, isFront) * 4 : 0;
}

uint32_t GetSoftMaxFlashV2MaxTmpSize(const TensorShape& srcShape, const uint32_t dataTypeSize1,
                                     const uint32_t dataTypeSize2, const bool, const bool isBasicBlock, const bool) {
    if (!Known(dataTypeSize1) || !Known(dataTypeSize2)) return 0;
    const Matrix m = MatrixOf(srcShape);
    const bool basic = WholeRepeats(m, isBasicBlock) && m.rows % kTile == 0;
    uint32_t rows = m.rows;
    while (basic && rows * m.columns >= kRepeat * 256) rows /= 2;
    return rows * FlashRow(m, dataTypeSize1, dataTypeSize2, basic) * 4;
}

uint32_t GetSoftMaxFlashV2MinTmpSize(const TensorShape& srcShape, const uint32_t dataTypeSize1,
                                     const uint32_t dataTypeSize2, const bool, const bool isBasicBlock,
                                     const bool isFlashOutputBrc) {
    if (!Known(dataTypeSize1) || !Known(dataTypeSize2)) return 0;
    const Matrix m = MatrixOf(srcShape);
    const bool basic = WholeRepeats(m, isBasicBlock);
    const uint32_t rows = isFlashOutputBrc ? std::min(kBlock / dataTypeSize1, m.rows) : basic ? kTile : 1;
    return rows * FlashRow(m, dataTypeSize1, dataTypeSize2, basic) * 4;
}

void SoftMaxTilingFunc(const TensorShape& srcShape, const uint32_t dataTypeSize, const uint32_t localWorkSpaceSize,
                       tiling::SoftMaxTiling& softmaxTiling) {
    if (!Known(dataTypeSize)) return;
    const Matrix m = MatrixOf(srcShape);
    softmaxTiling = EvenTiling(m, dataTypeSize, localWorkSpaceSize, SoftMaxRow(m, dataTypeSize));
}

void SoftMaxTilingFunc(const TensorShape& srcShape, const uint32_t dataTypeSize, const uint32_t localWorkSpaceSize,
                       optiling::SoftMaxTiling& softmaxTiling) {
    tiling::SoftMaxTiling own;
    SoftMaxTilingFunc(srcShape, dataTypeSize, localWorkSpaceSize, own);
    Store(own, &softmaxTiling);
}

void SoftMaxGradTilingFunc(const TensorShape& srcShape, const uint32_t dataTypeSize, const uint32_t localWorkSpaceSize,
                           tiling::SoftMaxTiling& softmaxGradTiling, const bool isFront) {
    if (!Known(dataTypeSize)) return;
    const Matrix m = MatrixOf(srcShape);
    softmaxGradTiling = EvenTiling(m, dataTypeSize, localWorkSpaceSize, GradRow(m, dataTypeSize, isFront));
}

void SoftMaxGradTilingFunc(const TensorShape& srcShape, const uint32_t dataTypeSize, const uint32_t localWorkSpaceSize,
                           optiling::SoftMaxTiling& softmaxGradTiling, const bool isFront) {
    tiling::SoftMaxTiling own;
    SoftMaxGradTilingFunc(srcShape, dataTypeSize, localWorkSpaceSize, own, isFront);
    Store(own, &softmaxGradTiling);
}

void SoftMaxFlashV2TilingFunc(const TensorShape& srcShape, const uint32_t dataTypeSize1, const uint32_t dataTypeSize2,
                              const uint32_t localWorkSpaceSize, tiling::SoftMaxTiling& softmaxFlashTiling, const bool,
                              const bool isBasicBlock, const bool isFlashOutputBrc) {
    if (!Known(dataTypeSize1) || !Known(dataTypeSize2)) return;
    const Matrix m = MatrixOf(srcShape);
    const bool basic = WholeRepeats(m, isBasicBlock) && m.rows % kTile == 0;
    const uint32_t rows = FlashRow(m, dataTypeSize1, dataTypeSize2, basic);
    const uint32_t step =
        basic ? DivideEvenly(std::min(localWorkSpaceSize / 4 / rows, m.rows), m)
              : RowsOfStep(m, localWorkSpaceSize, rows, isFlashOutputBrc && dataTypeSize1 == 2 ? 16 : kTile);
    softmaxFlashTiling = Tiling(m, dataTypeSize2, step);
}

void SoftMaxFlashV2TilingFunc(const TensorShape& srcShape, const uint32_t dataTypeSize1, const uint32_t dataTypeSize2,
                              const uint32_t localWorkSpaceSize, optiling::SoftMaxTiling& softmaxFlashTiling,
                              const bool isUpdate, const bool isBasicBlock, const bool isFlashOutputBrc) {
    tiling::SoftMaxTiling own;
    SoftMaxFlashV2TilingFunc(srcShape, dataTypeSize1, dataTypeSize2, localWorkSpaceSize, own, isUpdate, isBasicBlock,
                             isFlashOutputBrc);
    Store(own, &softmaxFlashTiling);
}

uint32_t GetLogSoftMaxMaxTmpSize(const TensorShape srcShape, const uint32_t dataTypeSize, const bool isReuseSource) {
    return Known(dataTypeSize) ? GetSoftMaxMaxTmpSize(srcShape, dataTypeSize, isReuseSource) : 0;
}

uint32_t GetLogSoftMaxMinTmpSize(const TensorShape srcShape, const uint32_t dataTypeSize, const bool isReuseSource) {
    return Known(dataTypeSize) ? GetSoftMaxMinTmpSize(srcShape, dataTypeSize, isReuseSource) : 0;
}

void LogSoftMaxTilingFunc(const TensorShape srcShape, const uint32_t dataTypeSize, const uint32_t localWorkSpaceSize,
                          optiling::LogSoftMaxTiling& softmaxTiling) {
    if (!Known(dataTypeSize)) return;
    tiling::SoftMaxTiling own;
    SoftMaxTilingFunc(srcShape, dataTypeSize, localWorkSpaceSize, own);
    Store(own, &softmaxTiling);
}

void LogSoftMaxTilingFunc(const TensorShape srcShape, const uint32_t dataTypeSize, const uint32_t localWorkSpaceSize,
                          tiling::LogSoftMaxTiling& softmaxTiling) {
    if (!Known(dataTypeSize)) return;
    tiling::SoftMaxTiling own;
    SoftMaxTilingFunc(srcShape, dataTypeSize, localWorkSpaceSize, own);
#define TWIN_COPY_FIELD(type, name) softmaxTiling.name = own.name;
    TWIN_SOFTMAX_TILING(TWIN_COPY_FIELD)
#undef TWIN_COPY_FIELD
}

uint32_t GetSoftMaxFlashMaxTmpSize(const TensorShape& srcShape, const uint32_t dataTypeSize, const bool isUpdate,
                                   const bool isReuseSource) {
    return MatrixOf(srcShape).rows * GetSoftMaxFlashMinTmpSize(srcShape, dataTypeSize, isUpdate, isReuseSource);
}

uint32_t GetSoftMaxFlashMinTmpSize(const TensorShape& srcShape, const uint32_t dataTypeSize, const bool isUpdate,
                                   const bool) {
    return Known(dataTypeSize) ? OldFlashRow(MatrixOf(srcShape), dataTypeSize, isUpdate) * 4 : 0;
}

void SoftMaxFlashTilingFunc(const TensorShape& srcShape, const uint32_t dataTypeSize, const uint32_t localWorkSpaceSize,
                            tiling::SoftMaxTiling& softmaxFlashTiling, const bool isUpdate) {
    if (!Known(dataTypeSize)) return;
    const Matrix m = MatrixOf(srcShape);
    softmaxFlashTiling = EvenTiling(m, dataTypeSize, localWorkSpaceSize, OldFlashRow(m, dataTypeSize, isUpdate));
}

void SoftMaxFlashTilingFunc(const TensorShape& srcShape, const uint32_t dataTypeSize, const uint32_t localWorkSpaceSize,
                            optiling::SoftMaxTiling& softmaxFlashTiling, const bool isUpdate) {
    tiling::SoftMaxTiling own;
    SoftMaxFlashTilingFunc(srcShape, dataTypeSize, localWorkSpaceSize, own, isUpdate);
    Store(own, &softmaxFlashTiling);
}

void GetSoftMaxFlashV3MaxMinTmpSize(const TensorShape& srcShape, const uint32_t, const uint32_t dataTypeSize2,
                                    uint32_t& maxValue, uint32_t& minValue, const bool, const bool) {
    if (!Known(dataTypeSize2)) return;
    const Matrix m = MatrixOf(srcShape);
    minValue = V3Row(m, dataTypeSize2) * 4;
    maxValue = m.rows * minValue;
}

void SoftMaxFlashV3TilingFunc(const TensorShape& srcShape, const uint32_t, const uint32_t dataTypeSize2,
                              const uint32_t localWorkSpaceSize, tiling::SoftMaxTiling& softmaxFlashV3Tiling,
                              const bool, const bool) {
    if (!Known(dataTypeSize2)) return;
    const Matrix m = MatrixOf(srcShape);
    softmaxFlashV3Tiling = Tiling(m, dataTypeSize2, RowsOfStep(m, localWorkSpaceSize, V3Row(m, dataTypeSize2), kTile));
}

void SoftMaxFlashV3TilingFunc(const TensorShape& srcShape, const uint32_t dataTypeSize1, const uint32_t dataTypeSize2,
                              const uint32_t localWorkSpaceSize, optiling::SoftMaxTiling& softmaxFlashV3Tiling,
                              const bool isUpdate, const bool isBasicBlock) {
    tiling::SoftMaxTiling own;
    SoftMaxFlashV3TilingFunc(srcShape, dataTypeSize1, dataTypeSize2, localWorkSpaceSize, own, isUpdate, isBasicBlock);
    Store(own, &softmaxFlashV3Tiling);
}

bool IsBasicBlockInSoftMax(tiling::SoftMaxTiling& tiling, const uint32_t dataTypeSize) {
    return dataTypeSize != 0 && tiling.tailM == 0 && tiling.srcK >= 256 / dataTypeSize && tiling.srcK < 2048 &&
           tiling.srcK % kRepeat == 0;
}

bool IsBasicBlockInSoftMax(optiling::SoftMaxTiling& tiling, const uint32_t dataTypeSize) {
    tiling::SoftMaxTiling own;
    own.tailM = tiling.get_tailM();
    own.srcK = tiling.get_srcK();
    return IsBasicBlockInSoftMax(own, dataTypeSize);
}

void GetSigmoidMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, bool, uint32_t& maxValue,
                             uint32_t& minValue) {
    minValue = twin::kSigmoidTemporary;
    maxValue = std::max(static_cast<uint32_t>(srcShape.GetShapeSize()) * typeSize, minValue);
}

void GetMeanMaxMinTmpSize(const uint32_t n, const uint32_t srcTypeSize, const uint32_t accTypeSize, const bool,
                          uint32_t& maxSize, uint32_t& minSize) {
    if (srcTypeSize == 0) return;
    maxSize = minSize = twin::MeanTemporary(n, srcTypeSize, accTypeSize);
}

void GetSumMaxMinTmpSize(const uint32_t n, const uint32_t srcTypeSize, const bool, uint32_t& maxSize,
                         uint32_t& minSize) {
    if (srcTypeSize == 0) return;
    maxSize = minSize = twin::SumTemporary(n, srcTypeSize);
}

}  // namespace AscendC
