// Temporary memory of math functions, activations, running sums, quantisation and dropout, on the host. Bytes: at most
// useful, and at least. Figures: those of Atlas A2 in the SDK's tiling sources.
#ifndef TWIN_HOST_SIZE_QUERIES_H
#define TWIN_HOST_SIZE_QUERIES_H

#include <algorithm>

#include "graph/types.h"
#include "tiling/platform/platform_ascendc.h"
#include "twin/temporary_sizes.h"

namespace AscendC {

using TensorShape = ge::Shape;
using TensorDataType = ge::DataType;

// Buffers of the input's size, at least a repeat each, by type; and how many an operator with several such functions
// adds up for each.
#define TWIN_SIZE_QUERY(Name, HALF, FLOAT, FLOAT_REUSED) TWIN_SIZE_QUERIES(Name, HALF, FLOAT, FLOAT_REUSED, HALF)
#define TWIN_SIZE_QUERIES(Name, HALF, FLOAT, FLOAT_REUSED, FACTOR)                                                 \
    inline void Get##Name##MaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize,                     \
                                         const bool isReuseSource, uint32_t& maxValue, uint32_t& minValue) {       \
        const uint32_t buffers = twin::TemporaryBuffers(HALF, FLOAT, FLOAT_REUSED, typeSize, isReuseSource);       \
        minValue = buffers * twin::kTemporaryBuffer;                                                               \
        maxValue =                                                                                                 \
            buffers * std::max(static_cast<uint32_t>(srcShape.GetShapeSize()) * typeSize, twin::kTemporaryBuffer); \
    }                                                                                                              \
    inline void Get##Name##TmpBufferFactorSize(const uint32_t typeSize, uint32_t& maxLiveNodeCount,                \
                                               uint32_t& extraBuf) {                                               \
        extraBuf = 0;                                                                                              \
        maxLiveNodeCount = typeSize == 4 ? FLOAT : FACTOR;                                                         \
    }
TWIN_PLAIN_BUFFERS(TWIN_SIZE_QUERY)
TWIN_SIZE_QUERY(Log, 0, 0, 0)
// The factor of half counts its buffers in floats.
TWIN_SIZE_QUERIES(Lgamma, 26, 8, 7, 13)
#undef TWIN_SIZE_QUERIES
#undef TWIN_SIZE_QUERY

#define TWIN_BUFFER_FACTOR(Name, HALF, FLOAT)                                                       \
    inline void Get##Name##TmpBufferFactorSize(const uint32_t typeSize, uint32_t& maxLiveNodeCount, \
                                               uint32_t& extraBuf) {                                \
        extraBuf = 0;                                                                               \
        maxLiveNodeCount = typeSize == 4 ? FLOAT : HALF;                                            \
    }
TWIN_BUFFER_FACTOR(Axpy, twin::kAxpyBuffers, 1)
TWIN_BUFFER_FACTOR(Clamp, 1, 1)
TWIN_BUFFER_FACTOR(GeGLU, 4, 0)
TWIN_BUFFER_FACTOR(SwiGLU, 6, 0)
TWIN_BUFFER_FACTOR(Mean, 1, 1)
#undef TWIN_BUFFER_FACTOR
/// Of a sum in float to which halves are added; in one type it needs none.
inline void GetAxpyMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, const bool, uint32_t& maxValue,
                                 uint32_t& minValue) {
    const uint32_t buffers = typeSize == 4 ? 0 : twin::kAxpyBuffers;
    minValue = buffers * twin::kTemporaryBuffer;
    maxValue = buffers * std::max(static_cast<uint32_t>(srcShape.GetShapeSize()) * typeSize, twin::kTemporaryBuffer);
}
inline void GetReduceXorSumMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, const bool isReuseSource,
                                         uint32_t& maxValue, uint32_t& minValue) {
    maxValue = minValue = (isReuseSource ? 2 : 3) *
                          std::max(static_cast<uint32_t>(srcShape.GetShapeSize()) * typeSize, twin::kTemporaryBuffer);
}
inline uint32_t GetDropOutMinTmpSize(const TensorShape&, const uint32_t, const bool) {
    return 2 * twin::kTemporaryBuffer;
}
inline uint32_t GetDropOutMaxTmpSize(const TensorShape& srcShape, const uint32_t, const bool) {
    return 2 * std::max(static_cast<uint32_t>(srcShape.GetShapeSize() * sizeof(float)), twin::kTemporaryBuffer);
}
inline void GetArithProgressionMaxMinTmpSize(uint32_t& maxValue, uint32_t& minValue) { maxValue = minValue = 0; }
inline void GetArangeMaxMinTmpSize(uint32_t& maxValue, uint32_t& minValue) { maxValue = minValue = 0; }

