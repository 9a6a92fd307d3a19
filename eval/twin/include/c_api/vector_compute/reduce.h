// Reductions of blocks, of pairs and of repeats, and broadcasts of elements to blocks.
#ifndef TWIN_C_API_REDUCE_H
#define TWIN_C_API_REDUCE_H

#include "c_api/sync/sync.h"
#include "c_api/vector_compute/mask.h"

namespace twin {
constexpr Mask kMaskRegister = {Mask::kKeep, 0, 0};
}  // namespace twin

// The unit of dst_repeat_stride is what one repeat gives: 8 results of a block each, 128 bytes of pairs, one result or
// value and index.
#define TWIN_C_REDUCE(name, T, CALL)                                                                                \
    __aicore__ inline void name(__ubuf__ T* dst, __ubuf__ T* src, uint8_t repeat, uint16_t dst_repeat_stride,       \
                                uint16_t src_block_stride, uint16_t src_repeat_stride) {                            \
        const twin::CalledAs called(#name);                                                                         \
        const twin::Local to = twin::ViewOfAddress(twin::Plain(dst)), from = twin::ViewOfAddress(twin::Plain(src)); \
        CALL(#name, T);                                                                                             \
    }                                                                                                               \
    __aicore__ inline void name(__ubuf__ T* dst, __ubuf__ T* src, uint32_t count) {                                 \
        const twin::CountedMask counted(count);                                                                     \
        name(dst, src, 1, 1, 1, 8);                                                                                 \
    }                                                                                                               \
    __aicore__ inline void name##_sync(__ubuf__ T* dst, __ubuf__ T* src, uint32_t count) {                          \
        name(dst, src, count);                                                                                      \
        asc_sync();                                                                                                 \
    }
#define TWIN_C_BLOCKS(name, T, KIND)                                                                            \
    twin::ReduceBlocks(name, AscendC::ReduceType::KIND, twin::typeOf<T>, to, from, twin::kMaskRegister, repeat, \
                       dst_repeat_stride, src_block_stride, src_repeat_stride)
#define TWIN_C_BLOCK_SUM(name, T) TWIN_C_BLOCKS(name, T, REDUCE_SUM)
#define TWIN_C_BLOCK_MAX(name, T) TWIN_C_BLOCKS(name, T, REDUCE_MAX)
#define TWIN_C_BLOCK_MIN(name, T) TWIN_C_BLOCKS(name, T, REDUCE_MIN)
#define TWIN_C_PAIRS(name, T)                                                                          \
    twin::ReducePairs(name, twin::typeOf<T>, to, from, twin::kMaskRegister, repeat, dst_repeat_stride, \
                      src_block_stride, src_repeat_stride)
#define TWIN_C_REPEATS(name, T, KIND, ORDER)                                                                     \
    twin::ReduceRepeats(name, AscendC::ReduceType::KIND, twin::typeOf<T>, to, from, twin::kMaskRegister, repeat, \
                        dst_repeat_stride, src_block_stride, src_repeat_stride, AscendC::ReduceOrder::ORDER)
#define TWIN_C_SUM(name, T) TWIN_C_REPEATS(name, T, REDUCE_SUM, ORDER_ONLY_VALUE)
#define TWIN_C_MAX_VALUE_INDEX(name, T) TWIN_C_REPEATS(name, T, REDUCE_MAX, ORDER_VALUE_INDEX)
#define TWIN_C_MAX_INDEX_VALUE(name, T) TWIN_C_REPEATS(name, T, REDUCE_MAX, ORDER_INDEX_VALUE)
#define TWIN_C_MAX_VALUE(name, T) TWIN_C_REPEATS(name, T, REDUCE_MAX, ORDER_ONLY_VALUE)
#define TWIN_C_MAX_INDEX(name, T) TWIN_C_REPEATS(name, T, REDUCE_MAX, ORDER_ONLY_INDEX)
#define TWIN_C_MIN_VALUE_INDEX(name, T) TWIN_C_REPEATS(name, T, REDUCE_MIN, ORDER_VALUE_INDEX)
#define TWIN_C_MIN_INDEX_VALUE(name, T) TWIN_C_REPEATS(name, T, REDUCE_MIN, ORDER_INDEX_VALUE)
#define TWIN_C_MIN_VALUE(name, T) TWIN_C_REPEATS(name, T, REDUCE_MIN, ORDER_ONLY_VALUE)
#define TWIN_C_MIN_INDEX(name, T) TWIN_C_REPEATS(name, T, REDUCE_MIN, ORDER_ONLY_INDEX)
#define TWIN_C_REDUCTIONS(T)                                                    \
    TWIN_C_REDUCE(asc_datablock_reduce_sum, T, TWIN_C_BLOCK_SUM)                \
    TWIN_C_REDUCE(asc_datablock_reduce_max, T, TWIN_C_BLOCK_MAX)                \
    TWIN_C_REDUCE(asc_datablock_reduce_min, T, TWIN_C_BLOCK_MIN)                \
    TWIN_C_REDUCE(asc_pair_reduce_sum, T, TWIN_C_PAIRS)                         \
    TWIN_C_REDUCE(asc_repeat_reduce_sum, T, TWIN_C_SUM)                         \
    TWIN_C_REDUCE(asc_repeat_reduce_max_value_index, T, TWIN_C_MAX_VALUE_INDEX) \
    TWIN_C_REDUCE(asc_repeat_reduce_max_index_value, T, TWIN_C_MAX_INDEX_VALUE) \
    TWIN_C_REDUCE(asc_repeat_reduce_max_only_value, T, TWIN_C_MAX_VALUE)        \
    TWIN_C_REDUCE(asc_repeat_reduce_max_only_index, T, TWIN_C_MAX_INDEX)        \
    TWIN_C_REDUCE(asc_repeat_reduce_min_value_index, T, TWIN_C_MIN_VALUE_INDEX) \
    TWIN_C_REDUCE(asc_repeat_reduce_min_index_value, T, TWIN_C_MIN_INDEX_VALUE) \
    TWIN_C_REDUCE(asc_repeat_reduce_min_only_value, T, TWIN_C_MIN_VALUE)        \
    TWIN_C_REDUCE(asc_repeat_reduce_min_only_index, T, TWIN_C_MIN_INDEX)        \
    /* Of the last reduction to a largest or smallest, over all its repeats. */ \
    __aicore__ inline void asc_get_reduce_max_cnt(T& val, uint32_t& index) {    \
        T bits;                                                                 \
        twin::ReducedMaxMin(twin::typeOf<T>, &val, &bits);                      \
        index = 0;                                                              \
        __builtin_memcpy(&index, &bits, sizeof(T));                             \
    }                                                                           \
    __aicore__ inline void asc_get_reduce_min_cnt(T& val, uint32_t& index) { asc_get_reduce_max_cnt(val, index); }
TWIN_C_REDUCTIONS(half)
TWIN_C_REDUCTIONS(float)
#undef TWIN_C_REDUCTIONS
#undef TWIN_C_REDUCE
#undef TWIN_C_BLOCKS
#undef TWIN_C_BLOCK_SUM
#undef TWIN_C_BLOCK_MAX
#undef TWIN_C_BLOCK_MIN
#undef TWIN_C_PAIRS
#undef TWIN_C_REPEATS
#undef TWIN_C_SUM
#undef TWIN_C_MAX_VALUE_INDEX
#undef TWIN_C_MAX_INDEX_VALUE
#undef TWIN_C_MAX_VALUE
#undef TWIN_C_MAX_INDEX
#undef TWIN_C_MIN_VALUE_INDEX
#undef TWIN_C_MIN_INDEX_VALUE
#undef TWIN_C_MIN_VALUE
#undef TWIN_C_MIN_INDEX

/// Sum that the last asc_repeat_reduce_sum left, as bits.
__aicore__ inline int64_t asc_get_acc_val() { return AscendC::GetAccVal(); }

// Each repeat takes 8 elements and fills a block of 32 bytes with each.
#define TWIN_C_BRCB(T)                                                                                            \
    __aicore__ inline void asc_brcb(__ubuf__ T* dst, __ubuf__ T* src, uint16_t dst_block_stride,                  \
                                    uint16_t dst_repeat_stride, uint8_t repeat) {                                 \
        const twin::CalledAs name("asc_brcb");                                                                    \
        twin::BrcbRepeat(sizeof(T), twin::ViewOfAddress(twin::Plain(dst)), twin::ViewOfAddress(twin::Plain(src)), \
                         repeat, dst_block_stride, dst_repeat_stride);                                            \
    }                                                                                                             \
    __aicore__ inline void asc_brcb_sync(__ubuf__ T* dst, __ubuf__ T* src, uint16_t dst_block_stride,             \
                                         uint16_t dst_repeat_stride, uint8_t repeat) {                            \
        asc_brcb(dst, src, dst_block_stride, dst_repeat_stride, repeat);                                          \
        asc_sync();                                                                                               \
    }
TWIN_C_BRCB(uint16_t)
TWIN_C_BRCB(uint32_t)
#undef TWIN_C_BRCB

// 16x16 elements.
#define TWIN_C_TRANSPOSE(T)                                                                              \
    __aicore__ inline void asc_transpose(__ubuf__ T* dst, __ubuf__ T* src) {                             \
        const twin::CalledAs name("asc_transpose");                                                      \
        twin::Transpose16(twin::ViewOfAddress(twin::Plain(dst)), twin::ViewOfAddress(twin::Plain(src))); \
    }                                                                                                    \
    __aicore__ inline void asc_transpose_sync(__ubuf__ T* dst, __ubuf__ T* src) {                        \
        asc_transpose(dst, src);                                                                         \
        asc_sync();                                                                                      \
    }
TWIN_C_TRANSPOSE(int16_t)
TWIN_C_TRANSPOSE(uint16_t)
#undef TWIN_C_TRANSPOSE

#endif
