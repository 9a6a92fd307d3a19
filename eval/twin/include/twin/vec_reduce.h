// Reductions. Source: Ascend C basic API, reduction; order of additions as documented for each.
#ifndef TWIN_VEC_REDUCE_H
#define TWIN_VEC_REDUCE_H

#include "twin/tensor.h"

namespace AscendC {

/// Sum, largest or smallest of count elements. sharedTmpBuffer is work memory (ReduceMax, ReduceMin: see the size
/// formula of the documentation; violation reduce-work). With calIndex, dst[1] holds the index of the first such
/// element as bits of T. ReduceSum adds each 256-byte repeat as a tree of neighbours and then the repeats in order,
/// rounding to T at every step.
template <typename T, bool isSetMask = true>
__aicore__ inline void ReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                 const LocalTensor<T>& sharedTmpBuffer, const int32_t count) {
    static_assert(twin::oneOf<T, half, float>, "ReduceSum on this device takes half and float");
    twin::ReduceCount("ReduceSum", ReduceType::REDUCE_SUM, twin::typeOf<T>, dst, src, sharedTmpBuffer, count, false);
}
template <typename T>
__aicore__ inline void ReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                 const LocalTensor<T>& sharedTmpBuffer, const int32_t mask, const int32_t repeatTime,
                                 const int32_t srcRepStride) {
    static_assert(twin::oneOf<T, half, float>, "ReduceSum on this device takes half and float");
    twin::ReduceMasked("ReduceSum", ReduceType::REDUCE_SUM, twin::typeOf<T>, dst, src, sharedTmpBuffer,
                       twin::MaskOf<T>(static_cast<uint64_t>(mask), true), repeatTime, srcRepStride, false);
}
template <typename T>
__aicore__ inline void ReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                 const LocalTensor<T>& sharedTmpBuffer, const uint64_t mask[], const int32_t repeatTime,
                                 const int32_t srcRepStride) {
    static_assert(twin::oneOf<T, half, float>, "ReduceSum on this device takes half and float");
    twin::ReduceMasked("ReduceSum", ReduceType::REDUCE_SUM, twin::typeOf<T>, dst, src, sharedTmpBuffer,
                       twin::MaskOf<T>(mask, true), repeatTime, srcRepStride, false);
}

template <typename T>
__aicore__ inline void ReduceMax(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                 const LocalTensor<T>& sharedTmpBuffer, const int32_t count, bool calIndex = 0) {
    static_assert(twin::oneOf<T, half, float>, "ReduceMax on this device takes half and float");
    twin::ReduceCount("ReduceMax", ReduceType::REDUCE_MAX, twin::typeOf<T>, dst, src, sharedTmpBuffer, count, calIndex);
}
template <typename T>
__aicore__ inline void ReduceMax(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                 const LocalTensor<T>& sharedTmpBuffer, const int32_t mask, const int32_t repeatTime,
                                 const int32_t srcRepStride, bool calIndex = 0) {
    static_assert(twin::oneOf<T, half, float>, "ReduceMax on this device takes half and float");
    twin::ReduceMasked("ReduceMax", ReduceType::REDUCE_MAX, twin::typeOf<T>, dst, src, sharedTmpBuffer,
                       twin::MaskOf<T>(static_cast<uint64_t>(mask), true), repeatTime, srcRepStride, calIndex);
}
template <typename T>
__aicore__ inline void ReduceMax(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                 const LocalTensor<T>& sharedTmpBuffer, const uint64_t mask[], const int32_t repeatTime,
                                 const int32_t srcRepStride, bool calIndex = 0) {
    static_assert(twin::oneOf<T, half, float>, "ReduceMax on this device takes half and float");
    twin::ReduceMasked("ReduceMax", ReduceType::REDUCE_MAX, twin::typeOf<T>, dst, src, sharedTmpBuffer,
                       twin::MaskOf<T>(mask, true), repeatTime, srcRepStride, calIndex);
}

