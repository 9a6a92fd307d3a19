// The SoftMax family: rows of a matrix in UB. Source: Ascend C high-level API, activation functions.
#ifndef TWIN_SOFTMAX_H
#define TWIN_SOFTMAX_H

#include "kernel_tiling/kernel_tiling.h"
#include "twin/temporary_sizes.h"
#include "twin/tensor.h"

namespace twin {
/// rows x columns elements in memory, of which `used` columns count.
struct RowShape {
    uint32_t rows, columns, used;
};
/// sum, max null: not wanted.
void SoftMaxRows(Type type, const Local& dst, const Local* sum, const Local* max, const Local& src,
                 const RowShape& shape);
void SimpleSoftMaxRows(Type type, Type sumType, const Local& dst, const Local& sum, const Local& max, const Local& src,
                       const RowShape& shape);
struct FlashTensors {
    const Local& dst;
    const Local& sum;
    const Local& max;
    const Local& src;
    const Local& expMax;
    const Local& inSum;
    const Local& inMax;
};
void SoftMaxFlashRows(Type type, Type sumType, const FlashTensors& tensors, bool update, const RowShape& shape);
void SoftMaxGradRows(const char* api, Type type, const Local& dst, const Local& grad, const Local& src, bool front,
                     const RowShape& shape);
}  // namespace twin

namespace AscendC {

/// Of the vendor's own code. Operators bring its name in and do nothing with it.
struct ReduceLastND;

/// Rows srcM x srcK in memory, of which oriSrcK columns count. 0 rows or columns: the source tensor's ShapeInfo.
struct SoftMaxShapeInfo {
    uint32_t srcM = 0;
    uint32_t srcK = 0;
    uint32_t oriSrcM = 0;
    uint32_t oriSrcK = 0;
};
/// Not 0: the shape is constant, and these are its rows and columns.
enum class SoftmaxMode { SOFTMAX_NORMAL = 0, SOFTMAX_OUTPUT_WITHOUT_BRC = 1 };
struct SoftmaxConfig {
    bool isCheckTiling = true;
    uint32_t oriSrcM = 0;
    uint32_t oriSrcK = 0;
    SoftmaxMode mode = SoftmaxMode::SOFTMAX_NORMAL;
};
constexpr SoftmaxConfig SOFTMAX_DEFAULT_CFG = {true, 0, 0};

}  // namespace AscendC

namespace twin {
/// Violation not-covered of a configuration that wants sums and maxima without a block for each row.
template <const AscendC::SoftmaxConfig& config>
inline void CoveredMode(const char* api) {
    if constexpr (config.mode != AscendC::SoftmaxMode::SOFTMAX_NORMAL)
        FormNotCovered(api, "SOFTMAX_OUTPUT_WITHOUT_BRC", "leave the mode out");
}
/// An argument without rows or columns leaves the shape to the source tensor (SetShapeInfo): the last axis is a row.
/// A tensor without a shape gives rows of 0 elements, which the functions refuse. The tiling's shape is never read.
template <typename T>
RowShape RowShapeOf(const AscendC::LocalTensor<T>& src, const AscendC::SoftMaxShapeInfo& info) {
    if (info.srcM != 0 && info.srcK != 0) return {info.srcM, info.srcK, info.oriSrcK};
    const AscendC::ShapeInfo own = src.GetShapeInfo();
    if (own.shapeDim == 0 || own.originalShapeDim == 0) return {0, 0, 0};
    uint32_t rows = 1;
    for (int i = 0; i + 1 < own.shapeDim; ++i) rows *= own.shape[i];
    return {rows, own.shape[own.shapeDim - 1], own.originalShape[own.originalShapeDim - 1]};
}
// Temporary bytes for one row, which the host's queries name as the least.
template <typename T>
constexpr uint32_t SoftMaxNeeds(const RowShape& s) {
    return s.rows == 0 ? 0 : SoftMaxTemporary(s.columns, sizeof(T));
}
template <typename T, typename U>
constexpr uint32_t SoftMaxFlashNeeds(const RowShape& s) {
    return s.rows == 0 ? 0 : SoftMaxFlashTemporary(s.columns, sizeof(T), sizeof(U));
}
template <typename T>
constexpr uint32_t SoftMaxGradNeeds(const RowShape& s, bool front) {
    return s.rows == 0 ? 0 : SoftMaxGradTemporary(s.columns, sizeof(T), front);
}
}  // namespace twin

