// High-level functions of two tensors, or of a tensor and a scalar.
#ifndef TWIN_MATH_BINARY_H
#define TWIN_MATH_BINARY_H

#include "twin/tensor.h"

namespace AscendC {

/// dst[i] = src0[i] to the power of src1[i]. T: half, float, int32_t.
template <typename T, bool isReuseSource = false>
__aicore__ inline void Power(const LocalTensor<T>& dstTensor, const LocalTensor<T>& src0Tensor,
                             const LocalTensor<T>& src1Tensor, const LocalTensor<uint8_t>& sharedTmpBuffer,
                             uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float, int32_t>, "Power on this device takes half, float and int32_t");
    twin::MathBinary("Power", twin::Op::kPower, twin::typeOf<T>, dstTensor, src0Tensor, &src1Tensor, 0,
                     &sharedTmpBuffer, calCount);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Power(const LocalTensor<T>& dstTensor, const LocalTensor<T>& src0Tensor,
                             const LocalTensor<T>& src1Tensor, const LocalTensor<uint8_t>& sharedTmpBuffer) {
    Power<T, isReuseSource>(dstTensor, src0Tensor, src1Tensor, sharedTmpBuffer, src0Tensor.GetSize());
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Power(const LocalTensor<T>& dstTensor, const LocalTensor<T>& src0Tensor,
                             const LocalTensor<T>& src1Tensor, uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float, int32_t>, "Power on this device takes half, float and int32_t");
    twin::MathBinary("Power", twin::Op::kPower, twin::typeOf<T>, dstTensor, src0Tensor, &src1Tensor, 0, nullptr,
                     calCount);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Power(const LocalTensor<T>& dstTensor, const LocalTensor<T>& src0Tensor,
                             const LocalTensor<T>& src1Tensor) {
    Power<T, isReuseSource>(dstTensor, src0Tensor, src1Tensor, src0Tensor.GetSize());
}

template <typename T, bool isReuseSource = false>
__aicore__ inline void Power(const LocalTensor<T>& dstTensor, const LocalTensor<T>& src0Tensor, const T& src1Scalar,
                             const LocalTensor<uint8_t>& sharedTmpBuffer, uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float, int32_t>, "Power on this device takes half, float and int32_t");
    twin::MathBinary("Power", twin::Op::kPowerScalar, twin::typeOf<T>, dstTensor, src0Tensor, nullptr,
                     static_cast<double>(src1Scalar), &sharedTmpBuffer, calCount);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Power(const LocalTensor<T>& dstTensor, const LocalTensor<T>& src0Tensor, const T& src1Scalar,
                             const LocalTensor<uint8_t>& sharedTmpBuffer) {
    Power<T, isReuseSource>(dstTensor, src0Tensor, src1Scalar, sharedTmpBuffer, src0Tensor.GetSize());
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Power(const LocalTensor<T>& dstTensor, const T& src0Scalar, const LocalTensor<T>& src1Tensor,
                             const LocalTensor<uint8_t>& sharedTmpBuffer, uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float, int32_t>, "Power on this device takes half, float and int32_t");
    twin::MathBinary("Power", twin::Op::kScalarPower, twin::typeOf<T>, dstTensor, src1Tensor, nullptr,
                     static_cast<double>(src0Scalar), &sharedTmpBuffer, calCount);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Power(const LocalTensor<T>& dstTensor, const LocalTensor<T>& src0Tensor, const T& src1Scalar,
                             uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float, int32_t>, "Power on this device takes half, float and int32_t");
    twin::MathBinary("Power", twin::Op::kPowerScalar, twin::typeOf<T>, dstTensor, src0Tensor, nullptr,
                     static_cast<double>(src1Scalar), nullptr, calCount);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Power(const LocalTensor<T>& dstTensor, const LocalTensor<T>& src0Tensor, const T& src1Scalar) {
    Power<T, isReuseSource>(dstTensor, src0Tensor, src1Scalar, src0Tensor.GetSize());
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Power(const LocalTensor<T>& dstTensor, const T& src0Scalar, const LocalTensor<T>& src1Tensor,
                             uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float, int32_t>, "Power on this device takes half, float and int32_t");
    twin::MathBinary("Power", twin::Op::kScalarPower, twin::typeOf<T>, dstTensor, src1Tensor, nullptr,
                     static_cast<double>(src0Scalar), nullptr, calCount);
}

template <typename T, bool isReuseSource = false>
__aicore__ inline void Power(const LocalTensor<T>& dstTensor, const T& src0Scalar, const LocalTensor<T>& src1Tensor,
                             const LocalTensor<uint8_t>& sharedTmpBuffer) {
    Power<T, isReuseSource>(dstTensor, src0Scalar, src1Tensor, sharedTmpBuffer, src1Tensor.GetSize());
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Power(const LocalTensor<T>& dstTensor, const T& src0Scalar, const LocalTensor<T>& src1Tensor) {
    Power<T, isReuseSource>(dstTensor, src0Scalar, src1Tensor, src1Tensor.GetSize());
}

/// dst[i] = remainder of src0[i] / src1[i] with the sign of src0[i]. T: half, float.
template <typename T, bool isReuseSource = false>
__aicore__ inline void Fmod(const LocalTensor<T>& dstTensor, const LocalTensor<T>& src0Tensor,
                            const LocalTensor<T>& src1Tensor, const LocalTensor<uint8_t>& sharedTmpBuffer,
                            uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "Fmod on this device takes half and float");
    twin::MathBinary("Fmod", twin::Op::kFmod, twin::typeOf<T>, dstTensor, src0Tensor, &src1Tensor, 0, &sharedTmpBuffer,
                     calCount);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Fmod(const LocalTensor<T>& dstTensor, const LocalTensor<T>& src0Tensor,
                            const LocalTensor<T>& src1Tensor, const LocalTensor<uint8_t>& sharedTmpBuffer) {
    Fmod<T, isReuseSource>(dstTensor, src0Tensor, src1Tensor, sharedTmpBuffer, src0Tensor.GetSize());
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Fmod(const LocalTensor<T>& dstTensor, const LocalTensor<T>& src0Tensor,
                            const LocalTensor<T>& src1Tensor, uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "Fmod on this device takes half and float");
    twin::MathBinary("Fmod", twin::Op::kFmod, twin::typeOf<T>, dstTensor, src0Tensor, &src1Tensor, 0, nullptr,
                     calCount);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Fmod(const LocalTensor<T>& dstTensor, const LocalTensor<T>& src0Tensor,
                            const LocalTensor<T>& src1Tensor) {
    Fmod<T, isReuseSource>(dstTensor, src0Tensor, src1Tensor, src0Tensor.GetSize());
}

/// dst[i] = src0[i] ^ src1[i]. T: int16_t, uint16_t.
template <typename T, bool isReuseSource = false>
__aicore__ inline void Xor(const LocalTensor<T>& dstTensor, const LocalTensor<T>& src0Tensor,
                           const LocalTensor<T>& src1Tensor, const LocalTensor<uint8_t>& sharedTmpBuffer,
                           uint32_t calCount) {
    static_assert(twin::oneOf<T, int16_t, uint16_t>, "Xor on this device takes int16_t and uint16_t");
    twin::MathBinary("Xor", twin::Op::kXor, twin::typeOf<T>, dstTensor, src0Tensor, &src1Tensor, 0, &sharedTmpBuffer,
                     calCount);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Xor(const LocalTensor<T>& dstTensor, const LocalTensor<T>& src0Tensor,
                           const LocalTensor<T>& src1Tensor, const LocalTensor<uint8_t>& sharedTmpBuffer) {
    Xor<T, isReuseSource>(dstTensor, src0Tensor, src1Tensor, sharedTmpBuffer, src0Tensor.GetSize());
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Xor(const LocalTensor<T>& dstTensor, const LocalTensor<T>& src0Tensor,
                           const LocalTensor<T>& src1Tensor, uint32_t calCount) {
    static_assert(twin::oneOf<T, int16_t, uint16_t>, "Xor on this device takes int16_t and uint16_t");
    twin::MathBinary("Xor", twin::Op::kXor, twin::typeOf<T>, dstTensor, src0Tensor, &src1Tensor, 0, nullptr, calCount);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Xor(const LocalTensor<T>& dstTensor, const LocalTensor<T>& src0Tensor,
                           const LocalTensor<T>& src1Tensor) {
    Xor<T, isReuseSource>(dstTensor, src0Tensor, src1Tensor, src0Tensor.GetSize());
}

/// dst[i] = src[i], not above scalar. T: half, float.
template <typename T, bool isReuseSource = false>
__aicore__ inline void ClampMax(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
                                const LocalTensor<uint8_t>& sharedTmpBuffer, const T scalar, const uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "ClampMax on this device takes half and float");
    twin::MathBinary("ClampMax", twin::Op::kMins, twin::typeOf<T>, dstTensor, srcTensor, nullptr,
                     static_cast<double>(scalar), &sharedTmpBuffer, calCount);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void ClampMax(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const T scalar,
                                const uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "ClampMax on this device takes half and float");
    twin::MathBinary("ClampMax", twin::Op::kMins, twin::typeOf<T>, dstTensor, srcTensor, nullptr,
                     static_cast<double>(scalar), nullptr, calCount);
}
/// dst[i] = src[i], not below scalar. T: half, float.
template <typename T, bool isReuseSource = false>
__aicore__ inline void ClampMin(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
                                const LocalTensor<uint8_t>& sharedTmpBuffer, const T scalar, const uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "ClampMin on this device takes half and float");
    twin::MathBinary("ClampMin", twin::Op::kMaxs, twin::typeOf<T>, dstTensor, srcTensor, nullptr,
                     static_cast<double>(scalar), &sharedTmpBuffer, calCount);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void ClampMin(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const T scalar,
                                const uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "ClampMin on this device takes half and float");
    twin::MathBinary("ClampMin", twin::Op::kMaxs, twin::typeOf<T>, dstTensor, srcTensor, nullptr,
                     static_cast<double>(scalar), nullptr, calCount);
}
}  // namespace AscendC

#endif
