// What tilings of the normalisations have in common: rows, and steps over them.
#ifndef TWIN_HOST_NORM_STEPS_H
#define TWIN_HOST_NORM_STEPS_H

#include <algorithm>
#include <cstdint>

#include "twin_host/norm_tiling.h"

namespace AscendC::twin_detail {

constexpr uint32_t kBlock = 32;
constexpr uint32_t kFloat = 4;
constexpr uint32_t kFloats = kBlock / kFloat;

inline uint32_t RoundUp(uint32_t value, uint32_t unit) { return (value + unit - 1) / unit * unit; }
inline uint32_t Axis(const TensorShape& shape, size_t axis) {
    return axis < shape.GetDimNum() ? static_cast<uint32_t>(shape.GetDim(axis)) : 0;
}

struct Rows {
    uint32_t rows, columns;
    uint32_t all() const { return rows * columns; }
};
/// All axes before `axis` are rows.
inline Rows RowsOf(const TensorShape& shape, size_t axis) {
    Rows r{1, Axis(shape, axis)};
    for (size_t i = 0; i < axis; ++i) r.rows *= Axis(shape, i);
    return r;
}

inline uint32_t Buffers(uint32_t typeSize, bool isReuseSource) { return isReuseSource && typeSize == kFloat ? 2 : 3; }

/// Bytes for `columns` floats in each temporary buffer, and two statistics for each row.
inline uint32_t NormBytes(const Rows& r, uint32_t floats, uint32_t buffers) {
    return buffers * RoundUp(floats * kFloat, kBlock) + 2 * RoundUp(r.rows * kFloat, kBlock);
}

/// The fields that describe steps of whole rows in a buffer of `tmpBufSize` floats; false when not even one row fits.
template <typename Tiling>
bool FillSteps(Tiling* t, const Rows& r, uint32_t statistics, uint32_t buffers, uint32_t bytes, uint32_t rowsOfStep) {
    t->inputXSize = r.all();
    t->meanVarSize = r.rows;
    t->numberOfTmpBuf = buffers;
    t->tmpBufSize = bytes / kFloat;
    if (r.columns == 0 || t->tmpBufSize < statistics) return false;
    uint32_t step = (t->tmpBufSize - statistics) / buffers / r.columns * r.columns;
    if (rowsOfStep > 1 && step / (rowsOfStep * r.columns) > 0)
        step = step / (rowsOfStep * r.columns) * (rowsOfStep * r.columns);
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
bool FillNorm(Tiling* t, const TensorShape& shape, uint32_t original, uint32_t bytes, uint32_t typeSize,
              bool isReuseSource, bool isBasicBlock) {
    const Rows r = RowsOf(shape, 2);
    t->bLength = Axis(shape, 0);
    t->sLength = Axis(shape, 1);
    t->hLength = r.columns;
    t->originalHLength = original;
    t->meanTmpTensorSize = t->varianceTmpTensorPos = t->varianceTmpTensorSize = RoundUp(r.rows, kFloats);
    if (!FillSteps(t, r, typeSize == kFloat ? 0 : 2 * t->meanTmpTensorSize, Buffers(typeSize, isReuseSource), bytes,
                   isBasicBlock ? 8 : 1))
        return false;
    t->thirdTmpStartPos = t->secondTmpStartPos + t->oneTmpSize;
    t->bshCurLength = t->inputRoundSize;
    t->bsCurLength = t->meanVarRoundSize;
    t->lastDimValueBack = 1.0f / static_cast<float>(original);
    return true;
}

}  // namespace AscendC::twin_detail

/// Into the fields of the tiling that an operator registers.
#define TWIN_STORE_FIELD(type, name) to->set_##name(from.name);
#define TWIN_STORE(Name, FIELDS) \
    void Store(const tiling::Name& from, optiling::Name* to) { FIELDS(TWIN_STORE_FIELD) }

#endif