namespace AscendC {

/// dst = exp(src - max) / sum over each row; sumTensor and maxTensor hold one 32-byte block a row. T: half, float.
template <typename T, bool isReuseSource = false, bool isBasicBlock = false, bool isDataFormatNZ = false,
          const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG>
__aicore__ inline void SoftMax(const LocalTensor<T>& dstTensor, const LocalTensor<T>& sumTensor,
                               const LocalTensor<T>& maxTensor, const LocalTensor<T>& srcTensor,
                               const SoftMaxTiling& tiling, const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
    twin::CoveredMode<config>("SoftMax");
    static_assert(twin::oneOf<T, half, float> && !isDataFormatNZ, "SoftMax here takes half and float in ND format");
    twin::UseAtLeast("SoftMax", nullptr, twin::SoftMaxNeeds<T>(twin::RowShapeOf(srcTensor, softmaxShapeInfo)));
    twin::SoftMaxRows(twin::typeOf<T>, dstTensor, &sumTensor, &maxTensor, srcTensor,
                      twin::RowShapeOf(srcTensor, softmaxShapeInfo));
}
template <typename T, bool isReuseSource = false, bool isBasicBlock = false, bool isDataFormatNZ = false,
          const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG>
__aicore__ inline void SoftMax(const LocalTensor<T>& dstTensor, const LocalTensor<T>& sumTensor,
                               const LocalTensor<T>& maxTensor, const LocalTensor<T>& srcTensor,
                               const LocalTensor<uint8_t>& sharedTmpBuffer, const SoftMaxTiling& tiling,
                               const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
    twin::CoveredMode<config>("SoftMax");
    twin::UseAtLeast("SoftMax", &sharedTmpBuffer, twin::SoftMaxNeeds<T>(twin::RowShapeOf(srcTensor, softmaxShapeInfo)));
    twin::SoftMaxRows(twin::typeOf<T>, dstTensor, &sumTensor, &maxTensor, srcTensor,
                      twin::RowShapeOf(srcTensor, softmaxShapeInfo));
}
/// The same without sum and max.
template <typename T, bool isReuseSource = false, bool isBasicBlock = false,
          const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG>
__aicore__ inline void SoftMax(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
                               const SoftMaxTiling& tiling, const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
    twin::CoveredMode<config>("SoftMax");
    static_assert(twin::oneOf<T, half, float>, "SoftMax on this device takes half and float");
    twin::UseAtLeast("SoftMax", nullptr, twin::SoftMaxNeeds<T>(twin::RowShapeOf(srcTensor, softmaxShapeInfo)));
    twin::SoftMaxRows(twin::typeOf<T>, dstTensor, nullptr, nullptr, srcTensor,
                      twin::RowShapeOf(srcTensor, softmaxShapeInfo));
}
template <typename T, bool isReuseSource = false, bool isBasicBlock = false,
          const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG>
__aicore__ inline void SoftMax(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
                               const LocalTensor<uint8_t>& sharedTmpBuffer, const SoftMaxTiling& tiling,
                               const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
    twin::CoveredMode<config>("SoftMax");
    twin::UseAtLeast("SoftMax", &sharedTmpBuffer, twin::SoftMaxNeeds<T>(twin::RowShapeOf(srcTensor, softmaxShapeInfo)));
    twin::SoftMaxRows(twin::typeOf<T>, dstTensor, nullptr, nullptr, srcTensor,
                      twin::RowShapeOf(srcTensor, softmaxShapeInfo));
}

/// dst = exp(src - inMax) / inSum over each row. T, U: half, half; float, float; or half data with float sum and max.
template <typename T, bool isReuseSource = false, bool isBasicBlock = false, bool isDataFormatNZ = false,
          const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG, typename U>
__aicore__ inline void SimpleSoftMax(const LocalTensor<T>& dstTensor, const LocalTensor<U>& inSumTensor,
                                     const LocalTensor<U>& inMaxTensor, const LocalTensor<T>& srcTensor,
                                     const SoftMaxTiling& tiling, const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
    twin::CoveredMode<config>("SimpleSoftMax");
    static_assert(twin::oneOf<T, half, float> && (std::is_same_v<T, U> || std::is_same_v<U, float>)&&!isDataFormatNZ,
                  "SimpleSoftMax here takes half and float in ND format");
    twin::SimpleSoftMaxRows(twin::typeOf<T>, twin::typeOf<U>, dstTensor, inSumTensor, inMaxTensor, srcTensor,
                            twin::RowShapeOf(srcTensor, softmaxShapeInfo));
}
template <typename T, bool isReuseSource = false, bool isBasicBlock = false, bool isDataFormatNZ = false,
          const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG, typename U>
__aicore__ inline void SimpleSoftMax(const LocalTensor<T>& dstTensor, const LocalTensor<U>& inSumTensor,
                                     const LocalTensor<U>& inMaxTensor, const LocalTensor<T>& srcTensor,
                                     const LocalTensor<uint8_t>& sharedTmpBuffer, const SoftMaxTiling& tiling,
                                     const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
    twin::CoveredMode<config>("SimpleSoftMax");
    SimpleSoftMax<T, isReuseSource, isBasicBlock, isDataFormatNZ, config>(dstTensor, inSumTensor, inMaxTensor,
                                                                          srcTensor, tiling, softmaxShapeInfo);
}

/// dst = exp(src - max), sum of that over each row. With isUpdate, max and sum go on from inMax and inExpSum, and
/// expMax = exp(inMax - max). Sums and maxima hold one 32-byte block a row. T, U as for SimpleSoftMax; expMax is T.
template <typename T, bool isUpdate = false, bool isReuseSource = false, bool isBasicBlock = false,
          bool isDataFormatNZ = false, const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG, typename U>
__aicore__ inline void SoftmaxFlashV2(const LocalTensor<T>& dstTensor, const LocalTensor<U>& expSumTensor,
                                      const LocalTensor<U>& maxTensor, const LocalTensor<T>& srcTensor,
                                      const LocalTensor<T>& expMaxTensor, const LocalTensor<U>& inExpSumTensor,
                                      const LocalTensor<U>& inMaxTensor, const SoftMaxTiling& tiling,
                                      const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
    twin::CoveredMode<config>("SoftmaxFlashV2");
    static_assert(twin::oneOf<T, half, float> && (std::is_same_v<T, U> || std::is_same_v<U, float>)&&!isDataFormatNZ,
                  "SoftmaxFlashV2 here takes half and float in ND format");
    twin::UseAtLeast("SoftmaxFlashV2", nullptr,
                     twin::SoftMaxFlashNeeds<T, U>(twin::RowShapeOf(srcTensor, softmaxShapeInfo)));
    twin::SoftMaxFlashRows(twin::typeOf<T>, twin::typeOf<U>,
                           {dstTensor, expSumTensor, maxTensor, srcTensor, expMaxTensor, inExpSumTensor, inMaxTensor},
                           isUpdate, twin::RowShapeOf(srcTensor, softmaxShapeInfo));
}
/// With the maxima of this call's rows alone besides. Violation: not-covered.
template <typename T, bool isUpdate = false, bool isReuseSource = false, bool isBasicBlock = false,
          bool isDataFormatNZ = false, const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG, typename U>
__aicore__ inline void SoftmaxFlashV2(const LocalTensor<T>& dstTensor, const LocalTensor<U>&,
                                      const LocalTensor<U>& expSumTensor, const LocalTensor<U>& maxTensor,
                                      const LocalTensor<T>& srcTensor, const LocalTensor<T>& expMaxTensor,
                                      const LocalTensor<U>& inExpSumTensor, const LocalTensor<U>& inMaxTensor,
                                      const LocalTensor<uint8_t>& sharedTmpBuffer, const SoftMaxTiling& tiling,
                                      const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
    twin::FormNotCovered("SoftmaxFlashV2", "SoftmaxFlashV2 with outReduceMax", "leave outReduceMax out");
}
template <typename T, bool isUpdate = false, bool isReuseSource = false, bool isBasicBlock = false,
          bool isDataFormatNZ = false, const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG, typename U>
__aicore__ inline void SoftmaxFlashV2(const LocalTensor<T>& dstTensor, const LocalTensor<U>& expSumTensor,
                                      const LocalTensor<U>& maxTensor, const LocalTensor<T>& srcTensor,
                                      const LocalTensor<T>& expMaxTensor, const LocalTensor<U>& inExpSumTensor,
                                      const LocalTensor<U>& inMaxTensor, const LocalTensor<uint8_t>& sharedTmpBuffer,
                                      const SoftMaxTiling& tiling, const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
    twin::CoveredMode<config>("SoftmaxFlashV2");
    twin::UseAtLeast("SoftmaxFlashV2", &sharedTmpBuffer,
                     twin::SoftMaxFlashNeeds<T, U>(twin::RowShapeOf(srcTensor, softmaxShapeInfo)));
    twin::SoftMaxFlashRows(twin::typeOf<T>, twin::typeOf<U>,
                           {dstTensor, expSumTensor, maxTensor, srcTensor, expMaxTensor, inExpSumTensor, inMaxTensor},
                           isUpdate, twin::RowShapeOf(srcTensor, softmaxShapeInfo));
}

/// dst = (grad - sum of grad * src over the row) * src; with isFront, that sum alone, one 32-byte block a row. T: half,
/// float.
template <typename T, bool isReuseSource = false, bool isDataFormatNZ = false>
__aicore__ inline void SoftmaxGrad(const LocalTensor<T>& dstTensor, const LocalTensor<T>& gradTensor,
                                   const LocalTensor<T>& srcTensor, const SoftMaxTiling& tiling, bool isFront = false,
                                   const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
    static_assert(twin::oneOf<T, half, float> && !isDataFormatNZ, "SoftmaxGrad here takes half and float in ND format");
    twin::UseAtLeast("SoftmaxGrad", nullptr,
                     twin::SoftMaxGradNeeds<T>(twin::RowShapeOf(srcTensor, softmaxShapeInfo), isFront));
    twin::SoftMaxGradRows("SoftmaxGrad", twin::typeOf<T>, dstTensor, gradTensor, srcTensor, isFront,
                          twin::RowShapeOf(srcTensor, softmaxShapeInfo));
}
template <typename T, bool isReuseSource = false, bool isDataFormatNZ = false>
__aicore__ inline void SoftmaxGrad(const LocalTensor<T>& dstTensor, const LocalTensor<T>& gradTensor,
                                   const LocalTensor<T>& srcTensor, const LocalTensor<uint8_t>& sharedTmpBuffer,
                                   const SoftMaxTiling& tiling, bool isFront = false,
                                   const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
    twin::UseAtLeast("SoftmaxGrad", &sharedTmpBuffer,
                     twin::SoftMaxGradNeeds<T>(twin::RowShapeOf(srcTensor, softmaxShapeInfo), isFront));
    twin::SoftMaxGradRows("SoftmaxGrad", twin::typeOf<T>, dstTensor, gradTensor, srcTensor, isFront,
                          twin::RowShapeOf(srcTensor, softmaxShapeInfo));
}
template <typename T, bool isBasicBlock = false, bool isDataFormatNZ = false>
__aicore__ inline void SoftmaxGradFront(const LocalTensor<T>& dstTensor, const LocalTensor<T>& gradTensor,
                                        const LocalTensor<T>& srcTensor, const SoftMaxTiling& tiling,
                                        const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
    static_assert(twin::oneOf<T, half, float> && !isDataFormatNZ,
                  "SoftmaxGradFront here takes half and float in ND format");
    twin::UseAtLeast("SoftmaxGradFront", nullptr,
                     twin::SoftMaxGradNeeds<T>(twin::RowShapeOf(srcTensor, softmaxShapeInfo), true));
    twin::SoftMaxGradRows("SoftmaxGradFront", twin::typeOf<T>, dstTensor, gradTensor, srcTensor, true,
                          twin::RowShapeOf(srcTensor, softmaxShapeInfo));
}
template <typename T, bool isBasicBlock = false, bool isDataFormatNZ = false>
__aicore__ inline void SoftmaxGradFront(const LocalTensor<T>& dstTensor, const LocalTensor<T>& gradTensor,
                                        const LocalTensor<T>& srcTensor, const LocalTensor<uint8_t>& sharedTmpBuffer,
                                        const SoftMaxTiling& tiling, const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
    twin::UseAtLeast("SoftmaxGradFront", &sharedTmpBuffer,
                     twin::SoftMaxGradNeeds<T>(twin::RowShapeOf(srcTensor, softmaxShapeInfo), true));
    twin::SoftMaxGradRows("SoftmaxGradFront", twin::typeOf<T>, dstTensor, gradTensor, srcTensor, true,
                          twin::RowShapeOf(srcTensor, softmaxShapeInfo));
}

/// Tilings made inside a kernel; the twin reads srcM and srcK alone. Sizes of types in bytes, of the workspace in
/// floats.
__aicore__ inline constexpr SoftMaxTiling SoftMaxFlashV2TilingFuncImpl(const uint32_t srcM, const uint32_t srcK,
                                                                       const uint32_t dataTypeSize1, const uint32_t,
                                                                       const uint32_t, const bool = false,
                                                                       const bool = false, const bool = false,
                                                                       const bool = false) {
    const uint32_t block = 32 / dataTypeSize1;
    return {srcM,         srcK, srcM * srcK, srcM, block, srcM * block, srcM, srcK, srcM * srcK, srcM, block,
            srcM * block, 1,    0,           0,    0};
}
__aicore__ inline constexpr SoftMaxTiling SoftMaxFlashV2TilingFunc(
    const SoftMaxShapeInfo& shapeInfo, const uint32_t dataTypeSize1, const uint32_t dataTypeSize2,
    const uint32_t localWorkSpaceSize, const bool isUpdate = false, const bool isBasicBlock = false,
    const bool isDataFormatNZ = false, const bool isFlashOutputBrc = false) {
    return SoftMaxFlashV2TilingFuncImpl(shapeInfo.srcM, shapeInfo.srcK, dataTypeSize1, dataTypeSize2,
                                        localWorkSpaceSize / 4, isUpdate, isBasicBlock, isDataFormatNZ,
                                        isFlashOutputBrc);
}

}  // namespace AscendC

#endif
