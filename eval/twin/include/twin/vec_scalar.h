// Elementwise operations of a tensor and a scalar. Source: Ascend C basic API, vector computation, scalar operands.
#ifndef TWIN_VEC_SCALAR_H
#define TWIN_VEC_SCALAR_H

#include "twin/forms.h"

namespace AscendC {

/// dst[i] = src[i] + scalarValue.
/// T: int16_t, half, int32_t and float. UB, 32-byte aligned; dst may be exactly src.
TWIN_FORMS_SCALAR(Adds, kAdds, "Adds on this device takes int16_t, half, int32_t and float", int16_t, half, int32_t,
                  float)

/// dst[i] = src[i] * scalarValue.
/// T: int16_t, half, int32_t and float. UB, 32-byte aligned; dst may be exactly src.
TWIN_FORMS_SCALAR(Muls, kMuls, "Muls on this device takes int16_t, half, int32_t and float", int16_t, half, int32_t,
                  float)

/// dst[i] = the larger of src[i] and scalarValue.
/// T: int16_t, half, int32_t and float. UB, 32-byte aligned; dst may be exactly src.
TWIN_FORMS_SCALAR(Maxs, kMaxs, "Maxs on this device takes int16_t, half, int32_t and float", int16_t, half, int32_t,
                  float)

/// dst[i] = the smaller of src[i] and scalarValue.
/// T: int16_t, half, int32_t and float. UB, 32-byte aligned; dst may be exactly src.
TWIN_FORMS_SCALAR(Mins, kMins, "Mins on this device takes int16_t, half, int32_t and float", int16_t, half, int32_t,
                  float)

/// dst[i] = src[i] when it is not negative, else src[i] * scalarValue.
/// T: half and float. UB, 32-byte aligned; dst may be exactly src.
TWIN_FORMS_SCALAR(LeakyRelu, kLeakyRelu, "LeakyRelu on this device takes half and float", half, float)

/// dst[i] = src[i] << scalarValue.
/// T: int16_t, uint16_t, int32_t and uint32_t. UB, 32-byte aligned; dst may be exactly src.
TWIN_FORMS_SCALAR(ShiftLeft, kShiftLeft, "ShiftLeft on this device takes int16_t, uint16_t, int32_t and uint32_t",
                  int16_t, uint16_t, int32_t, uint32_t)

/// dst[i] = src[i] >> scalarValue, arithmetic for signed types.
/// T: int16_t, uint16_t, int32_t and uint32_t. UB, 32-byte aligned; dst may be exactly src.
template <typename T, bool isSetMask = true>
__aicore__ inline void ShiftRight(const LocalTensor<T>& dst, const LocalTensor<T>& src, const T& scalarValue,
                                  uint64_t mask[], const uint8_t repeatTime, const UnaryRepeatParams& repeatParams,
                                  bool roundEn = false) {
    if (roundEn)
        twin::FormNotCovered("ShiftRight", "ShiftRight with roundEn", "add half of the last bit before the shift");
    static_assert(twin::oneOf<T, int16_t, uint16_t, int32_t, uint32_t>,
                  "ShiftRight on this device takes int16_t, uint16_t, int32_t and uint32_t");
    twin::VectorRepeat("ShiftRight", twin::Op::kShiftRight, twin::typeOf<T>, twin::typeOf<T>, dst, &src, nullptr,
                       static_cast<double>(scalarValue), twin::MaskOf<T>(mask, isSetMask), repeatTime,
                       twin::StridesOf(repeatParams));
}
template <typename T, bool isSetMask = true>
__aicore__ inline void ShiftRight(const LocalTensor<T>& dst, const LocalTensor<T>& src, const T& scalarValue,
                                  uint64_t mask, const uint8_t repeatTime, const UnaryRepeatParams& repeatParams,
                                  bool roundEn = false) {
    if (roundEn)
        twin::FormNotCovered("ShiftRight", "ShiftRight with roundEn", "add half of the last bit before the shift");
    static_assert(twin::oneOf<T, int16_t, uint16_t, int32_t, uint32_t>,
                  "ShiftRight on this device takes int16_t, uint16_t, int32_t and uint32_t");
    twin::VectorRepeat("ShiftRight", twin::Op::kShiftRight, twin::typeOf<T>, twin::typeOf<T>, dst, &src, nullptr,
                       static_cast<double>(scalarValue), twin::MaskOf<T>(mask, isSetMask), repeatTime,
                       twin::StridesOf(repeatParams));
}
template <typename T, bool isSetMask = true>
__aicore__ inline void ShiftRight(const LocalTensor<T>& dst, const LocalTensor<T>& src, const T& scalarValue,
                                  const int32_t& count) {
    static_assert(twin::oneOf<T, int16_t, uint16_t, int32_t, uint32_t>,
                  "ShiftRight on this device takes int16_t, uint16_t, int32_t and uint32_t");
    twin::Vector("ShiftRight", twin::Op::kShiftRight, twin::typeOf<T>, twin::typeOf<T>, dst, &src, nullptr,
                 static_cast<double>(scalarValue), count);
}

/// dst[i] = src[i] * scalarValue + dst[i]. T, U: half, half; float, float; or float, half.
template <typename T, typename U, bool isSetMask = true>
__aicore__ inline void Axpy(const LocalTensor<T>& dst, const LocalTensor<U>& src, const U& scalarValue, uint64_t mask,
                            const uint8_t repeatTime, const UnaryRepeatParams& repeatParams) {
    static_assert(
        (std::is_same_v<T, U> && twin::oneOf<T, half, float>) || (std::is_same_v<T, float> && std::is_same_v<U, half>),
        "Axpy on this device takes half, float, or a float destination with half sources");
    twin::VectorRepeat("Axpy", twin::Op::kAxpy, twin::typeOf<T>, twin::typeOf<U>, dst, &src, nullptr,
                       static_cast<double>(scalarValue), twin::MaskOf<U>(mask, isSetMask), repeatTime,
                       twin::StridesOf(repeatParams));
}
template <typename T, typename U, bool isSetMask = true>
__aicore__ inline void Axpy(const LocalTensor<T>& dst, const LocalTensor<U>& src, const U& scalarValue, uint64_t mask[],
                            const uint8_t repeatTime, const UnaryRepeatParams& repeatParams) {
    static_assert(
        (std::is_same_v<T, U> && twin::oneOf<T, half, float>) || (std::is_same_v<T, float> && std::is_same_v<U, half>),
        "Axpy on this device takes half, float, or a float destination with half sources");
    twin::VectorRepeat("Axpy", twin::Op::kAxpy, twin::typeOf<T>, twin::typeOf<U>, dst, &src, nullptr,
                       static_cast<double>(scalarValue), twin::MaskOf<U>(mask, isSetMask), repeatTime,
                       twin::StridesOf(repeatParams));
}
template <typename T, typename U>
__aicore__ inline void Axpy(const LocalTensor<T>& dst, const LocalTensor<U>& src, const U& scalarValue,
                            const int32_t& count) {
    static_assert(
        (std::is_same_v<T, U> && twin::oneOf<T, half, float>) || (std::is_same_v<T, float> && std::is_same_v<U, half>),
        "Axpy on this device takes half, float, or a float destination with half sources");
    twin::Vector("Axpy", twin::Op::kAxpy, twin::typeOf<T>, twin::typeOf<U>, dst, &src, nullptr,
                 static_cast<double>(scalarValue), count);
}

}  // namespace AscendC

#endif
