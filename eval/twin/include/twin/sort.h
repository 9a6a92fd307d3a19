// Sorting of whole rows. Source: Ascend C high-level API, sorting.
#ifndef TWIN_SORT_H
#define TWIN_SORT_H

#include "kernel_tiling/kernel_tiling.h"
#include "twin/norm.h"
#include "twin/vec_sort.h"

namespace twin {

/// Records of 32 sorted ones each, in place to one sorted row; `work` as large as they are.
void MergeRecords(Type type, const Local& records, const Local& work, uint32_t count);
/// Records to scores and indices.
void SplitRecords(Type type, const Local& values, const Local& indices, const Local& records, uint32_t count);

struct TopKTensors {
    const Local *value, *index, *src;
    const Local* srcIndex;  // null: 0 to inner - 1
    const Local* finish;    // null: every row counts
};
struct TopKShape {
    int32_t rows, inner, n, k;
    bool small, largest;
};
/// tilingK: how many elements the tiling was made for.
/// TopK takes temporary memory in VECCALC alone.
void UseTopKTemporary(const Local& work, uint64_t floats);
void TopKRows(Type type, const TopKTensors& tensors, const TopKShape& shape, int32_t tilingK);

}  // namespace twin

// Numbers that the vendor's header of TopK (adv_api/sort/topk.h, which comes with kernel_operator.h) declares for every
// kernel: kernels use them undeclared, and a kernel's own of the same name outside of a namespace is ambiguous.
namespace {
constexpr uint32_t TWO = 2;
constexpr uint32_t THREE = 3;
constexpr uint32_t FOUR = 4;
constexpr uint32_t FIVE = 5;
constexpr uint32_t SIX = 6;
constexpr uint32_t SEVEN = 7;
constexpr uint32_t EIGHT = 8;
constexpr uint32_t NINE = 9;
constexpr uint32_t TWELVE = 12;
constexpr uint32_t SIXTEEN = 16;
constexpr uint32_t THIRTY_TWO = 32;
constexpr uint32_t FORTYEIGHT = 48;
}  // namespace

