// Temporary memory of math functions, activations, running sums, quantisation and dropout, on the host. Bytes: at most useful, and at least.
// Figures: those of Atlas A2 in the SDK's tiling sources.
#ifndef TWIN_HOST_SIZE_QUERIES_H
#define TWIN_HOST_SIZE_QUERIES_H

#include <algorithm>

#include "graph/types.h"
#include "tiling/platform/platform_ascendc.h"
#include "twin/temporary_sizes.h"

namespace AscendC {

using TensorShape = ge::Shape;

// Buffers of the input's size, at least a repeat each, by type; and how many an operator with several such functions adds up for each.
#define TWIN_SIZE_QUERY(Name, HALF, FLOAT, FLOAT_REUSED)                                                                                                     \
    inline void Get##Name##MaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, const bool isReuseSource, uint32_t& maxValue, uint32_t& minValue) { \
        const uint32_t buffers = twin::TemporaryBuffers(HALF, FLOAT, FLOAT_REUSED, typeSize, isReuseSource);                                                 \
        minValue = buffers * twin::kTemporaryBuffer;                                                                                                         \
        maxValue = buffers * std::max(static_cast<uint32_t>(srcShape.GetShapeSize()) * typeSize, twin::kTemporaryBuffer);                                    \
    }                                                                                                                                                        \
    inline void Get##Name##TmpBufferFactorSize(const uint32_t typeSize, uint32_t& maxLiveNodeCount, uint32_t& extraBuf) {                                    \
        extraBuf = 0;                                                                                                                                        \
        maxLiveNodeCount = typeSize == 4 ? FLOAT : HALF;                                                                                                     \
    }
TWIN_TEMPORARY_BUFFERS(TWIN_SIZE_QUERY)
TWIN_SIZE_QUERY(Log, 0, 0, 0)
#undef TWIN_SIZE_QUERY

/// Of the form of Exp with a Taylor expansion: buffers of floats.
inline bool GetExpMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, const bool isReuseSource, uint32_t& maxValue, uint32_t& minValue) {
    const uint32_t buffers = twin::ExpBuffers(typeSize, isReuseSource);
    minValue = buffers * twin::kTemporaryBuffer;
    maxValue = buffers * std::max(static_cast<uint32_t>(srcShape.GetShapeSize()) * 4, twin::kTemporaryBuffer);
    return true;
}
inline void GetExpTmpBufferFactorSize(const uint32_t typeSize, uint32_t& maxLiveNodeCount, uint32_t& extraBuf) {
    extraBuf = 0;
    maxLiveNodeCount = typeSize == 4 ? 3 : 8;
}
inline void GetLog2MaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, const bool, uint32_t& maxValue, uint32_t& minValue) {
    minValue = twin::Log2Temporary(typeSize);
    maxValue = typeSize == 2 ? std::max(static_cast<uint32_t>(srcShape.GetShapeSize()) * 4, minValue) : 0;
}
inline void GetLog2TmpBufferFactorSize(const uint32_t typeSize, uint32_t& maxLiveNodeCount, uint32_t& extraBuf) {
    extraBuf = 0;
    maxLiveNodeCount = typeSize == 4 ? 0 : 2;
}
inline void GetGeluMaxMinTmpSize(const TensorShape& srcShape, const uint32_t, uint32_t& maxValue, uint32_t& minValue) {
    minValue = twin::kGeluBuffers * twin::kTemporaryBuffer;
    maxValue = std::max(static_cast<uint32_t>(srcShape.GetShapeSize()) * 12, minValue);
}
/// Clamp, which ClampMax and ClampMin are halves of: mask bits, a byte an element at most.
inline void GetClampMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, const bool, uint32_t& maxValue, uint32_t& minValue) {
    minValue = twin::ClampTemporary(typeSize);
    maxValue = std::max(static_cast<uint32_t>(srcShape.GetShapeSize()), minValue);
}
inline void GetRoundMaxMinTmpSize(const platform_ascendc::PlatformAscendC&, const TensorShape& srcShape, const uint32_t typeSize, const bool, uint32_t& maxValue, uint32_t& minValue) {
    minValue = twin::RoundTemporary(typeSize);
    maxValue = typeSize == 2 ? std::max(static_cast<uint32_t>(srcShape.GetShapeSize()) * typeSize, minValue) : 0;
}
inline void GetRoundTmpBufferFactorSize(const platform_ascendc::PlatformAscendC&, const uint32_t typeSize, uint32_t& maxLiveNodeCount, uint32_t& extraBuf) {
    extraBuf = 0;
    maxLiveNodeCount = typeSize == 4 ? 0 : 1;
}
/// Of the base and of the exponent; a shape of one element stands for a scalar.
inline void GetPowerMaxMinTmpSize(const TensorShape& srcShape1, const TensorShape& srcShape2, const bool typeIsInt, const uint32_t typeSize, const bool, uint32_t& maxValue,
                                  uint32_t& minValue) {
    const auto tensor = [](const TensorShape& shape) { return shape.GetDimNum() != 1 || shape.GetDim(0) != 1; };
    const bool tensors = tensor(srcShape1) && tensor(srcShape2);
    const auto elements = static_cast<uint32_t>((tensor(srcShape1) ? srcShape1 : srcShape2).GetShapeSize());
    minValue = twin::PowerTemporary(typeSize, typeIsInt, tensors);
    const uint32_t buffer = std::max(elements * typeSize, typeSize == 2 ? twin::kTemporaryBuffer / 2 : twin::kTemporaryBuffer);
    maxValue = twin::PowerBuffers(typeSize, typeIsInt, tensors) * buffer + (typeIsInt ? 0 : twin::kTemporaryBuffer);
}
inline void GetPowerTmpBufferFactorSize(const bool baseIsTensor, const bool expIsTensor, const bool typeIsInt, const uint32_t typeSize, uint32_t& maxLiveNodeCount, uint32_t& extraBuffer) {
    extraBuffer = typeIsInt ? 0 : twin::kTemporaryBuffer;
    maxLiveNodeCount = twin::PowerBuffers(typeSize, typeIsInt, baseIsTensor && expIsTensor);
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
/// From a shape of one or two axes to one of as many, whose axes are as long or were 1; typeSize: 1, 2 or 4. Another
/// call leaves the sizes as they are.
void GetBroadCastMaxMinTmpSize(const platform_ascendc::PlatformAscendC& ascendcPlatform, const TensorShape& srcShape,
                               const TensorShape& dstShape, uint32_t typeSize, const bool isReuseSource,
                               uint32_t& maxValue, uint32_t& minValue);
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
