// Gated linear units, running sums, quantisation to int8_t and dropout. Source: Ascend C high-level API.
#ifndef TWIN_GLU_H
#define TWIN_GLU_H

#include "twin/norm.h"
#include "twin/tensor.h"

namespace twin {

enum class Gate : uint8_t { kSwish, kGelu, kRelu };
/// dst[i] = src0[i] * gate(src1[i]).
void GatedUnit(const char* api, Gate gate, Type type, const Local& dst, const Local& src0, const Local& src1,
               float scalar, uint32_t count);
void RunningSum(Type type, const Local& dst, const Local* lastRow, const Local& src, uint32_t rows, uint32_t columns,
                bool alongRow);
/// scale, offset null: the scalar. One of each `channels` elements.
struct QuantScale {
    const Local* scale;
    const Local* offset;
    float scaleValue, offsetValue;
    uint32_t channels;
};
void QuantToInt8(Type type, const Local& dst, const Local& src, const QuantScale& by, uint32_t count);
/// bits: the mask has a bit for each element, else a byte; maskColumns bytes a row.
void DropByMask(Type type, const Local& dst, const Local& src, const Local& mask, float keep, uint32_t rows,
                uint32_t columns, uint32_t maskColumns, bool bits);

}  // namespace twin

namespace AscendC {

/// dst[i] = src0[i] * src1[i] / (1 + exp(-scalarValue * src1[i])). T: half, float. dst is memory of its own.
template <typename T, bool isReuseSource = false>
__aicore__ inline void SwiGLU(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor0,
                              const LocalTensor<T>& srcTensor1, const float& scalarValue, const uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "SwiGLU on this device takes half and float");
    if constexpr (sizeof(T) == 2) twin::UseTemporary("SwiGLU", nullptr, 6 * 64);
    twin::GatedUnit("SwiGLU", twin::Gate::kSwish, twin::typeOf<T>, dstTensor, srcTensor0, srcTensor1, scalarValue,
                    calCount);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void SwiGLU(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor0,
                              const LocalTensor<T>& srcTensor1, const float& scalarValue) {
    SwiGLU<T, isReuseSource>(dstTensor, srcTensor0, srcTensor1, scalarValue, srcTensor0.GetSize());
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void SwiGLU(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor0,
                              const LocalTensor<T>& srcTensor1, const float& scalarValue,
                              const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "SwiGLU on this device takes half and float");
    if constexpr (sizeof(T) == 2) twin::UseTemporary("SwiGLU", &sharedTmpBuffer, 6 * 64);
    twin::GatedUnit("SwiGLU", twin::Gate::kSwish, twin::typeOf<T>, dstTensor, srcTensor0, srcTensor1, scalarValue,
                    calCount);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void SwiGLU(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor0,
                              const LocalTensor<T>& srcTensor1, const float& scalarValue,
                              const LocalTensor<uint8_t>& sharedTmpBuffer) {
    SwiGLU<T, isReuseSource>(dstTensor, srcTensor0, srcTensor1, scalarValue, sharedTmpBuffer, srcTensor0.GetSize());
}

/// dst[i] = src0[i] * gelu(src1[i]), gelu by its tanh form. T: half, float. dst is memory of its own.
template <typename T, bool isReuseSource = false>
__aicore__ inline void GeGLU(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor0,
                             const LocalTensor<T>& srcTensor1, uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "GeGLU on this device takes half and float");
    if constexpr (sizeof(T) == 2) twin::UseTemporary("GeGLU", nullptr, 4 * 64);
    twin::GatedUnit("GeGLU", twin::Gate::kGelu, twin::typeOf<T>, dstTensor, srcTensor0, srcTensor1, 0, calCount);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void GeGLU(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor0,
                             const LocalTensor<T>& srcTensor1) {
    GeGLU<T, isReuseSource>(dstTensor, srcTensor0, srcTensor1, srcTensor0.GetSize());
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void GeGLU(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor0,
                             const LocalTensor<T>& srcTensor1, const LocalTensor<uint8_t>& sharedTmpBuffer,
                             uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "GeGLU on this device takes half and float");
    if constexpr (sizeof(T) == 2) twin::UseTemporary("GeGLU", &sharedTmpBuffer, 4 * 64);
    twin::GatedUnit("GeGLU", twin::Gate::kGelu, twin::typeOf<T>, dstTensor, srcTensor0, srcTensor1, 0, calCount);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void GeGLU(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor0,
                             const LocalTensor<T>& srcTensor1, const LocalTensor<uint8_t>& sharedTmpBuffer) {
    GeGLU<T, isReuseSource>(dstTensor, srcTensor0, srcTensor1, sharedTmpBuffer, srcTensor0.GetSize());
}

/// dst[i] = src0[i] * max(src1[i], 0). T: half, bfloat16_t, float. dst is memory of its own.
template <typename T, bool isReuseSource = false>
__aicore__ inline void ReGlu(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor0,
                             const LocalTensor<T>& srcTensor1, const uint32_t calCount) {
    static_assert(twin::oneOf<T, half, bfloat16_t, float>, "ReGlu on this device takes half, bfloat16_t and float");
    twin::UseTemporary("ReGlu", nullptr, (sizeof(T) == 2 ? 6 : 1) * 64);
    twin::GatedUnit("ReGlu", twin::Gate::kRelu, twin::typeOf<T>, dstTensor, srcTensor0, srcTensor1, 0, calCount);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void ReGlu(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor0,
                             const LocalTensor<T>& srcTensor1, const LocalTensor<uint8_t>& sharedTmpBuffer,
                             const uint32_t calCount) {
    static_assert(twin::oneOf<T, half, bfloat16_t, float>, "ReGlu on this device takes half, bfloat16_t and float");
    twin::UseTemporary("ReGlu", &sharedTmpBuffer, (sizeof(T) == 2 ? 6 : 1) * 64);
    twin::GatedUnit("ReGlu", twin::Gate::kRelu, twin::typeOf<T>, dstTensor, srcTensor0, srcTensor1, 0, calCount);
}

enum class CumSumAlgorithm { CUMSUM_ALGORITHM_LINEBYLINE = 0, CUMSUM_ALGORITHM_SKLANSKY = 1 };
struct CumSumConfig {
    bool isLastAxis{true};
    bool isReuseSource{false};
    bool outputLastRow{false};
    CumSumAlgorithm algorithm{CumSumAlgorithm::CUMSUM_ALGORITHM_LINEBYLINE};
};
constexpr CumSumConfig defaultCumSumConfig = {true, false, false, CumSumAlgorithm::CUMSUM_ALGORITHM_LINEBYLINE};
struct CumSumInfo {
    uint32_t outter{0};
    uint32_t inner{0};
};

/// Sums up to and with each element, along a row or down a column of outter x inner elements. T: half, float; rows of
/// 32 bytes.
template <typename T, const CumSumConfig& config = defaultCumSumConfig>
__aicore__ inline void CumSum(LocalTensor<T>& dstTensor, LocalTensor<T>& lastRowTensor, const LocalTensor<T>& srcTensor,
                              LocalTensor<uint8_t>& sharedTmpBuffer, const CumSumInfo& cumSumInfo) {
    static_assert(twin::oneOf<T, half, float>, "CumSum on this device takes half and float");
    const uint64_t floats = config.isLastAxis
                                ? 8 * cumSumInfo.inner * sizeof(T) + (sizeof(T) == 2 ? 8 * cumSumInfo.inner : 0)
                            : sizeof(T) == 2 ? uint64_t(cumSumInfo.outter) * cumSumInfo.inner
                                             : 0;
    if (floats != 0) twin::UseTemporary("CumSum", &sharedTmpBuffer, floats);
    twin::RunningSum(twin::typeOf<T>, dstTensor, config.outputLastRow ? &lastRowTensor : nullptr, srcTensor,
                     cumSumInfo.outter, cumSumInfo.inner, config.isLastAxis);
}
template <typename T, const CumSumConfig& config = defaultCumSumConfig>
__aicore__ inline void CumSum(LocalTensor<T>& dstTensor, LocalTensor<T>& lastRowTensor, const LocalTensor<T>& srcTensor,
                              const CumSumInfo& cumSumInfo) {
    static_assert(twin::oneOf<T, half, float>, "CumSum on this device takes half and float");
    const uint64_t floats = config.isLastAxis
                                ? 8 * cumSumInfo.inner * sizeof(T) + (sizeof(T) == 2 ? 8 * cumSumInfo.inner : 0)
                            : sizeof(T) == 2 ? uint64_t(cumSumInfo.outter) * cumSumInfo.inner
                                             : 0;
    if (floats != 0) twin::UseTemporary("CumSum", nullptr, floats);
    twin::RunningSum(twin::typeOf<T>, dstTensor, config.outputLastRow ? &lastRowTensor : nullptr, srcTensor,
                     cumSumInfo.outter, cumSumInfo.inner, config.isLastAxis);
}

/// dst[i] = src[i] * scale + offset in half, rounded to the nearest and saturated to int8_t. T: half, float.
/// With tensors: one scale (and offset) for each of scaleCount columns.
template <typename T, bool isReuseSource = false>
__aicore__ inline void AscendQuant(const LocalTensor<int8_t>& dstTensor, const LocalTensor<T>& srcTensor,
                                   const float scale, const float offset, const uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "AscendQuant on this device takes half and float");
    twin::UseTemporary("AscendQuant", nullptr, 128);
    twin::QuantToInt8(twin::typeOf<T>, dstTensor, srcTensor, {nullptr, nullptr, scale, offset, 1}, calCount);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void AscendQuant(const LocalTensor<int8_t>& dstTensor, const LocalTensor<T>& srcTensor,
                                   const float scale, const float offset) {
    AscendQuant<T, isReuseSource>(dstTensor, srcTensor, scale, offset, srcTensor.GetSize());
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void AscendQuant(const LocalTensor<int8_t>& dstTensor, const LocalTensor<T>& srcTensor,
                                   const LocalTensor<uint8_t>& sharedTmpBuffer, const float scale, const float offset,
                                   const uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "AscendQuant on this device takes half and float");
    twin::UseTemporary("AscendQuant", &sharedTmpBuffer, 128);
    twin::QuantToInt8(twin::typeOf<T>, dstTensor, srcTensor, {nullptr, nullptr, scale, offset, 1}, calCount);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void AscendQuant(const LocalTensor<int8_t>& dstTensor, const LocalTensor<T>& srcTensor,
                                   const LocalTensor<uint8_t>& sharedTmpBuffer, const float scale, const float offset) {
    AscendQuant<T, isReuseSource>(dstTensor, srcTensor, sharedTmpBuffer, scale, offset, srcTensor.GetSize());
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void AscendQuant(const LocalTensor<int8_t>& dstTensor, const LocalTensor<T>& srcTensor,
                                   const LocalTensor<uint8_t>& sharedTmpBuffer, const LocalTensor<T>& scaleTensor,
                                   const T offset, const uint32_t scaleCount, const uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "AscendQuant on this device takes half and float");
    twin::UseTemporary("AscendQuant", &sharedTmpBuffer, 128);
    twin::QuantToInt8(twin::typeOf<T>, dstTensor, srcTensor,
                      {&scaleTensor, nullptr, 0, static_cast<float>(offset), scaleCount}, calCount);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void AscendQuant(const LocalTensor<int8_t>& dstTensor, const LocalTensor<T>& srcTensor,
                                   const LocalTensor<T>& scaleTensor, const T offset, const uint32_t scaleCount,
                                   const uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "AscendQuant on this device takes half and float");
    twin::UseTemporary("AscendQuant", nullptr, 128);
    twin::QuantToInt8(twin::typeOf<T>, dstTensor, srcTensor,
                      {&scaleTensor, nullptr, 0, static_cast<float>(offset), scaleCount}, calCount);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void AscendQuant(const LocalTensor<int8_t>& dstTensor, const LocalTensor<T>& srcTensor,
                                   const LocalTensor<T>& scaleTensor, const LocalTensor<T>& offsetTensor,
                                   const uint32_t scaleCount, const uint32_t offsetCount, const uint32_t calCount) {
    static_assert(twin::oneOf<T, half, float>, "AscendQuant on this device takes half and float");
    twin::UseTemporary("AscendQuant", nullptr, 128);
    twin::QuantToInt8(twin::typeOf<T>, dstTensor, srcTensor,
                      {&scaleTensor, &offsetTensor, 0, 0, scaleCount == offsetCount ? scaleCount : 0}, calCount);
}

constexpr uint32_t DROPOUT_MODE_BYTE_MISALIGN = 1;
constexpr uint32_t DROPOUT_MODE_BYTE_ALIGN = 2;
constexpr uint32_t DROPOUT_MODE_BIT_ALIGN = 3;
constexpr uint32_t DROPOUT_MODE_BIT_MISALIGN = 4;
struct DropOutShapeInfo {
    __aicore__ DropOutShapeInfo() {}
    uint32_t firstAxis = 0;
    uint32_t srcLastAxis = 0;
    uint32_t maskLastAxis = 0;
};

/// dst[i] = src[i] / keepProb where the mask is set, else 0. Mode 1, 2: a byte an element; 3, 4: a bit; 0: as the
/// lengths of the rows say. T: half, float. Violation: reduce-shape.
template <typename T, bool isInitBitMode = false, uint32_t dropOutMode = 0>
__aicore__ inline void DropOut(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal,
                               const LocalTensor<uint8_t>& maskLocal, const float keepProb,
                               const DropOutShapeInfo& info) {
    static_assert(twin::oneOf<T, half, float> && dropOutMode <= 4,
                  "DropOut on this device takes half and float, modes 0 to 4");
    twin::UseTemporary("DropOut", nullptr, 128);
    twin::DropByMask(twin::typeOf<T>, dstLocal, srcLocal, maskLocal, keepProb, info.firstAxis, info.srcLastAxis,
                     info.maskLastAxis, dropOutMode == 0 ? info.maskLastAxis < info.srcLastAxis : dropOutMode >= 3);
}
template <typename T, bool isInitBitMode = false, uint32_t dropOutMode = 0>
__aicore__ inline void DropOut(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal,
                               const LocalTensor<uint8_t>& maskLocal, const LocalTensor<uint8_t>& sharedTmpBuffer,
                               const float keepProb, const DropOutShapeInfo& info) {
    static_assert(twin::oneOf<T, half, float> && dropOutMode <= 4,
                  "DropOut on this device takes half and float, modes 0 to 4");
    twin::UseTemporary("DropOut", &sharedTmpBuffer, 128);
    twin::DropByMask(twin::typeOf<T>, dstLocal, srcLocal, maskLocal, keepProb, info.firstAxis, info.srcLastAxis,
                     info.maskLastAxis, dropOutMode == 0 ? info.maskLastAxis < info.srcLastAxis : dropOutMode >= 3);
}

}  // namespace AscendC

#endif
