// Integers to floating numbers by a scale. Source: Ascend C high-level API, quantisation.
#ifndef TWIN_DEQUANT_H
#define TWIN_DEQUANT_H

#include "twin/norm.h"
#include "twin/tensor.h"

namespace twin {
struct DequantShape {
    uint32_t rows, columns, used;
};
/// scales null: the scalar. Of a uint64_t scale the low half is a float.
void DequantRows(Type dstType, Type scaleType, const Local& dst, const Local& src, const Local* scales, float scale,
                 const DequantShape& shape);
}  // namespace twin

namespace AscendC {

enum class DeQuantMode : int32_t { DEQUANT_WITH_SINGLE_ROW, DEQUANT_WITH_MULTI_ROW };
/// m rows of n elements, of which the first calCount are taken.
struct DequantParams {
    uint32_t m;
    uint32_t n;
    uint32_t calCount;
};

}  // namespace AscendC

namespace twin {
/// In single-row mode one row of several times calCount elements counts as that many rows.
template <typename T, AscendC::DeQuantMode mode>
inline DequantShape DequantShapeOf(const AscendC::DequantParams& p) {
    const bool split = mode == AscendC::DeQuantMode::DEQUANT_WITH_SINGLE_ROW && p.m == 1 && p.calCount != 0 &&
                       p.calCount % (32 / sizeof(T)) == 0 && p.n % p.calCount == 0;
    return split ? DequantShape{p.n / p.calCount, p.calCount, p.calCount} : DequantShape{p.m, p.n, p.calCount};
}
}  // namespace twin

namespace AscendC {

/// dst = src * deqScale over the first calCount elements of each row; rows of dst are padded to 32 bytes, and what lies
/// behind calCount is not defined. dstT: half, bfloat16_t, float; scaleT: uint64_t, bfloat16_t, float, as a scalar no
/// uint64_t. Violations: reduce-shape, temporary-memory.
template <typename dstT, typename scaleT, DeQuantMode mode = DeQuantMode::DEQUANT_WITH_SINGLE_ROW>
__aicore__ inline void AscendDequant(const LocalTensor<dstT>& dstTensor, const LocalTensor<int32_t>& srcTensor,
                                     const LocalTensor<scaleT>& deqScale, const LocalTensor<uint8_t>& sharedTmpBuffer,
                                     DequantParams params) {
    static_assert(
        twin::oneOf<dstT, half, bfloat16_t, float> && twin::oneOf<scaleT, uint64_t, bfloat16_t, float>,
        "AscendDequant on this device gives half, bfloat16_t and float, by scales of uint64_t, bfloat16_t and float");
    twin::UseTemporary("AscendDequant", &sharedTmpBuffer, 72 + 2ull * params.n);
    twin::DequantRows(twin::typeOf<dstT>, twin::typeOf<scaleT>, dstTensor, srcTensor, &deqScale, 0,
                      twin::DequantShapeOf<dstT, mode>(params));
}
template <typename dstT, typename scaleT, DeQuantMode mode = DeQuantMode::DEQUANT_WITH_SINGLE_ROW>
__aicore__ inline void AscendDequant(const LocalTensor<dstT>& dstTensor, const LocalTensor<int32_t>& srcTensor,
                                     const LocalTensor<scaleT>& deqScale, DequantParams params) {
    static_assert(
        twin::oneOf<dstT, half, bfloat16_t, float> && twin::oneOf<scaleT, uint64_t, bfloat16_t, float>,
        "AscendDequant on this device gives half, bfloat16_t and float, by scales of uint64_t, bfloat16_t and float");
    twin::UseTemporary("AscendDequant", nullptr, 72 + 2ull * params.n);
    twin::DequantRows(twin::typeOf<dstT>, twin::typeOf<scaleT>, dstTensor, srcTensor, &deqScale, 0,
                      twin::DequantShapeOf<dstT, mode>(params));
}
template <typename dstT, typename scaleT, DeQuantMode mode = DeQuantMode::DEQUANT_WITH_SINGLE_ROW>
__aicore__ inline void AscendDequant(const LocalTensor<dstT>& dstTensor, const LocalTensor<int32_t>& srcTensor,
                                     const scaleT deqScale, const LocalTensor<uint8_t>& sharedTmpBuffer,
                                     DequantParams params) {
    static_assert(twin::oneOf<dstT, half, bfloat16_t, float> && twin::oneOf<scaleT, bfloat16_t, float>,
                  "AscendDequant on this device gives half, bfloat16_t and float, by a scale of bfloat16_t or float");
    twin::UseTemporary("AscendDequant", &sharedTmpBuffer, 72 + 2ull * params.n);
    twin::DequantRows(twin::typeOf<dstT>, twin::typeOf<scaleT>, dstTensor, srcTensor, nullptr,
                      static_cast<float>(deqScale), twin::DequantShapeOf<dstT, mode>(params));
}
template <typename dstT, typename scaleT, DeQuantMode mode = DeQuantMode::DEQUANT_WITH_SINGLE_ROW>
__aicore__ inline void AscendDequant(const LocalTensor<dstT>& dstTensor, const LocalTensor<int32_t>& srcTensor,
                                     const scaleT deqScale, DequantParams params) {
    static_assert(twin::oneOf<dstT, half, bfloat16_t, float> && twin::oneOf<scaleT, bfloat16_t, float>,
                  "AscendDequant on this device gives half, bfloat16_t and float, by a scale of bfloat16_t or float");
    twin::UseTemporary("AscendDequant", nullptr, 72 + 2ull * params.n);
    twin::DequantRows(twin::typeOf<dstT>, twin::typeOf<scaleT>, dstTensor, srcTensor, nullptr,
                      static_cast<float>(deqScale), twin::DequantShapeOf<dstT, mode>(params));
}

}  // namespace AscendC

#endif
