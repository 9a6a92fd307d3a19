// High-level functions of one tensor, transcendental. sharedTmpBuffer is work memory; the twin needs none of it.
// Computed in float and rounded once: within the documented tolerance, not bit-equal to the device's polynomials.
#ifndef TWIN_MATH_UNARY_H
#define TWIN_MATH_UNARY_H

#include "twin/tensor.h"

namespace AscendC {

/// dst[i] = 1 / (1 + exp(-src[i])). T: half, float.
template <typename T, bool isReuseSource = false>
__aicore__ inline void Sigmoid(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "Sigmoid on this device takes half and float");
    twin::MathUnary("Sigmoid", twin::Op::kSigmoid, twin::typeOf<T>, dstTensor, srcTensor, &sharedTmpBuffer, calCount);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Sigmoid(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const LocalTensor<uint8_t>& sharedTmpBuffer) {
    Sigmoid<T, isReuseSource>(dstTensor, srcTensor, sharedTmpBuffer, srcTensor.GetSize());
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Sigmoid(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "Sigmoid on this device takes half and float");
    twin::MathUnary("Sigmoid", twin::Op::kSigmoid, twin::typeOf<T>, dstTensor, srcTensor, nullptr, calCount);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Sigmoid(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor) {
    Sigmoid<T, isReuseSource>(dstTensor, srcTensor, srcTensor.GetSize());
}

/// dst[i] = hyperbolic tangent. T: half, float.
template <typename T, bool isReuseSource = false>
__aicore__ inline void Tanh(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "Tanh on this device takes half and float");
    twin::MathUnary("Tanh", twin::Op::kTanh, twin::typeOf<T>, dstTensor, srcTensor, &sharedTmpBuffer, calCount);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Tanh(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const LocalTensor<uint8_t>& sharedTmpBuffer) {
    Tanh<T, isReuseSource>(dstTensor, srcTensor, sharedTmpBuffer, srcTensor.GetSize());
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Tanh(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "Tanh on this device takes half and float");
    twin::MathUnary("Tanh", twin::Op::kTanh, twin::typeOf<T>, dstTensor, srcTensor, nullptr, calCount);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Tanh(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor) {
    Tanh<T, isReuseSource>(dstTensor, srcTensor, srcTensor.GetSize());
}

/// dst[i] = error function. T: half, float.
template <typename T, bool isReuseSource = false>
__aicore__ inline void Erf(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "Erf on this device takes half and float");
    twin::MathUnary("Erf", twin::Op::kErf, twin::typeOf<T>, dstTensor, srcTensor, &sharedTmpBuffer, calCount);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Erf(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const LocalTensor<uint8_t>& sharedTmpBuffer) {
    Erf<T, isReuseSource>(dstTensor, srcTensor, sharedTmpBuffer, srcTensor.GetSize());
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Erf(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "Erf on this device takes half and float");
    twin::MathUnary("Erf", twin::Op::kErf, twin::typeOf<T>, dstTensor, srcTensor, nullptr, calCount);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Erf(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor) {
    Erf<T, isReuseSource>(dstTensor, srcTensor, srcTensor.GetSize());
}

/// dst[i] = 1 - error function. T: half, float.
template <typename T, bool isReuseSource = false>
__aicore__ inline void Erfc(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "Erfc on this device takes half and float");
    twin::MathUnary("Erfc", twin::Op::kErfc, twin::typeOf<T>, dstTensor, srcTensor, &sharedTmpBuffer, calCount);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Erfc(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const LocalTensor<uint8_t>& sharedTmpBuffer) {
    Erfc<T, isReuseSource>(dstTensor, srcTensor, sharedTmpBuffer, srcTensor.GetSize());
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Erfc(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "Erfc on this device takes half and float");
    twin::MathUnary("Erfc", twin::Op::kErfc, twin::typeOf<T>, dstTensor, srcTensor, nullptr, calCount);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Erfc(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor) {
    Erfc<T, isReuseSource>(dstTensor, srcTensor, srcTensor.GetSize());
}

/// dst[i] = sine, radians. T: half, float.
template <typename T, bool isReuseSource = false>
__aicore__ inline void Sin(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "Sin on this device takes half and float");
    twin::MathUnary("Sin", twin::Op::kSin, twin::typeOf<T>, dstTensor, srcTensor, &sharedTmpBuffer, calCount, isReuseSource);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Sin(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const LocalTensor<uint8_t>& sharedTmpBuffer) {
    Sin<T, isReuseSource>(dstTensor, srcTensor, sharedTmpBuffer, srcTensor.GetSize());
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Sin(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "Sin on this device takes half and float");
    twin::MathUnary("Sin", twin::Op::kSin, twin::typeOf<T>, dstTensor, srcTensor, nullptr, calCount, isReuseSource);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Sin(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor) {
    Sin<T, isReuseSource>(dstTensor, srcTensor, srcTensor.GetSize());
}

/// dst[i] = cosine, radians. T: half, float.
template <typename T, bool isReuseSource = false>
__aicore__ inline void Cos(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "Cos on this device takes half and float");
    twin::MathUnary("Cos", twin::Op::kCos, twin::typeOf<T>, dstTensor, srcTensor, &sharedTmpBuffer, calCount, isReuseSource);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Cos(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const LocalTensor<uint8_t>& sharedTmpBuffer) {
    Cos<T, isReuseSource>(dstTensor, srcTensor, sharedTmpBuffer, srcTensor.GetSize());
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Cos(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "Cos on this device takes half and float");
    twin::MathUnary("Cos", twin::Op::kCos, twin::typeOf<T>, dstTensor, srcTensor, nullptr, calCount, isReuseSource);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Cos(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor) {
    Cos<T, isReuseSource>(dstTensor, srcTensor, srcTensor.GetSize());
}

/// dst[i] = tangent, radians. T: half, float.
template <typename T, bool isReuseSource = false>
__aicore__ inline void Tan(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "Tan on this device takes half and float");
    twin::MathUnary("Tan", twin::Op::kTan, twin::typeOf<T>, dstTensor, srcTensor, &sharedTmpBuffer, calCount);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Tan(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const LocalTensor<uint8_t>& sharedTmpBuffer) {
    Tan<T, isReuseSource>(dstTensor, srcTensor, sharedTmpBuffer, srcTensor.GetSize());
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Tan(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "Tan on this device takes half and float");
    twin::MathUnary("Tan", twin::Op::kTan, twin::typeOf<T>, dstTensor, srcTensor, nullptr, calCount);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Tan(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor) {
    Tan<T, isReuseSource>(dstTensor, srcTensor, srcTensor.GetSize());
}

/// dst[i] = arc sine. T: half, float.
template <typename T, bool isReuseSource = false>
__aicore__ inline void Asin(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "Asin on this device takes half and float");
    twin::MathUnary("Asin", twin::Op::kAsin, twin::typeOf<T>, dstTensor, srcTensor, &sharedTmpBuffer, calCount);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Asin(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const LocalTensor<uint8_t>& sharedTmpBuffer) {
    Asin<T, isReuseSource>(dstTensor, srcTensor, sharedTmpBuffer, srcTensor.GetSize());
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Asin(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "Asin on this device takes half and float");
    twin::MathUnary("Asin", twin::Op::kAsin, twin::typeOf<T>, dstTensor, srcTensor, nullptr, calCount);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Asin(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor) {
    Asin<T, isReuseSource>(dstTensor, srcTensor, srcTensor.GetSize());
}

/// dst[i] = arc cosine. T: half, float.
template <typename T, bool isReuseSource = false>
__aicore__ inline void Acos(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "Acos on this device takes half and float");
    twin::MathUnary("Acos", twin::Op::kAcos, twin::typeOf<T>, dstTensor, srcTensor, &sharedTmpBuffer, calCount);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Acos(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const LocalTensor<uint8_t>& sharedTmpBuffer) {
    Acos<T, isReuseSource>(dstTensor, srcTensor, sharedTmpBuffer, srcTensor.GetSize());
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Acos(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "Acos on this device takes half and float");
    twin::MathUnary("Acos", twin::Op::kAcos, twin::typeOf<T>, dstTensor, srcTensor, nullptr, calCount);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Acos(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor) {
    Acos<T, isReuseSource>(dstTensor, srcTensor, srcTensor.GetSize());
}

/// dst[i] = arc tangent. T: half, float.
template <typename T, bool isReuseSource = false>
__aicore__ inline void Atan(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "Atan on this device takes half and float");
    twin::MathUnary("Atan", twin::Op::kAtan, twin::typeOf<T>, dstTensor, srcTensor, &sharedTmpBuffer, calCount);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Atan(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const LocalTensor<uint8_t>& sharedTmpBuffer) {
    Atan<T, isReuseSource>(dstTensor, srcTensor, sharedTmpBuffer, srcTensor.GetSize());
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Atan(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "Atan on this device takes half and float");
    twin::MathUnary("Atan", twin::Op::kAtan, twin::typeOf<T>, dstTensor, srcTensor, nullptr, calCount);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Atan(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor) {
    Atan<T, isReuseSource>(dstTensor, srcTensor, srcTensor.GetSize());
}

/// dst[i] = hyperbolic sine. T: half, float.
template <typename T, bool isReuseSource = false>
__aicore__ inline void Sinh(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "Sinh on this device takes half and float");
    twin::MathUnary("Sinh", twin::Op::kSinh, twin::typeOf<T>, dstTensor, srcTensor, &sharedTmpBuffer, calCount);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Sinh(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const LocalTensor<uint8_t>& sharedTmpBuffer) {
    Sinh<T, isReuseSource>(dstTensor, srcTensor, sharedTmpBuffer, srcTensor.GetSize());
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Sinh(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "Sinh on this device takes half and float");
    twin::MathUnary("Sinh", twin::Op::kSinh, twin::typeOf<T>, dstTensor, srcTensor, nullptr, calCount);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Sinh(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor) {
    Sinh<T, isReuseSource>(dstTensor, srcTensor, srcTensor.GetSize());
}

/// dst[i] = hyperbolic cosine. T: half, float.
template <typename T, bool isReuseSource = false>
__aicore__ inline void Cosh(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "Cosh on this device takes half and float");
    twin::MathUnary("Cosh", twin::Op::kCosh, twin::typeOf<T>, dstTensor, srcTensor, &sharedTmpBuffer, calCount);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Cosh(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const LocalTensor<uint8_t>& sharedTmpBuffer) {
    Cosh<T, isReuseSource>(dstTensor, srcTensor, sharedTmpBuffer, srcTensor.GetSize());
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Cosh(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "Cosh on this device takes half and float");
    twin::MathUnary("Cosh", twin::Op::kCosh, twin::typeOf<T>, dstTensor, srcTensor, nullptr, calCount);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Cosh(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor) {
    Cosh<T, isReuseSource>(dstTensor, srcTensor, srcTensor.GetSize());
}

/// dst[i] = inverse hyperbolic sine. T: half, float.
template <typename T, bool isReuseSource = false>
__aicore__ inline void Asinh(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "Asinh on this device takes half and float");
    twin::MathUnary("Asinh", twin::Op::kAsinh, twin::typeOf<T>, dstTensor, srcTensor, &sharedTmpBuffer, calCount);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Asinh(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const LocalTensor<uint8_t>& sharedTmpBuffer) {
    Asinh<T, isReuseSource>(dstTensor, srcTensor, sharedTmpBuffer, srcTensor.GetSize());
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Asinh(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "Asinh on this device takes half and float");
    twin::MathUnary("Asinh", twin::Op::kAsinh, twin::typeOf<T>, dstTensor, srcTensor, nullptr, calCount);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Asinh(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor) {
    Asinh<T, isReuseSource>(dstTensor, srcTensor, srcTensor.GetSize());
}

/// dst[i] = inverse hyperbolic cosine. T: half, float.
template <typename T, bool isReuseSource = false>
__aicore__ inline void Acosh(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "Acosh on this device takes half and float");
    twin::MathUnary("Acosh", twin::Op::kAcosh, twin::typeOf<T>, dstTensor, srcTensor, &sharedTmpBuffer, calCount);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Acosh(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const LocalTensor<uint8_t>& sharedTmpBuffer) {
    Acosh<T, isReuseSource>(dstTensor, srcTensor, sharedTmpBuffer, srcTensor.GetSize());
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Acosh(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "Acosh on this device takes half and float");
    twin::MathUnary("Acosh", twin::Op::kAcosh, twin::typeOf<T>, dstTensor, srcTensor, nullptr, calCount);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Acosh(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor) {
    Acosh<T, isReuseSource>(dstTensor, srcTensor, srcTensor.GetSize());
}

/// dst[i] = inverse hyperbolic tangent. T: half, float.
template <typename T, bool isReuseSource = false>
__aicore__ inline void Atanh(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "Atanh on this device takes half and float");
    twin::MathUnary("Atanh", twin::Op::kAtanh, twin::typeOf<T>, dstTensor, srcTensor, &sharedTmpBuffer, calCount);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Atanh(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const LocalTensor<uint8_t>& sharedTmpBuffer) {
    Atanh<T, isReuseSource>(dstTensor, srcTensor, sharedTmpBuffer, srcTensor.GetSize());
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Atanh(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "Atanh on this device takes half and float");
    twin::MathUnary("Atanh", twin::Op::kAtanh, twin::typeOf<T>, dstTensor, srcTensor, nullptr, calCount);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Atanh(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor) {
    Atanh<T, isReuseSource>(dstTensor, srcTensor, srcTensor.GetSize());
}

}  // namespace AscendC

#endif
