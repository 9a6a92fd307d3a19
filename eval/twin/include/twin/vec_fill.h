// Fills, broadcasts of blocks, index sequences, 16x16 transposition. Source: Ascend C basic API.
#ifndef TWIN_VEC_FILL_H
#define TWIN_VEC_FILL_H

#include "twin/tensor.h"

namespace AscendC {

/// dst[i] = scalarValue. T: int16_t, uint16_t, half, bfloat16_t, int32_t, uint32_t, float.
template <typename T, bool isSetMask = true>
__aicore__ inline void Duplicate(const LocalTensor<T>& dst, const T& scalarValue, uint64_t mask,
                                 const uint8_t repeatTime, const uint16_t dstBlockStride,
                                 const uint8_t dstRepeatStride) {
    static_assert(twin::oneOf<T, int16_t, uint16_t, half, bfloat16_t, int32_t, uint32_t, float>,
                  "Duplicate on this device takes 16- and 32-bit types");
    twin::VectorRepeat("Duplicate", twin::Op::kDuplicate, twin::typeOf<T>, twin::typeOf<T>, dst, nullptr, nullptr,
                       static_cast<double>(scalarValue), twin::MaskOf<T>(mask, isSetMask), repeatTime,
                       {dstBlockStride, 1, 1, dstRepeatStride, 8, 8});
}
template <typename T, bool isSetMask = true>
__aicore__ inline void Duplicate(const LocalTensor<T>& dst, const T& scalarValue, uint64_t mask[],
                                 const uint8_t repeatTime, const uint16_t dstBlockStride,
                                 const uint8_t dstRepeatStride) {
    static_assert(twin::oneOf<T, int16_t, uint16_t, half, bfloat16_t, int32_t, uint32_t, float>,
                  "Duplicate on this device takes 16- and 32-bit types");
    twin::VectorRepeat("Duplicate", twin::Op::kDuplicate, twin::typeOf<T>, twin::typeOf<T>, dst, nullptr, nullptr,
                       static_cast<double>(scalarValue), twin::MaskOf<T>(mask, isSetMask), repeatTime,
                       {dstBlockStride, 1, 1, dstRepeatStride, 8, 8});
}
template <typename T>
__aicore__ inline void Duplicate(const LocalTensor<T>& dst, const T& scalarValue, const int32_t& count) {
    static_assert(twin::oneOf<T, int16_t, uint16_t, half, bfloat16_t, int32_t, uint32_t, float>,
                  "Duplicate on this device takes 16- and 32-bit types");
    twin::Vector("Duplicate", twin::Op::kDuplicate, twin::typeOf<T>, twin::typeOf<T>, dst, nullptr, nullptr,
                 static_cast<double>(scalarValue), count);
}

/// Each repeat takes 8 elements of src and fills a 32-byte block of dst with each. T: 16- and 32-bit types.
template <typename T>
__aicore__ inline void Brcb(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint8_t repeatTime,
                            const BrcbRepeatParams& repeatParams) {
    static_assert(sizeof(T) == 2 || sizeof(T) == 4, "Brcb on this device takes 16- and 32-bit types");
    twin::BrcbRepeat(sizeof(T), dst, src, repeatTime, repeatParams.dstBlkStride, repeatParams.dstRepStride);
}

/// dst[i] = firstValue + i. T: int16_t, half, int32_t, float.
template <typename T>
__aicore__ inline void CreateVecIndex(LocalTensor<T> dst, const T& firstValue, uint32_t count) {
    static_assert(twin::oneOf<T, int16_t, half, int32_t, float>,
                  "CreateVecIndex on this device takes int16_t, half, int32_t and float");
    twin::FillIndex("CreateVecIndex", twin::typeOf<T>, dst, static_cast<double>(firstValue), 1, count);
}
template <typename T>
__aicore__ inline void CreateVecIndex(LocalTensor<T>& dst, const T& firstValue, uint64_t mask, uint8_t repeatTime,
                                      uint16_t dstBlkStride, uint8_t dstRepStride) {
    static_assert(twin::oneOf<T, int16_t, half, int32_t, float>,
                  "CreateVecIndex on this device takes int16_t, half, int32_t and float");
    twin::FillIndexRepeat(twin::typeOf<T>, dst, static_cast<double>(firstValue), twin::MaskOf<T>(mask, true),
                          repeatTime, dstBlkStride, dstRepStride);
}
template <typename T>
__aicore__ inline void CreateVecIndex(LocalTensor<T>& dst, const T& firstValue, uint64_t mask[], uint8_t repeatTime,
                                      uint16_t dstBlkStride, uint8_t dstRepStride) {
    static_assert(twin::oneOf<T, int16_t, half, int32_t, float>,
                  "CreateVecIndex on this device takes int16_t, half, int32_t and float");
    twin::FillIndexRepeat(twin::typeOf<T>, dst, static_cast<double>(firstValue), twin::MaskOf<T>(mask, true),
                          repeatTime, dstBlkStride, dstRepStride);
}

/// dst[i] = firstValue + i * diffValue. T: int16_t, half, int32_t, float.
template <typename T>
__aicore__ inline void ArithProgression(const LocalTensor<T>& dstLocal, const T firstValue, const T diffValue,
                                        const int32_t count) {
    static_assert(twin::oneOf<T, int16_t, half, int32_t, float>,
                  "ArithProgression on this device takes int16_t, half, int32_t and float");
    twin::FillIndex("ArithProgression", twin::typeOf<T>, dstLocal, static_cast<double>(firstValue),
                    static_cast<double>(diffValue), count);
}
template <typename T>
__aicore__ inline void Arange(const LocalTensor<T>& dst, const T firstValue, const T diffValue, const int32_t count) {
    static_assert(twin::oneOf<T, int16_t, half, int32_t, float>,
                  "Arange on this device takes int16_t, half, int32_t and float");
    twin::FillIndex("Arange", twin::typeOf<T>, dst, static_cast<double>(firstValue), static_cast<double>(diffValue),
                    count);
}

/// A 16x16 matrix of 16-bit elements, rows and columns exchanged.
template <typename T>
__aicore__ inline void Transpose(const LocalTensor<T>& dst, const LocalTensor<T>& src) {
    static_assert(twin::oneOf<T, int16_t, uint16_t, half>, "Transpose on this device takes int16_t, uint16_t and half");
    twin::Transpose16(dst, src);
}

}  // namespace AscendC

#endif
