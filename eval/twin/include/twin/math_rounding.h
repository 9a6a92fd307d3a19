// High-level functions of one tensor: logarithms, rounding, sign.
#ifndef TWIN_MATH_ROUNDING_H
#define TWIN_MATH_ROUNDING_H

#include "twin/tensor.h"

namespace AscendC {

/// dst[i] = logarithm to base 2. T: half, float.
template <typename T, bool isReuseSource = false>
__aicore__ inline void Log2(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "Log2 on this device takes half and float");
    twin::MathUnary("Log2", twin::Op::kLog2, twin::typeOf<T>, dstTensor, srcTensor, &sharedTmpBuffer, calCount);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Log2(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const LocalTensor<uint8_t>& sharedTmpBuffer) {
    Log2<T, isReuseSource>(dstTensor, srcTensor, sharedTmpBuffer, srcTensor.GetSize());
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Log2(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "Log2 on this device takes half and float");
    twin::MathUnary("Log2", twin::Op::kLog2, twin::typeOf<T>, dstTensor, srcTensor, nullptr, calCount);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Log2(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor) {
    Log2<T, isReuseSource>(dstTensor, srcTensor, srcTensor.GetSize());
}

/// dst[i] = -1, 0 or 1. T: half, float.
template <typename T, bool isReuseSource = false>
__aicore__ inline void Sign(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "Sign on this device takes half and float");
    twin::MathUnary("Sign", twin::Op::kSign, twin::typeOf<T>, dstTensor, srcTensor, &sharedTmpBuffer, calCount);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Sign(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const LocalTensor<uint8_t>& sharedTmpBuffer) {
    Sign<T, isReuseSource>(dstTensor, srcTensor, sharedTmpBuffer, srcTensor.GetSize());
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Sign(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "Sign on this device takes half and float");
    twin::MathUnary("Sign", twin::Op::kSign, twin::typeOf<T>, dstTensor, srcTensor, nullptr, calCount);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Sign(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor) {
    Sign<T, isReuseSource>(dstTensor, srcTensor, srcTensor.GetSize());
}

/// dst[i] = largest integer not above. T: half, float.
template <typename T, bool isReuseSource = false>
__aicore__ inline void Floor(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "Floor on this device takes half and float");
    twin::MathUnary("Floor", twin::Op::kFloor, twin::typeOf<T>, dstTensor, srcTensor, &sharedTmpBuffer, calCount);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Floor(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const LocalTensor<uint8_t>& sharedTmpBuffer) {
    Floor<T, isReuseSource>(dstTensor, srcTensor, sharedTmpBuffer, srcTensor.GetSize());
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Floor(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "Floor on this device takes half and float");
    twin::MathUnary("Floor", twin::Op::kFloor, twin::typeOf<T>, dstTensor, srcTensor, nullptr, calCount);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Floor(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor) {
    Floor<T, isReuseSource>(dstTensor, srcTensor, srcTensor.GetSize());
}

/// dst[i] = smallest integer not below. T: half, float.
template <typename T, bool isReuseSource = false>
__aicore__ inline void Ceil(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "Ceil on this device takes half and float");
    twin::MathUnary("Ceil", twin::Op::kCeil, twin::typeOf<T>, dstTensor, srcTensor, &sharedTmpBuffer, calCount);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Ceil(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const LocalTensor<uint8_t>& sharedTmpBuffer) {
    Ceil<T, isReuseSource>(dstTensor, srcTensor, sharedTmpBuffer, srcTensor.GetSize());
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Ceil(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "Ceil on this device takes half and float");
    twin::MathUnary("Ceil", twin::Op::kCeil, twin::typeOf<T>, dstTensor, srcTensor, nullptr, calCount);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Ceil(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor) {
    Ceil<T, isReuseSource>(dstTensor, srcTensor, srcTensor.GetSize());
}

/// dst[i] = integer towards zero. T: half, float.
template <typename T, bool isReuseSource = false>
__aicore__ inline void Trunc(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "Trunc on this device takes half and float");
    twin::MathUnary("Trunc", twin::Op::kTrunc, twin::typeOf<T>, dstTensor, srcTensor, &sharedTmpBuffer, calCount);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Trunc(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const LocalTensor<uint8_t>& sharedTmpBuffer) {
    Trunc<T, isReuseSource>(dstTensor, srcTensor, sharedTmpBuffer, srcTensor.GetSize());
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Trunc(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "Trunc on this device takes half and float");
    twin::MathUnary("Trunc", twin::Op::kTrunc, twin::typeOf<T>, dstTensor, srcTensor, nullptr, calCount);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Trunc(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor) {
    Trunc<T, isReuseSource>(dstTensor, srcTensor, srcTensor.GetSize());
}

/// dst[i] = nearest integer, ties to even. T: half, float.
template <typename T, bool isReuseSource = false>
__aicore__ inline void Round(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "Round on this device takes half and float");
    twin::MathUnary("Round", twin::Op::kRound, twin::typeOf<T>, dstTensor, srcTensor, &sharedTmpBuffer, calCount);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Round(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const LocalTensor<uint8_t>& sharedTmpBuffer) {
    Round<T, isReuseSource>(dstTensor, srcTensor, sharedTmpBuffer, srcTensor.GetSize());
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Round(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "Round on this device takes half and float");
    twin::MathUnary("Round", twin::Op::kRound, twin::typeOf<T>, dstTensor, srcTensor, nullptr, calCount);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Round(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor) {
    Round<T, isReuseSource>(dstTensor, srcTensor, srcTensor.GetSize());
}

/// dst[i] = src[i] - trunc(src[i]). T: half, float.
template <typename T, bool isReuseSource = false>
__aicore__ inline void Frac(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "Frac on this device takes half and float");
    twin::MathUnary("Frac", twin::Op::kFrac, twin::typeOf<T>, dstTensor, srcTensor, &sharedTmpBuffer, calCount);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Frac(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const LocalTensor<uint8_t>& sharedTmpBuffer) {
    Frac<T, isReuseSource>(dstTensor, srcTensor, sharedTmpBuffer, srcTensor.GetSize());
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Frac(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "Frac on this device takes half and float");
    twin::MathUnary("Frac", twin::Op::kFrac, twin::typeOf<T>, dstTensor, srcTensor, nullptr, calCount);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Frac(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor) {
    Frac<T, isReuseSource>(dstTensor, srcTensor, srcTensor.GetSize());
}

/// dst[i] = logarithm of the gamma function. T: half, float.
template <typename T, bool isReuseSource = false>
__aicore__ inline void Lgamma(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "Lgamma on this device takes half and float");
    twin::MathUnary("Lgamma", twin::Op::kLgamma, twin::typeOf<T>, dstTensor, srcTensor, &sharedTmpBuffer, calCount, isReuseSource);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Lgamma(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const LocalTensor<uint8_t>& sharedTmpBuffer) {
    Lgamma<T, isReuseSource>(dstTensor, srcTensor, sharedTmpBuffer, srcTensor.GetSize());
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Lgamma(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "Lgamma on this device takes half and float");
    twin::MathUnary("Lgamma", twin::Op::kLgamma, twin::typeOf<T>, dstTensor, srcTensor, nullptr, calCount, isReuseSource);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Lgamma(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor) {
    Lgamma<T, isReuseSource>(dstTensor, srcTensor, srcTensor.GetSize());
}

/// dst[i] = derivative of the logarithm of the gamma function. T: half, float.
template <typename T, bool isReuseSource = false>
__aicore__ inline void Digamma(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "Digamma on this device takes half and float");
    twin::MathUnary("Digamma", twin::Op::kDigamma, twin::typeOf<T>, dstTensor, srcTensor, &sharedTmpBuffer, calCount, isReuseSource);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Digamma(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "Digamma on this device takes half and float");
    twin::MathUnary("Digamma", twin::Op::kDigamma, twin::typeOf<T>, dstTensor, srcTensor, nullptr, calCount, isReuseSource);
}

/// dst[i] = logarithm to base 10. T: half, float.
template <typename T, bool isReuseSource = false>
__aicore__ inline void Log10(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "Log10 on this device takes half and float");
    twin::MathUnary("Log10", twin::Op::kLog10, twin::typeOf<T>, dstTensor, srcTensor, nullptr, calCount);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Log10(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor) {
    Log10<T, isReuseSource>(dstTensor, srcTensor, srcTensor.GetSize());
}

/// dst[i] = natural logarithm. T: half, float.
template <typename T, bool isReuseSource = false>
__aicore__ inline void Log(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "Log on this device takes half and float");
    twin::MathUnary("Log", twin::Op::kLn, twin::typeOf<T>, dstTensor, srcTensor, nullptr, calCount);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Log(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor) {
    Log<T, isReuseSource>(dstTensor, srcTensor, srcTensor.GetSize());
}

}  // namespace AscendC

#endif
