// Elementwise operations of two tensors. Source: Ascend C basic API, vector computation, double operands.
#ifndef TWIN_VEC_BINARY_H
#define TWIN_VEC_BINARY_H

#include "twin/tensor.h"

namespace AscendC {

/// dst[i] = src0[i] + src1[i]; integers wrap.
/// T: int16_t, half, int32_t and float. UB, 32-byte aligned; dst may be exactly a source.
template <typename T, bool isSetMask = true>
__aicore__ inline void Add(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, uint64_t mask[],
                       const uint8_t repeatTime, const BinaryRepeatParams& repeatParams) {
    static_assert(twin::oneOf<T, int16_t, half, int32_t, float>, "Add on this device takes int16_t, half, int32_t and float");
    twin::VectorRepeat("Add", twin::Op::kAdd, twin::typeOf<T>, twin::typeOf<T>, dst, &src0, &src1, 0, twin::MaskOf<T>(mask, isSetMask),
                       repeatTime, twin::StridesOf(repeatParams));
}
template <typename T, bool isSetMask = true>
__aicore__ inline void Add(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, uint64_t mask,
                       const uint8_t repeatTime, const BinaryRepeatParams& repeatParams) {
    static_assert(twin::oneOf<T, int16_t, half, int32_t, float>, "Add on this device takes int16_t, half, int32_t and float");
    twin::VectorRepeat("Add", twin::Op::kAdd, twin::typeOf<T>, twin::typeOf<T>, dst, &src0, &src1, 0, twin::MaskOf<T>(mask, isSetMask),
                       repeatTime, twin::StridesOf(repeatParams));
}
template <typename T>
__aicore__ inline void Add(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, const int32_t& count) {
    static_assert(twin::oneOf<T, int16_t, half, int32_t, float>, "Add on this device takes int16_t, half, int32_t and float");
    twin::Vector("Add", twin::Op::kAdd, twin::typeOf<T>, twin::typeOf<T>, dst, &src0, &src1, 0, count);
}

/// dst[i] = src0[i] - src1[i]; integers wrap.
/// T: int16_t, half, int32_t and float. UB, 32-byte aligned; dst may be exactly a source.
template <typename T, bool isSetMask = true>
__aicore__ inline void Sub(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, uint64_t mask[],
                       const uint8_t repeatTime, const BinaryRepeatParams& repeatParams) {
    static_assert(twin::oneOf<T, int16_t, half, int32_t, float>, "Sub on this device takes int16_t, half, int32_t and float");
    twin::VectorRepeat("Sub", twin::Op::kSub, twin::typeOf<T>, twin::typeOf<T>, dst, &src0, &src1, 0, twin::MaskOf<T>(mask, isSetMask),
                       repeatTime, twin::StridesOf(repeatParams));
}
template <typename T, bool isSetMask = true>
__aicore__ inline void Sub(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, uint64_t mask,
                       const uint8_t repeatTime, const BinaryRepeatParams& repeatParams) {
    static_assert(twin::oneOf<T, int16_t, half, int32_t, float>, "Sub on this device takes int16_t, half, int32_t and float");
    twin::VectorRepeat("Sub", twin::Op::kSub, twin::typeOf<T>, twin::typeOf<T>, dst, &src0, &src1, 0, twin::MaskOf<T>(mask, isSetMask),
                       repeatTime, twin::StridesOf(repeatParams));
}
template <typename T>
__aicore__ inline void Sub(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, const int32_t& count) {
    static_assert(twin::oneOf<T, int16_t, half, int32_t, float>, "Sub on this device takes int16_t, half, int32_t and float");
    twin::Vector("Sub", twin::Op::kSub, twin::typeOf<T>, twin::typeOf<T>, dst, &src0, &src1, 0, count);
}

/// dst[i] = src0[i] * src1[i]; integers wrap.
/// T: int16_t, half, int32_t and float. UB, 32-byte aligned; dst may be exactly a source.
template <typename T, bool isSetMask = true>
__aicore__ inline void Mul(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, uint64_t mask[],
                       const uint8_t repeatTime, const BinaryRepeatParams& repeatParams) {
    static_assert(twin::oneOf<T, int16_t, half, int32_t, float>, "Mul on this device takes int16_t, half, int32_t and float");
    twin::VectorRepeat("Mul", twin::Op::kMul, twin::typeOf<T>, twin::typeOf<T>, dst, &src0, &src1, 0, twin::MaskOf<T>(mask, isSetMask),
                       repeatTime, twin::StridesOf(repeatParams));
}
template <typename T, bool isSetMask = true>
__aicore__ inline void Mul(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, uint64_t mask,
                       const uint8_t repeatTime, const BinaryRepeatParams& repeatParams) {
    static_assert(twin::oneOf<T, int16_t, half, int32_t, float>, "Mul on this device takes int16_t, half, int32_t and float");
    twin::VectorRepeat("Mul", twin::Op::kMul, twin::typeOf<T>, twin::typeOf<T>, dst, &src0, &src1, 0, twin::MaskOf<T>(mask, isSetMask),
                       repeatTime, twin::StridesOf(repeatParams));
}
template <typename T>
__aicore__ inline void Mul(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, const int32_t& count) {
    static_assert(twin::oneOf<T, int16_t, half, int32_t, float>, "Mul on this device takes int16_t, half, int32_t and float");
    twin::Vector("Mul", twin::Op::kMul, twin::typeOf<T>, twin::typeOf<T>, dst, &src0, &src1, 0, count);
}

/// dst[i] = src0[i] / src1[i].
/// T: half and float. UB, 32-byte aligned; dst may be exactly a source.
template <typename T, bool isSetMask = true>
__aicore__ inline void Div(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, uint64_t mask[],
                       const uint8_t repeatTime, const BinaryRepeatParams& repeatParams) {
    static_assert(twin::oneOf<T, half, float>, "Div on this device takes half and float");
    twin::VectorRepeat("Div", twin::Op::kDiv, twin::typeOf<T>, twin::typeOf<T>, dst, &src0, &src1, 0, twin::MaskOf<T>(mask, isSetMask),
                       repeatTime, twin::StridesOf(repeatParams));
}
template <typename T, bool isSetMask = true>
__aicore__ inline void Div(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, uint64_t mask,
                       const uint8_t repeatTime, const BinaryRepeatParams& repeatParams) {
    static_assert(twin::oneOf<T, half, float>, "Div on this device takes half and float");
    twin::VectorRepeat("Div", twin::Op::kDiv, twin::typeOf<T>, twin::typeOf<T>, dst, &src0, &src1, 0, twin::MaskOf<T>(mask, isSetMask),
                       repeatTime, twin::StridesOf(repeatParams));
}
template <typename T>
__aicore__ inline void Div(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, const int32_t& count) {
    static_assert(twin::oneOf<T, half, float>, "Div on this device takes half and float");
    twin::Vector("Div", twin::Op::kDiv, twin::typeOf<T>, twin::typeOf<T>, dst, &src0, &src1, 0, count);
}

/// dst[i] = the larger of src0[i] and src1[i]; NaN when one is NaN.
/// T: int16_t, half, int32_t and float. UB, 32-byte aligned; dst may be exactly a source.
template <typename T, bool isSetMask = true>
__aicore__ inline void Max(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, uint64_t mask[],
                       const uint8_t repeatTime, const BinaryRepeatParams& repeatParams) {
    static_assert(twin::oneOf<T, int16_t, half, int32_t, float>, "Max on this device takes int16_t, half, int32_t and float");
    twin::VectorRepeat("Max", twin::Op::kMax, twin::typeOf<T>, twin::typeOf<T>, dst, &src0, &src1, 0, twin::MaskOf<T>(mask, isSetMask),
                       repeatTime, twin::StridesOf(repeatParams));
}
template <typename T, bool isSetMask = true>
__aicore__ inline void Max(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, uint64_t mask,
                       const uint8_t repeatTime, const BinaryRepeatParams& repeatParams) {
    static_assert(twin::oneOf<T, int16_t, half, int32_t, float>, "Max on this device takes int16_t, half, int32_t and float");
    twin::VectorRepeat("Max", twin::Op::kMax, twin::typeOf<T>, twin::typeOf<T>, dst, &src0, &src1, 0, twin::MaskOf<T>(mask, isSetMask),
                       repeatTime, twin::StridesOf(repeatParams));
}
template <typename T>
__aicore__ inline void Max(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, const int32_t& count) {
    static_assert(twin::oneOf<T, int16_t, half, int32_t, float>, "Max on this device takes int16_t, half, int32_t and float");
    twin::Vector("Max", twin::Op::kMax, twin::typeOf<T>, twin::typeOf<T>, dst, &src0, &src1, 0, count);
}

/// dst[i] = the smaller of src0[i] and src1[i]; NaN when one is NaN.
/// T: int16_t, half, int32_t and float. UB, 32-byte aligned; dst may be exactly a source.
template <typename T, bool isSetMask = true>
__aicore__ inline void Min(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, uint64_t mask[],
                       const uint8_t repeatTime, const BinaryRepeatParams& repeatParams) {
    static_assert(twin::oneOf<T, int16_t, half, int32_t, float>, "Min on this device takes int16_t, half, int32_t and float");
    twin::VectorRepeat("Min", twin::Op::kMin, twin::typeOf<T>, twin::typeOf<T>, dst, &src0, &src1, 0, twin::MaskOf<T>(mask, isSetMask),
                       repeatTime, twin::StridesOf(repeatParams));
}
template <typename T, bool isSetMask = true>
__aicore__ inline void Min(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, uint64_t mask,
                       const uint8_t repeatTime, const BinaryRepeatParams& repeatParams) {
    static_assert(twin::oneOf<T, int16_t, half, int32_t, float>, "Min on this device takes int16_t, half, int32_t and float");
    twin::VectorRepeat("Min", twin::Op::kMin, twin::typeOf<T>, twin::typeOf<T>, dst, &src0, &src1, 0, twin::MaskOf<T>(mask, isSetMask),
                       repeatTime, twin::StridesOf(repeatParams));
}
template <typename T>
__aicore__ inline void Min(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, const int32_t& count) {
    static_assert(twin::oneOf<T, int16_t, half, int32_t, float>, "Min on this device takes int16_t, half, int32_t and float");
    twin::Vector("Min", twin::Op::kMin, twin::typeOf<T>, twin::typeOf<T>, dst, &src0, &src1, 0, count);
}

/// dst[i] = src0[i] & src1[i].
/// T: int16_t and uint16_t. UB, 32-byte aligned; dst may be exactly a source.
template <typename T, bool isSetMask = true>
__aicore__ inline void And(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, uint64_t mask[],
                       const uint8_t repeatTime, const BinaryRepeatParams& repeatParams) {
    static_assert(twin::oneOf<T, int16_t, uint16_t>, "And on this device takes int16_t and uint16_t");
    twin::VectorRepeat("And", twin::Op::kAnd, twin::typeOf<T>, twin::typeOf<T>, dst, &src0, &src1, 0, twin::MaskOf<T>(mask, isSetMask),
                       repeatTime, twin::StridesOf(repeatParams));
}
template <typename T, bool isSetMask = true>
__aicore__ inline void And(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, uint64_t mask,
                       const uint8_t repeatTime, const BinaryRepeatParams& repeatParams) {
    static_assert(twin::oneOf<T, int16_t, uint16_t>, "And on this device takes int16_t and uint16_t");
    twin::VectorRepeat("And", twin::Op::kAnd, twin::typeOf<T>, twin::typeOf<T>, dst, &src0, &src1, 0, twin::MaskOf<T>(mask, isSetMask),
                       repeatTime, twin::StridesOf(repeatParams));
}
template <typename T>
__aicore__ inline void And(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, const int32_t& count) {
    static_assert(twin::oneOf<T, int16_t, uint16_t>, "And on this device takes int16_t and uint16_t");
    twin::Vector("And", twin::Op::kAnd, twin::typeOf<T>, twin::typeOf<T>, dst, &src0, &src1, 0, count);
}

/// dst[i] = src0[i] | src1[i].
/// T: int16_t and uint16_t. UB, 32-byte aligned; dst may be exactly a source.
template <typename T, bool isSetMask = true>
__aicore__ inline void Or(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, uint64_t mask[],
                       const uint8_t repeatTime, const BinaryRepeatParams& repeatParams) {
    static_assert(twin::oneOf<T, int16_t, uint16_t>, "Or on this device takes int16_t and uint16_t");
    twin::VectorRepeat("Or", twin::Op::kOr, twin::typeOf<T>, twin::typeOf<T>, dst, &src0, &src1, 0, twin::MaskOf<T>(mask, isSetMask),
                       repeatTime, twin::StridesOf(repeatParams));
}
template <typename T, bool isSetMask = true>
__aicore__ inline void Or(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, uint64_t mask,
                       const uint8_t repeatTime, const BinaryRepeatParams& repeatParams) {
    static_assert(twin::oneOf<T, int16_t, uint16_t>, "Or on this device takes int16_t and uint16_t");
    twin::VectorRepeat("Or", twin::Op::kOr, twin::typeOf<T>, twin::typeOf<T>, dst, &src0, &src1, 0, twin::MaskOf<T>(mask, isSetMask),
                       repeatTime, twin::StridesOf(repeatParams));
}
template <typename T>
__aicore__ inline void Or(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, const int32_t& count) {
    static_assert(twin::oneOf<T, int16_t, uint16_t>, "Or on this device takes int16_t and uint16_t");
    twin::Vector("Or", twin::Op::kOr, twin::typeOf<T>, twin::typeOf<T>, dst, &src0, &src1, 0, count);
}


}  // namespace AscendC

#endif