namespace AscendC {

/// On this device the scores already stand as Sort wants them: concat becomes src.
template <typename T>
__aicore__ inline void Concat(LocalTensor<T>& concat, const LocalTensor<T>& src, const LocalTensor<T>& tmp,
                              const int32_t repeatTime) {
    static_assert(twin::oneOf<T, half, float>, "Concat on this device takes half and float");
    concat = src;
}

/// repeatTime x 32 scores and indices to records, largest first in each 32; with isFullSort in all. tmp: as large as
/// dst.
template <typename T, bool isFullSort>
__aicore__ inline void Sort(const LocalTensor<T>& dst, const LocalTensor<T>& concat, const LocalTensor<uint32_t>& index,
                            LocalTensor<T>& tmp, const int32_t repeatTime) {
    static_assert(twin::oneOf<T, half, float>, "Sort on this device takes half and float");
    Sort32(dst, concat, index, repeatTime);
    if constexpr (isFullSort) twin::MergeRecords(twin::typeOf<T>, dst, tmp, static_cast<uint32_t>(repeatTime) * 32);
}

/// repeatTime x 32 records to scores and indices.
template <typename T>
__aicore__ inline void Extract(const LocalTensor<T>& dstValue, const LocalTensor<uint32_t>& dstIndex,
                               const LocalTensor<T>& sorted, const int32_t repeatTime) {
    static_assert(twin::oneOf<T, half, float>, "Extract on this device takes half and float");
    twin::SplitRecords(twin::typeOf<T>, dstValue, dstIndex, sorted, static_cast<uint32_t>(repeatTime) * 32);
}

/// MrgSort with its parameters apart; sortedNum: records taken of each queue, set when isExhaustedSuspension.
template <typename T, bool isExhaustedSuspension = false>
__aicore__ inline void MrgSort(const LocalTensor<T>& dst, const MrgSortSrcList<T>& sortList,
                               const uint16_t elementCountList[4], uint32_t sortedNum[4], uint16_t validBit,
                               const int32_t repeatTime) {
    static_assert(twin::oneOf<T, half, float>, "MrgSort on this device takes half and float");
    const twin::Local* const queues[4] = {&sortList.src1, &sortList.src2, &sortList.src3, &sortList.src4};
    twin::MergeSorted(twin::typeOf<T>, dst, queues, elementCountList, isExhaustedSuspension, validBit, repeatTime);
    if constexpr (isExhaustedSuspension) {
        uint16_t counts[4];
        twin::MergedCounts(counts);
        for (int i = 0; i < 4; ++i) sortedNum[i] = counts[i];
    }
}

/// outter rows of inner elements (a multiple of 32), n of them real; padding must not be among the k.
struct TopKInfo {
    int32_t outter = 1;
    int32_t inner;
    int32_t n;
};

/// The k largest or smallest of each row and their indices, sorted; the lower index first among equals, NaN before all.
/// Normal mode writes rows of k rounded up to 32 bytes and leaves the rest of each, small mode packs rows of k. T:
/// half, float. finishLocal: rows whose indices all become n, in normal mode. Violations: sort-shape, temporary-memory,
/// wrong-position (tmpLocal is VECCALC), read-unwritten.
template <typename T, bool isInitIndex = false, bool isHasfinish = false, bool isReuseSrc = false,
          enum TopKMode topkMode = TopKMode::TOPK_NORMAL, const TopKConfig& config = defaultTopKConfig>
__aicore__ inline void TopK(const LocalTensor<T>& dstValueLocal, const LocalTensor<int32_t>& dstIndexLocal,
                            const LocalTensor<T>& srcLocal, const LocalTensor<int32_t>& srcIndexLocal,
                            const LocalTensor<bool>& finishLocal, const int32_t k, const TopkTiling& tilling,
                            const TopKInfo& topKInfo, const bool isLargest = true) {
    static_assert(twin::oneOf<T, half, float>, "TopK on this device takes half and float");
    static_assert(config.algo == TopKAlgo::MERGE_SORT, "TopK on this device sorts by TopKAlgo::MERGE_SORT");
    constexpr bool small = topkMode == TopKMode::TOPK_NSMALL;
    twin::UseTemporary("TopK", nullptr, uint64_t(tilling.tmpLocalSize) * sizeof(T) / 4);
    twin::TopKRows(
        twin::typeOf<T>,
        {&dstValueLocal, &dstIndexLocal, &srcLocal, isInitIndex ? &srcIndexLocal : nullptr,
         isHasfinish ? &finishLocal : nullptr},
        {topKInfo.outter, topKInfo.inner, topKInfo.n, k, small,
         config.order == TopKOrder::UNSET ? isLargest : config.order == TopKOrder::LARGEST},
        small ? tilling.maskOffset / (topKInfo.outter == 0 ? 1 : topKInfo.outter) : tilling.maskVreducev2FourBytes / 2);
}
template <typename T, bool isInitIndex = false, bool isHasfinish = false, bool isReuseSrc = false,
          enum TopKMode topkMode = TopKMode::TOPK_NORMAL, const TopKConfig& config = defaultTopKConfig>
__aicore__ inline void TopK(const LocalTensor<T>& dstValueLocal, const LocalTensor<int32_t>& dstIndexLocal,
                            const LocalTensor<T>& srcLocal, const LocalTensor<int32_t>& srcIndexLocal,
                            const LocalTensor<bool>& finishLocal, const LocalTensor<uint8_t>& tmpLocal, const int32_t k,
                            const TopkTiling& tilling, const TopKInfo& topKInfo, const bool isLargest = true) {
    static_assert(twin::oneOf<T, half, float>, "TopK on this device takes half and float");
    static_assert(config.algo == TopKAlgo::MERGE_SORT, "TopK on this device sorts by TopKAlgo::MERGE_SORT");
    constexpr bool small = topkMode == TopKMode::TOPK_NSMALL;
    twin::UseTopKTemporary(tmpLocal, uint64_t(tilling.tmpLocalSize) * sizeof(T) / 4);
    twin::TopKRows(
        twin::typeOf<T>,
        {&dstValueLocal, &dstIndexLocal, &srcLocal, isInitIndex ? &srcIndexLocal : nullptr,
         isHasfinish ? &finishLocal : nullptr},
        {topKInfo.outter, topKInfo.inner, topKInfo.n, k, small,
         config.order == TopKOrder::UNSET ? isLargest : config.order == TopKOrder::LARGEST},
        small ? tilling.maskOffset / (topKInfo.outter == 0 ? 1 : topKInfo.outter) : tilling.maskVreducev2FourBytes / 2);
}

}  // namespace AscendC

#endif
