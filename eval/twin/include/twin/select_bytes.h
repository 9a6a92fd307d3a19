// Select by a mask with one element for each of the source's. Source: Ascend C high-level API, Select
// (SelectWithBytesMask).
#ifndef TWIN_SELECT_BYTES_H
#define TWIN_SELECT_BYTES_H

#include "twin/vec_compare.h"

namespace twin {
/// `fromTensor`: the value of a mask element, zero or not, for which the tensor's element is taken.
void SelectBytes(Type type, const Local& dst, const Local& src, double scalar, const Local& mask, uint32_t maskBytes,
                 uint32_t rows, uint32_t columns, uint32_t maskColumns, bool tensorWhereSet);
}  // namespace twin

namespace AscendC {

/// firstAxis rows; srcLastAxis and maskLastAxis elements a row in memory, the mask's at least as many, of which the
/// rest is ignored.
struct SelectWithBytesMaskShapeInfo {
    __aicore__ SelectWithBytesMaskShapeInfo() {}
    uint32_t firstAxis = 0;
    uint32_t srcLastAxis = 0;
    uint32_t maskLastAxis = 0;
};

/// Where the mask is 0, src0; elsewhere src1. T: half, float. U: bool and integers of 8 to 32 bits.
/// Violation: reduce-shape (rows of 32 bytes), out-of-buffer.
template <typename T, typename U, bool isReuseMask = true>
__aicore__ inline void Select(const LocalTensor<T>& dst, const LocalTensor<T>& src0, T src1, const LocalTensor<U>& mask,
                              const LocalTensor<uint8_t>& sharedTmpBuffer, const SelectWithBytesMaskShapeInfo& info) {
    static_assert(twin::oneOf<T, half, float>, "Select on this device takes half and float");
    twin::SelectBytes(twin::typeOf<T>, dst, src0, static_cast<double>(src1), mask, sizeof(U), info.firstAxis,
                      info.srcLastAxis, info.maskLastAxis, false);
}
template <typename T, typename U, bool isReuseMask = true>
__aicore__ inline void Select(const LocalTensor<T>& dst, T src0, const LocalTensor<T>& src1, const LocalTensor<U>& mask,
                              const LocalTensor<uint8_t>& sharedTmpBuffer, const SelectWithBytesMaskShapeInfo& info) {
    static_assert(twin::oneOf<T, half, float>, "Select on this device takes half and float");
    twin::SelectBytes(twin::typeOf<T>, dst, src1, static_cast<double>(src0), mask, sizeof(U), info.firstAxis,
                      info.srcLastAxis, info.maskLastAxis, true);
}
template <typename T, typename U, bool isReuseMask = true>
__aicore__ inline void SelectWithBytesMask(const LocalTensor<T>& dst, const LocalTensor<T>& src0, T src1,
                                           const LocalTensor<U>& mask, const LocalTensor<uint8_t>& sharedTmpBuffer,
                                           const SelectWithBytesMaskShapeInfo& info) {
    Select<T, U, isReuseMask>(dst, src0, src1, mask, sharedTmpBuffer, info);
}
template <typename T, typename U, bool isReuseMask = true>
__aicore__ inline void SelectWithBytesMask(const LocalTensor<T>& dst, T src0, const LocalTensor<T>& src1,
                                           const LocalTensor<U>& mask, const LocalTensor<uint8_t>& sharedTmpBuffer,
                                           const SelectWithBytesMaskShapeInfo& info) {
    Select<T, U, isReuseMask>(dst, src0, src1, mask, sharedTmpBuffer, info);
}

}  // namespace AscendC

#endif