template <typename T>
__aicore__ inline void ReduceMin(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                 const LocalTensor<T>& sharedTmpBuffer, const int32_t count, bool calIndex = 0) {
    static_assert(twin::oneOf<T, half, float>, "ReduceMin on this device takes half and float");
    twin::ReduceCount("ReduceMin", ReduceType::REDUCE_MIN, twin::typeOf<T>, dst, src, sharedTmpBuffer, count, calIndex);
}
template <typename T>
__aicore__ inline void ReduceMin(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                 const LocalTensor<T>& sharedTmpBuffer, const int32_t mask, const int32_t repeatTime,
                                 const int32_t srcRepStride, bool calIndex = 0) {
    static_assert(twin::oneOf<T, half, float>, "ReduceMin on this device takes half and float");
    twin::ReduceMasked("ReduceMin", ReduceType::REDUCE_MIN, twin::typeOf<T>, dst, src, sharedTmpBuffer,
                       twin::MaskOf<T>(static_cast<uint64_t>(mask), true), repeatTime, srcRepStride, calIndex);
}
template <typename T>
__aicore__ inline void ReduceMin(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                 const LocalTensor<T>& sharedTmpBuffer, const uint64_t mask[], const int32_t repeatTime,
                                 const int32_t srcRepStride, bool calIndex = 0) {
    static_assert(twin::oneOf<T, half, float>, "ReduceMin on this device takes half and float");
    twin::ReduceMasked("ReduceMin", ReduceType::REDUCE_MIN, twin::typeOf<T>, dst, src, sharedTmpBuffer,
                       twin::MaskOf<T>(mask, true), repeatTime, srcRepStride, calIndex);
}