/// Of the form of Exp with a Taylor expansion: buffers of floats.
inline bool GetExpMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, const bool isReuseSource,
                                uint32_t& maxValue, uint32_t& minValue) {
    const uint32_t buffers = twin::ExpBuffers(typeSize, isReuseSource);
    minValue = buffers * twin::kTemporaryBuffer;
    maxValue = buffers * std::max(static_cast<uint32_t>(srcShape.GetShapeSize()) * 4, twin::kTemporaryBuffer);
    return true;
}
inline void GetExpTmpBufferFactorSize(const uint32_t typeSize, uint32_t& maxLiveNodeCount, uint32_t& extraBuf) {
    extraBuf = 0;
    maxLiveNodeCount = typeSize == 4 ? 3 : 8;
}
inline void GetLog2MaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, const bool, uint32_t& maxValue,
                                 uint32_t& minValue) {
    minValue = twin::Log2Temporary(typeSize);
    maxValue = typeSize == 2 ? std::max(static_cast<uint32_t>(srcShape.GetShapeSize()) * 4, minValue) : 0;
}
inline void GetLog2TmpBufferFactorSize(const uint32_t typeSize, uint32_t& maxLiveNodeCount, uint32_t& extraBuf) {
    extraBuf = 0;
    maxLiveNodeCount = typeSize == 4 ? 0 : 2;
}
inline uint32_t GetGeluMinTmpSize(const TensorShape&, const uint32_t) {
    return twin::kGeluBuffers * twin::kTemporaryBuffer;
}
inline uint32_t GetGeluMaxTmpSize(const TensorShape& srcShape, const uint32_t typeSize) {
    return std::max(static_cast<uint32_t>(srcShape.GetShapeSize()) * 12, GetGeluMinTmpSize(srcShape, typeSize));
}
inline void GetGeluMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, uint32_t& maxValue,
                                 uint32_t& minValue) {
    minValue = GetGeluMinTmpSize(srcShape, typeSize);
    maxValue = GetGeluMaxTmpSize(srcShape, typeSize);
}
/// Clamp, which ClampMax and ClampMin are halves of: mask bits, a byte an element at most.
inline void GetClampMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, const bool, uint32_t& maxValue,
                                  uint32_t& minValue) {
    minValue = twin::ClampTemporary(typeSize);
    maxValue = std::max(static_cast<uint32_t>(srcShape.GetShapeSize()), minValue);
}
inline void GetRoundMaxMinTmpSize(const platform_ascendc::PlatformAscendC&, const TensorShape& srcShape,
                                  const uint32_t typeSize, const bool, uint32_t& maxValue, uint32_t& minValue) {
    minValue = twin::RoundTemporary(typeSize);
    maxValue = typeSize == 2 ? std::max(static_cast<uint32_t>(srcShape.GetShapeSize()) * typeSize, minValue) : 0;
}
inline void GetRoundTmpBufferFactorSize(const platform_ascendc::PlatformAscendC&, const uint32_t typeSize,
                                        uint32_t& maxLiveNodeCount, uint32_t& extraBuf) {
    extraBuf = 0;
    maxLiveNodeCount = typeSize == 4 ? 0 : 1;
}
/// Of the base and of the exponent; a shape of one element stands for a scalar.
inline void GetPowerMaxMinTmpSize(const TensorShape& srcShape1, const TensorShape& srcShape2, const bool typeIsInt,
                                  const uint32_t typeSize, const bool, uint32_t& maxValue, uint32_t& minValue) {
    const auto tensor = [](const TensorShape& shape) { return shape.GetDimNum() != 1 || shape.GetDim(0) != 1; };
    const bool tensors = tensor(srcShape1) && tensor(srcShape2);
    const auto elements = static_cast<uint32_t>((tensor(srcShape1) ? srcShape1 : srcShape2).GetShapeSize());
    minValue = twin::PowerTemporary(typeSize, typeIsInt, tensors);
    const uint32_t buffer =
        std::max(elements * typeSize, typeSize == 2 ? twin::kTemporaryBuffer / 2 : twin::kTemporaryBuffer);
    maxValue = twin::PowerBuffers(typeSize, typeIsInt, tensors) * buffer + (typeIsInt ? 0 : twin::kTemporaryBuffer);
}
inline void GetPowerTmpBufferFactorSize(const bool baseIsTensor, const bool expIsTensor, const bool typeIsInt,
                                        const uint32_t typeSize, uint32_t& maxLiveNodeCount, uint32_t& extraBuffer) {
    extraBuffer = typeIsInt ? 0 : twin::kTemporaryBuffer;
    maxLiveNodeCount = twin::PowerBuffers(typeSize, typeIsInt, baseIsTensor && expIsTensor);
}
inline void GetSiluTmpSize(const TensorShape&, const uint32_t, const bool, uint32_t& maxValue, uint32_t& minValue) {
    maxValue = minValue = 0;
}
inline void GetSwishTmpSize(const TensorShape&, const uint32_t, const bool, uint32_t& maxValue, uint32_t& minValue) {
    maxValue = minValue = 0;
}
inline void GetSwiGLUMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, uint32_t& maxValue,
                                   uint32_t& minValue, const bool = false) {
    const uint32_t buffers = typeSize == 2 ? 6 : 0;
    minValue = buffers * 256;
    maxValue = buffers * std::max(static_cast<uint32_t>(srcShape.GetShapeSize()) * typeSize, 256u);
}
inline void GetGeGLUMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, const bool, uint32_t& maxValue,
                                  uint32_t& minValue) {
    const uint32_t buffers = typeSize == 2 ? 4 : 0;
    minValue = buffers * 256;
    maxValue = buffers * std::max(static_cast<uint32_t>(srcShape.GetShapeSize()) * typeSize, 256u);
}
inline void GetReGluMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, const bool, uint32_t& maxValue,
                                  uint32_t& minValue) {
    minValue = typeSize == 2 ? 6 * 256 : 256;
    maxValue = typeSize == 2 ? std::max(static_cast<uint32_t>(srcShape.GetShapeSize()) * 12, minValue) : minValue;
}
/// A shape of two axes.
inline void GetCumSumMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, const bool isLastAxis,
                                   const bool, uint32_t& maxValue, uint32_t& minValue) {
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
inline void GetDropOutMaxMinTmpSize(const TensorShape& srcShape, const uint32_t, const bool, uint32_t& maxValue,
                                    uint32_t& minValue) {
    minValue = 512;
    maxValue = std::max(static_cast<uint32_t>(srcShape.GetShapeSize()) * 8, minValue);
}
/// A shape of one or two axes.
inline void GetAscendDequantMaxMinTmpSize(const TensorShape& srcShape, const uint32_t, uint32_t& maxValue,
                                          uint32_t& minValue) {
    const auto columns =
        static_cast<uint32_t>(srcShape.GetDimNum() == 0 ? 0 : srcShape.GetDim(srcShape.GetDimNum() - 1));
    minValue = (64 + columns + columns + 8) * 4;
    maxValue = (64 + static_cast<uint32_t>(srcShape.GetShapeSize()) + columns + 8) * 4;
}
inline void GetAscendQuantMaxMinTmpSize(const TensorShape& srcShape, const uint32_t, uint32_t& maxValue,
                                        uint32_t& minValue) {
    minValue = 512;
    maxValue = (std::max(static_cast<uint32_t>(srcShape.GetShapeSize()) * 2, minValue) + 31) / 32 * 32;
}

inline void GetAscendDequantTmpBufferFactorSize(const TensorShape& srcShape, uint32_t& maxLiveNodeCount,
                                                uint32_t& extraBuf) {
    const size_t axes = srcShape.GetDimNum();
    maxLiveNodeCount = axes == 1 ? 2 : axes == 2 ? 1 : 0;
    extraBuf = maxLiveNodeCount == 0 ? 0 : 8 + 64 + (axes == 2 ? static_cast<uint32_t>(srcShape.GetDim(1)) : 0);
}
inline void GetAscendQuantTmpBufferFactorSize(uint32_t& maxLiveNodeCount, uint32_t& extraBuf) {
    extraBuf = 0;
    maxLiveNodeCount = 2;
}

/// Weights of [K, N], or [N, K] when transposed, to half or bfloat16; a scale of one element is one for all.
struct AntiQuantTemporary {
    AntiQuantTemporary(const TensorShape& src, const TensorShape& scale, bool isTranspose, TensorDataType output)
        : none(output == ge::DT_FLOAT16), one(scale.GetShapeSize() == 1),
          elements(static_cast<uint32_t>(src.GetShapeSize())),
          // Rows of scale and offset, and 64 columns of the input, in floats.
          bytes(twin::AntiQuantTemporary(static_cast<uint32_t>(scale.GetShapeSize()),
                                         static_cast<uint32_t>(src.GetDimNum() == 0 ? 0 : src.GetDim(0)),
                                         isTranspose)) {}
    bool none, one;
    uint32_t elements, bytes;
};
inline uint32_t GetAscendAntiQuantMaxTmpSize(const TensorShape& srcShape, const TensorShape& scaleShape,
                                             bool isTranspose, TensorDataType, TensorDataType outputDataType) {
    const AntiQuantTemporary need(srcShape, scaleShape, isTranspose, outputDataType);
    return need.none ? 0 : need.one ? need.elements * 4 : need.bytes;
}
inline uint32_t GetAscendAntiQuantMinTmpSize(const TensorShape& srcShape, const TensorShape& scaleShape,
                                             bool isTranspose, TensorDataType, TensorDataType outputDataType) {
    const AntiQuantTemporary need(srcShape, scaleShape, isTranspose, outputDataType);
    return need.none ? 0 : need.one ? twin::kAntiQuantOne : need.bytes;
}
inline void GetAscendAntiQuantMaxMinTmpSize(const TensorShape& srcShape, const TensorShape& scaleShape,
                                            bool isTranspose, TensorDataType inputDataType,
                                            TensorDataType outputDataType, uint32_t& maxValue, uint32_t& minValue) {
    maxValue = GetAscendAntiQuantMaxTmpSize(srcShape, scaleShape, isTranspose, inputDataType, outputDataType);
    minValue = GetAscendAntiQuantMinTmpSize(srcShape, scaleShape, isTranspose, inputDataType, outputDataType);
}
inline void GetAscendAntiQuantTmpBufferFactorSize(const TensorShape& srcShape, const TensorShape& scaleShape,
                                                  bool isTranspose, TensorDataType, TensorDataType outputDataType,
                                                  uint32_t& maxLiveNodeCount, uint32_t& extraBuf) {
    const AntiQuantTemporary need(srcShape, scaleShape, isTranspose, outputDataType);
    maxLiveNodeCount = !need.none && need.one ? 1 : 0;
    extraBuf = need.none || need.one ? 0 : need.bytes;
}

/// Select by a mask of bytes. A shape of no axis or of one element stands for a scalar; its mask may be longer than its
/// rows.
inline uint32_t SelectTemporary(const TensorShape& src0Shape, const TensorShape& src1Shape,
                                const TensorShape& maskShape, const uint32_t maskTypeSize, const bool isReuseMask,
                                const uint32_t most) {
    const bool scalar = src0Shape.GetDimNum() == 0 || src0Shape.GetShapeSize() == 1;
    const TensorShape& src = scalar ? src1Shape : src0Shape;
    const auto last = [](const TensorShape& shape) {
        return shape.GetDimNum() == 0 ? 1 : shape.GetDim(shape.GetDimNum() - 1);
    };
    const auto elements = static_cast<uint32_t>(src.GetShapeSize());
    const uint32_t halves = twin::UpTo(std::min(elements, most), 32) * 2;
    const bool gaps = last(maskShape) != last(src) && last(maskShape) > 1 && !isReuseMask;
    return std::max(halves + 512u, 1024u) + (gaps ? twin::UpTo(elements * maskTypeSize, 32) : 0);
}
#define TWIN_SELECT_QUERIES(Name)                                                                                     \
    inline uint32_t Get##Name##MinTmpSize(const TensorShape& src0Shape, const TensorShape& src1Shape, const uint32_t, \
                                          const TensorShape& maskShape, const uint32_t maskTypeSize,                  \
                                          const bool isReuseMask) {                                                   \
        return SelectTemporary(src0Shape, src1Shape, maskShape, maskTypeSize, isReuseMask, 4096);                     \
    }                                                                                                                 \
    inline uint32_t Get##Name##MaxTmpSize(const TensorShape& src0Shape, const TensorShape& src1Shape, const uint32_t, \
                                          const TensorShape& maskShape, const uint32_t maskTypeSize,                  \
                                          const bool isReuseMask) {                                                   \
        return SelectTemporary(src0Shape, src1Shape, maskShape, maskTypeSize, isReuseMask, UINT32_MAX);               \
    }                                                                                                                 \
    inline void Get##Name##MaxMinTmpSize(const TensorShape& src0Shape, const TensorShape& src1Shape,                  \
                                         const uint32_t srcTypeSize, const TensorShape& maskShape,                    \
                                         const uint32_t maskTypeSize, const bool isReuseMask, uint32_t& maxValue,     \
                                         uint32_t& minValue) {                                                        \
        maxValue = Get##Name##MaxTmpSize(src0Shape, src1Shape, srcTypeSize, maskShape, maskTypeSize, isReuseMask);    \
        minValue = Get##Name##MinTmpSize(src0Shape, src1Shape, srcTypeSize, maskShape, maskTypeSize, isReuseMask);    \
    }
TWIN_SELECT_QUERIES(Select)
TWIN_SELECT_QUERIES(SelectWithBytesMask)
#undef TWIN_SELECT_QUERIES

}  // namespace AscendC

#endif
