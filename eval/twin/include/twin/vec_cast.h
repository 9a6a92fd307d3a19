// Conversions between element types. Source: Ascend C basic API "Cast", table of rounding modes for Atlas A2.
#ifndef TWIN_VEC_CAST_H
#define TWIN_VEC_CAST_H

#include "twin/tensor.h"

namespace twin {

/// Type pairs that Cast converts on this device. half and bfloat16, int8 and int32, double: not directly, go through float or half.
template <typename T, typename U>
inline constexpr bool castable =
    (std::is_same_v<T, half> && oneOf<U, int8_t, uint8_t, int16_t, int32_t, float>) ||
    (std::is_same_v<T, float> && oneOf<U, half, bfloat16_t, int16_t, int32_t, int64_t, float>) ||
    (std::is_same_v<T, bfloat16_t> && std::is_same_v<U, float>) ||
    (std::is_same_v<T, int32_t> && oneOf<U, half, bfloat16_t, float, int64_t>) ||
    (std::is_same_v<T, int16_t> && oneOf<U, half, float, int32_t>) ||
    (std::is_same_v<T, int64_t> && oneOf<U, float, int32_t>) || (std::is_same_v<T, int8_t> && std::is_same_v<U, half>) ||
    (std::is_same_v<T, uint8_t> && std::is_same_v<U, half>);

}  // namespace twin

namespace AscendC {

/// dst[i] = src[i] rounded by roundMode, integers saturated. CAST_NONE is right where nothing is lost.
/// half to int16_t or int32_t, bfloat16_t to int32_t, float to integers, bfloat16_t and float, int64_t to float: a mode other than CAST_NONE.
/// int32_t to half uses the scale of SetDeqScale. Violation: round-mode. With a mask, it counts elements of the wider type.
template <typename T, typename U, bool isSetMask = true>
__aicore__ inline void Cast(const LocalTensor<T>& dst, const LocalTensor<U>& src, const RoundMode& roundMode, const uint64_t mask[],
                            const uint8_t repeatTime, const UnaryRepeatParams& repeatParams) {
    static_assert(twin::castable<T, U>, "Cast on this device has no conversion between these two types");
    twin::CastRepeat(twin::typeOf<T>, twin::typeOf<U>, dst, src, roundMode,
                     sizeof(T) > sizeof(U) ? twin::MaskOf<T>(mask, isSetMask) : twin::MaskOf<U>(mask, isSetMask), repeatTime, twin::StridesOf(repeatParams));
}
template <typename T, typename U, bool isSetMask = true>
__aicore__ inline void Cast(const LocalTensor<T>& dst, const LocalTensor<U>& src, const RoundMode& roundMode, const uint64_t mask,
                            const uint8_t repeatTime, const UnaryRepeatParams& repeatParams) {
    static_assert(twin::castable<T, U>, "Cast on this device has no conversion between these two types");
    twin::CastRepeat(twin::typeOf<T>, twin::typeOf<U>, dst, src, roundMode, twin::MaskOf<T>(mask, isSetMask), repeatTime, twin::StridesOf(repeatParams));
}
template <typename T, typename U>
__aicore__ inline void Cast(const LocalTensor<T>& dst, const LocalTensor<U>& src, const RoundMode& roundMode, const uint32_t count) {
    static_assert(twin::castable<T, U>, "Cast on this device has no conversion between these two types");
    twin::CastCount(twin::typeOf<T>, twin::typeOf<U>, dst, src, roundMode, count);
}

/// Scale of Cast from int32_t to half.
__aicore__ inline void SetDeqScale(half scale) { twin::SetDequantScale(static_cast<float>(scale)); }

}  // namespace AscendC

#endif
