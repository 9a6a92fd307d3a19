// Operations that fuse two steps. Source: Ascend C basic API, vector computation, compound operations.
#ifndef TWIN_VEC_FUSED_H
#define TWIN_VEC_FUSED_H

#include "twin/forms.h"

namespace AscendC {

/// dst[i] = max(src0[i] + src1[i], 0).
/// T: int16_t, half and float. UB, 32-byte aligned; dst may be exactly a source.
TWIN_FORMS_BINARY(AddRelu, kAddRelu, "AddRelu on this device takes int16_t, half and float", int16_t, half, float)

/// dst[i] = max(src0[i] - src1[i], 0).
/// T: int16_t, half and float. UB, 32-byte aligned; dst may be exactly a source.
TWIN_FORMS_BINARY(SubRelu, kSubRelu, "SubRelu on this device takes int16_t, half and float", int16_t, half, float)

/// dst[i] = src0[i] * dst[i] + src1[i].
/// T: half and float. UB, 32-byte aligned; dst may be exactly a source.
TWIN_FORMS_BINARY(FusedMulAdd, kFusedMulAdd, "FusedMulAdd on this device takes half and float", half, float)

/// dst[i] = max(src0[i] * dst[i] + src1[i], 0).
/// T: half and float. UB, 32-byte aligned; dst may be exactly a source.
TWIN_FORMS_BINARY(FusedMulAddRelu, kFusedMulAddRelu, "FusedMulAddRelu on this device takes half and float", half, float)

/// Newer name of FusedMulAddRelu.
/// T: half and float. UB, 32-byte aligned; dst may be exactly a source.
TWIN_FORMS_BINARY(MulAddRelu, kFusedMulAddRelu, "MulAddRelu on this device takes half and float", half, float)

/// dst[i] = src0[i] * src1[i] + dst[i]. T, U: half, half; float, float; or float, half.
template <typename T, typename U, bool isSetMask = true>
__aicore__ inline void MulAddDst(const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<U>& src1,
                                 const uint64_t mask[], const uint8_t repeatTime,
                                 const BinaryRepeatParams& repeatParams) {
    static_assert(
        (std::is_same_v<T, U> && twin::oneOf<T, half, float>) || (std::is_same_v<T, float> && std::is_same_v<U, half>),
        "MulAddDst on this device takes half, float, or a float destination with half sources");
    twin::VectorRepeat("MulAddDst", twin::Op::kMulAddDst, twin::typeOf<T>, twin::typeOf<U>, dst, &src0, &src1, 0,
                       twin::MaskOf<U>(mask, isSetMask), repeatTime, twin::StridesOf(repeatParams));
}
template <typename T, typename U, bool isSetMask = true>
__aicore__ inline void MulAddDst(const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<U>& src1,
                                 uint64_t mask, const uint8_t repeatTime, const BinaryRepeatParams& repeatParams) {
    static_assert(
        (std::is_same_v<T, U> && twin::oneOf<T, half, float>) || (std::is_same_v<T, float> && std::is_same_v<U, half>),
        "MulAddDst on this device takes half, float, or a float destination with half sources");
    twin::VectorRepeat("MulAddDst", twin::Op::kMulAddDst, twin::typeOf<T>, twin::typeOf<U>, dst, &src0, &src1, 0,
                       twin::MaskOf<U>(mask, isSetMask), repeatTime, twin::StridesOf(repeatParams));
}
template <typename T, typename U>
__aicore__ inline void MulAddDst(const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<U>& src1,
                                 const int32_t& count) {
    static_assert(
        (std::is_same_v<T, U> && twin::oneOf<T, half, float>) || (std::is_same_v<T, float> && std::is_same_v<U, half>),
        "MulAddDst on this device takes half, float, or a float destination with half sources");
    twin::Vector("MulAddDst", twin::Op::kMulAddDst, twin::typeOf<T>, twin::typeOf<U>, dst, &src0, &src1, 0, count);
}

}  // namespace AscendC

#endif
