// Sorting: records of 8 bytes, a score low and an index high. Source: Ascend C basic API, Sort32, MrgSort.
#ifndef TWIN_VEC_SORT_H
#define TWIN_VEC_SORT_H

#include "twin/tensor.h"

namespace twin {
void SortBlocks(Type type, const Local& dst, const Local& score, const Local& index, int repeatTime);
/// lengths in records; validBit 3, 7 or 15; the queues of repeat r follow those of repeat r - 1.
void MergeSorted(Type type, const Local& dst, const Local* const queues[4], const uint16_t lengths[4], bool stopAtEmpty,
                 uint16_t validBit, int repeatTimes);
void MergedCounts(uint16_t counts[4]);
/// Violation `unsupported-api`: the SDK declares the function, and this device has no such instruction.
[[noreturn]] void NotOnThisDevice(const char* api, const char* instead);
}  // namespace twin

namespace AscendC {

constexpr int32_t MRG_SORT_ELEMENT_LEN = 4;

template <typename T>
struct MrgSortSrcList {
    __aicore__ MrgSortSrcList() {}
    __aicore__ MrgSortSrcList(const LocalTensor<T>& src1In, const LocalTensor<T>& src2In, const LocalTensor<T>& src3In,
                              const LocalTensor<T>& src4In)
        : src1(src1In), src2(src2In), src3(src3In), src4(src4In) {}
    LocalTensor<T> src1, src2, src3, src4;
};

struct MrgSort4Info {
    __aicore__ MrgSort4Info() {}
    __aicore__ MrgSort4Info(const uint16_t lengths[MRG_SORT_ELEMENT_LEN], const bool suspension, const uint16_t valid,
                            const uint16_t repeats)
        : ifExhaustedSuspension(suspension), validBit(valid), repeatTimes(static_cast<uint8_t>(repeats)) {
        for (int i = 0; i < MRG_SORT_ELEMENT_LEN; ++i) elementLengths[i] = lengths[i];
    }
    uint16_t elementLengths[MRG_SORT_ELEMENT_LEN] = {0};
    bool ifExhaustedSuspension = false;
    uint16_t validBit = 0;
    uint8_t repeatTimes = 1;
};

/// Per repeat: 32 scores and indices to 32 records, largest score first, the lower position first among equals. T:
/// half, float. Violations: unaligned-ub, repeat-limit.
template <typename T>
__aicore__ inline void Sort32(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<uint32_t>& src1,
                              const int32_t repeatTime) {
    static_assert(twin::oneOf<T, half, float>, "Sort32 on this device takes half and float");
    twin::SortBlocks(twin::typeOf<T>, dst, src0, src1, repeatTime);
}

/// Merges up to four sorted queues of records, largest score first; the earlier queue first among equals.
/// Violations: merge-sort (validBit, lengths, repeats), partial-overlap.
template <typename T>
__aicore__ inline void MrgSort(const LocalTensor<T>& dst, const MrgSortSrcList<T>& src, const MrgSort4Info& params) {
    static_assert(twin::oneOf<T, half, float>, "MrgSort on this device takes half and float");
    const twin::Local* const queues[4] = {&src.src1, &src.src2, &src.src3, &src.src4};
    twin::MergeSorted(twin::typeOf<T>, dst, queues, params.elementLengths, params.ifExhaustedSuspension,
                      params.validBit, params.repeatTimes);
}

/// How many records of each queue the last MrgSort with ifExhaustedSuspension took.
__aicore__ inline void GetMrgSortResult(uint16_t& mrgSortList1, uint16_t& mrgSortList2, uint16_t& mrgSortList3,
                                        uint16_t& mrgSortList4) {
    uint16_t counts[4];
    twin::MergedCounts(counts);
    mrgSortList1 = counts[0];
    mrgSortList2 = counts[1];
    mrgSortList3 = counts[2];
    mrgSortList4 = counts[3];
}

/// Elements and bytes of records: 8 bytes each, so 4 halves or 2 floats.
template <typename T>
__aicore__ inline uint32_t GetSortOffset(const uint32_t elemOffset) {
    return elemOffset * 8 / sizeof(T);
}
template <typename T>
__aicore__ inline uint32_t GetSortLen(const uint32_t elemCount) {
    return elemCount * 8 / sizeof(T);
}

// Region proposals belong to older devices: declared, so that kernels with a branch for them compile, and refused when
// called.
template <typename T>
__aicore__ inline void MrgSort4(const LocalTensor<T>&, const MrgSortSrcList<T>&, const MrgSort4Info&) {
    twin::NotOnThisDevice("MrgSort4", "MrgSort");
}
template <typename T>
__aicore__ inline void RpSort16(const LocalTensor<T>&, const LocalTensor<T>&, const int32_t) {
    twin::NotOnThisDevice("RpSort16", "Sort32");
}
template <typename T>
__aicore__ inline void ProposalConcat(const LocalTensor<T>&, const LocalTensor<T>&, const int32_t, const int32_t) {
    twin::NotOnThisDevice("ProposalConcat", "Sort32, which takes scores and indices apart");
}
template <typename T>
__aicore__ inline void ProposalExtract(const LocalTensor<T>&, const LocalTensor<T>&, const int32_t, const int32_t) {
    twin::NotOnThisDevice("ProposalExtract", "GatherMask with pattern 1 or 2");
}

}  // namespace AscendC

#endif
