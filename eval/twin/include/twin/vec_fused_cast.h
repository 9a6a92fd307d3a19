// Operations that end in a conversion. Source: Ascend C basic API, compound operations.
#ifndef TWIN_VEC_FUSED_CAST_H
#define TWIN_VEC_FUSED_CAST_H

#include "twin/vec_cast.h"

namespace twin {

enum class FusedCast : uint8_t { kAddRelu, kSubRelu, kMul, kAddDequantRelu };
void FusedCastCount(const char* api, FusedCast kind, Type dstType, Type srcType, const Local& dst, const Local& src0,
                    const Local& src1, int64_t count);
void FusedCastRepeat(const char* api, FusedCast kind, Type dstType, Type srcType, const Local& dst, const Local& src0,
                     const Local& src1, const Mask& mask, int repeatTime, const Strides& strides);
/// Violation `not-covered`.
/// One factor as the register holds it, or sixteen in UB.
void SetDequantFactors(uint64_t bits, const Local* set);
void CastDequantCount(const Local& dst, const Local& src, bool isSigned, bool vector, bool lower, uint32_t count);
void CastDequantRepeat(const Local& dst, const Local& src, bool isSigned, bool vector, bool lower, const Mask& mask,
                       int repeatTime, const Strides& strides);
constexpr uint64_t DequantBits(float scale, int16_t offset, bool isSigned) {
    return __builtin_bit_cast(uint32_t, scale) | (static_cast<uint64_t>(offset & 0x1ff) << 37) |
           (static_cast<uint64_t>(isSigned) << 46);
}

template <typename T, typename U>
inline constexpr bool fusedCastable =
    (std::is_same_v<U, half> && std::is_same_v<T, int8_t>) ||
    (std::is_same_v<U, int16_t> && std::is_same_v<T, int8_t>) || (std::is_same_v<U, float> && std::is_same_v<T, half>);
/// A mask counts elements of the wider type.
template <typename T, typename U, typename M>
inline Mask WiderMaskOf(M mask, bool isSet) {
    return sizeof(T) > sizeof(U) ? MaskOf<T>(mask, isSet) : MaskOf<U>(mask, isSet);
}

}  // namespace twin

