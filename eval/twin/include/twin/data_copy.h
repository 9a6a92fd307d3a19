// Copies between GM and UB. Source: Ascend C basic API, DataCopy and DataCopyPad.
// Pipes: GM to UB is MTE2, UB to GM is MTE3, UB to UB is V.
#ifndef TWIN_DATA_COPY_H
#define TWIN_DATA_COPY_H

#include "twin/tensor.h"

namespace AscendC {

/// count elements, UB side 32-byte aligned. The device rounds count * sizeof(T) down to 32 bytes; the twin refuses a
/// rest. Violations: unaligned-copy, unaligned-ub, out-of-buffer, gm-out-of-range, write-to-input, gm-overlap,
/// pipe-hazard.
template <typename T>
__aicore__ inline void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const uint32_t count) {
    twin::CopyIn(dst, src, sizeof(T), twin::bytesOf<T>(count) / sizeof(T));
}
template <typename T>
__aicore__ inline void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src, const uint32_t count) {
    twin::CopyOut(dst, src, twin::typeOf<T>, sizeof(T), twin::bytesOf<T>(count) / sizeof(T));
}
template <typename T>
__aicore__ inline void DataCopy(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint32_t count) {
    twin::CopyLocal(dst, src, sizeof(T), twin::bytesOf<T>(count) / sizeof(T));
}

/// blockCount 0 to 4095 pieces of blockLen blocks; srcStride and dstStride are gaps, all in 32-byte blocks.
template <typename T>
__aicore__ inline void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src,
                                const DataCopyParams& repeatParams) {
    twin::CopyIn(dst, src, sizeof(T), repeatParams);
}
template <typename T>
__aicore__ inline void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src,
                                const DataCopyParams& repeatParams) {
    twin::CopyOut(dst, src, twin::typeOf<T>, sizeof(T), repeatParams);
}
template <typename T>
__aicore__ inline void DataCopy(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                const DataCopyParams& repeatParams) {
    twin::CopyLocal(dst, src, sizeof(T), repeatParams);
}

template <typename T, typename U>
__aicore__ inline void DataCopy(const LocalTensor<T>& dst, const LocalTensor<U>& src, const DataCopyParams& intriParams,
                                const DataCopyEnhancedParams&) {
    static_assert(std::is_same_v<T, U>,
                  "DataCopy between local tensors on this device converts no types; Fixpipe does, from L0C");
    DataCopy(dst, src, intriParams);
}

/// Pieces of tensors with up to 8 dimensions, the innermost first. Both sides have as many pieces, of the same
/// burstLen; pieces in UB begin at multiples of 32 bytes. Violations: copy-params, unaligned-ub, out-of-buffer,
/// gm-out-of-range, gm-overlap, pipe-hazard.
template <typename T>
__aicore__ inline void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const SliceInfo dstSliceInfo[],
                                const SliceInfo srcSliceInfo[], const uint32_t dimValue = 1) {
    static_assert(twin::oneOf<T, int8_t, uint8_t, int16_t, uint16_t, half, bfloat16_t, int32_t, uint32_t, float>,
                  "DataCopy of slices on this device takes 8- to 32-bit types");
    twin::CopySlices(dst, src, sizeof(T), dstSliceInfo, srcSliceInfo, dimValue);
}
template <typename T>
__aicore__ inline void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src, const SliceInfo dstSliceInfo[],
                                const SliceInfo srcSliceInfo[], const uint32_t dimValue = 1) {
    static_assert(twin::oneOf<T, int8_t, uint8_t, int16_t, uint16_t, half, bfloat16_t, int32_t, uint32_t, float>,
                  "DataCopy of slices on this device takes 8- to 32-bit types");
    twin::CopySlices(dst, src, twin::typeOf<T>, sizeof(T), dstSliceInfo, srcSliceInfo, dimValue);
}

