// Reductions of a matrix along one axis. Source: Ascend C high-level API, reductions.
#ifndef TWIN_REDUCE_AXES_H
#define TWIN_REDUCE_AXES_H

#include "twin/norm.h"
#include "twin/reduce_pattern.h"
#include "twin/tensor.h"

namespace twin {

struct AxisShape {
    uint32_t first, last;
    bool inner;  // the last axis is reduced
};
/// Rows of `last` elements, each padded to 32 bytes. reuse: the source is gone afterwards.
void ReduceAxis(const char* api, AxisReduction kind, Type type, const Local& dst, const Local& src,
                const AxisShape& shape, bool reuse);
void XorSum(const Local& dst, const Local& src0, const Local& src1, uint32_t count);

}  // namespace twin

namespace AscendC {
namespace Pattern {
namespace Reduce {
struct AR {
    static constexpr bool inner = true;
};
struct RA {
    static constexpr bool inner = false;
};
}  // namespace Reduce
}  // namespace Pattern

#define TWIN_REDUCE_AXIS(Name, KIND, TYPES, SENTENCE)                                                             \
    template <class T, class pattern, bool isReuseSource = false>                                                 \
    __aicore__ inline void Name(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,                 \
                                const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t srcShape[],           \
                                bool srcInnerPad) {                                                               \
        static_assert(TYPES, SENTENCE);                                                                           \
        const uint32_t bytes =                                                                                    \
            twin::ReduceTemporaryBytes(KIND, sizeof(T), srcShape[0], srcShape[1], pattern::inner, isReuseSource); \
        if (bytes != 0) twin::UseTemporary(#Name, &sharedTmpBuffer, bytes / 4);                                   \
        twin::ReduceAxis(#Name, KIND, twin::typeOf<T>, dstTensor, srcTensor,                                      \
                         {srcShape[0], srcInnerPad ? srcShape[1] : 0, pattern::inner}, isReuseSource);            \
    }                                                                                                             \
    template <class T, class pattern, bool isReuseSource = false>                                                 \
    __aicore__ inline void Name(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,                 \
                                const uint32_t srcShape[], bool srcInnerPad) {                                    \
        static_assert(TYPES, SENTENCE);                                                                           \
        const uint32_t bytes =                                                                                    \
            twin::ReduceTemporaryBytes(KIND, sizeof(T), srcShape[0], srcShape[1], pattern::inner, isReuseSource); \
        if (bytes != 0) twin::UseTemporary(#Name, nullptr, bytes / 4);                                            \
        twin::ReduceAxis(#Name, KIND, twin::typeOf<T>, dstTensor, srcTensor,                                      \
                         {srcShape[0], srcInnerPad ? srcShape[1] : 0, pattern::inner}, isReuseSource);            \
    }

/// dst: one element for each kept index. srcShape: two axes; srcInnerPad is true, as rows are padded to 32 bytes.
/// ReduceAll and ReduceAny give 1 or 0. Violations: reduce-shape, temporary-memory, partial-overlap.
TWIN_REDUCE_AXIS(ReduceSum, twin::AxisReduction::kSum, (std::is_same_v<T, float>),
                 "ReduceSum along an axis takes float on this device")
TWIN_REDUCE_AXIS(ReduceMean, twin::AxisReduction::kMean, (std::is_same_v<T, float>),
                 "ReduceMean takes float on this device")
TWIN_REDUCE_AXIS(ReduceProd, twin::AxisReduction::kProd, (std::is_same_v<T, float>),
                 "ReduceProd takes float on this device")
TWIN_REDUCE_AXIS(ReduceMax, twin::AxisReduction::kMax, (twin::oneOf<T, half, float>),
                 "ReduceMax along an axis takes half and float on this device")
TWIN_REDUCE_AXIS(ReduceMin, twin::AxisReduction::kMin, (twin::oneOf<T, half, float>),
                 "ReduceMin along an axis takes half and float on this device")
TWIN_REDUCE_AXIS(ReduceAll, twin::AxisReduction::kAll, (twin::oneOf<T, uint8_t, float>),
                 "ReduceAll takes uint8_t and float on this device")
TWIN_REDUCE_AXIS(ReduceAny, twin::AxisReduction::kAny, (twin::oneOf<T, uint8_t, float>),
                 "ReduceAny takes uint8_t and float on this device")
#undef TWIN_REDUCE_AXIS

/// dst[0] = sum of src0[i] ^ src1[i], saturated to int16_t.
template <typename T, bool isReuseSource = false>
__aicore__ inline void ReduceXorSum(LocalTensor<T>& dstTensor, const LocalTensor<T>& src0Tensor,
                                    const LocalTensor<T>& src1Tensor, LocalTensor<uint8_t>& sharedTmpBuffer,
                                    const uint32_t calCount) {
    static_assert(std::is_same_v<T, int16_t>, "ReduceXorSum takes int16_t on this device");
    twin::XorSum(dstTensor, src0Tensor, src1Tensor, calCount);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void ReduceXorSum(LocalTensor<T>& dstTensor, const LocalTensor<T>& src0Tensor,
                                    const LocalTensor<T>& src1Tensor, const uint32_t calCount) {
    static_assert(std::is_same_v<T, int16_t>, "ReduceXorSum takes int16_t on this device");
    twin::XorSum(dstTensor, src0Tensor, src1Tensor, calCount);
}

}  // namespace AscendC

#endif
