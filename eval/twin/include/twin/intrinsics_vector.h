// Vector instructions and padded copies that kernels name directly. They take addresses and the mask register as it is;
// gaps of copies count bytes in GM and blocks of 32 bytes in UB.
#ifndef TWIN_INTRINSICS_VECTOR_H
#define TWIN_INTRINSICS_VECTOR_H

#include "twin/intrinsics.h"
#include "twin/vec_reduce.h"

namespace twin {

inline Global GlobalAt(void* address) {
    Global view;
    view.data = static_cast<uint8_t*>(address);
    return view;
}
/// Paddings hold what set_mov_pad_val says.
inline void RawCopyIn(uint32_t elementBytes, void* dst, void* src, uint16_t blocks, uint32_t bytes, uint8_t left,
                      uint8_t right, uint32_t srcGap, uint32_t dstGap) {
    CopyInPad(ViewOfAddress(dst), GlobalAt(src), elementBytes,
              {blocks, bytes, srcGap, static_cast<uint64_t>(dstGap) * AscendC::ONE_BLK_SIZE}, {false, left, right, 0});
}
inline void RawCopyOut(Type type, uint32_t elementBytes, void* dst, void* src, uint16_t blocks, uint32_t bytes,
                       uint32_t srcGap, uint32_t dstGap) {
    CopyOutPad(GlobalAt(dst), ViewOfAddress(src), type, elementBytes,
               {blocks, bytes, static_cast<uint64_t>(srcGap) * AscendC::ONE_BLK_SIZE, dstGap});
}

}  // namespace twin

#define TWIN_RAW_COPY(Suffix, BYTES, TYPE)                                                                          \
    __aicore__ inline void copy_gm_to_ubuf_align_##Suffix(__ubuf__ void* dst, __gm__ void* src, uint8_t,            \
                                                          uint16_t nBurst, uint32_t lenBurst, uint8_t leftPadding,  \
                                                          uint8_t rightPadding, uint32_t srcGap, uint32_t dstGap) { \
        twin::RawCopyIn(BYTES, twin::Plain(dst), twin::Plain(src), nBurst, lenBurst, leftPadding, rightPadding,     \
                        srcGap, dstGap);                                                                            \
    }                                                                                                               \
    __aicore__ inline void copy_ubuf_to_gm_align_##Suffix(__gm__ void* dst, __ubuf__ void* src, uint8_t,            \
                                                          uint16_t nBurst, uint32_t lenBurst, uint8_t, uint8_t,     \
                                                          uint32_t srcGap, uint32_t dstGap) {                       \
        twin::RawCopyOut(twin::Type::TYPE, BYTES, twin::Plain(dst), twin::Plain(src), nBurst, lenBurst, srcGap,     \
                         dstGap);                                                                                   \
    }
TWIN_RAW_COPY(b8, 1, kInt8)
TWIN_RAW_COPY(b16, 2, kHalf)
TWIN_RAW_COPY(b32, 4, kFloat)
#undef TWIN_RAW_COPY

template <typename T>
__aicore__ inline void set_mov_pad_val(T value) {
    twin::SetPadRegister(static_cast<uint64_t>(value));
}

#define TWIN_RAW_BINARY(name, OP, TYPES, SENTENCE)                                                                    \
    template <typename T>                                                                                             \
    __aicore__ inline void name(__ubuf__ T* dst, __ubuf__ T* src0, __ubuf__ T* src1, uint8_t repeat,                  \
                                uint8_t dstBlockStride, uint8_t src0BlockStride, uint8_t src1BlockStride,             \
                                uint8_t dstRepeatStride, uint8_t src0RepeatStride, uint8_t src1RepeatStride) {        \
        static_assert(TYPES, SENTENCE);                                                                               \
        twin::RawVector(                                                                                              \
            #name, twin::Op::OP, twin::typeOf<T>, twin::Plain(dst), twin::Plain(src0), twin::Plain(src1), 0, repeat,  \
            {dstBlockStride, src0BlockStride, src1BlockStride, dstRepeatStride, src0RepeatStride, src1RepeatStride}); \
    }
TWIN_RAW_BINARY(vadd, kAdd, (twin::oneOf<T, int16_t, half, int32_t, float>),
                "vadd takes int16_t, half, int32_t and float")
