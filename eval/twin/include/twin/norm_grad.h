// Gradients of LayerNorm, and Welford's mean and variance in pieces. Source: Ascend C high-level API, normalisation.
#ifndef TWIN_NORM_GRAD_H
#define TWIN_NORM_GRAD_H

#include "twin/norm.h"

namespace twin {

struct NormGradTensors {
    const Local &pdX, &resForGamma, &dy, &x, &variance, &mean, &gamma;
};
void NormGradRows(Type type, const NormGradTensors& tensors, uint32_t rows, uint32_t columns, uint32_t divisor,
                  float epsilon);
void NormGradScales(Type type, const Local& pdGamma, const Local& pdBeta, const Local& resForGamma, const Local& dy,
                    uint32_t rows, uint32_t columns);

struct WelfordTensors {
    const Local &outMean, &outVariance, &mean, &variance;
};
/// inPlace: what lies between `count` and `length` is copied from the inputs.
void WelfordStep(Type type, const WelfordTensors& tensors, const Local& x, uint32_t length, uint32_t count,
                 float reciprocal, bool inPlace);
/// counts null: headCount for the first headLength elements, tailCount for the others.
struct WelfordCounts {
    const Local* tensor;
    uint32_t head, headLength, tail;
};
void WelfordEnd(const WelfordTensors& tensors, const WelfordCounts& counts, uint32_t length, uint32_t steps,
                float lengthReciprocal, float totalReciprocal);

}  // namespace twin

