// Temporary memory of activations, running sums, quantisation and dropout, on the host. Bytes: at most useful, and at least.
#ifndef TWIN_HOST_SIZE_QUERIES_H
#define TWIN_HOST_SIZE_QUERIES_H

#include <algorithm>

#include "graph/types.h"

namespace AscendC {

using TensorShape = ge::Shape;

inline void GetSwiGLUMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, uint32_t& maxValue, uint32_t& minValue, const bool = false) {
    const uint32_t buffers = typeSize == 2 ? 6 : 0;
    minValue = buffers * 256;
    maxValue = buffers * std::max(static_cast<uint32_t>(srcShape.GetShapeSize()) * typeSize, 256u);
}
inline void GetGeGLUMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, const bool, uint32_t& maxValue, uint32_t& minValue) {
    const uint32_t buffers = typeSize == 2 ? 4 : 0;
    minValue = buffers * 256;
    maxValue = buffers * std::max(static_cast<uint32_t>(srcShape.GetShapeSize()) * typeSize, 256u);
}
inline void GetReGluMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, const bool, uint32_t& maxValue, uint32_t& minValue) {
    minValue = typeSize == 2 ? 6 * 256 : 256;
    maxValue = typeSize == 2 ? std::max(static_cast<uint32_t>(srcShape.GetShapeSize()) * 12, minValue) : minValue;
}
/// A shape of two axes.
inline void GetCumSumMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, const bool isLastAxis, const bool, uint32_t& maxValue, uint32_t& minValue) {
    const auto rows = static_cast<uint32_t>(srcShape.GetDim(0)), columns = static_cast<uint32_t>(srcShape.GetDim(1));
    if (!isLastAxis) {
        maxValue = minValue = typeSize == 2 ? rows * columns * 4 : 0;
        return;
    }
    const uint32_t widened = (rows + 15) / 16 * 16, row = columns * (typeSize == 2 ? 2 : 0) + columns * typeSize * 2;
    minValue = 16 * row;
    maxValue = widened * row;
}
inline void GetDropOutMaxMinTmpSize(const TensorShape& srcShape, const uint32_t, const bool, uint32_t& maxValue, uint32_t& minValue) {
    minValue = 512;
    maxValue = std::max(static_cast<uint32_t>(srcShape.GetShapeSize()) * 8, minValue);
}
inline void GetAscendQuantMaxMinTmpSize(const TensorShape& srcShape, const uint32_t, uint32_t& maxValue, uint32_t& minValue) {
    minValue = 512;
    maxValue = (std::max(static_cast<uint32_t>(srcShape.GetShapeSize()) * 2, minValue) + 31) / 32 * 32;
}

}  // namespace AscendC

#endif
