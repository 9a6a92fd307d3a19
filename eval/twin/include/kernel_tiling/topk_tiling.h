// Tiling structure of TopK, and the choices that host and kernel share.
#ifndef TWIN_KERNEL_TOPK_TILING_H
#define TWIN_KERNEL_TOPK_TILING_H

#include <cstdint>

#define TWIN_TOPK_TILING(X)               \
    X(int32_t, tmpLocalSize)              \
    X(int32_t, allDataSize)               \
    X(int32_t, innerDataSize)             \
    X(uint32_t, sortRepeat)               \
    X(int32_t, mrgSortRepeat)             \
    X(int32_t, kAlignFourBytes)           \
    X(int32_t, kAlignTwoBytes)            \
    X(int32_t, maskOffset)                \
    X(int32_t, maskVreducev2FourBytes)    \
    X(int32_t, maskVreducev2TwoBytes)     \
    X(int32_t, mrgSortSrc1offset)         \
    X(int32_t, mrgSortSrc2offset)         \
    X(int32_t, mrgSortSrc3offset)         \
    X(int32_t, mrgSortTwoQueueSrc1Offset) \
    X(int32_t, mrgFourQueueTailPara1)     \
    X(int32_t, mrgFourQueueTailPara2)     \
    X(int32_t, srcIndexOffset)            \
    X(uint32_t, copyUbToUbBlockCount)     \
    X(int32_t, topkMrgSrc1MaskSizeOffset) \
    X(int32_t, topkNSmallSrcIndexOffset)  \
    X(uint32_t, vreduceValMask0)          \
    X(uint32_t, vreduceValMask1)          \
    X(uint32_t, vreduceIdxMask0)          \
    X(uint32_t, vreduceIdxMask1)          \
    X(uint16_t, vreducehalfValMask0)      \
    X(uint16_t, vreducehalfValMask1)      \
    X(uint16_t, vreducehalfValMask2)      \
    X(uint16_t, vreducehalfValMask3)      \
    X(uint16_t, vreducehalfValMask4)      \
    X(uint16_t, vreducehalfValMask5)      \
    X(uint16_t, vreducehalfValMask6)      \
    X(uint16_t, vreducehalfValMask7)

#ifndef TWIN_TILING_FIELD
#define TWIN_TILING_FIELD(type, name) type name = 0;
#endif

namespace AscendC {
namespace tiling {
struct alignas(8) TopkTiling {
    TWIN_TOPK_TILING(TWIN_TILING_FIELD)
};
}  // namespace tiling

/// Normal: any row up to 4096 elements. Small: rows of 32 elements.
enum class TopKMode { TOPK_NORMAL, TOPK_NSMALL };
enum class TopKAlgo { RADIX_SELECT, MERGE_SORT };
enum class TopKOrder { UNSET, LARGEST, SMALLEST };
struct TopKConfig {
    TopKAlgo algo = TopKAlgo::MERGE_SORT;
    TopKOrder order = TopKOrder::UNSET;
    bool sorted = true;
};
constexpr TopKConfig defaultTopKConfig = {TopKAlgo::MERGE_SORT, TopKOrder::UNSET, true};

}  // namespace AscendC

#endif