/// One result per 256-byte repeat. dstRepStride counts results: one element for a sum or a value alone, two for value
/// and index.
template <typename T, bool isSetMask = true>
__aicore__ inline void WholeReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t mask,
                                      const int32_t repeatTime, const int32_t dstRepStride, const int32_t srcBlkStride,
                                      const int32_t srcRepStride) {
    static_assert(twin::oneOf<T, half, float>, "WholeReduceSum on this device takes half and float");
    twin::ReduceRepeats("WholeReduceSum", ReduceType::REDUCE_SUM, twin::typeOf<T>, dst, src,
                        twin::MaskOf<T>(static_cast<uint64_t>(mask), isSetMask), repeatTime, dstRepStride, srcBlkStride,
                        srcRepStride, ReduceOrder::ORDER_ONLY_VALUE);
}
template <typename T, bool isSetMask = true>
__aicore__ inline void WholeReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint64_t mask[],
                                      const int32_t repeatTime, const int32_t dstRepStride, const int32_t srcBlkStride,
                                      const int32_t srcRepStride) {
    static_assert(twin::oneOf<T, half, float>, "WholeReduceSum on this device takes half and float");
    twin::ReduceRepeats("WholeReduceSum", ReduceType::REDUCE_SUM, twin::typeOf<T>, dst, src,
                        twin::MaskOf<T>(mask, isSetMask), repeatTime, dstRepStride, srcBlkStride, srcRepStride,
                        ReduceOrder::ORDER_ONLY_VALUE);
}
template <typename T, bool isSetMask = true>
__aicore__ inline void WholeReduceMax(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t mask,
                                      const int32_t repeatTime, const int32_t dstRepStride, const int32_t srcBlkStride,
                                      const int32_t srcRepStride, ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX) {
    static_assert(twin::oneOf<T, half, float>, "WholeReduceMax on this device takes half and float");
    twin::ReduceRepeats("WholeReduceMax", ReduceType::REDUCE_MAX, twin::typeOf<T>, dst, src,
                        twin::MaskOf<T>(static_cast<uint64_t>(mask), isSetMask), repeatTime, dstRepStride, srcBlkStride,
                        srcRepStride, order);
}
template <typename T, bool isSetMask = true>
__aicore__ inline void WholeReduceMax(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint64_t mask[],
                                      const int32_t repeatTime, const int32_t dstRepStride, const int32_t srcBlkStride,
                                      const int32_t srcRepStride, ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX) {
    static_assert(twin::oneOf<T, half, float>, "WholeReduceMax on this device takes half and float");
    twin::ReduceRepeats("WholeReduceMax", ReduceType::REDUCE_MAX, twin::typeOf<T>, dst, src,
                        twin::MaskOf<T>(mask, isSetMask), repeatTime, dstRepStride, srcBlkStride, srcRepStride, order);
}
template <typename T, bool isSetMask = true>
__aicore__ inline void WholeReduceMin(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t mask,
                                      const int32_t repeatTime, const int32_t dstRepStride, const int32_t srcBlkStride,
                                      const int32_t srcRepStride, ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX) {
    static_assert(twin::oneOf<T, half, float>, "WholeReduceMin on this device takes half and float");
    twin::ReduceRepeats("WholeReduceMin", ReduceType::REDUCE_MIN, twin::typeOf<T>, dst, src,
                        twin::MaskOf<T>(static_cast<uint64_t>(mask), isSetMask), repeatTime, dstRepStride, srcBlkStride,
                        srcRepStride, order);
}
template <typename T, bool isSetMask = true>
__aicore__ inline void WholeReduceMin(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint64_t mask[],
                                      const int32_t repeatTime, const int32_t dstRepStride, const int32_t srcBlkStride,
                                      const int32_t srcRepStride, ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX) {
    static_assert(twin::oneOf<T, half, float>, "WholeReduceMin on this device takes half and float");
    twin::ReduceRepeats("WholeReduceMin", ReduceType::REDUCE_MIN, twin::typeOf<T>, dst, src,
                        twin::MaskOf<T>(mask, isSetMask), repeatTime, dstRepStride, srcBlkStride, srcRepStride, order);
}
template <typename T, bool isSetMask = true>
__aicore__ inline void RepeatReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t repeatTime,
                                       const int32_t mask, const int32_t dstBlkStride, const int32_t srcBlkStride,
                                       const int32_t dstRepStride, const int32_t srcRepStride) {
    static_assert(twin::oneOf<T, half, float>, "RepeatReduceSum on this device takes half and float");
    twin::ReduceRepeats("RepeatReduceSum", ReduceType::REDUCE_SUM, twin::typeOf<T>, dst, src,
                        twin::MaskOf<T>(static_cast<uint64_t>(mask), isSetMask), repeatTime, dstRepStride, srcBlkStride,
                        srcRepStride, ReduceOrder::ORDER_ONLY_VALUE);
}

