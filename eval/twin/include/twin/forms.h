// The forms in which operations of one shape are declared, each set at once. What clang reads has them written out
// (executors/written-out.ts), because its notes would quote the macro in place of the declaration.
#ifndef TWIN_FORMS_H
#define TWIN_FORMS_H

#include "twin/tensor.h"

/// Of one tensor: by the bits of a mask, by the count of a mask, by the number of elements.
#define TWIN_FORMS_UNARY(Name, OP, SENTENCE, ...)                                                             \
    template <typename T, bool isSetMask = true>                                                              \
    __aicore__ inline void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint64_t mask[],        \
                                const uint8_t repeatTime, const UnaryRepeatParams& repeatParams) {            \
        static_assert(twin::oneOf<T, __VA_ARGS__>, SENTENCE);                                                 \
        twin::VectorRepeat(#Name, twin::Op::OP, twin::typeOf<T>, twin::typeOf<T>, dst, &src, nullptr, 0,      \
                           twin::MaskOf<T>(mask, isSetMask), repeatTime, twin::StridesOf(repeatParams));      \
    }                                                                                                         \
    template <typename T, bool isSetMask = true>                                                              \
    __aicore__ inline void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint64_t mask,          \
                                const uint8_t repeatTime, const UnaryRepeatParams& repeatParams) {            \
        static_assert(twin::oneOf<T, __VA_ARGS__>, SENTENCE);                                                 \
        twin::VectorRepeat(#Name, twin::Op::OP, twin::typeOf<T>, twin::typeOf<T>, dst, &src, nullptr, 0,      \
                           twin::MaskOf<T>(mask, isSetMask), repeatTime, twin::StridesOf(repeatParams));      \
    }                                                                                                         \
    template <typename T>                                                                                     \
    __aicore__ inline void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t& count) { \
        static_assert(twin::oneOf<T, __VA_ARGS__>, SENTENCE);                                                 \
        twin::Vector(#Name, twin::Op::OP, twin::typeOf<T>, twin::typeOf<T>, dst, &src, nullptr, 0, count);    \
    }

/// Of two tensors: likewise.
#define TWIN_FORMS_BINARY(Name, OP, SENTENCE, ...)                                                                   \
    template <typename T, bool isSetMask = true>                                                                     \
    __aicore__ inline void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1,   \
                                uint64_t mask[], const uint8_t repeatTime, const BinaryRepeatParams& repeatParams) { \
        static_assert(twin::oneOf<T, __VA_ARGS__>, SENTENCE);                                                        \
        twin::VectorRepeat(#Name, twin::Op::OP, twin::typeOf<T>, twin::typeOf<T>, dst, &src0, &src1, 0,              \
                           twin::MaskOf<T>(mask, isSetMask), repeatTime, twin::StridesOf(repeatParams));             \
    }                                                                                                                \
    template <typename T, bool isSetMask = true>                                                                     \
    __aicore__ inline void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1,   \
                                uint64_t mask, const uint8_t repeatTime, const BinaryRepeatParams& repeatParams) {   \
        static_assert(twin::oneOf<T, __VA_ARGS__>, SENTENCE);                                                        \
        twin::VectorRepeat(#Name, twin::Op::OP, twin::typeOf<T>, twin::typeOf<T>, dst, &src0, &src1, 0,              \
                           twin::MaskOf<T>(mask, isSetMask), repeatTime, twin::StridesOf(repeatParams));             \
    }                                                                                                                \
    template <typename T>                                                                                            \
    __aicore__ inline void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1,   \
                                const int32_t& count) {                                                              \
        static_assert(twin::oneOf<T, __VA_ARGS__>, SENTENCE);                                                        \
        twin::Vector(#Name, twin::Op::OP, twin::typeOf<T>, twin::typeOf<T>, dst, &src0, &src1, 0, count);            \
    }

/// Of a tensor and a scalar: likewise.
#define TWIN_FORMS_SCALAR(Name, OP, SENTENCE, ...)                                                                  \
    template <typename T, bool isSetMask = true>                                                                    \
    __aicore__ inline void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const T& scalarValue,         \
                                uint64_t mask[], const uint8_t repeatTime, const UnaryRepeatParams& repeatParams) { \
        static_assert(twin::oneOf<T, __VA_ARGS__>, SENTENCE);                                                       \
        twin::VectorRepeat(#Name, twin::Op::OP, twin::typeOf<T>, twin::typeOf<T>, dst, &src, nullptr,               \
                           static_cast<double>(scalarValue), twin::MaskOf<T>(mask, isSetMask), repeatTime,          \
                           twin::StridesOf(repeatParams));                                                          \
    }                                                                                                               \
    template <typename T, bool isSetMask = true>                                                                    \
    __aicore__ inline void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const T& scalarValue,         \
                                uint64_t mask, const uint8_t repeatTime, const UnaryRepeatParams& repeatParams) {   \
        static_assert(twin::oneOf<T, __VA_ARGS__>, SENTENCE);                                                       \
        twin::VectorRepeat(#Name, twin::Op::OP, twin::typeOf<T>, twin::typeOf<T>, dst, &src, nullptr,               \
                           static_cast<double>(scalarValue), twin::MaskOf<T>(mask, isSetMask), repeatTime,          \
                           twin::StridesOf(repeatParams));                                                          \
    }                                                                                                               \
    template <typename T, bool isSetMask = true>                                                                    \
    __aicore__ inline void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const T& scalarValue,         \
                                const int32_t& count) {                                                             \
        static_assert(twin::oneOf<T, __VA_ARGS__>, SENTENCE);                                                       \
        twin::Vector(#Name, twin::Op::OP, twin::typeOf<T>, twin::typeOf<T>, dst, &src, nullptr,                     \
                     static_cast<double>(scalarValue), count);                                                      \
    }

/// High-level functions of one tensor: with work memory or without, of so many elements or of all. REUSE: whether the
/// source serves as work memory when isReuseSource says so.
#define TWIN_FORMS_MATH(Name, OP, REUSE, SENTENCE, ...)                                                         \
    template <typename T, bool isReuseSource = false>                                                           \
    __aicore__ inline void Name(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,               \
                                const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t calCount) {         \
        static_assert(twin::oneOf<T, __VA_ARGS__>, SENTENCE);                                                   \
        twin::MathUnary(#Name, twin::Op::OP, twin::typeOf<T>, dstTensor, srcTensor, &sharedTmpBuffer, calCount, \
                        REUSE);                                                                                 \
    }                                                                                                           \
    template <typename T, bool isReuseSource = false>                                                           \
    __aicore__ inline void Name(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,               \
                                const LocalTensor<uint8_t>& sharedTmpBuffer) {                                  \
        Name<T, isReuseSource>(dstTensor, srcTensor, sharedTmpBuffer, srcTensor.GetSize());                     \
    }                                                                                                           \
    template <typename T, bool isReuseSource = false>                                                           \
    __aicore__ inline void Name(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,               \
                                const uint32_t calCount) {                                                      \
        static_assert(twin::oneOf<T, __VA_ARGS__>, SENTENCE);                                                   \
        twin::MathUnary(#Name, twin::Op::OP, twin::typeOf<T>, dstTensor, srcTensor, nullptr, calCount, REUSE);  \
    }                                                                                                           \
    template <typename T, bool isReuseSource = false>                                                           \
    __aicore__ inline void Name(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor) {             \
        Name<T, isReuseSource>(dstTensor, srcTensor, srcTensor.GetSize());                                      \
    }

#endif
