// High-level functions of one tensor: logarithms, rounding, sign.
#ifndef TWIN_MATH_ROUNDING_H
#define TWIN_MATH_ROUNDING_H

#include "twin/forms.h"

namespace AscendC {

/// dst[i] = logarithm to base 2. T: half, float.
TWIN_FORMS_MATH(Log2, kLog2, false, "Log2 on this device takes half and float", half, float)

/// dst[i] = -1, 0 or 1. T: half, float.
TWIN_FORMS_MATH(Sign, kSign, false, "Sign on this device takes half and float", half, float)

/// dst[i] = largest integer not above. T: half, float.
TWIN_FORMS_MATH(Floor, kFloor, false, "Floor on this device takes half and float", half, float)

/// dst[i] = smallest integer not below. T: half, float.
TWIN_FORMS_MATH(Ceil, kCeil, false, "Ceil on this device takes half and float", half, float)

/// dst[i] = integer towards zero. T: half, float.
TWIN_FORMS_MATH(Trunc, kTrunc, false, "Trunc on this device takes half and float", half, float)

/// dst[i] = nearest integer, ties to even. T: half, float.
TWIN_FORMS_MATH(Round, kRound, false, "Round on this device takes half and float", half, float)

/// dst[i] = src[i] - trunc(src[i]). T: half, float.
TWIN_FORMS_MATH(Frac, kFrac, false, "Frac on this device takes half and float", half, float)

/// dst[i] = logarithm of the gamma function. T: half, float.
TWIN_FORMS_MATH(Lgamma, kLgamma, isReuseSource, "Lgamma on this device takes half and float", half, float)

/// dst[i] = derivative of the logarithm of the gamma function. T: half, float.
template <typename T, bool isReuseSource = false>
__aicore__ inline void Digamma(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
                               const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "Digamma on this device takes half and float");
    twin::MathUnary("Digamma", twin::Op::kDigamma, twin::typeOf<T>, dstTensor, srcTensor, &sharedTmpBuffer, calCount,
                    isReuseSource);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Digamma(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
                               const uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "Digamma on this device takes half and float");
    twin::MathUnary("Digamma", twin::Op::kDigamma, twin::typeOf<T>, dstTensor, srcTensor, nullptr, calCount,
                    isReuseSource);
}

/// dst[i] = logarithm to base 10. T: half, float.
template <typename T, bool isReuseSource = false>
__aicore__ inline void Log10(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
                             const uint32_t calCount) {
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