/// One result per 32-byte block, 8 per repeat; dstRepStride counts groups of 8 results. Note the order: repeatTime
/// before mask.
template <typename T, bool isSetMask = true>
__aicore__ inline void BlockReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t repeatTime,
                                      const int32_t mask, const int32_t dstRepStride, const int32_t srcBlkStride,
                                      const int32_t srcRepStride) {
    static_assert(twin::oneOf<T, half, float>, "BlockReduceSum on this device takes half and float");
    twin::ReduceBlocks("BlockReduceSum", ReduceType::REDUCE_SUM, twin::typeOf<T>, dst, src,
                       twin::MaskOf<T>(static_cast<uint64_t>(mask), isSetMask), repeatTime, dstRepStride, srcBlkStride,
                       srcRepStride);
}
template <typename T, bool isSetMask = true>
__aicore__ inline void BlockReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t repeatTime,
                                      const uint64_t mask[], const int32_t dstRepStride, const int32_t srcBlkStride,
                                      const int32_t srcRepStride) {
    static_assert(twin::oneOf<T, half, float>, "BlockReduceSum on this device takes half and float");
    twin::ReduceBlocks("BlockReduceSum", ReduceType::REDUCE_SUM, twin::typeOf<T>, dst, src,
                       twin::MaskOf<T>(mask, isSetMask), repeatTime, dstRepStride, srcBlkStride, srcRepStride);
}
template <typename T, bool isSetMask = true>
__aicore__ inline void BlockReduceMax(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t repeatTime,
                                      const int32_t mask, const int32_t dstRepStride, const int32_t srcBlkStride,
                                      const int32_t srcRepStride) {
    static_assert(twin::oneOf<T, half, float>, "BlockReduceMax on this device takes half and float");
    twin::ReduceBlocks("BlockReduceMax", ReduceType::REDUCE_MAX, twin::typeOf<T>, dst, src,
                       twin::MaskOf<T>(static_cast<uint64_t>(mask), isSetMask), repeatTime, dstRepStride, srcBlkStride,
                       srcRepStride);
}
template <typename T, bool isSetMask = true>
__aicore__ inline void BlockReduceMax(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t repeatTime,
                                      const uint64_t mask[], const int32_t dstRepStride, const int32_t srcBlkStride,
                                      const int32_t srcRepStride) {
    static_assert(twin::oneOf<T, half, float>, "BlockReduceMax on this device takes half and float");
    twin::ReduceBlocks("BlockReduceMax", ReduceType::REDUCE_MAX, twin::typeOf<T>, dst, src,
                       twin::MaskOf<T>(mask, isSetMask), repeatTime, dstRepStride, srcBlkStride, srcRepStride);
}
template <typename T, bool isSetMask = true>
__aicore__ inline void BlockReduceMin(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t repeatTime,
                                      const int32_t mask, const int32_t dstRepStride, const int32_t srcBlkStride,
                                      const int32_t srcRepStride) {
    static_assert(twin::oneOf<T, half, float>, "BlockReduceMin on this device takes half and float");
    twin::ReduceBlocks("BlockReduceMin", ReduceType::REDUCE_MIN, twin::typeOf<T>, dst, src,
                       twin::MaskOf<T>(static_cast<uint64_t>(mask), isSetMask), repeatTime, dstRepStride, srcBlkStride,
                       srcRepStride);
}
template <typename T, bool isSetMask = true>
__aicore__ inline void BlockReduceMin(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t repeatTime,
                                      const uint64_t mask[], const int32_t dstRepStride, const int32_t srcBlkStride,
                                      const int32_t srcRepStride) {
    static_assert(twin::oneOf<T, half, float>, "BlockReduceMin on this device takes half and float");
    twin::ReduceBlocks("BlockReduceMin", ReduceType::REDUCE_MIN, twin::typeOf<T>, dst, src,
                       twin::MaskOf<T>(mask, isSetMask), repeatTime, dstRepStride, srcBlkStride, srcRepStride);
}

/// Sums of neighbours, half as many results; dstRepStride counts 128 bytes. Note the order: repeatTime before mask.
template <typename T, bool isSetMask = true>
__aicore__ inline void PairReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t repeatTime,
                                     const int32_t mask, const int32_t dstRepStride, const int32_t srcBlkStride,
                                     const int32_t srcRepStride) {
    static_assert(twin::oneOf<T, half, float>, "PairReduceSum on this device takes half and float");
    twin::ReducePairs("PairReduceSum", twin::typeOf<T>, dst, src,
                      twin::MaskOf<T>(static_cast<uint64_t>(mask), isSetMask), repeatTime, dstRepStride, srcBlkStride,
                      srcRepStride);
}
template <typename T, bool isSetMask = true>
__aicore__ inline void PairReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t repeatTime,
                                     const uint64_t mask[], const int32_t dstRepStride, const int32_t srcBlkStride,
                                     const int32_t srcRepStride) {
    static_assert(twin::oneOf<T, half, float>, "PairReduceSum on this device takes half and float");
    twin::ReducePairs("PairReduceSum", twin::typeOf<T>, dst, src, twin::MaskOf<T>(mask, isSetMask), repeatTime,
                      dstRepStride, srcBlkStride, srcRepStride);
}

