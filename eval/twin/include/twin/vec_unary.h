// Elementwise operations of one tensor. Source: Ascend C basic API, vector computation, single operand.
#ifndef TWIN_VEC_UNARY_H
#define TWIN_VEC_UNARY_H

#include "twin/tensor.h"

namespace AscendC {

/// dst[i] = max(src[i], 0); NaN stays NaN.
/// T: half, int32_t and float. UB, 32-byte aligned; dst may be exactly src.
template <typename T, bool isSetMask = true>
__aicore__ inline void Relu(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint64_t mask[], const uint8_t repeatTime,
                       const UnaryRepeatParams& repeatParams) {
    static_assert(twin::oneOf<T, half, int32_t, float>, "Relu on this device takes half, int32_t and float");
    twin::VectorRepeat("Relu", twin::Op::kRelu, twin::typeOf<T>, twin::typeOf<T>, dst, &src, nullptr, 0, twin::MaskOf<T>(mask, isSetMask),
                       repeatTime, twin::StridesOf(repeatParams));
}
template <typename T, bool isSetMask = true>
__aicore__ inline void Relu(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint64_t mask, const uint8_t repeatTime,
                       const UnaryRepeatParams& repeatParams) {
    static_assert(twin::oneOf<T, half, int32_t, float>, "Relu on this device takes half, int32_t and float");
    twin::VectorRepeat("Relu", twin::Op::kRelu, twin::typeOf<T>, twin::typeOf<T>, dst, &src, nullptr, 0, twin::MaskOf<T>(mask, isSetMask),
                       repeatTime, twin::StridesOf(repeatParams));
}
template <typename T>
__aicore__ inline void Relu(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t& count) {
    static_assert(twin::oneOf<T, half, int32_t, float>, "Relu on this device takes half, int32_t and float");
    twin::Vector("Relu", twin::Op::kRelu, twin::typeOf<T>, twin::typeOf<T>, dst, &src, nullptr, 0, count);
}

/// dst[i] = e to the power of src[i].
/// T: half and float. UB, 32-byte aligned; dst may be exactly src.
template <typename T, bool isSetMask = true>
__aicore__ inline void Exp(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint64_t mask[], const uint8_t repeatTime,
                       const UnaryRepeatParams& repeatParams) {
    static_assert(twin::oneOf<T, half, float>, "Exp on this device takes half and float");
    twin::VectorRepeat("Exp", twin::Op::kExp, twin::typeOf<T>, twin::typeOf<T>, dst, &src, nullptr, 0, twin::MaskOf<T>(mask, isSetMask),
                       repeatTime, twin::StridesOf(repeatParams));
}
template <typename T, bool isSetMask = true>
__aicore__ inline void Exp(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint64_t mask, const uint8_t repeatTime,
                       const UnaryRepeatParams& repeatParams) {
    static_assert(twin::oneOf<T, half, float>, "Exp on this device takes half and float");
    twin::VectorRepeat("Exp", twin::Op::kExp, twin::typeOf<T>, twin::typeOf<T>, dst, &src, nullptr, 0, twin::MaskOf<T>(mask, isSetMask),
                       repeatTime, twin::StridesOf(repeatParams));
}
template <typename T>
__aicore__ inline void Exp(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t& count) {
    static_assert(twin::oneOf<T, half, float>, "Exp on this device takes half and float");
    twin::Vector("Exp", twin::Op::kExp, twin::typeOf<T>, twin::typeOf<T>, dst, &src, nullptr, 0, count);
}

/// dst[i] = natural logarithm of src[i].
/// T: half and float. UB, 32-byte aligned; dst may be exactly src.
template <typename T, bool isSetMask = true>
__aicore__ inline void Ln(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint64_t mask[], const uint8_t repeatTime,
                       const UnaryRepeatParams& repeatParams) {
    static_assert(twin::oneOf<T, half, float>, "Ln on this device takes half and float");
    twin::VectorRepeat("Ln", twin::Op::kLn, twin::typeOf<T>, twin::typeOf<T>, dst, &src, nullptr, 0, twin::MaskOf<T>(mask, isSetMask),
                       repeatTime, twin::StridesOf(repeatParams));
}
template <typename T, bool isSetMask = true>
__aicore__ inline void Ln(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint64_t mask, const uint8_t repeatTime,
                       const UnaryRepeatParams& repeatParams) {
    static_assert(twin::oneOf<T, half, float>, "Ln on this device takes half and float");
    twin::VectorRepeat("Ln", twin::Op::kLn, twin::typeOf<T>, twin::typeOf<T>, dst, &src, nullptr, 0, twin::MaskOf<T>(mask, isSetMask),
                       repeatTime, twin::StridesOf(repeatParams));
}
template <typename T>
__aicore__ inline void Ln(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t& count) {
    static_assert(twin::oneOf<T, half, float>, "Ln on this device takes half and float");
    twin::Vector("Ln", twin::Op::kLn, twin::typeOf<T>, twin::typeOf<T>, dst, &src, nullptr, 0, count);
}

/// dst[i] = |src[i]|.
/// T: half and float. UB, 32-byte aligned; dst may be exactly src.
template <typename T, bool isSetMask = true>
__aicore__ inline void Abs(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint64_t mask[], const uint8_t repeatTime,
                       const UnaryRepeatParams& repeatParams) {
    static_assert(twin::oneOf<T, half, float>, "Abs on this device takes half and float");
    twin::VectorRepeat("Abs", twin::Op::kAbs, twin::typeOf<T>, twin::typeOf<T>, dst, &src, nullptr, 0, twin::MaskOf<T>(mask, isSetMask),
                       repeatTime, twin::StridesOf(repeatParams));
}
template <typename T, bool isSetMask = true>
__aicore__ inline void Abs(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint64_t mask, const uint8_t repeatTime,
                       const UnaryRepeatParams& repeatParams) {
    static_assert(twin::oneOf<T, half, float>, "Abs on this device takes half and float");
    twin::VectorRepeat("Abs", twin::Op::kAbs, twin::typeOf<T>, twin::typeOf<T>, dst, &src, nullptr, 0, twin::MaskOf<T>(mask, isSetMask),
                       repeatTime, twin::StridesOf(repeatParams));
}
template <typename T>
__aicore__ inline void Abs(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t& count) {
    static_assert(twin::oneOf<T, half, float>, "Abs on this device takes half and float");
    twin::Vector("Abs", twin::Op::kAbs, twin::typeOf<T>, twin::typeOf<T>, dst, &src, nullptr, 0, count);
}

/// dst[i] = 1 / src[i]. The device approximates (half worse than 1e-3); the twin is exact.
/// T: half and float. UB, 32-byte aligned; dst may be exactly src.
template <typename T, bool isSetMask = true>
__aicore__ inline void Reciprocal(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint64_t mask[], const uint8_t repeatTime,
                       const UnaryRepeatParams& repeatParams) {
    static_assert(twin::oneOf<T, half, float>, "Reciprocal on this device takes half and float");
    twin::VectorRepeat("Reciprocal", twin::Op::kReciprocal, twin::typeOf<T>, twin::typeOf<T>, dst, &src, nullptr, 0, twin::MaskOf<T>(mask, isSetMask),
                       repeatTime, twin::StridesOf(repeatParams));
}
template <typename T, bool isSetMask = true>
__aicore__ inline void Reciprocal(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint64_t mask, const uint8_t repeatTime,
                       const UnaryRepeatParams& repeatParams) {
    static_assert(twin::oneOf<T, half, float>, "Reciprocal on this device takes half and float");
    twin::VectorRepeat("Reciprocal", twin::Op::kReciprocal, twin::typeOf<T>, twin::typeOf<T>, dst, &src, nullptr, 0, twin::MaskOf<T>(mask, isSetMask),
                       repeatTime, twin::StridesOf(repeatParams));
}
template <typename T>
__aicore__ inline void Reciprocal(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t& count) {
    static_assert(twin::oneOf<T, half, float>, "Reciprocal on this device takes half and float");
    twin::Vector("Reciprocal", twin::Op::kReciprocal, twin::typeOf<T>, twin::typeOf<T>, dst, &src, nullptr, 0, count);
}

/// dst[i] = 1 / sqrt(src[i]). The device approximates (half worse than 1e-3); the twin is exact.
/// T: half and float. UB, 32-byte aligned; dst may be exactly src.
template <typename T, bool isSetMask = true>
__aicore__ inline void Rsqrt(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint64_t mask[], const uint8_t repeatTime,
                       const UnaryRepeatParams& repeatParams) {
    static_assert(twin::oneOf<T, half, float>, "Rsqrt on this device takes half and float");
    twin::VectorRepeat("Rsqrt", twin::Op::kRsqrt, twin::typeOf<T>, twin::typeOf<T>, dst, &src, nullptr, 0, twin::MaskOf<T>(mask, isSetMask),
                       repeatTime, twin::StridesOf(repeatParams));
}
template <typename T, bool isSetMask = true>
__aicore__ inline void Rsqrt(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint64_t mask, const uint8_t repeatTime,
                       const UnaryRepeatParams& repeatParams) {
    static_assert(twin::oneOf<T, half, float>, "Rsqrt on this device takes half and float");
    twin::VectorRepeat("Rsqrt", twin::Op::kRsqrt, twin::typeOf<T>, twin::typeOf<T>, dst, &src, nullptr, 0, twin::MaskOf<T>(mask, isSetMask),
                       repeatTime, twin::StridesOf(repeatParams));
}
template <typename T>
__aicore__ inline void Rsqrt(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t& count) {
    static_assert(twin::oneOf<T, half, float>, "Rsqrt on this device takes half and float");
    twin::Vector("Rsqrt", twin::Op::kRsqrt, twin::typeOf<T>, twin::typeOf<T>, dst, &src, nullptr, 0, count);
}

/// dst[i] = square root of src[i].
/// T: half and float. UB, 32-byte aligned; dst may be exactly src.
template <typename T, bool isSetMask = true>
__aicore__ inline void Sqrt(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint64_t mask[], const uint8_t repeatTime,
                       const UnaryRepeatParams& repeatParams) {
    static_assert(twin::oneOf<T, half, float>, "Sqrt on this device takes half and float");
    twin::VectorRepeat("Sqrt", twin::Op::kSqrt, twin::typeOf<T>, twin::typeOf<T>, dst, &src, nullptr, 0, twin::MaskOf<T>(mask, isSetMask),
                       repeatTime, twin::StridesOf(repeatParams));
}
template <typename T, bool isSetMask = true>
__aicore__ inline void Sqrt(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint64_t mask, const uint8_t repeatTime,
                       const UnaryRepeatParams& repeatParams) {
    static_assert(twin::oneOf<T, half, float>, "Sqrt on this device takes half and float");
    twin::VectorRepeat("Sqrt", twin::Op::kSqrt, twin::typeOf<T>, twin::typeOf<T>, dst, &src, nullptr, 0, twin::MaskOf<T>(mask, isSetMask),
                       repeatTime, twin::StridesOf(repeatParams));
}
template <typename T>
__aicore__ inline void Sqrt(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t& count) {
    static_assert(twin::oneOf<T, half, float>, "Sqrt on this device takes half and float");
    twin::Vector("Sqrt", twin::Op::kSqrt, twin::typeOf<T>, twin::typeOf<T>, dst, &src, nullptr, 0, count);
}

/// dst[i] = ~src[i].
/// T: int16_t and uint16_t. UB, 32-byte aligned; dst may be exactly src.
template <typename T, bool isSetMask = true>
__aicore__ inline void Not(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint64_t mask[], const uint8_t repeatTime,
                       const UnaryRepeatParams& repeatParams) {
    static_assert(twin::oneOf<T, int16_t, uint16_t>, "Not on this device takes int16_t and uint16_t");
    twin::VectorRepeat("Not", twin::Op::kNot, twin::typeOf<T>, twin::typeOf<T>, dst, &src, nullptr, 0, twin::MaskOf<T>(mask, isSetMask),
                       repeatTime, twin::StridesOf(repeatParams));
}
template <typename T, bool isSetMask = true>
__aicore__ inline void Not(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint64_t mask, const uint8_t repeatTime,
                       const UnaryRepeatParams& repeatParams) {
    static_assert(twin::oneOf<T, int16_t, uint16_t>, "Not on this device takes int16_t and uint16_t");
    twin::VectorRepeat("Not", twin::Op::kNot, twin::typeOf<T>, twin::typeOf<T>, dst, &src, nullptr, 0, twin::MaskOf<T>(mask, isSetMask),
                       repeatTime, twin::StridesOf(repeatParams));
}
template <typename T>
__aicore__ inline void Not(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t& count) {
    static_assert(twin::oneOf<T, int16_t, uint16_t>, "Not on this device takes int16_t and uint16_t");
    twin::Vector("Not", twin::Op::kNot, twin::typeOf<T>, twin::typeOf<T>, dst, &src, nullptr, 0, count);
}


}  // namespace AscendC

#endif