// The count form and both mask forms of one operation of two sources.
#define TWIN_FUSED_CAST(Name, KIND, TYPES, SENTENCE)                                                                 \
    template <typename T, typename U>                                                                                \
    __aicore__ inline void Name(const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<U>& src1,   \
                                const uint32_t count) {                                                              \
        static_assert(TYPES, SENTENCE);                                                                              \
        twin::FusedCastCount(#Name, KIND, twin::typeOf<T>, twin::typeOf<U>, dst, src0, src1, count);                 \
    }                                                                                                                \
    template <typename T, typename U, bool isSetMask = true>                                                         \
    __aicore__ inline void Name(const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<U>& src1,   \
                                uint64_t mask[], const uint8_t repeatTime, const BinaryRepeatParams& repeatParams) { \
        static_assert(TYPES, SENTENCE);                                                                              \
        twin::FusedCastRepeat(#Name, KIND, twin::typeOf<T>, twin::typeOf<U>, dst, src0, src1,                        \
                              twin::WiderMaskOf<T, U>(mask, isSetMask), repeatTime, twin::StridesOf(repeatParams));  \
    }                                                                                                                \
    template <typename T, typename U, bool isSetMask = true>                                                         \
    __aicore__ inline void Name(const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<U>& src1,   \
                                uint64_t mask, const uint8_t repeatTime, const BinaryRepeatParams& repeatParams) {   \
        static_assert(TYPES, SENTENCE);                                                                              \
        twin::FusedCastRepeat(#Name, KIND, twin::typeOf<T>, twin::typeOf<U>, dst, src0, src1,                        \
                              twin::WiderMaskOf<T, U>(mask, isSetMask), repeatTime, twin::StridesOf(repeatParams));  \
    }

namespace AscendC {

/// dst[i] = max(src0[i] + src1[i], 0), or of the difference, rounded to the nearest and saturated. half or int16_t to
/// int8_t, float to half.
TWIN_FUSED_CAST(AddReluCast, twin::FusedCast::kAddRelu, (twin::fusedCastable<T, U>),
                "AddReluCast on this device takes half or int16_t to int8_t, and float to half")
TWIN_FUSED_CAST(SubReluCast, twin::FusedCast::kSubRelu, (twin::fusedCastable<T, U>),
                "SubReluCast on this device takes half or int16_t to int8_t, and float to half")
/// dst[i] = src0[i] * src1[i], rounded to the nearest and saturated. half to int8_t or uint8_t.
TWIN_FUSED_CAST(MulCast, twin::FusedCast::kMul, (std::is_same_v<U, half> && twin::oneOf<T, int8_t, uint8_t>),
                "MulCast on this device takes half to int8_t or uint8_t")
/// dst[i] = max((src0[i] + src1[i]) * scale of SetDeqScale, 0). int32_t to half. Overwrites the last 8 KB of UB, 4
/// bytes an element.
TWIN_FUSED_CAST(AddDeqRelu, twin::FusedCast::kAddDequantRelu, (std::is_same_v<T, half> && std::is_same_v<U, int32_t>),
                "AddDeqRelu on this device takes int32_t to half")

/// Sixteen factors, one for each element of a block.
struct VdeqInfo {
    __aicore__ VdeqInfo() {}
    __aicore__ VdeqInfo(const float vdeqScaleIn[16], const int16_t vdeqOffsetIn[16], const bool vdeqSignModeIn[16]) {
        for (int i = 0; i < 16; ++i) {
            vdeqScale[i] = vdeqScaleIn[i];
            vdeqOffset[i] = vdeqOffsetIn[i];
            vdeqSignMode[i] = vdeqSignModeIn[i];
        }
    }
    float vdeqScale[16] = {};
    int16_t vdeqOffset[16] = {};
    bool vdeqSignMode[16] = {};
};
/// Of CastDequant from int16_t: one factor for all, or one for each element of a block, which vdeq (128 bytes) takes.
/// Of the
/// scale ten bits of fraction count, of the offset nine bits.
__aicore__ inline void SetDeqScale(float scale, int16_t offset, bool signMode) {
    twin::SetDequantFactors(twin::DequantBits(scale, offset, signMode), nullptr);
}
template <typename T>
__aicore__ inline void SetDeqScale(const LocalTensor<T>& vdeq, const VdeqInfo& vdeqInfo) {
    static_assert(std::is_same_v<T, uint64_t>, "SetDeqScale takes a tensor of uint64_t");
    for (uint32_t i = 0; i < 16; ++i)
        vdeq.SetValue(i, twin::DequantBits(vdeqInfo.vdeqScale[i], vdeqInfo.vdeqOffset[i], vdeqInfo.vdeqSignMode[i]));
    twin::SetDequantFactors(0, &vdeq);
}

#define TWIN_CAST_DEQUANT_TYPES                                                        \
    static_assert((std::is_same_v<T, half> && std::is_same_v<U, int32_t>) ||           \
                      (twin::oneOf<T, int8_t, uint8_t> && std::is_same_v<U, int16_t>), \
                  "CastDequant on this device takes int32_t to half, and int16_t to int8_t or uint8_t")
/// int32_t to half: dst[i] = src[i] * scale of SetDeqScale. int16_t to int8_t or uint8_t: src[i] * scale + offset,
/// rounded to
/// the nearest and saturated; the sixteen results of a block go to the first or, with halfBlock, the second half of
/// one.
template <typename T, typename U, bool isVecDeq = true, bool halfBlock = true>
__aicore__ inline void CastDequant(const LocalTensor<T>& dst, const LocalTensor<U>& src, const uint32_t count) {
    TWIN_CAST_DEQUANT_TYPES;
    if constexpr (std::is_same_v<T, half>) Cast(dst, src, RoundMode::CAST_NONE, count);
    else twin::CastDequantCount(dst, src, std::is_same_v<T, int8_t>, isVecDeq, halfBlock, count);
}
template <typename T, typename U, bool isSetMask = true, bool isVecDeq = true, bool halfBlock = true>
__aicore__ inline void CastDequant(const LocalTensor<T>& dst, const LocalTensor<U>& src, const uint64_t mask[],
                                   uint8_t repeatTime, const UnaryRepeatParams& repeatParams) {
    TWIN_CAST_DEQUANT_TYPES;
    if constexpr (std::is_same_v<T, half>)
        Cast<T, U, isSetMask>(dst, src, RoundMode::CAST_NONE, mask, repeatTime, repeatParams);
    else
        twin::CastDequantRepeat(dst, src, std::is_same_v<T, int8_t>, isVecDeq, halfBlock,
                                twin::MaskOf<U>(mask, isSetMask), repeatTime, twin::StridesOf(repeatParams));
}
template <typename T, typename U, bool isSetMask = true, bool isVecDeq = true, bool halfBlock = true>
__aicore__ inline void CastDequant(const LocalTensor<T>& dst, const LocalTensor<U>& src, const int32_t mask,
                                   uint8_t repeatTime, const UnaryRepeatParams& repeatParams) {
    TWIN_CAST_DEQUANT_TYPES;
    if constexpr (std::is_same_v<T, half>)
        Cast<T, U, isSetMask>(dst, src, RoundMode::CAST_NONE, static_cast<uint64_t>(mask), repeatTime, repeatParams);
    else
        twin::CastDequantRepeat(dst, src, std::is_same_v<T, int8_t>, isVecDeq, halfBlock,
                                twin::MaskOf<U>(static_cast<uint64_t>(mask), isSetMask), repeatTime,
                                twin::StridesOf(repeatParams));
}
#undef TWIN_CAST_DEQUANT_TYPES

}  // namespace AscendC

#undef TWIN_FUSED_CAST

#endif
