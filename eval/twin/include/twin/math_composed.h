// High-level functions over rows, and activations.
#ifndef TWIN_MATH_COMPOSED_H
#define TWIN_MATH_COMPOSED_H

#include "twin/tensor.h"

namespace AscendC {

/// dst[i] = x / (1 + exp(-1.5957691 (x + 0.044715 x^3))), the tanh form; highPerformance divides with Reciprocal, here
/// and below. T: half, float.
template <typename T, bool highPrecision = false, bool highPerformance = false>
__aicore__ inline void Gelu(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal,
                            const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t dataSize) {
    static_assert(twin::oneOf<T, half, float>, "Gelu on this device takes half and float");
    twin::MathUnary("Gelu", highPerformance ? twin::Op::kGeluQuick : twin::Op::kGelu, twin::typeOf<T>, dstLocal,
                    srcLocal, &sharedTmpBuffer, dataSize);
}
template <typename T, bool highPrecision = false, bool highPerformance = false>
__aicore__ inline void Gelu(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal, const uint32_t dataSize) {
    static_assert(twin::oneOf<T, half, float>, "Gelu on this device takes half and float");
    twin::MathUnary("Gelu", highPerformance ? twin::Op::kGeluQuick : twin::Op::kGelu, twin::typeOf<T>, dstLocal,
                    srcLocal, nullptr, dataSize);
}
/// dst[i] = x / (1 + exp(-1.702 x)). T: half, float.
template <typename T, bool highPrecision = false, bool highPerformance = false>
__aicore__ inline void FasterGelu(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal,
                                  const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t dataSize) {
    static_assert(twin::oneOf<T, half, float>, "FasterGelu on this device takes half and float");
    twin::MathUnary("FasterGelu", highPerformance ? twin::Op::kFasterGeluQuick : twin::Op::kFasterGelu, twin::typeOf<T>,
                    dstLocal, srcLocal, &sharedTmpBuffer, dataSize);
}
template <typename T, bool highPrecision = false, bool highPerformance = false>
__aicore__ inline void FasterGelu(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal,
                                  const uint32_t dataSize) {
    static_assert(twin::oneOf<T, half, float>, "FasterGelu on this device takes half and float");
    twin::MathUnary("FasterGelu", highPerformance ? twin::Op::kFasterGeluQuick : twin::Op::kFasterGelu, twin::typeOf<T>,
                    dstLocal, srcLocal, nullptr, dataSize);
}
/// dst[i] = quadratic approximation of x times the normal distribution. T: half, float.
template <typename T, bool highPrecision = false, bool highPerformance = false>
__aicore__ inline void FasterGeluV2(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal,
                                    const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t dataSize) {
    static_assert(twin::oneOf<T, half, float>, "FasterGeluV2 on this device takes half and float");
    twin::MathUnary("FasterGeluV2", highPerformance ? twin::Op::kFasterGeluV2Quick : twin::Op::kFasterGeluV2,
                    twin::typeOf<T>, dstLocal, srcLocal, &sharedTmpBuffer, dataSize);
}
template <typename T, bool highPrecision = false, bool highPerformance = false>
__aicore__ inline void FasterGeluV2(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal,
                                    const uint32_t dataSize) {
    static_assert(twin::oneOf<T, half, float>, "FasterGeluV2 on this device takes half and float");
    twin::MathUnary("FasterGeluV2", highPerformance ? twin::Op::kFasterGeluV2Quick : twin::Op::kFasterGeluV2,
                    twin::typeOf<T>, dstLocal, srcLocal, nullptr, dataSize);
}

/// dst[i] = src[i] / (1 + exp(-src[i])). T: half, float.
template <typename T, bool isReuseSource = false>
__aicore__ inline void Silu(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal, uint32_t dataSize) {
    static_assert(twin::oneOf<T, half, float>, "Silu on this device takes half and float");
    twin::MathUnary("Silu", twin::Op::kSilu, twin::typeOf<T>, dstLocal, srcLocal, nullptr, dataSize);
}
/// dst[i] = src[i] / (1 + exp(-scalarValue * src[i])). T: half, float.
template <typename T, bool isReuseSource = false>
__aicore__ inline void Swish(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal, uint32_t dataSize,
                             const T scalarValue) {
    static_assert(twin::oneOf<T, half, float>, "Swish on this device takes half and float");
    twin::Vector("Swish", twin::Op::kSwish, twin::typeOf<T>, twin::typeOf<T>, dstLocal, &srcLocal, nullptr,
                 static_cast<double>(scalarValue), dataSize);
}

/// dst[i] = src[i] * scalarValue + dst[i], the high-level form, whose temporary memory the twin does not need.
/// T, U: half, half; float, float; or float, half.
template <typename T, typename U, bool isReuseSource = false>
__aicore__ inline void Axpy(const LocalTensor<T>& dstTensor, const LocalTensor<U>& srcTensor, const U scalarValue,
                            const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t calCount) {
    (void)sharedTmpBuffer;
    Axpy(dstTensor, srcTensor, scalarValue, static_cast<int32_t>(calCount));
}

/// dst[i] = e^src[i], the high-level form with a Taylor expansion of that many terms; the twin rounds the exact value.
/// T: half, float.
template <typename T, uint8_t taylorExpandLevel, bool isReuseSource = false>
__aicore__ inline void Exp(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal, const uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "Exp on this device takes half and float");
    twin::MathUnary("Exp", twin::Op::kExp, twin::typeOf<T>, dstLocal, srcLocal, nullptr, calCount, isReuseSource);
}
template <typename T, uint8_t taylorExpandLevel, bool isReuseSource = false>
__aicore__ inline void Exp(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal,
                           const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "Exp on this device takes half and float");
    twin::MathUnary("Exp", twin::Op::kExp, twin::typeOf<T>, dstLocal, srcLocal, &sharedTmpBuffer, calCount,
                    isReuseSource);
}

