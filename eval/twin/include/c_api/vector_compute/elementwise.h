// Elementwise functions of the C API, each in three forms: the first `count` elements, repeats of 256 bytes under the
// mask register with strides in blocks of 32 bytes, and `_sync`, which waits for all pipes behind the call.
#ifndef TWIN_C_API_ELEMENTWISE_H
#define TWIN_C_API_ELEMENTWISE_H

#include "c_api/sync/sync.h"
#include "c_api/vector_compute/mask.h"

#define TWIN_C_BINARY(name, OP, T)                                                                                    \
    __aicore__ inline void name(__ubuf__ T* dst, __ubuf__ T* src0, __ubuf__ T* src1, uint8_t repeat,                  \
                                uint8_t dst_block_stride, uint8_t src0_block_stride, uint8_t src1_block_stride,       \
                                uint8_t dst_repeat_stride, uint8_t src0_repeat_stride, uint8_t src1_repeat_stride) {  \
        twin::RawVector(#name, twin::Op::OP, twin::typeOf<T>, twin::Plain(dst), twin::Plain(src0), twin::Plain(src1), \
                        0, repeat,                                                                                    \
                        {dst_block_stride, src0_block_stride, src1_block_stride, dst_repeat_stride,                   \
                         src0_repeat_stride, src1_repeat_stride});                                                    \
    }                                                                                                                 \
    __aicore__ inline void name(__ubuf__ T* dst, __ubuf__ T* src0, __ubuf__ T* src1, uint32_t count) {                \
        const twin::CountedMask counted(count);                                                                       \
        name(dst, src0, src1, 1, 1, 1, 1, 8, 8, 8);                                                                   \
    }                                                                                                                 \
    __aicore__ inline void name##_sync(__ubuf__ T* dst, __ubuf__ T* src0, __ubuf__ T* src1, uint32_t count) {         \
        name(dst, src0, src1, count);                                                                                 \
        asc_sync();                                                                                                   \
    }
#define TWIN_C_FLOATS(FORM, name, OP) FORM(name, OP, half) FORM(name, OP, float)
#define TWIN_C_NUMBERS(FORM, name, OP) \
    TWIN_C_FLOATS(FORM, name, OP)      \
    FORM(name, OP, int16_t) FORM(name, OP, int32_t)
#define TWIN_C_BITS(FORM, name, OP) FORM(name, OP, int16_t) FORM(name, OP, uint16_t)
TWIN_C_NUMBERS(TWIN_C_BINARY, asc_add, kAdd)
TWIN_C_NUMBERS(TWIN_C_BINARY, asc_sub, kSub)
TWIN_C_NUMBERS(TWIN_C_BINARY, asc_mul, kMul)
TWIN_C_NUMBERS(TWIN_C_BINARY, asc_max, kMax)
TWIN_C_NUMBERS(TWIN_C_BINARY, asc_min, kMin)
TWIN_C_FLOATS(TWIN_C_BINARY, asc_div, kDiv)
TWIN_C_BITS(TWIN_C_BINARY, asc_and, kAnd)
TWIN_C_BITS(TWIN_C_BINARY, asc_or, kOr)
#undef TWIN_C_BINARY

#define TWIN_C_SCALAR(name, OP, T)                                                                                    \
    __aicore__ inline void name(__ubuf__ T* dst, __ubuf__ T* src, T value, uint8_t repeat, uint16_t dst_block_stride, \
                                uint16_t src_block_stride, uint16_t dst_repeat_stride, uint16_t src_repeat_stride) {  \
        twin::RawVector(#name, twin::Op::OP, twin::typeOf<T>, twin::Plain(dst), twin::Plain(src), nullptr,            \
                        static_cast<twin::Wide>(value), repeat,                                                       \
                        {dst_block_stride, src_block_stride, 1, dst_repeat_stride, src_repeat_stride, 8});            \
    }                                                                                                                 \
    __aicore__ inline void name(__ubuf__ T* dst, __ubuf__ T* src, T value, uint32_t count) {                          \
        const twin::CountedMask counted(count);                                                                       \
        name(dst, src, value, 1, 1, 1, 8, 8);                                                                         \
    }                                                                                                                 \
    __aicore__ inline void name##_sync(__ubuf__ T* dst, __ubuf__ T* src, T value, uint32_t count) {                   \
        name(dst, src, value, count);                                                                                 \
        asc_sync();                                                                                                   \
    }
