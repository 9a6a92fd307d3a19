// Comparisons that give bits, and selection by bits. Source: Ascend C basic API, comparison and selection.
#ifndef TWIN_VEC_COMPARE_H
#define TWIN_VEC_COMPARE_H

#include "twin/tensor.h"

namespace AscendC {

/// Bit i of dst (byte i / 8, lowest bit first) = src0[i] cmpMode src1[i]. T: half, float, or int32_t with CMPMODE::EQ.
/// U: int8_t, uint8_t; the device's compiler takes any other as well, and its bytes get the bits. count * sizeof(T)
/// must be a multiple of 256 bytes. Violations: compare-count, unsupported-type.
template <typename T, typename U>
__aicore__ inline void Compare(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1,
                               CMPMODE cmpMode, uint32_t count) {
    static_assert(twin::oneOf<T, half, float, int32_t>,
                  "Compare on this device takes half, float, and int32_t (EQ only)");
    twin::CompareCount("Compare", twin::typeOf<T>, dst, src0, &src1, 0, cmpMode, count);
}
template <typename T, typename U, bool isSetMask = true>
__aicore__ inline void Compare(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1,
                               CMPMODE cmpMode, const uint64_t mask[], uint8_t repeatTime,
                               const BinaryRepeatParams& repeatParams) {
    static_assert(twin::oneOf<T, half, float, int32_t>,
                  "Compare on this device takes half, float, and int32_t (EQ only)");
    twin::CompareRepeat("Compare", twin::typeOf<T>, dst, src0, &src1, 0, cmpMode, repeatTime,
                        twin::StridesOf(repeatParams));
}
/// The mask has no effect on this device.
template <typename T, typename U, bool isSetMask = true>
__aicore__ inline void Compare(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1,
                               CMPMODE cmpMode, const uint64_t mask, uint8_t repeatTime,
                               const BinaryRepeatParams& repeatParams) {
    static_assert(twin::oneOf<T, half, float, int32_t>,
                  "Compare on this device takes half, float, and int32_t (EQ only)");
    twin::CompareRepeat("Compare", twin::typeOf<T>, dst, src0, &src1, 0, cmpMode, repeatTime,
                        twin::StridesOf(repeatParams));
}
/// One repeat into the compare mask register, for Select with VSEL_CMPMASK_SPR. T: half, float.
template <typename T, bool isSetMask = true>
__aicore__ inline void Compare(const LocalTensor<T>& src0, const LocalTensor<T>& src1, CMPMODE cmpMode,
                               const uint64_t mask[], const BinaryRepeatParams& repeatParams) {
    static_assert(twin::oneOf<T, half, float>, "Compare into the register takes half and float");
    twin::CompareRegister(twin::typeOf<T>, src0, src1, cmpMode, twin::MaskOf<T>(mask, isSetMask),
                          twin::StridesOf(repeatParams));
}
template <typename T, bool isSetMask = true>
__aicore__ inline void Compare(const LocalTensor<T>& src0, const LocalTensor<T>& src1, CMPMODE cmpMode,
                               const uint64_t mask, const BinaryRepeatParams& repeatParams) {
    static_assert(twin::oneOf<T, half, float>, "Compare into the register takes half and float");
    twin::CompareRegister(twin::typeOf<T>, src0, src1, cmpMode, twin::MaskOf<T>(mask, isSetMask),
                          twin::StridesOf(repeatParams));
}
template <typename T>
__aicore__ inline void GetCmpMask(const LocalTensor<T>& dst) {
    twin::CmpMaskTo(dst);
}
template <typename T>
__aicore__ inline void SetCmpMask(const LocalTensor<T>& src) {
    twin::CmpMaskFrom(src);
}

/// Bit i of dst = src0[i] cmpMode src1Scalar; conditions as for Compare.
template <typename T, typename U>
__aicore__ inline void CompareScalar(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const T src1Scalar,
                                     CMPMODE cmpMode, uint32_t count) {
    static_assert(twin::oneOf<T, half, float, int32_t>,
                  "CompareScalar on this device takes half, float, and int32_t (EQ only)");
    static_assert(twin::oneOf<U, int8_t, uint8_t>, "CompareScalar writes bits to int8_t or uint8_t");
    twin::CompareCount("CompareScalar", twin::typeOf<T>, dst, src0, nullptr, static_cast<double>(src1Scalar), cmpMode,
                       count);
}
template <typename T, typename U, bool isSetMask = true>
__aicore__ inline void CompareScalar(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const T src1Scalar,
                                     CMPMODE cmpMode, const uint64_t mask, uint8_t repeatTime,
                                     const UnaryRepeatParams& repeatParams) {
    static_assert(twin::oneOf<T, half, float, int32_t>,
                  "CompareScalar on this device takes half, float, and int32_t (EQ only)");
    twin::CompareRepeat("CompareScalar", twin::typeOf<T>, dst, src0, nullptr, static_cast<double>(src1Scalar), cmpMode,
                        repeatTime, twin::StridesOf(repeatParams));
}
template <typename T, typename U>
__aicore__ inline void Compares(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const T src1Scalar,
                                CMPMODE cmpMode, uint32_t count) {
    static_assert(twin::oneOf<T, half, float, int32_t>,
                  "Compares on this device takes half, float, and int32_t (EQ only)");
    static_assert(twin::oneOf<U, int8_t, uint8_t>, "Compares writes bits to int8_t or uint8_t");
    twin::CompareCount("Compares", twin::typeOf<T>, dst, src0, nullptr, static_cast<double>(src1Scalar), cmpMode,
                       count);
}
template <typename T, typename U, bool isSetMask = true>
__aicore__ inline void Compares(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const T src1Scalar,
                                CMPMODE cmpMode, const uint64_t mask, uint8_t repeatTime,
                                const UnaryRepeatParams& repeatParams) {
    static_assert(twin::oneOf<T, half, float, int32_t>,
                  "Compares on this device takes half, float, and int32_t (EQ only)");
    twin::CompareRepeat("Compares", twin::typeOf<T>, dst, src0, nullptr, static_cast<double>(src1Scalar), cmpMode,
                        repeatTime, twin::StridesOf(repeatParams));
}
template <typename T, typename U, bool isSetMask = true>
__aicore__ inline void Compares(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const T src1Scalar,
                                CMPMODE cmpMode, const uint64_t mask[], uint8_t repeatTime,
                                const UnaryRepeatParams& repeatParams) {
    static_assert(twin::oneOf<T, half, float, int32_t>,
                  "Compares on this device takes half, float, and int32_t (EQ only)");
    twin::CompareRepeat("Compares", twin::typeOf<T>, dst, src0, nullptr, static_cast<double>(src1Scalar), cmpMode,
                        repeatTime, twin::StridesOf(repeatParams));
}

/// dst[i] = src0[i] where the bit of selMask is 1, else src1[i] (or the scalar). T: half, float. U: uint8_t to
/// uint64_t. VSEL_CMPMASK_SPR uses the same 256 / sizeof(T) bits for every repeat, the other modes go on through
/// selMask and take the last 8 KB of UB. Violation: ub-overflow, where a buffer reaches into them.
template <typename T, typename U>
__aicore__ inline void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0,
                              const LocalTensor<T>& src1, SELMODE selMode, uint32_t count) {
    static_assert(twin::oneOf<T, half, float>, "Select on this device takes half and float");
    twin::SelectCount(twin::typeOf<T>, dst, selMask, src0, &src1, 0, selMode, count);
}
template <typename T, typename U>
__aicore__ inline void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0,
                              T src1, SELMODE selMode, uint32_t count) {
    static_assert(twin::oneOf<T, half, float>, "Select on this device takes half and float");
    twin::SelectCount(twin::typeOf<T>, dst, selMask, src0, nullptr, static_cast<double>(src1), selMode, count);
}
template <typename T, typename U, bool isSetMask = true>
__aicore__ inline void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0,
                              const LocalTensor<T>& src1, SELMODE selMode, uint64_t mask[], uint8_t repeatTime,
                              const BinaryRepeatParams& repeatParams) {
    static_assert(twin::oneOf<T, half, float>, "Select on this device takes half and float");
    twin::SelectRepeat(twin::typeOf<T>, dst, &selMask, src0, &src1, 0, selMode, twin::MaskOf<T>(mask, isSetMask),
                       repeatTime, twin::StridesOf(repeatParams));
}
template <typename T, typename U, bool isSetMask = true>
__aicore__ inline void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0,
                              const LocalTensor<T>& src1, SELMODE selMode, uint64_t mask, uint8_t repeatTime,
                              const BinaryRepeatParams& repeatParams) {
    static_assert(twin::oneOf<T, half, float>, "Select on this device takes half and float");
    twin::SelectRepeat(twin::typeOf<T>, dst, &selMask, src0, &src1, 0, selMode, twin::MaskOf<T>(mask, isSetMask),
                       repeatTime, twin::StridesOf(repeatParams));
}
template <typename T, typename U, bool isSetMask = true>
__aicore__ inline void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0,
                              T src1, SELMODE selMode, uint64_t mask[], uint8_t repeatTime,
                              const BinaryRepeatParams& repeatParams) {
    static_assert(twin::oneOf<T, half, float>, "Select on this device takes half and float");
    twin::SelectRepeat(twin::typeOf<T>, dst, &selMask, src0, nullptr, static_cast<double>(src1), selMode,
                       twin::MaskOf<T>(mask, isSetMask), repeatTime, twin::StridesOf(repeatParams));
}
template <typename T, typename U, bool isSetMask = true>
__aicore__ inline void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0,
                              T src1, SELMODE selMode, uint64_t mask, uint8_t repeatTime,
                              const BinaryRepeatParams& repeatParams) {
    static_assert(twin::oneOf<T, half, float>, "Select on this device takes half and float");
    twin::SelectRepeat(twin::typeOf<T>, dst, &selMask, src0, nullptr, static_cast<double>(src1), selMode,
                       twin::MaskOf<T>(mask, isSetMask), repeatTime, twin::StridesOf(repeatParams));
}
/// With the compare mask register.
template <typename T, SELMODE selMode>
__aicore__ inline void Select(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1,
                              uint8_t repeatTime, const BinaryRepeatParams& repeatParams) {
    static_assert(twin::oneOf<T, half, float>, "Select on this device takes half and float");
    twin::SelectRepeat(twin::typeOf<T>, dst, nullptr, src0, &src1, 0, selMode, twin::MaskOf<T>(uint64_t{0}, false),
                       repeatTime, twin::StridesOf(repeatParams));
}

}  // namespace AscendC

#endif