/// Newer names of the three families; mask before repeatTime.
template <ReduceType reduceType, typename T, typename U, bool isSetMask = true>
__aicore__ inline void ReduceRepeat(const LocalTensor<T>& dst, const LocalTensor<U>& src, const int32_t mask,
                                    const int32_t repeatTime, const int32_t dstRepStride, const int32_t srcBlkStride,
                                    const int32_t srcRepStride, ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX) {
    static_assert(std::is_same_v<T, U> && twin::oneOf<T, half, float>,
                  "ReduceRepeat on this device takes half and float");
    twin::ReduceRepeats("ReduceRepeat", reduceType, twin::typeOf<T>, dst, src,
                        twin::MaskOf<T>(static_cast<uint64_t>(mask), isSetMask), repeatTime, dstRepStride, srcBlkStride,
                        srcRepStride, reduceType == ReduceType::REDUCE_SUM ? ReduceOrder::ORDER_ONLY_VALUE : order);
}
template <ReduceType reduceType, typename T, typename U, bool isSetMask = true>
__aicore__ inline void ReduceRepeat(const LocalTensor<T>& dst, const LocalTensor<U>& src, const uint64_t mask[],
                                    const int32_t repeatTime, const int32_t dstRepStride, const int32_t srcBlkStride,
                                    const int32_t srcRepStride, ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX) {
    static_assert(std::is_same_v<T, U> && twin::oneOf<T, half, float>,
                  "ReduceRepeat on this device takes half and float");
    twin::ReduceRepeats("ReduceRepeat", reduceType, twin::typeOf<T>, dst, src, twin::MaskOf<T>(mask, isSetMask),
                        repeatTime, dstRepStride, srcBlkStride, srcRepStride,
                        reduceType == ReduceType::REDUCE_SUM ? ReduceOrder::ORDER_ONLY_VALUE : order);
}
template <ReduceType reduceType, typename T, typename U, bool isSetMask = true>
__aicore__ inline void ReduceDataBlock(const LocalTensor<T>& dst, const LocalTensor<U>& src, const int32_t mask,
                                       const int32_t repeatTime, const int32_t dstRepStride, const int32_t srcBlkStride,
                                       const int32_t srcRepStride) {
    static_assert(std::is_same_v<T, U> && twin::oneOf<T, half, float>,
                  "ReduceDataBlock on this device takes half and float");
    twin::ReduceBlocks("ReduceDataBlock", reduceType, twin::typeOf<T>, dst, src,
                       twin::MaskOf<T>(static_cast<uint64_t>(mask), isSetMask), repeatTime, dstRepStride, srcBlkStride,
                       srcRepStride);
}
template <ReduceType reduceType, typename T, typename U, bool isSetMask = true>
__aicore__ inline void ReduceDataBlock(const LocalTensor<T>& dst, const LocalTensor<U>& src, const uint64_t mask[],
                                       const int32_t repeatTime, const int32_t dstRepStride, const int32_t srcBlkStride,
                                       const int32_t srcRepStride) {
    static_assert(std::is_same_v<T, U> && twin::oneOf<T, half, float>,
                  "ReduceDataBlock on this device takes half and float");
    twin::ReduceBlocks("ReduceDataBlock", reduceType, twin::typeOf<T>, dst, src, twin::MaskOf<T>(mask, isSetMask),
                       repeatTime, dstRepStride, srcBlkStride, srcRepStride);
}
template <ReduceType reduceType, typename T, typename U, bool isSetMask = true>
__aicore__ inline void ReducePairElem(const LocalTensor<T>& dst, const LocalTensor<U>& src, const int32_t mask,
                                      const int32_t repeatTime, const int32_t dstRepStride, const int32_t srcBlkStride,
                                      const int32_t srcRepStride) {
    static_assert(std::is_same_v<T, U> && twin::oneOf<T, half, float>,
                  "ReducePairElem on this device takes half and float");
    static_assert(reduceType == ReduceType::REDUCE_SUM, "ReducePairElem on this device sums only");
    twin::ReducePairs("ReducePairElem", twin::typeOf<T>, dst, src,
                      twin::MaskOf<T>(static_cast<uint64_t>(mask), isSetMask), repeatTime, dstRepStride, srcBlkStride,
                      srcRepStride);
}
template <ReduceType reduceType, typename T, typename U, bool isSetMask = true>
__aicore__ inline void ReducePairElem(const LocalTensor<T>& dst, const LocalTensor<U>& src, const uint64_t mask[],
                                      const int32_t repeatTime, const int32_t dstRepStride, const int32_t srcBlkStride,
                                      const int32_t srcRepStride) {
    static_assert(std::is_same_v<T, U> && twin::oneOf<T, half, float>,
                  "ReducePairElem on this device takes half and float");
    static_assert(reduceType == ReduceType::REDUCE_SUM, "ReducePairElem on this device sums only");
    twin::ReducePairs("ReducePairElem", twin::typeOf<T>, dst, src, twin::MaskOf<T>(mask, isSetMask), repeatTime,
                      dstRepStride, srcBlkStride, srcRepStride);
}

