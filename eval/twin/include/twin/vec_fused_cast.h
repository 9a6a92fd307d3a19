// Operations that end in a conversion. Source: Ascend C basic API, compound operations.
#ifndef TWIN_VEC_FUSED_CAST_H
#define TWIN_VEC_FUSED_CAST_H

#include "twin/vec_cast.h"

namespace twin {

enum class FusedCast : uint8_t { kAddRelu, kSubRelu, kMul, kAddDequantRelu };
void FusedCastCount(const char* api, FusedCast kind, Type dstType, Type srcType, const Local& dst, const Local& src0, const Local& src1, int64_t count);
void FusedCastRepeat(const char* api, FusedCast kind, Type dstType, Type srcType, const Local& dst, const Local& src0, const Local& src1, const Mask& mask,
                     int repeatTime, const Strides& strides);
/// Violation `not-covered`.
[[noreturn]] void CastDequantNotCovered();

template <typename T, typename U>
inline constexpr bool fusedCastable = (std::is_same_v<U, half> && std::is_same_v<T, int8_t>) || (std::is_same_v<U, int16_t> && std::is_same_v<T, int8_t>) ||
                                      (std::is_same_v<U, float> && std::is_same_v<T, half>);
/// A mask counts elements of the wider type.
template <typename T, typename U, typename M>
inline Mask WiderMaskOf(M mask, bool isSet) { return sizeof(T) > sizeof(U) ? MaskOf<T>(mask, isSet) : MaskOf<U>(mask, isSet); }

}  // namespace twin

// The count form and both mask forms of one operation of two sources.
#define TWIN_FUSED_CAST(Name, KIND, TYPES, SENTENCE)                                                                                                   \
    template <typename T, typename U>                                                                                                                  \
    __aicore__ inline void Name(const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<U>& src1, const uint32_t count) {             \
        static_assert(TYPES, SENTENCE);                                                                                                                \
        twin::FusedCastCount(#Name, KIND, twin::typeOf<T>, twin::typeOf<U>, dst, src0, src1, count);                                                   \
    }                                                                                                                                                  \
    template <typename T, typename U, bool isSetMask = true>                                                                                           \
    __aicore__ inline void Name(const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<U>& src1, uint64_t mask[],                    \
                                const uint8_t repeatTime, const BinaryRepeatParams& repeatParams) {                                                    \
        static_assert(TYPES, SENTENCE);                                                                                                                \
        twin::FusedCastRepeat(#Name, KIND, twin::typeOf<T>, twin::typeOf<U>, dst, src0, src1, twin::WiderMaskOf<T, U>(mask, isSetMask), repeatTime,    \
                              twin::StridesOf(repeatParams));                                                                                          \
    }                                                                                                                                                  \
    template <typename T, typename U, bool isSetMask = true>                                                                                           \
    __aicore__ inline void Name(const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<U>& src1, uint64_t mask,                      \
                                const uint8_t repeatTime, const BinaryRepeatParams& repeatParams) {                                                    \
        static_assert(TYPES, SENTENCE);                                                                                                                \
        twin::FusedCastRepeat(#Name, KIND, twin::typeOf<T>, twin::typeOf<U>, dst, src0, src1, twin::WiderMaskOf<T, U>(mask, isSetMask), repeatTime,    \
                              twin::StridesOf(repeatParams));                                                                                          \
    }

namespace AscendC {

/// dst[i] = max(src0[i] + src1[i], 0), or of the difference, rounded to the nearest and saturated. half or int16_t to int8_t, float to half.
TWIN_FUSED_CAST(AddReluCast, twin::FusedCast::kAddRelu, (twin::fusedCastable<T, U>), "AddReluCast on this device takes half or int16_t to int8_t, and float to half")
TWIN_FUSED_CAST(SubReluCast, twin::FusedCast::kSubRelu, (twin::fusedCastable<T, U>), "SubReluCast on this device takes half or int16_t to int8_t, and float to half")
/// dst[i] = src0[i] * src1[i], rounded to the nearest and saturated. half to int8_t or uint8_t.
TWIN_FUSED_CAST(MulCast, twin::FusedCast::kMul, (std::is_same_v<U, half> && twin::oneOf<T, int8_t, uint8_t>), "MulCast on this device takes half to int8_t or uint8_t")
/// dst[i] = max((src0[i] + src1[i]) * scale of SetDeqScale, 0). int32_t to half. Overwrites the last 8 KB of UB, 4 bytes an element.
TWIN_FUSED_CAST(AddDeqRelu, twin::FusedCast::kAddDequantRelu, (std::is_same_v<T, half> && std::is_same_v<U, int32_t>), "AddDeqRelu on this device takes int32_t to half")

/// dst[i] = src[i] * scale of SetDeqScale. int32_t to half; of int16_t the twin does not know the scales: violation not-covered.
template <typename T, typename U, bool isVecDeq = true, bool halfBlock = true>
__aicore__ inline void CastDequant(const LocalTensor<T>& dst, const LocalTensor<U>& src, const uint32_t count) {
    static_assert((std::is_same_v<T, half> && std::is_same_v<U, int32_t>) || (twin::oneOf<T, int8_t, uint8_t> && std::is_same_v<U, int16_t>),
                  "CastDequant on this device takes int32_t to half, and int16_t to int8_t or uint8_t");
    if constexpr (std::is_same_v<T, half>) Cast(dst, src, RoundMode::CAST_NONE, count);
    else twin::CastDequantNotCovered();
}

}  // namespace AscendC

#undef TWIN_FUSED_CAST

#endif
