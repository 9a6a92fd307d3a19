// Copies between GM and UB. `len_burst` and gaps of the plain ones count blocks of 32 bytes; the aligned ones count
// bytes in GM.
#ifndef TWIN_C_API_VECTOR_DATAMOVE_H
#define TWIN_C_API_VECTOR_DATAMOVE_H

#include "c_api/sync/sync.h"

namespace twin {
__aicore__ inline AscendC::DataCopyParams Bursts(uint16_t count, uint16_t length, uint16_t srcGap, uint16_t dstGap) {
    return {count, length, srcGap, dstGap};
}
}  // namespace twin

/// `size` in bytes, a multiple of 32. Violation: unaligned-copy.
__aicore__ inline void asc_copy_gm2ub(__ubuf__ void* dst, __gm__ void* src, uint32_t size) {
    const twin::CalledAs name("asc_copy_gm2ub");
    twin::CopyIn(twin::ViewOfAddress(twin::Plain(dst)), twin::GlobalAt(twin::Plain(src)), 1, size);
}
__aicore__ inline void asc_copy_gm2ub(__ubuf__ void* dst, __gm__ void* src, uint16_t n_burst, uint16_t len_burst,
                                      uint16_t src_gap, uint16_t dst_gap) {
    const twin::CalledAs name("asc_copy_gm2ub");
    twin::CopyIn(twin::ViewOfAddress(twin::Plain(dst)), twin::GlobalAt(twin::Plain(src)), 1,
                 twin::Bursts(n_burst, len_burst, src_gap, dst_gap));
}
__aicore__ inline void asc_copy_gm2ub_sync(__ubuf__ void* dst, __gm__ void* src, uint32_t size) {
    asc_copy_gm2ub(dst, src, size);
    asc_sync();
}
/// An atomic copy takes its type from asc_set_atomic_...; without one the bytes have none.
__aicore__ inline void asc_copy_ub2gm(__gm__ void* dst, __ubuf__ void* src, uint32_t size) {
    const twin::CalledAs name("asc_copy_ub2gm");
    twin::CopyOut(twin::GlobalAt(twin::Plain(dst)), twin::ViewOfAddress(twin::Plain(src)), twin::AtomicType(), 1, size);
}
__aicore__ inline void asc_copy_ub2gm(__gm__ void* dst, __ubuf__ void* src, uint16_t n_burst, uint16_t len_burst,
                                      uint16_t src_gap, uint16_t dst_gap) {
    const twin::CalledAs name("asc_copy_ub2gm");
    twin::CopyOut(twin::GlobalAt(twin::Plain(dst)), twin::ViewOfAddress(twin::Plain(src)), twin::AtomicType(), 1,
                  twin::Bursts(n_burst, len_burst, src_gap, dst_gap));
}
__aicore__ inline void asc_copy_ub2gm_sync(__gm__ void* dst, __ubuf__ void* src, uint32_t size) {
    asc_copy_ub2gm(dst, src, size);
    asc_sync();
}
__aicore__ inline void asc_copy_ub2ub(__ubuf__ void* dst, __ubuf__ void* src, uint16_t n_burst, uint16_t len_burst,
                                      uint16_t src_gap, uint16_t dst_gap) {
    const twin::CalledAs name("asc_copy_ub2ub");
    twin::CopyLocal(twin::ViewOfAddress(twin::Plain(dst)), twin::ViewOfAddress(twin::Plain(src)), 1,
                    twin::Bursts(n_burst, len_burst, src_gap, dst_gap));
}
__aicore__ inline void asc_copy_ub2ub(__ubuf__ void* dst, __ubuf__ void* src, uint32_t size) {
    const twin::CalledAs name("asc_copy_ub2ub");
    twin::CopyLocal(twin::ViewOfAddress(twin::Plain(dst)), twin::ViewOfAddress(twin::Plain(src)), 1, size);
}
__aicore__ inline void asc_copy_ub2ub_sync(__ubuf__ void* dst, __ubuf__ void* src, uint32_t size) {
    asc_copy_ub2ub(dst, src, size);
    asc_sync();
}

// Paddings count elements and hold what asc_set_copy_pad_val says.
#define TWIN_C_ALIGNED_IN(T)                                                                                           \
    __aicore__ inline void asc_set_copy_pad_val(T pad_value) {                                                         \
        uint64_t bits = 0;                                                                                             \
        __builtin_memcpy(&bits, &pad_value, sizeof(T));                                                                \
        twin::SetPadRegister(bits);                                                                                    \
    }                                                                                                                  \
    __aicore__ inline void asc_copy_gm2ub_align(__ubuf__ T* dst, __gm__ T* src, uint16_t n_burst, uint32_t len_burst,  \
                                                uint8_t left_padding_num, uint8_t right_padding_num, uint32_t src_gap, \
                                                uint32_t dst_gap) {                                                    \
        const twin::CalledAs name("asc_copy_gm2ub_align");                                                             \
        twin::RawCopyIn(sizeof(T), twin::Plain(dst), twin::Plain(src), n_burst, len_burst, left_padding_num,           \
                        right_padding_num, src_gap, dst_gap);                                                          \
    }                                                                                                                  \
    __aicore__ inline void asc_copy_gm2ub_align(__ubuf__ T* dst, __gm__ T* src, uint32_t size) {                       \
        asc_copy_gm2ub_align(dst, src, 1, size, 0, 0, 0, 0);                                                           \
    }                                                                                                                  \
    __aicore__ inline void asc_copy_gm2ub_align_sync(__ubuf__ T* dst, __gm__ T* src, uint32_t size) {                  \
        asc_copy_gm2ub_align(dst, src, size);                                                                          \
        asc_sync();                                                                                                    \
    }
#define TWIN_C_ALIGNED_OUT(T)                                                                                         \
    __aicore__ inline void asc_copy_ub2gm_align(__gm__ T* dst, __ubuf__ T* src, uint16_t n_burst, uint32_t len_burst, \
                                                uint8_t, uint8_t, uint32_t src_gap, uint32_t dst_gap) {               \
        const twin::CalledAs name("asc_copy_ub2gm_align");                                                            \
        twin::RawCopyOut(twin::typeOf<T>, sizeof(T), twin::Plain(dst), twin::Plain(src), n_burst, len_burst, src_gap, \
                         dst_gap);                                                                                    \
    }                                                                                                                 \
    __aicore__ inline void asc_copy_ub2gm_align(__gm__ T* dst, __ubuf__ T* src, uint32_t size) {                      \
        asc_copy_ub2gm_align(dst, src, 1, size, 0, 0, 0, 0);                                                          \
    }                                                                                                                 \
    __aicore__ inline void asc_copy_ub2gm_align_sync(__gm__ T* dst, __ubuf__ T* src, uint32_t size) {                 \
        asc_copy_ub2gm_align(dst, src, size);                                                                         \
        asc_sync();                                                                                                   \
    }
#define TWIN_C_ALIGNED(T) TWIN_C_ALIGNED_IN(T) TWIN_C_ALIGNED_OUT(T)
TWIN_C_ALIGNED(int8_t)
TWIN_C_ALIGNED(uint8_t)
TWIN_C_ALIGNED(int16_t)
TWIN_C_ALIGNED(uint16_t)
TWIN_C_ALIGNED(half)
TWIN_C_ALIGNED(bfloat16_t)
TWIN_C_ALIGNED(int32_t)
TWIN_C_ALIGNED(uint32_t)
TWIN_C_ALIGNED(float)
#undef TWIN_C_ALIGNED
#undef TWIN_C_ALIGNED_IN
#undef TWIN_C_ALIGNED_OUT

#endif