/// GM to UB, blockLen in bytes. Each piece lands on a 32-byte boundary: left padding, data, right padding, filler.
/// Filler is the first element of the piece when both paddings are 0; paddings hold paddingValue when isPad, else
/// nothing defined. srcStride in bytes, dstStride in 32-byte blocks.
template <typename T>
__aicore__ inline void DataCopyPad(const LocalTensor<T>& dst, const GlobalTensor<T>& src,
                                   const DataCopyExtParams& dataCopyParams, const DataCopyPadExtParams<T>& padParams) {
    static_assert(sizeof(T) <= 8, "DataCopyPad takes 8- to 64-bit types");
    uint64_t value = 0;
    __builtin_memcpy(&value, &padParams.paddingValue, sizeof(T));
    twin::CopyInPad(dst, src, sizeof(T),
                    {dataCopyParams.blockCount, dataCopyParams.blockLen, dataCopyParams.srcStride,
                     static_cast<uint64_t>(dataCopyParams.dstStride) * ONE_BLK_SIZE},
                    {padParams.isPad, padParams.leftPadding, padParams.rightPadding, value});
}
template <typename T>
__aicore__ inline void DataCopyPad(const LocalTensor<T>& dst, const GlobalTensor<T>& src,
                                   const DataCopyParams& dataCopyParams, const DataCopyPadParams& padParams) {
    twin::CopyInPad(dst, src, sizeof(T),
                    {dataCopyParams.blockCount, dataCopyParams.blockLen, dataCopyParams.srcStride,
                     static_cast<uint64_t>(dataCopyParams.dstStride) * ONE_BLK_SIZE},
                    {padParams.isPad, padParams.leftPadding, padParams.rightPadding, padParams.paddingValue});
}
/// UB to GM, blockLen in bytes; what fills up the last 32-byte block of a piece stays behind. srcStride in blocks,
/// dstStride in bytes.
template <typename T>
__aicore__ inline void DataCopyPad(const GlobalTensor<T>& dst, const LocalTensor<T>& src,
                                   const DataCopyExtParams& dataCopyParams) {
    twin::CopyOutPad(dst, src, twin::typeOf<T>, sizeof(T),
                     {dataCopyParams.blockCount, dataCopyParams.blockLen,
                      static_cast<uint64_t>(dataCopyParams.srcStride) * ONE_BLK_SIZE, dataCopyParams.dstStride});
}
template <typename T>
__aicore__ inline void DataCopyPad(const GlobalTensor<T>& dst, const LocalTensor<T>& src,
                                   const DataCopyParams& dataCopyParams) {
    twin::CopyOutPad(dst, src, twin::typeOf<T>, sizeof(T),
                     {dataCopyParams.blockCount, dataCopyParams.blockLen,
                      static_cast<uint64_t>(dataCopyParams.srcStride) * ONE_BLK_SIZE, dataCopyParams.dstStride});
}

/// Value of the paddings when isPad is false.
template <typename T, TPosition pos = TPosition::MAX>
__aicore__ inline void SetPadValue(T paddingValue) {
    uint64_t value = 0;
    __builtin_memcpy(&value, &paddingValue, sizeof(T));
    twin::SetPadRegister(value);
}

/// Fills size elements of GM; call SyncAll before other blocks touch them.
template <typename T>
__aicore__ inline void InitOutput(GlobalTensor<T> gmWorkspaceAddr, uint32_t size, T value = 0) {
    uint64_t bits = 0;
    __builtin_memcpy(&bits, &value, sizeof(T));
    twin::FillGlobal(gmWorkspaceAddr, sizeof(T), size, bits, twin::typeOf<T>);
}
template <typename T>
__aicore__ inline void InitGlobalMemory(GlobalTensor<T>& gmWorkspaceAddr, const uint64_t size, const T value) {
    uint64_t bits = 0;
    __builtin_memcpy(&bits, &value, sizeof(T));
    twin::FillGlobal(gmWorkspaceAddr, sizeof(T), size, bits, twin::typeOf<T>);
}
template <typename T>
__aicore__ inline void Fill(GlobalTensor<T>& gmWorkspaceAddr, const uint64_t size, const T value) {
    InitGlobalMemory(gmWorkspaceAddr, size, value);
}