TWIN_RAW_BINARY(vsub, kSub, (twin::oneOf<T, int16_t, half, int32_t, float>),
                "vsub takes int16_t, half, int32_t and float")
TWIN_RAW_BINARY(vmul, kMul, (twin::oneOf<T, int16_t, half, int32_t, float>),
                "vmul takes int16_t, half, int32_t and float")
TWIN_RAW_BINARY(vmax, kMax, (twin::oneOf<T, int16_t, half, int32_t, float>),
                "vmax takes int16_t, half, int32_t and float")
TWIN_RAW_BINARY(vmin, kMin, (twin::oneOf<T, int16_t, half, int32_t, float>),
                "vmin takes int16_t, half, int32_t and float")
TWIN_RAW_BINARY(vdiv, kDiv, (twin::oneOf<T, half, float>), "vdiv takes half and float")
TWIN_RAW_BINARY(vand, kAnd, (twin::oneOf<T, int16_t, uint16_t>), "vand takes int16_t and uint16_t")
#undef TWIN_RAW_BINARY

#define TWIN_RAW_SCALAR(name, OP)                                                                                      \
    template <typename T>                                                                                              \
    __aicore__ inline void name(__ubuf__ T* dst, __ubuf__ T* src, T scalar, uint8_t repeat, uint16_t dstBlockStride,   \
                                uint16_t srcBlockStride, uint8_t dstRepeatStride, uint8_t srcRepeatStride) {           \
        static_assert(twin::oneOf<T, int16_t, half, int32_t, float>, #name " takes int16_t, half, int32_t and float"); \
        twin::RawVector(#name, twin::Op::OP, twin::typeOf<T>, twin::Plain(dst), twin::Plain(src), nullptr,             \
                        static_cast<double>(scalar), repeat,                                                           \
                        {dstBlockStride, srcBlockStride, 1, dstRepeatStride, srcRepeatStride, 8});                     \
    }
TWIN_RAW_SCALAR(vadds, kAdds)
TWIN_RAW_SCALAR(vmuls, kMuls)
TWIN_RAW_SCALAR(vmaxs, kMaxs)
TWIN_RAW_SCALAR(vmins, kMins)
#undef TWIN_RAW_SCALAR

#define TWIN_RAW_UNARY(name, OP)                                                                                      \
    template <typename T>                                                                                             \
    __aicore__ inline void name(__ubuf__ T* dst, __ubuf__ T* src, uint8_t repeat, uint16_t dstBlockStride,            \
                                uint16_t srcBlockStride, uint8_t dstRepeatStride, uint8_t srcRepeatStride) {          \
        static_assert(twin::oneOf<T, half, float>, #name " takes half and float");                                    \
        twin::RawVector(#name, twin::Op::OP, twin::typeOf<T>, twin::Plain(dst), twin::Plain(src), nullptr, 0, repeat, \
                        {dstBlockStride, srcBlockStride, 1, dstRepeatStride, srcRepeatStride, 8});                    \
    }
TWIN_RAW_UNARY(vexp, kExp)
TWIN_RAW_UNARY(vln, kLn)
TWIN_RAW_UNARY(vabs, kAbs)
TWIN_RAW_UNARY(vsqrt, kSqrt)
TWIN_RAW_UNARY(vrsqrt, kRsqrt)
TWIN_RAW_UNARY(vrec, kReciprocal)
TWIN_RAW_UNARY(vrelu, kRelu)
#undef TWIN_RAW_UNARY

// The letter at the end of a conversion is its rounding: r to nearest, f down, c up, a half away from zero, z to zero.
#define TWIN_RAW_CONVERSION(name, D, S, MODE)                                                                        \
    __aicore__ inline void name(__ubuf__ D* dst, __ubuf__ S* src, uint8_t repeat, uint16_t dstBlockStride,           \
                                uint16_t srcBlockStride, uint8_t dstRepeatStride, uint8_t srcRepeatStride) {         \
        twin::CastRepeat(twin::typeOf<D>, twin::typeOf<S>, twin::ViewOfAddress(twin::Plain(dst)),                    \
                         twin::ViewOfAddress(twin::Plain(src)), AscendC::RoundMode::MODE, {twin::Mask::kKeep, 0, 0}, \
                         repeat, {dstBlockStride, srcBlockStride, 1, dstRepeatStride, srcRepeatStride, 8});          \
    }
#define TWIN_RAW_ROUNDED(name, D, S)               \
    TWIN_RAW_CONVERSION(name##r, D, S, CAST_RINT)  \
    TWIN_RAW_CONVERSION(name##f, D, S, CAST_FLOOR) \
    TWIN_RAW_CONVERSION(name##c, D, S, CAST_CEIL)  \
    TWIN_RAW_CONVERSION(name##a, D, S, CAST_ROUND) \
    TWIN_RAW_CONVERSION(name##z, D, S, CAST_TRUNC)
TWIN_RAW_CONVERSION(vconv_f162f32, float, half, CAST_NONE)
TWIN_RAW_CONVERSION(vconv_bf162f32, float, bfloat16_t, CAST_NONE)
TWIN_RAW_CONVERSION(vconv_s162f32, float, int16_t, CAST_NONE)
TWIN_RAW_CONVERSION(vconv_s322f32, float, int32_t, CAST_NONE)
TWIN_RAW_CONVERSION(vconv_s162f16, half, int16_t, CAST_NONE)
TWIN_RAW_CONVERSION(vconv_f322f16, half, float, CAST_NONE)
TWIN_RAW_CONVERSION(vconv_s82f16, half, int8_t, CAST_NONE)
TWIN_RAW_CONVERSION(vconv_u82f16, half, uint8_t, CAST_NONE)
TWIN_RAW_ROUNDED(vconv_f322f16, half, float)
TWIN_RAW_ROUNDED(vconv_f322bf16, bfloat16_t, float)
TWIN_RAW_ROUNDED(vconv_f322s32, int32_t, float)
TWIN_RAW_ROUNDED(vconv_f322s16, int16_t, float)
TWIN_RAW_ROUNDED(vconv_f162s32, int32_t, half)
TWIN_RAW_ROUNDED(vconv_f162s16, int16_t, half)
TWIN_RAW_ROUNDED(vconv_f162s8, int8_t, half)
TWIN_RAW_ROUNDED(vconv_f162u8, uint8_t, half)
TWIN_RAW_ROUNDED(vconv_f322f32, float, float)
#undef TWIN_RAW_ROUNDED
#undef TWIN_RAW_CONVERSION

namespace AscendC {
// Names of implementations that kernels of the operator libraries call with addresses and the mask as it is.
#define TWIN_REDUCE_BLOCKS(Kind, KIND)                                                                                 \
    template <typename T>                                                                                              \
    __aicore__ inline void BlockReduce##Kind##IntrinsicsImpl(__ubuf__ T* dstLocal, __ubuf__ T* srcLocal,               \
                                                             const int32_t repeatTime, const int32_t dstRepStride,     \
                                                             const int32_t srcBlkStride, const int32_t srcRepStride) { \
        static_assert(twin::oneOf<T, half, float>, "BlockReduce" #Kind " on this device takes half and float");        \
        twin::ReduceBlocks("BlockReduce" #Kind, ReduceType::REDUCE_##KIND, twin::typeOf<T>,                            \
                           twin::ViewOfAddress(twin::Plain(dstLocal)), twin::ViewOfAddress(twin::Plain(srcLocal)),     \
                           twin::MaskOf<T>(MASK_PLACEHOLDER, false), repeatTime, dstRepStride, srcBlkStride,           \
                           srcRepStride);                                                                              \
    }
TWIN_REDUCE_BLOCKS(Sum, SUM)
TWIN_REDUCE_BLOCKS(Max, MAX)
TWIN_REDUCE_BLOCKS(Min, MIN)
#undef TWIN_REDUCE_BLOCKS
template <typename T>
__aicore__ inline void DuplicateIntrinsicsImpl(__ubuf__ T* dstLocal, T scalarValue, uint8_t repeatTimes,
                                               const uint16_t dstBlockStride, const uint8_t dstRepeatStride) {
    vector_dup(dstLocal, scalarValue, repeatTimes, dstBlockStride, 1, dstRepeatStride, 0);
}
}  // namespace AscendC

#endif