namespace AscendC {

struct LayerNormGradShapeInfo {
    DataFormat dataFormat = DataFormat::ND;
};

/// Gradient of LayerNorm for x, and (x - mean) / sqrt(variance + epsilon) for LayerNormGradBeta. T: half, float; rows
/// of 32 bytes.
template <typename T, bool isReuseSource = false>
__aicore__ inline void LayerNormGrad(const LocalTensor<T>& outputPdX, const LocalTensor<T>& resForGamma,
                                     const LocalTensor<T>& inputDy, const LocalTensor<T>& inputX,
                                     const LocalTensor<T>& inputVariance, const LocalTensor<T>& inputMean,
                                     const LocalTensor<T>& inputGamma, LocalTensor<uint8_t>& sharedTmpBuffer, T epsilon,
                                     LayerNormGradTiling& tiling, const LayerNormGradShapeInfo& shapeInfo = {}) {
    static_assert(twin::oneOf<T, half, float>, "LayerNormGrad on this device takes half and float");
    twin::UseTemporary("LayerNormGrad", &sharedTmpBuffer,
                       uint64_t(tiling.oneCalSize) * (sizeof(T) == 2  ? 9
                                                      : isReuseSource ? 4
                                                                      : 6));
    twin::NormGradRows(twin::typeOf<T>, {outputPdX, resForGamma, inputDy, inputX, inputVariance, inputMean, inputGamma},
                       tiling.bLength * tiling.sLength, tiling.hLength, tiling.originalHLength,
                       static_cast<float>(epsilon));
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void LayerNormGrad(const LocalTensor<T>& outputPdX, const LocalTensor<T>& resForGamma,
                                     const LocalTensor<T>& inputDy, const LocalTensor<T>& inputX,
                                     const LocalTensor<T>& inputVariance, const LocalTensor<T>& inputMean,
                                     const LocalTensor<T>& inputGamma, T epsilon, LayerNormGradTiling& tiling,
                                     const LayerNormGradShapeInfo& shapeInfo = {}) {
    static_assert(twin::oneOf<T, half, float>, "LayerNormGrad on this device takes half and float");
    twin::UseTemporary("LayerNormGrad", nullptr,
                       uint64_t(tiling.oneCalSize) * (sizeof(T) == 2  ? 9
                                                      : isReuseSource ? 4
                                                                      : 6));
    twin::NormGradRows(twin::typeOf<T>, {outputPdX, resForGamma, inputDy, inputX, inputVariance, inputMean, inputGamma},
                       tiling.bLength * tiling.sLength, tiling.hLength, tiling.originalHLength,
                       static_cast<float>(epsilon));
}

/// Sums over all rows of dy * resForGamma (for gamma) and of dy (for beta). T: half, float.
template <typename T, bool isReuseSource = false>
__aicore__ inline void LayerNormGradBeta(const LocalTensor<T>& outputPdGamma, const LocalTensor<T>& outputPdBeta,
                                         const LocalTensor<T>& resForGamma, const LocalTensor<T>& inputDy,
                                         const LocalTensor<uint8_t>& sharedTmpBuffer,
                                         const LayerNormGradBetaTiling& tiling) {
    static_assert(twin::oneOf<T, half, float>, "LayerNormGradBeta on this device takes half and float");
    twin::UseTemporary("LayerNormGradBeta", &sharedTmpBuffer,
                       sizeof(T) == 2 ? uint64_t(tiling.oneCalSize) * 2 + 2 * tiling.hLength : tiling.oneCalSize);
    twin::NormGradScales(twin::typeOf<T>, outputPdGamma, outputPdBeta, resForGamma, inputDy, tiling.bsLength,
                         tiling.hLength);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void LayerNormGradBeta(const LocalTensor<T>& outputPdGamma, const LocalTensor<T>& outputPdBeta,
                                         const LocalTensor<T>& resForGamma, const LocalTensor<T>& inputDy,
                                         LayerNormGradBetaTiling& tiling) {
    static_assert(twin::oneOf<T, half, float>, "LayerNormGradBeta on this device takes half and float");
    twin::UseTemporary("LayerNormGradBeta", nullptr,
                       sizeof(T) == 2 ? uint64_t(tiling.oneCalSize) * 2 + 2 * tiling.hLength : tiling.oneCalSize);
    twin::NormGradScales(twin::typeOf<T>, outputPdGamma, outputPdBeta, resForGamma, inputDy, tiling.bsLength,
                         tiling.hLength);
}

struct WelfordUpdateConfig {
    bool isInplace = false;
};
constexpr WelfordUpdateConfig WFUPDATE_DEFAULT_CFG = {false};
struct WelfordUpdateParam {
    uint32_t rnLength;
    uint32_t abLength;
    uint32_t abComputeLength;
    float nRec;
};

/// One step over abComputeLength lanes: mean += (x - mean) * nRec, variance += (x - old mean) * (x - new mean). T:
/// half, float. rnLength is 1. Violation: reduce-shape.
template <typename T, typename U, bool isReuseSource = false, const WelfordUpdateConfig& config = WFUPDATE_DEFAULT_CFG>
__aicore__ inline void WelfordUpdate(const LocalTensor<U>& outputMean, const LocalTensor<U>& outputVariance,
                                     const LocalTensor<U>& inputMean, const LocalTensor<U>& inputVariance,
                                     const LocalTensor<T>& inputX, const LocalTensor<uint8_t>& sharedTmpBuffer,
                                     const WelfordUpdateParam& para) {
    static_assert(twin::oneOf<T, half, float> && std::is_same_v<U, float>,
                  "WelfordUpdate on this device takes x in half or float, mean and variance in float");
    twin::UseTemporary("WelfordUpdate", &sharedTmpBuffer, 64 * (sizeof(T) == 2 ? 3 : isReuseSource ? 1 : 2));
    twin::WelfordStep(twin::typeOf<T>, {outputMean, outputVariance, inputMean, inputVariance}, inputX,
                      para.rnLength == 1 ? para.abLength : 0, para.abComputeLength, para.nRec, config.isInplace);
}
template <typename T, typename U, bool isReuseSource = false, const WelfordUpdateConfig& config = WFUPDATE_DEFAULT_CFG>
__aicore__ inline void WelfordUpdate(const LocalTensor<U>& outputMean, const LocalTensor<U>& outputVariance,
                                     const LocalTensor<U>& inputMean, const LocalTensor<U>& inputVariance,
                                     const LocalTensor<T>& inputX, const WelfordUpdateParam& para) {
    static_assert(twin::oneOf<T, half, float> && std::is_same_v<U, float>,
                  "WelfordUpdate on this device takes x in half or float, mean and variance in float");
    twin::UseTemporary("WelfordUpdate", nullptr, 64 * (sizeof(T) == 2 ? 3 : isReuseSource ? 1 : 2));
    twin::WelfordStep(twin::typeOf<T>, {outputMean, outputVariance, inputMean, inputVariance}, inputX,
                      para.rnLength == 1 ? para.abLength : 0, para.abComputeLength, para.nRec, config.isInplace);
}

struct WelfordFinalizeConfig {
    bool isCorrection = false;
};
constexpr WelfordFinalizeConfig WFFINALIZE_DEFAULT_CFG = {false};
struct WelfordFinalizePara {
    uint32_t rnLength;
    uint32_t abLength;
    uint32_t headCount;
    uint32_t headCountLength;
    uint32_t tailCount;
    uint32_t tailCountLength;
    float abRec;
    float rRec;
};

/// One mean and one variance out of abLength lanes that WelfordUpdate kept. Violation: reduce-shape.
template <bool isReuseSource = false, const WelfordFinalizeConfig& config = WFFINALIZE_DEFAULT_CFG>
__aicore__ inline void WelfordFinalize(const LocalTensor<float>& outputMean, const LocalTensor<float>& outputVariance,
                                       const LocalTensor<float>& inputMean, const LocalTensor<float>& inputVariance,
                                       const LocalTensor<uint8_t>& sharedTmpBuffer, WelfordFinalizePara& para) {
    twin::UseTemporary("WelfordFinalize", &sharedTmpBuffer, 64 * 4);
    twin::WelfordEnd({outputMean, outputVariance, inputMean, inputVariance},
                     {nullptr, para.headCount, para.headCountLength, para.tailCount},
                     para.headCountLength + para.tailCountLength == para.abLength ? para.abLength : 0, para.rnLength,
                     para.abRec, para.rRec);
}
template <bool isReuseSource = false, const WelfordFinalizeConfig& config = WFFINALIZE_DEFAULT_CFG>
__aicore__ inline void WelfordFinalize(const LocalTensor<float>& outputMean, const LocalTensor<float>& outputVariance,
                                       const LocalTensor<float>& inputMean, const LocalTensor<float>& inputVariance,
                                       WelfordFinalizePara& para) {
    twin::UseTemporary("WelfordFinalize", nullptr, 64 * 4);
    twin::WelfordEnd({outputMean, outputVariance, inputMean, inputVariance},
                     {nullptr, para.headCount, para.headCountLength, para.tailCount},
                     para.headCountLength + para.tailCountLength == para.abLength ? para.abLength : 0, para.rnLength,
                     para.abRec, para.rRec);
}
template <bool isReuseSource = false, const WelfordFinalizeConfig& config = WFFINALIZE_DEFAULT_CFG>
__aicore__ inline void WelfordFinalize(const LocalTensor<float>& outputMean, const LocalTensor<float>& outputVariance,
                                       const LocalTensor<float>& inputMean, const LocalTensor<float>& inputVariance,
                                       const LocalTensor<int32_t>& counts, const LocalTensor<uint8_t>& sharedTmpBuffer,
                                       WelfordFinalizePara& para) {
    twin::UseTemporary("WelfordFinalize", &sharedTmpBuffer, 64 * 4);
    twin::WelfordEnd({outputMean, outputVariance, inputMean, inputVariance}, {&counts, 0, 0, 0}, para.abLength,
                     para.rnLength, para.abRec, para.rRec);
}
template <bool isReuseSource = false, const WelfordFinalizeConfig& config = WFFINALIZE_DEFAULT_CFG>
__aicore__ inline void WelfordFinalize(const LocalTensor<float>& outputMean, const LocalTensor<float>& outputVariance,
                                       const LocalTensor<float>& inputMean, const LocalTensor<float>& inputVariance,
                                       const LocalTensor<int32_t>& counts, WelfordFinalizePara& para) {
    twin::UseTemporary("WelfordFinalize", nullptr, 64 * 4);
    twin::WelfordEnd({outputMean, outputVariance, inputMean, inputVariance}, {&counts, 0, 0, 0}, para.abLength,
                     para.rnLength, para.abRec, para.rRec);
}

}  // namespace AscendC

#endif