/// Copies with a mask inside UB: dstStride and srcStride between blocks, dstRepeatSize and srcRepeatSize between
/// repeats. 16- and 32-bit types.
template <typename T, bool isSetMask = true>
__aicore__ inline void Copy(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint64_t mask[],
                            const uint8_t repeatTime, const CopyRepeatParams& repeatParams) {
    static_assert(sizeof(T) == 2 || sizeof(T) == 4, "Copy on this device takes 16- and 32-bit types");
    twin::VectorRepeat(
        "Copy", twin::Op::kCopy, twin::typeOf<T>, twin::typeOf<T>, dst, &src, nullptr, 0,
        twin::MaskOf<T>(mask, isSetMask), repeatTime,
        {repeatParams.dstStride, repeatParams.srcStride, 1, repeatParams.dstRepeatSize, repeatParams.srcRepeatSize, 8});
}
template <typename T, bool isSetMask = true>
__aicore__ inline void Copy(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint64_t mask,
                            const uint8_t repeatTime, const CopyRepeatParams& repeatParams) {
    static_assert(sizeof(T) == 2 || sizeof(T) == 4, "Copy on this device takes 16- and 32-bit types");
    twin::VectorRepeat(
        "Copy", twin::Op::kCopy, twin::typeOf<T>, twin::typeOf<T>, dst, &src, nullptr, 0,
        twin::MaskOf<T>(mask, isSetMask), repeatTime,
        {repeatParams.dstStride, repeatParams.srcStride, 1, repeatParams.dstRepeatSize, repeatParams.srcRepeatSize, 8});
}

/// What UB-to-GM copies do to GM until SetAtomicNone: add, or keep the larger or smaller value.
/// T: int8_t, int16_t, half, bfloat16_t, int32_t, float. Violation at the end of the kernel: atomic-left-on.
template <typename T>
__aicore__ inline void SetAtomicAdd() {
    static_assert(twin::oneOf<T, int8_t, int16_t, half, bfloat16_t, int32_t, float>,
                  "SetAtomicAdd on this device takes int8_t, int16_t, half, bfloat16_t, int32_t and float");
    twin::SetAtomic(twin::typeOf<T>, 1);
}
template <typename T>
__aicore__ inline void SetAtomicMax() {
    static_assert(twin::oneOf<T, int8_t, int16_t, half, bfloat16_t, int32_t, float>,
                  "SetAtomicMax on this device takes int8_t, int16_t, half, bfloat16_t, int32_t and float");
    twin::SetAtomic(twin::typeOf<T>, 2);
}
template <typename T>
__aicore__ inline void SetAtomicMin() {
    static_assert(twin::oneOf<T, int8_t, int16_t, half, bfloat16_t, int32_t, float>,
                  "SetAtomicMin on this device takes int8_t, int16_t, half, bfloat16_t, int32_t and float");
    twin::SetAtomic(twin::typeOf<T>, 3);
}
/// The type alone, of a kind that is set before or after; the twin knows both only together. Violation: not-covered.
template <typename T>
__aicore__ inline void SetAtomicType() {
    static_assert(twin::oneOf<T, int8_t, int16_t, half, bfloat16_t, int32_t, float>,
                  "SetAtomicType on this device takes int8_t, int16_t, half, bfloat16_t, int32_t and float");
    twin::FormNotCovered("SetAtomicType", "SetAtomicType by itself", "call SetAtomicAdd, SetAtomicMax or SetAtomicMin");
}
__aicore__ inline void SetAtomicNone() { twin::SetAtomic(twin::Type::kOther, 0); }
__aicore__ inline void DisableDmaAtomic() { twin::SetAtomic(twin::Type::kOther, 0); }

}  // namespace AscendC

#endif
