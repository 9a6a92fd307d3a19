// Instructions that kernels name directly, below the API. They take addresses of UB and the mask register as it is.
#ifndef TWIN_INTRINSICS_H
#define TWIN_INTRINSICS_H

#include "twin/data_copy.h"
#include "twin/vec_transpose.h"

/// Address registers of the block transposition, eight addresses each.
enum ub_addr8_t : uint8_t { VA0 = 0, VA1, VA2, VA3, VA4, VA5, VA6, VA7 };

namespace twin {
/// src0, src1 null: none. Addresses of UB.
void RawVector(const char* api, Op op, Type type, void* dst, void* src0, void* src1, double scalar, int repeat,
               const Strides& strides);
void RawCopy(void* dst, void* src, int blocks, int length, int srcGap, int dstGap);
void RawTranspose16(void* dst, void* src);
void SetAddressRegister(int index, const uint64_t addresses[8]);
/// Destinations from register dst and the one behind it, sources likewise.
void TransposeRegisters(uint32_t elementBytes, int dst, int src, int repeat, int dstRepStride, int srcRepStride,
                        bool dstHighHalf, bool srcHighHalf);
template <typename T>
inline void* Plain(T* address) {
    return AddressAs<void*>(address);
}
/// View of UB from an address to the end of the buffer it lies in.
Local ViewOfAddress(void* address);
}  // namespace twin

template <typename T>
__aicore__ inline void vector_dup(__ubuf__ T* dst, T value, uint8_t repeat, uint16_t dstBlockStride, uint16_t,
                                  uint8_t dstRepeatStride, uint8_t) {
    static_assert(twin::oneOf<T, int16_t, uint16_t, half, bfloat16_t, int32_t, uint32_t, float>,
                  "vector_dup takes 16- and 32-bit types");
    twin::RawVector("vector_dup", twin::Op::kDuplicate, twin::typeOf<T>, twin::Plain(dst), nullptr, nullptr,
                    static_cast<double>(value), repeat, {dstBlockStride, 1, 1, dstRepeatStride, 8, 8});
}
template <typename T>
__aicore__ inline void vor(__ubuf__ T* dst, __ubuf__ T* src0, __ubuf__ T* src1, uint8_t repeat, uint8_t dstBlockStride,
                           uint8_t src0BlockStride, uint8_t src1BlockStride, uint8_t dstRepeatStride,
                           uint8_t src0RepeatStride, uint8_t src1RepeatStride) {
    static_assert(twin::oneOf<T, int16_t, uint16_t>, "vor takes int16_t and uint16_t");
    twin::RawVector(
        "vor", twin::Op::kOr, twin::typeOf<T>, twin::Plain(dst), twin::Plain(src0), twin::Plain(src1), 0, repeat,
        {dstBlockStride, src0BlockStride, src1BlockStride, dstRepeatStride, src0RepeatStride, src1RepeatStride});
}
__aicore__ inline int64_t clz(uint64_t value) { return value == 0 ? 64 : __builtin_clzll(value); }
/// size in bytes.
template <typename T>
__aicore__ inline void copy_data_align64(uint8_t* dst, T* src, uint64_t size) {
    const auto* from = twin::AddressAs<const uint8_t*>(src);
    for (uint64_t i = 0; i < size; ++i) dst[i] = from[i];
}
/// Lengths and gaps in 32-byte blocks.
__aicore__ inline void copy_ubuf_to_ubuf(__ubuf__ void* dst, __ubuf__ void* src, uint8_t, uint16_t burstNumber,
                                         uint16_t burstLength, uint16_t srcGap, uint16_t dstGap) {
    twin::RawCopy(twin::Plain(dst), twin::Plain(src), burstNumber, burstLength, srcGap, dstGap);
}
/// 16x16 elements of 16 bits.
template <typename T>
__aicore__ inline void vtranspose(__ubuf__ T* dst, __ubuf__ T* src) {
    static_assert(sizeof(T) == 2, "vtranspose takes 16-bit types");
    twin::RawTranspose16(twin::Plain(dst), twin::Plain(src));
}
__aicore__ inline void set_va_reg_sb(ub_addr8_t reg, uint64_t* addresses) { twin::SetAddressRegister(reg, addresses); }
__aicore__ inline void scatter_vnchwconv_b8(ub_addr8_t dst, ub_addr8_t src, uint8_t repeat, uint16_t dstStride,
                                            uint16_t srcStride, bool dstHighHalf, bool srcHighHalf) {
    twin::TransposeRegisters(1, dst, src, repeat, dstStride, srcStride, dstHighHalf, srcHighHalf);
}
__aicore__ inline void scatter_vnchwconv_b16(ub_addr8_t dst, ub_addr8_t src, uint8_t repeat, uint16_t dstStride,
                                             uint16_t srcStride) {
    twin::TransposeRegisters(2, dst, src, repeat, dstStride, srcStride, false, false);
}
__aicore__ inline void scatter_vnchwconv_b32(ub_addr8_t dst, ub_addr8_t src, uint8_t repeat, uint16_t dstStride,
                                             uint16_t srcStride) {
    twin::TransposeRegisters(4, dst, src, repeat, dstStride, srcStride, false, false);
}

