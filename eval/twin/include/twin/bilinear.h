// Weighted sums of gathered blocks. Source: Ascend C basic API, BilinearInterpolation.
#ifndef TWIN_BILINEAR_H
#define TWIN_BILINEAR_H

#include "twin/tensor.h"

namespace twin {
struct BilinearShape {
    uint8_t across, down;  // repeats that are added up, and results
    bool each;             // every block has a weight of its own, and not every repeat
    uint16_t dstBlock;     // blocks from block to block of a result
    uint16_t next;         // elements from result to result
};
void Bilinear(const Local& dst, const Local& src, const Local& offsets, const Local& weights, const Mask& mask,
              const BilinearShape& shape, const Local& work, uint32_t workBytes);
}  // namespace twin

namespace AscendC {

/// dst of result v = sum over h of the eight blocks of src0 at the byte offsets src0Offset[(v * hRepeat + h) * 8 ...],
/// times src1[v * hRepeat + h], or with repeatMode each block times a value of its own. T: half, each step rounded.
/// Temporary memory: 32 bytes for each element of src0 and src1. Violations: count-limit, repeat-limit, gather-offset,
/// out-of-buffer.
template <typename T>
__aicore__ inline void BilinearInterpolation(const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                                             const LocalTensor<uint32_t>& src0Offset, const LocalTensor<T>& src1,
                                             uint64_t mask[], uint8_t hRepeat, bool repeatMode, uint16_t dstBlkStride,
                                             uint16_t vROffset, uint8_t vRepeat,
                                             const LocalTensor<uint8_t>& sharedTmpBuffer) {
    static_assert(std::is_same_v<T, half>, "BilinearInterpolation takes half");
    twin::Bilinear(dst, src0, src0Offset, src1, twin::MaskOf<T>(mask, true),
                   {hRepeat, vRepeat, repeatMode, dstBlkStride, vROffset}, sharedTmpBuffer,
                   (src0.GetSize() + src1.GetSize()) * ONE_BLK_SIZE);
}
template <typename T>
__aicore__ inline void BilinearInterpolation(const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                                             const LocalTensor<uint32_t>& src0Offset, const LocalTensor<T>& src1,
                                             uint64_t mask, uint8_t hRepeat, bool repeatMode, uint16_t dstBlkStride,
                                             uint16_t vROffset, uint8_t vRepeat,
                                             const LocalTensor<uint8_t>& sharedTmpBuffer) {
    static_assert(std::is_same_v<T, half>, "BilinearInterpolation takes half");
    twin::Bilinear(dst, src0, src0Offset, src1, twin::MaskOf<T>(mask, true),
                   {hRepeat, vRepeat, repeatMode, dstBlkStride, vROffset}, sharedTmpBuffer,
                   (src0.GetSize() + src1.GetSize()) * ONE_BLK_SIZE);
}

}  // namespace AscendC

#endif