/// Value and index of the last reduction to a largest or smallest; sum of the last ReduceSum.
template <typename T>
__aicore__ inline void GetReduceMaxMinCount(T& maxMinValue, T& maxMinIndex) {
    twin::ReducedMaxMin(twin::typeOf<T>, &maxMinValue, &maxMinIndex);
}
template <typename T>
__aicore__ inline void GetReduceMaxMinCount(T& maxMinValue) {
    twin::ReducedMaxMin(twin::typeOf<T>, &maxMinValue, nullptr);
}
template <typename T>
__aicore__ inline void GetReduceRepeatMaxMinSpr(T& maxMinValue, T& maxMinIndex) {
    twin::ReducedMaxMin(twin::typeOf<T>, &maxMinValue, &maxMinIndex);
}
template <typename T>
__aicore__ inline void GetReduceRepeatMaxMinSpr(T& maxMinValue) {
    twin::ReducedMaxMin(twin::typeOf<T>, &maxMinValue, nullptr);
}
template <typename T>
__aicore__ inline T GetAccVal() {
    return static_cast<T>(twin::AccumulatedSum());
}
/// The same as bits: a float in the low word, or a half in the low 16 bits.
__aicore__ inline int64_t GetAccVal() { return static_cast<int64_t>(twin::AccumulatedBits()); }
template <typename T>
__aicore__ inline T GetReduceRepeatSumSpr() {
    return static_cast<T>(twin::AccumulatedSum());
}

}  // namespace AscendC

/// Instruction behind WholeReduceSum; with `accumulate` the sum of all repeats goes to the register of get_acc_val
/// instead of dst.
template <typename T>
__aicore__ inline void vcadd(__ubuf__ T* dst, __ubuf__ T* src, uint8_t repeat, uint16_t dstRepeatStride,
                             uint16_t srcBlockStride, uint16_t srcRepeatStride, bool accumulate) {
    static_assert(twin::oneOf<T, half, float>, "vcadd takes half and float");
    twin::RawReduceSum(twin::typeOf<T>, twin::AddressAs<void*>(dst), twin::AddressAs<void*>(src), repeat,
                       dstRepeatStride, srcBlockStride, srcRepeatStride, accumulate);
}
template <typename T>
__aicore__ inline void vcadd(decltype(nullptr), __ubuf__ T* src, uint8_t repeat, uint16_t dstRepeatStride,
                             uint16_t srcBlockStride, uint16_t srcRepeatStride, bool accumulate) {
    vcadd(static_cast<__ubuf__ T*>(nullptr), src, repeat, dstRepeatStride, srcBlockStride, srcRepeatStride, accumulate);
}
__aicore__ inline int64_t get_acc_val() { return AscendC::GetAccVal(); }

#endif