TWIN_C_NUMBERS(TWIN_C_SCALAR, asc_add_scalar, kAdds)
TWIN_C_NUMBERS(TWIN_C_SCALAR, asc_mul_scalar, kMuls)
TWIN_C_NUMBERS(TWIN_C_SCALAR, asc_max_scalar, kMaxs)
TWIN_C_NUMBERS(TWIN_C_SCALAR, asc_min_scalar, kMins)
TWIN_C_FLOATS(TWIN_C_SCALAR, asc_leakyrelu, kLeakyRelu)
#undef TWIN_C_SCALAR

#define TWIN_C_UNARY(name, OP, T)                                                                                     \
    __aicore__ inline void name(__ubuf__ T* dst, __ubuf__ T* src, uint8_t repeat, uint16_t dst_block_stride,          \
                                uint16_t src_block_stride, uint16_t dst_repeat_stride, uint16_t src_repeat_stride) {  \
        twin::RawVector(#name, twin::Op::OP, twin::typeOf<T>, twin::Plain(dst), twin::Plain(src), nullptr, 0, repeat, \
                        {dst_block_stride, src_block_stride, 1, dst_repeat_stride, src_repeat_stride, 8});            \
    }                                                                                                                 \
    __aicore__ inline void name(__ubuf__ T* dst, __ubuf__ T* src, uint32_t count) {                                   \
        const twin::CountedMask counted(count);                                                                       \
        name(dst, src, 1, 1, 1, 8, 8);                                                                                \
    }                                                                                                                 \
    __aicore__ inline void name##_sync(__ubuf__ T* dst, __ubuf__ T* src, uint32_t count) {                            \
        name(dst, src, count);                                                                                        \
        asc_sync();                                                                                                   \
    }
TWIN_C_FLOATS(TWIN_C_UNARY, asc_exp, kExp)
TWIN_C_FLOATS(TWIN_C_UNARY, asc_log, kLn)
TWIN_C_FLOATS(TWIN_C_UNARY, asc_abs, kAbs)
TWIN_C_FLOATS(TWIN_C_UNARY, asc_sqrt, kSqrt)
TWIN_C_FLOATS(TWIN_C_UNARY, asc_rsqrt, kRsqrt)
TWIN_C_FLOATS(TWIN_C_UNARY, asc_rcp, kReciprocal)
TWIN_C_FLOATS(TWIN_C_UNARY, asc_relu, kRelu)
TWIN_C_UNARY(asc_relu, kRelu, int32_t)
TWIN_C_BITS(TWIN_C_UNARY, asc_not, kNot)
#undef TWIN_C_UNARY
#undef TWIN_C_FLOATS
#undef TWIN_C_NUMBERS
#undef TWIN_C_BITS

#define TWIN_C_DUPLICATE(T)                                                                                         \
    __aicore__ inline void asc_duplicate(__ubuf__ T* dst, T src, uint8_t repeat, uint16_t dst_block_stride,         \
                                         uint16_t dst_repeat_stride) {                                              \
        twin::RawVector("asc_duplicate", twin::Op::kDuplicate, twin::typeOf<T>, twin::Plain(dst), nullptr, nullptr, \
                        static_cast<twin::Wide>(src), repeat, {dst_block_stride, 1, 1, dst_repeat_stride, 8, 8});   \
    }                                                                                                               \
    __aicore__ inline void asc_duplicate(__ubuf__ T* dst, T src, uint32_t count) {                                  \
        const twin::CountedMask counted(count);                                                                     \
        asc_duplicate(dst, src, 1, 1, 8);                                                                           \
    }                                                                                                               \
    __aicore__ inline void asc_duplicate_sync(__ubuf__ T* dst, T src, uint32_t count) {                             \
        asc_duplicate(dst, src, count);                                                                             \
        asc_sync();                                                                                                 \
    }
TWIN_C_DUPLICATE(int16_t)
TWIN_C_DUPLICATE(uint16_t)
TWIN_C_DUPLICATE(half)
TWIN_C_DUPLICATE(bfloat16_t)
TWIN_C_DUPLICATE(int32_t)
TWIN_C_DUPLICATE(uint32_t)
TWIN_C_DUPLICATE(float)
#undef TWIN_C_DUPLICATE

#endif