namespace AscendC {

// Names of implementations that kernels of the operator libraries call with addresses.
template <typename T>
__aicore__ inline void DuplicateImpl(__ubuf__ T* dst, const T& scalarValue, const int32_t& count) {
    twin::Vector("Duplicate", twin::Op::kDuplicate, twin::typeOf<T>, twin::typeOf<T>,
                 twin::ViewOfAddress(twin::Plain(dst)), nullptr, nullptr, static_cast<double>(scalarValue), count);
}
template <typename T>
__aicore__ inline void DataCopyUB2GMImpl(__gm__ T* dst, __ubuf__ T* src, const DataCopyParams& intriParams) {
    twin::Global to;
    to.data = twin::AddressAs<uint8_t*>(dst);
    twin::CopyOut(to, twin::ViewOfAddress(twin::Plain(src)), twin::typeOf<T>, sizeof(T), intriParams);
}
template <typename T>
__aicore__ inline void DataCopyGM2UBImpl(__ubuf__ T* dst, __gm__ T* src, const DataCopyParams& intriParams) {
    twin::Global from;
    from.data = twin::AddressAs<uint8_t*>(src);
    twin::CopyIn(twin::ViewOfAddress(twin::Plain(dst)), from, sizeof(T), intriParams);
}

template <typename T>
__aicore__ inline void DataCopyPadGm2UBImpl(__ubuf__ T* dst, __gm__ T* src, const DataCopyExtParams& intriParams,
                                            const DataCopyPadExtParams<T>& padParams) {
    GlobalTensor<T> from;
    from.SetGlobalBuffer(src);
    DataCopyPad(LocalTensor<T>(twin::ViewOfAddress(twin::Plain(dst))), from, intriParams, padParams);
}
template <typename T>
__aicore__ inline void DataCopyPadGm2UBImpl(__ubuf__ T* dst, __gm__ T* src, const DataCopyParams& intriParams,
                                            const DataCopyPadParams& padParams) {
    GlobalTensor<T> from;
    from.SetGlobalBuffer(src);
    DataCopyPad(LocalTensor<T>(twin::ViewOfAddress(twin::Plain(dst))), from, intriParams, padParams);
}
template <typename T, typename Params>
__aicore__ inline void DataCopyPadUB2GMImpl(__gm__ T* dst, __ubuf__ T* src, const Params& intriParams) {
    GlobalTensor<T> to;
    to.SetGlobalBuffer(dst);
    DataCopyPad(to, LocalTensor<T>(twin::ViewOfAddress(twin::Plain(src))), intriParams);
}

}  // namespace AscendC

/// Elements that the last GatherMask kept.
__aicore__ inline int64_t get_rsvd_cnt() { return static_cast<int64_t>(twin::GatheredCount()); }

#endif
