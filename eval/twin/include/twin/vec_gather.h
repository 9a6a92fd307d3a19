// Gathering by offsets and by patterns. Source: Ascend C basic API, Gather, Gatherb, GatherMask.
#ifndef TWIN_VEC_GATHER_H
#define TWIN_VEC_GATHER_H

#include "twin/tensor.h"

namespace AscendC {

/// dst[i] = element at byte srcBaseOffset + srcOffset[i] of src. Offsets are bytes, multiples of sizeof(T). T: 16- and
/// 32-bit types. Violations: gather-offset, read-unwritten.
template <typename T>
__aicore__ inline void Gather(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                              const LocalTensor<uint32_t>& srcOffset, const uint32_t srcBaseOffset,
                              const uint32_t count) {
    static_assert(sizeof(T) == 2 || sizeof(T) == 4, "Gather on this device takes 16- and 32-bit types");
    twin::GatherCount(sizeof(T), dst, src, srcOffset, srcBaseOffset, count);
}
template <typename T>
__aicore__ inline void Gather(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                              const LocalTensor<uint32_t>& srcOffset, const uint32_t srcBaseOffset, const uint64_t mask,
                              const uint8_t repeatTime, const uint16_t dstRepStride) {
    static_assert(sizeof(T) == 2 || sizeof(T) == 4, "Gather on this device takes 16- and 32-bit types");
    twin::GatherRepeat(sizeof(T), dst, src, srcOffset, srcBaseOffset, twin::MaskOf<T>(mask, true), repeatTime,
                       dstRepStride);
}
template <typename T>
__aicore__ inline void Gather(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                              const LocalTensor<uint32_t>& srcOffset, const uint32_t srcBaseOffset,
                              const uint64_t mask[], const uint8_t repeatTime, const uint16_t dstRepStride) {
    static_assert(sizeof(T) == 2 || sizeof(T) == 4, "Gather on this device takes 16- and 32-bit types");
    twin::GatherRepeat(sizeof(T), dst, src, srcOffset, srcBaseOffset, twin::MaskOf<T>(mask, true), repeatTime,
                       dstRepStride);
}

/// Each repeat fetches 8 blocks of 32 bytes from the byte offsets given, multiples of 32.
template <typename T>
__aicore__ inline void Gatherb(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                               const LocalTensor<uint32_t>& offset, const uint8_t repeatTime,
                               const GatherRepeatParams& repeatParams) {
    static_assert(twin::oneOf<T, uint16_t, uint32_t>, "Gatherb on this device takes uint16_t and uint32_t");
    twin::GatherBlocks(sizeof(T), dst, src, offset, repeatTime, repeatParams.dstBlkStride, repeatParams.dstRepStride);
}

/// Packs the elements of src0 whose pattern bit is 1 into dst. Patterns: 1 every even, 2 every odd, 3 to 6 the first to
/// fourth of four, 7 all. reduceMode false: whole 256-byte repeats; true: mask elements a repeat. rsvdCnt: elements
/// kept.
template <typename T>
__aicore__ inline void GatherMask(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const uint8_t src1Pattern,
                                  const bool reduceMode, const uint32_t mask, const GatherMaskParams& gatherMaskParams,
                                  uint64_t& rsvdCnt) {
    static_assert(sizeof(T) == 2 || sizeof(T) == 4, "GatherMask on this device takes 16- and 32-bit types");
    twin::GatherMaskRun(sizeof(T), dst, src0, src1Pattern, nullptr, reduceMode, mask, gatherMaskParams, &rsvdCnt);
}
template <typename T, typename U>
__aicore__ inline void GatherMask(const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                                  const LocalTensor<U>& src1Pattern, const bool reduceMode, const uint32_t mask,
                                  const GatherMaskParams& gatherMaskParams, uint64_t& rsvdCnt) {
    static_assert(sizeof(T) == sizeof(U) && twin::oneOf<U, uint16_t, uint32_t>,
                  "the pattern of GatherMask is uint16_t for 16-bit data and uint32_t for 32-bit data");
    twin::GatherMaskRun(sizeof(T), dst, src0, 0, &src1Pattern, reduceMode, mask, gatherMaskParams, &rsvdCnt);
}

}  // namespace AscendC

#endif
