// Conversions between element types. Source: Ascend C basic API "Cast", table of rounding modes for Atlas A2.
#ifndef TWIN_VEC_CAST_H
#define TWIN_VEC_CAST_H

#include "twin/tensor.h"

namespace twin {

/// Type pairs that Cast converts on this device. half and bfloat16, int8 and int32, double: not directly, go through
/// float or half.
template <typename T, typename U>
inline constexpr bool castable =
    (std::is_same_v<T, half> && oneOf<U, AscendC::int4b_t, int8_t, uint8_t, int16_t, int32_t, float>) ||
    (std::is_same_v<T, float> && oneOf<U, half, bfloat16_t, int16_t, int32_t, int64_t, float>) ||
    (std::is_same_v<T, bfloat16_t> && std::is_same_v<U, float>) ||
    (std::is_same_v<T, int32_t> && oneOf<U, half, bfloat16_t, float, int64_t>) ||
    (std::is_same_v<T, int16_t> && oneOf<U, half, float, int32_t>) ||
    (std::is_same_v<T, int64_t> && oneOf<U, float, int32_t>) ||
    (std::is_same_v<T, int8_t> && std::is_same_v<U, half>) ||
    (oneOf<T, AscendC::int4b_t, uint8_t> && std::is_same_v<U, half>);

}  // namespace twin

namespace AscendC {

/// dst[i] = src[i] rounded by roundMode, integers saturated. CAST_NONE is right where nothing is lost.
/// half to int16_t or int32_t, bfloat16_t to int32_t, float to integers, bfloat16_t and float, int64_t to float: a mode
/// other than CAST_NONE. int4b_t goes from and to half; a count, and a mask as a count, is even there, and bits of a
/// mask are equal in pairs (Cast.md). int32_t to half uses the scale of SetDeqScale. Violation: round-mode. With a
/// mask, it counts elements of the wider type.
template <typename T, typename U, bool isSetMask = true>
__aicore__ inline void Cast(const LocalTensor<T>& dst, const LocalTensor<U>& src, const RoundMode& roundMode,
                            const uint64_t mask[], const uint8_t repeatTime, const UnaryRepeatParams& repeatParams) {
    static_assert(twin::castable<T, U>, "Cast on this device has no conversion between these two types");
    twin::CastRepeat(twin::typeOf<T>, twin::typeOf<U>, dst, src, roundMode,
                     sizeof(T) > sizeof(U) ? twin::MaskOf<T>(mask, isSetMask) : twin::MaskOf<U>(mask, isSetMask),
                     repeatTime, twin::StridesOf(repeatParams));
}
template <typename T, typename U, bool isSetMask = true>
__aicore__ inline void Cast(const LocalTensor<T>& dst, const LocalTensor<U>& src, const RoundMode& roundMode,
                            const uint64_t mask, const uint8_t repeatTime, const UnaryRepeatParams& repeatParams) {
    static_assert(twin::castable<T, U>, "Cast on this device has no conversion between these two types");
    twin::CastRepeat(twin::typeOf<T>, twin::typeOf<U>, dst, src, roundMode, twin::MaskOf<T>(mask, isSetMask),
                     repeatTime, twin::StridesOf(repeatParams));
}
template <typename T, typename U>
__aicore__ inline void Cast(const LocalTensor<T>& dst, const LocalTensor<U>& src, const RoundMode& roundMode,
                            const uint32_t count) {
    static_assert(twin::castable<T, U>, "Cast on this device has no conversion between these two types");
    twin::CastCount(twin::typeOf<T>, twin::typeOf<U>, dst, src, roundMode, count);
}

/// One value on the scalar unit. float to half (CAST_ODD), and to int32_t (CAST_ROUND, CAST_CEIL, CAST_FLOOR,
/// CAST_RINT).
template <typename T, typename U, RoundMode roundMode>
__aicore__ inline U Cast(T valueIn) {
    static_assert(std::is_same_v<T, float> && twin::oneOf<U, half, int32_t>,
                  "Cast of a scalar takes float and gives half or int32_t");
    static_assert(std::is_same_v<U, half> ? roundMode == RoundMode::CAST_ODD
                                          : (roundMode == RoundMode::CAST_ROUND || roundMode == RoundMode::CAST_CEIL ||
                                             roundMode == RoundMode::CAST_FLOOR || roundMode == RoundMode::CAST_RINT),
                  "Cast of a scalar rounds to half with CAST_ODD, and to int32_t with CAST_ROUND, CAST_CEIL, "
                  "CAST_FLOOR or CAST_RINT");
    U result;
    twin::CastScalar(twin::typeOf<U>, &result, valueIn, roundMode);
    return result;
}
template <typename T, typename U, RoundMode roundMode>
__aicore__ inline U ScalarCast(T valueIn) {
    return Cast<T, U, roundMode>(valueIn);
}
__aicore__ inline float Cast(const bfloat16_t& value) { return ToFloat(value); }
__aicore__ inline bfloat16_t Cast(const float& value) { return ToBfloat16(value); }

/// Scale of Cast from int32_t to half.
__aicore__ inline void SetDeqScale(half scale) { twin::SetDequantScale(static_cast<float>(scale)); }

}  // namespace AscendC

#endif
