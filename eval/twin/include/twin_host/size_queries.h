// Temporary memory of math functions, activations, running sums, quantisation and dropout, on the host. Bytes: at most useful, and at least.
// Figures: those of Atlas A2 in the SDK's tiling sources.
#ifndef TWIN_HOST_SIZE_QUERIES_H
#define TWIN_HOST_SIZE_QUERIES_H

#include <algorithm>

#include "graph/types.h"

namespace AscendC {

using TensorShape = ge::Shape;

// Buffers of the input's size, at least a repeat each, by type; and how many an operator with several such functions adds up for each.
#define TWIN_SIZE_QUERY(Name, HALF, FLOAT, FLOAT_REUSED)                                                                                                     \
    inline void Get##Name##MaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, const bool isReuseSource, uint32_t& maxValue, uint32_t& minValue) { \
        const uint32_t buffers = typeSize != 4 ? HALF : isReuseSource ? FLOAT_REUSED : FLOAT;                                                                \
        minValue = buffers * 256;                                                                                                                            \
        maxValue = buffers * std::max(static_cast<uint32_t>(srcShape.GetShapeSize()) * typeSize, 256u);                                                      \
    }                                                                                                                                                        \
    inline void Get##Name##TmpBufferFactorSize(const uint32_t typeSize, uint32_t& maxLiveNodeCount, uint32_t& extraBuf) {                                    \
        extraBuf = 0;                                                                                                                                        \
        maxLiveNodeCount = typeSize == 4 ? FLOAT : HALF;                                                                                                     \
    }
TWIN_SIZE_QUERY(Acos, 6, 2, 2)
TWIN_SIZE_QUERY(Acosh, 2, 1, 1)
TWIN_SIZE_QUERY(Asin, 6, 2, 2)
TWIN_SIZE_QUERY(Asinh, 3, 3, 3)
TWIN_SIZE_QUERY(Atan, 12, 5, 5)
TWIN_SIZE_QUERY(Atanh, 4, 1, 1)
TWIN_SIZE_QUERY(Ceil, 2, 1, 1)
TWIN_SIZE_QUERY(Cos, 8, 3, 2)
TWIN_SIZE_QUERY(Cosh, 6, 2, 2)
TWIN_SIZE_QUERY(Erf, 8, 3, 3)
TWIN_SIZE_QUERY(Erfc, 16, 7, 7)
TWIN_SIZE_QUERY(Floor, 2, 0, 0)
TWIN_SIZE_QUERY(Fmod, 8, 1, 1)
TWIN_SIZE_QUERY(Frac, 4, 0, 0)
TWIN_SIZE_QUERY(Lgamma, 26, 8, 7)
TWIN_SIZE_QUERY(Log, 0, 0, 0)
TWIN_SIZE_QUERY(Log10, 0, 0, 0)
TWIN_SIZE_QUERY(Sign, 3, 3, 3)
TWIN_SIZE_QUERY(Sin, 8, 3, 2)
TWIN_SIZE_QUERY(Sinh, 4, 1, 1)
TWIN_SIZE_QUERY(Tan, 10, 4, 4)
TWIN_SIZE_QUERY(Tanh, 4, 1, 1)
TWIN_SIZE_QUERY(Trunc, 2, 1, 1)
TWIN_SIZE_QUERY(Xor, 1, 1, 1)
#undef TWIN_SIZE_QUERY

/// Of the form of Exp with a Taylor expansion: buffers of floats.
inline bool GetExpMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, const bool isReuseSource, uint32_t& maxValue, uint32_t& minValue) {
    const uint32_t buffers = typeSize != 4 ? 4 : isReuseSource ? 2 : 3;
    minValue = buffers * 256;
    maxValue = buffers * std::max(static_cast<uint32_t>(srcShape.GetShapeSize()) * 4, 256u);
    return true;
}
inline void GetExpTmpBufferFactorSize(const uint32_t typeSize, uint32_t& maxLiveNodeCount, uint32_t& extraBuf) {
    extraBuf = 0;
    maxLiveNodeCount = typeSize == 4 ? 3 : 8;
}
inline void GetLog2MaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, const bool, uint32_t& maxValue, uint32_t& minValue) {
    minValue = typeSize == 2 ? 256 : 0;
    maxValue = typeSize == 2 ? std::max(static_cast<uint32_t>(srcShape.GetShapeSize()) * 4, minValue) : 0;
}
inline void GetLog2TmpBufferFactorSize(const uint32_t typeSize, uint32_t& maxLiveNodeCount, uint32_t& extraBuf) {
    extraBuf = 0;
    maxLiveNodeCount = typeSize == 4 ? 0 : 2;
}
inline void GetGeluMaxMinTmpSize(const TensorShape& srcShape, const uint32_t, uint32_t& maxValue, uint32_t& minValue) {
    minValue = 3 * 256;
    maxValue = std::max(static_cast<uint32_t>(srcShape.GetShapeSize()) * 12, minValue);
}
inline void GetSiluTmpSize(const TensorShape&, const uint32_t, const bool, uint32_t& maxValue, uint32_t& minValue) { maxValue = minValue = 0; }
inline void GetSwishTmpSize(const TensorShape&, const uint32_t, const bool, uint32_t& maxValue, uint32_t& minValue) { maxValue = minValue = 0; }
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
/// A shape of one or two axes.
inline void GetAscendDequantMaxMinTmpSize(const TensorShape& srcShape, const uint32_t, uint32_t& maxValue, uint32_t& minValue) {
    const auto columns = static_cast<uint32_t>(srcShape.GetDimNum() == 0 ? 0 : srcShape.GetDim(srcShape.GetDimNum() - 1));
    minValue = (64 + columns + columns + 8) * 4;
    maxValue = (64 + static_cast<uint32_t>(srcShape.GetShapeSize()) + columns + 8) * 4;
}
inline void GetAscendQuantMaxMinTmpSize(const TensorShape& srcShape, const uint32_t, uint32_t& maxValue, uint32_t& minValue) {
    minValue = 512;
    maxValue = (std::max(static_cast<uint32_t>(srcShape.GetShapeSize()) * 2, minValue) + 31) / 32 * 32;
}

}  // namespace AscendC

#endif