/// outter rows of inner elements (inner * sizeof(T) a multiple of 32), of which the first n count.
struct SumParams {
    uint32_t outter = 1;
    uint32_t inner = 0;
    uint32_t n = 0;
};
struct MeanParams {
    uint32_t outter = 1;
    uint32_t inner = 0;
    uint32_t n = 0;
};
/// dst[row] = sum (or mean) of the first n elements of the row; dst holds outter elements, rounded up to 32 bytes. T:
/// half, float.
template <typename T, int32_t reduceDim = -1, bool isReuseSource = false, bool isBasicBlock = false>
__aicore__ inline void Sum(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
                           const LocalTensor<uint8_t>& sharedTmpBuffer, const SumParams& sumParams) {
    static_assert(twin::oneOf<T, half, float>, "Sum on this device takes half and float");
    twin::SumRows("Sum", twin::typeOf<T>, dstTensor, srcTensor, sumParams.outter, sumParams.inner, sumParams.n,
                  {&sharedTmpBuffer, false, sizeof(T)});
}
template <typename T, int32_t reduceDim = -1, bool isReuseSource = false, bool isBasicBlock = false>
__aicore__ inline void Sum(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
                           const SumParams& sumParams) {
    static_assert(twin::oneOf<T, half, float>, "Sum on this device takes half and float");
    twin::SumRows("Sum", twin::typeOf<T>, dstTensor, srcTensor, sumParams.outter, sumParams.inner, sumParams.n,
                  {nullptr, false, sizeof(T)});
}
template <typename T, typename accType = T, bool isReuseSource = false, bool isBasicBlock = false,
          int32_t reduceDim = -1>
__aicore__ inline void Mean(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
                            const LocalTensor<uint8_t>& sharedTmpBuffer, const MeanParams& meanParams) {
    static_assert(twin::oneOf<T, half, float>, "Mean on this device takes half and float");
    twin::SumRows("Mean", twin::typeOf<T>, dstTensor, srcTensor, meanParams.outter, meanParams.inner, meanParams.n,
                  {&sharedTmpBuffer, true, sizeof(accType)});
}
template <typename T, typename accType = T, bool isReuseSource = false, bool isBasicBlock = false,
          int32_t reduceDim = -1>
__aicore__ inline void Mean(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
                            const MeanParams& meanParams) {
    static_assert(twin::oneOf<T, half, float>, "Mean on this device takes half and float");
    twin::SumRows("Mean", twin::typeOf<T>, dstTensor, srcTensor, meanParams.outter, meanParams.inner, meanParams.n,
                  {nullptr, true, sizeof(accType)});
}

/// Repeats src along axis: dim 1, [1] to [n]; dim 2, axis 0: [1, k] to [m, k]; axis 1: [m, 1] to [m, k]. T: of 1, 2 or
/// 4 bytes; the page names int8_t, uint8_t, half and float, and the shipped example takes bfloat16_t.
template <typename T, int32_t dim, int32_t axis, bool isReuseSource = false>
__aicore__ inline void BroadCast(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal,
                                 const uint32_t dstShape[dim], const uint32_t srcShape[dim]) {
    static_assert(sizeof(T) <= 4, "BroadCast on this device takes types of 1, 2 and 4 bytes");
    static_assert((dim == 1 || dim == 2) && (axis == 0 || axis == 1), "BroadCast takes dim 1 or 2 and axis 0 or 1");
    const bool alongRows = dim == 2 && axis == 1;
    const uint32_t rows = dim == 2 ? dstShape[0] : 1, columns = dstShape[dim - 1];
    twin::BroadcastRows(sizeof(T), dstLocal, srcLocal, rows, columns, alongRows || srcShape[dim - 1] == 1,
                        dim == 2 && axis == 0);
}
template <typename T, int32_t dim, int32_t axis, bool isReuseSource = false>
__aicore__ inline void BroadCast(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal,
                                 const uint32_t dstShape[dim], const uint32_t srcShape[dim],
                                 LocalTensor<uint8_t>& sharedTmpBuffer) {
    BroadCast<T, dim, axis, isReuseSource>(dstLocal, srcLocal, dstShape, srcShape);
}
template <typename T, int32_t dim, int32_t axis, bool isReuseSource = false>
__aicore__ inline void Broadcast(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal,
                                 const uint32_t dstShape[dim], const uint32_t srcShape[dim]) {
    BroadCast<T, dim, axis, isReuseSource>(dstLocal, srcLocal, dstShape, srcShape);
}
template <typename T, int32_t dim, int32_t axis, bool isReuseSource = false>
__aicore__ inline void Broadcast(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal,
                                 const uint32_t dstShape[dim], const uint32_t srcShape[dim],
                                 LocalTensor<uint8_t>& sharedTmpBuffer) {
    BroadCast<T, dim, axis, isReuseSource>(dstLocal, srcLocal, dstShape, srcShape, sharedTmpBuffer);
}

}  // namespace AscendC

#endif
