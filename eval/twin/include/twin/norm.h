// Normalisations over the last axis, a batch or a group. Source: Ascend C high-level API, normalisation.
#ifndef TWIN_NORM_H
#define TWIN_NORM_H

#include "kernel_tiling/kernel_tiling.h"
#include "twin/reduce_pattern.h"
#include "twin/tensor.h"

namespace twin {

/// Rows of `columns` elements; the first `used` are summed, and their mean divides by `divisor`. alpha: factor of x
/// before its residual.
struct NormCall {
    const char* api;
    Type type, statType, scaleType;
    uint32_t rows, columns, used, divisor;
    float epsilon;
    float alpha = 1;
    bool rms = false;
};
/// Null where there is none. Variance and rstd are outputs; a given mean and variance are used and not computed.
struct NormTensors {
    const Local* dst = nullptr;
    const Local* mean = nullptr;
    const Local* variance = nullptr;
    const Local* rstd = nullptr;
    const Local* x = nullptr;
    const Local* residual = nullptr;
    const Local* gamma = nullptr;
    const Local* beta = nullptr;
    const Local* givenMean = nullptr;
    const Local* givenVariance = nullptr;
};
void NormRows(const NormCall& call, const NormTensors& tensors);
/// x: batches x columns; statistics over the batches, gamma and beta one a batch.
void NormBatches(const char* api, Type type, const NormTensors& tensors, uint32_t batches, uint32_t columns,
                 float epsilon);
/// x: n x c rows of `columns` elements, `used` of them real; statistics over c / groups rows, gamma and beta one a
/// channel.
struct GroupShape {
    uint32_t n, c, groups, used, columns;
};
void NormGroups(const char* api, Type type, const NormTensors& tensors, const GroupShape& shape, float epsilon);
/// What a high-level function writes for itself: `floats` from the start of `work`, or in what InitBuffer left of UB
/// when null. Violations: temporary-memory, out-of-buffer.
void UseTemporary(const char* api, const Local* work, uint64_t floats);

template <typename Tiling>
inline uint64_t TemporaryOf(const Tiling& t) {
    return t.oneTmpSize == 0 ? 0 : t.firstTmpStartPos + uint64_t(t.numberOfTmpBuf) * t.oneTmpSize;
}

}  // namespace twin

namespace AscendC {

struct LayerNormConfig {
    bool isNoBeta = false;
    bool isNoGamma = false;
    bool isOnlyOutput = false;
    bool isOutputRstd = true;
};
constexpr LayerNormConfig LNCFG_NORM = {false, false, false, true};
struct LayerNormPara {
    uint32_t aLength;
    uint32_t rLength;
    uint32_t rLengthWithPadding;
};
struct NormalizeConfig {
    ReducePattern reducePattern = ReducePattern::AR;
    int32_t aLength = -1;
    bool isNoBeta = false;
    bool isNoGamma = false;
    bool isOnlyOutput = false;
};
constexpr NormalizeConfig NLCFG_NORM = {ReducePattern::AR, -1, false, false, false};
struct NormalizePara {
    uint32_t aLength;
    uint32_t rLength;
    uint32_t rLengthWithPadding;
};

/// output = (x - mean) / sqrt(variance + epsilon) * gamma + beta over each of B x S rows of H elements; mean and
/// variance one a row. T: half, float. Padding of a row is summed with it, so it holds zeros. output may be exactly
/// inputX. Violations: reduce-shape, partial-overlap, temporary-memory.
template <typename T, bool isReuseSource = false>
__aicore__ inline void LayerNorm(const LocalTensor<T>& output, const LocalTensor<T>& outputMean,
                                 const LocalTensor<T>& outputVariance, const LocalTensor<T>& inputX,
                                 const LocalTensor<T>& gamma, const LocalTensor<T>& beta,
                                 const LocalTensor<uint8_t>& sharedTmpBuffer, const T epsilon,
                                 LayerNormTiling& tiling) {
    static_assert(twin::oneOf<T, half, float>, "LayerNorm on this device takes half and float");
    twin::UseTemporary("LayerNorm", &sharedTmpBuffer, twin::TemporaryOf(tiling));
    twin::NormRows({"LayerNorm", twin::typeOf<T>, twin::typeOf<T>, twin::typeOf<T>, tiling.bLength * tiling.sLength,
                    tiling.hLength, tiling.hLength, tiling.originalHLength, static_cast<float>(epsilon)},
                   {&output, &outputMean, &outputVariance, nullptr, &inputX, nullptr, &gamma, &beta});
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void LayerNorm(const LocalTensor<T>& output, const LocalTensor<T>& outputMean,
                                 const LocalTensor<T>& outputVariance, const LocalTensor<T>& inputX,
                                 const LocalTensor<T>& gamma, const LocalTensor<T>& beta, const T epsilon,
                                 LayerNormTiling& tiling) {
    static_assert(twin::oneOf<T, half, float>, "LayerNorm on this device takes half and float");
    twin::UseTemporary("LayerNorm", nullptr, twin::TemporaryOf(tiling));
    twin::NormRows({"LayerNorm", twin::typeOf<T>, twin::typeOf<T>, twin::typeOf<T>, tiling.bLength * tiling.sLength,
                    tiling.hLength, tiling.hLength, tiling.originalHLength, static_cast<float>(epsilon)},
                   {&output, &outputMean, &outputVariance, nullptr, &inputX, nullptr, &gamma, &beta});
}

/// The same over A rows of which R elements are real; outputRstd holds 1 / sqrt(variance + epsilon), or the variance
/// when config.isOutputRstd is false. T: half, float; U: T or float. output is memory of its own.
template <typename U, typename T, bool isReuseSource = false, const LayerNormConfig& config = LNCFG_NORM>
__aicore__ inline void LayerNorm(const LocalTensor<T>& output, const LocalTensor<float>& outputMean,
                                 const LocalTensor<float>& outputRstd, const LocalTensor<T>& inputX,
                                 const LocalTensor<U>& gamma, const LocalTensor<U>& beta, const float epsilon,
                                 const LocalTensor<uint8_t>& sharedTmpBuffer, const LayerNormPara& para,
                                 const LayerNormSeparateTiling& tiling) {
    static_assert(twin::oneOf<T, half, float> && (std::is_same_v<U, T> || std::is_same_v<U, float>),
                  "LayerNorm on this device takes half and float, gamma and beta no narrower");
    static_assert(!config.isOnlyOutput, "LayerNorm gives mean and rstd: isOnlyOutput is false");
    twin::UseTemporary("LayerNorm", &sharedTmpBuffer, twin::TemporaryOf(tiling));
    twin::NormRows(
        {"LayerNorm", twin::typeOf<T>, twin::Type::kFloat, twin::typeOf<U>, para.aLength, para.rLengthWithPadding,
         para.rLength, para.rLength, epsilon},
        {&output, &outputMean, config.isOutputRstd ? nullptr : &outputRstd, config.isOutputRstd ? &outputRstd : nullptr,
         &inputX, nullptr, config.isNoGamma ? nullptr : &gamma, config.isNoBeta ? nullptr : &beta});
}
template <typename U, typename T, bool isReuseSource = false, const LayerNormConfig& config = LNCFG_NORM>
__aicore__ inline void LayerNorm(const LocalTensor<T>& output, const LocalTensor<float>& outputMean,
                                 const LocalTensor<float>& outputRstd, const LocalTensor<T>& inputX,
                                 const LocalTensor<U>& gamma, const LocalTensor<U>& beta, const float epsilon,
                                 const LayerNormPara& para, const LayerNormSeparateTiling& tiling) {
    static_assert(twin::oneOf<T, half, float> && (std::is_same_v<U, T> || std::is_same_v<U, float>),
                  "LayerNorm on this device takes half and float, gamma and beta no narrower");
    static_assert(!config.isOnlyOutput, "LayerNorm gives mean and rstd: isOnlyOutput is false");
    twin::UseTemporary("LayerNorm", nullptr, twin::TemporaryOf(tiling));
    twin::NormRows(
        {"LayerNorm", twin::typeOf<T>, twin::Type::kFloat, twin::typeOf<U>, para.aLength, para.rLengthWithPadding,
         para.rLength, para.rLength, epsilon},
        {&output, &outputMean, config.isOutputRstd ? nullptr : &outputRstd, config.isOutputRstd ? &outputRstd : nullptr,
         &inputX, nullptr, config.isNoGamma ? nullptr : &gamma, config.isNoBeta ? nullptr : &beta});
}

/// dst = src / sqrt(mean of squares + epsilon) * gamma over each of B x S rows of H elements. T: half, float. dst is
/// not gamma.
template <typename T, bool isBasicBlock = false>
__aicore__ inline void RmsNorm(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal,
                               const LocalTensor<T>& gammaLocal, const LocalTensor<uint8_t>& sharedTmpBuffer,
                               const T epsilon, const RmsNormTiling& tiling) {
    static_assert(twin::oneOf<T, half, float>, "RmsNorm on this device takes half and float");
    twin::UseTemporary("RmsNorm", &sharedTmpBuffer,
                       uint64_t(tiling.mainBshLength) * (4 / sizeof(T)) + tiling.mainBsLengthAlign);
    twin::NormRows({"RmsNorm", twin::typeOf<T>, twin::typeOf<T>, twin::typeOf<T>, tiling.bLength * tiling.sLength,
                    tiling.hLength, tiling.hLength, tiling.originalHLength, static_cast<float>(epsilon), 1, true},
                   {&dstLocal, nullptr, nullptr, nullptr, &srcLocal, nullptr, &gammaLocal, nullptr});
}
template <typename T, bool isBasicBlock = false>
__aicore__ inline void RmsNorm(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal,
                               const LocalTensor<T>& gammaLocal, const T epsilon, const RmsNormTiling& tiling) {
    static_assert(twin::oneOf<T, half, float>, "RmsNorm on this device takes half and float");
    twin::UseTemporary("RmsNorm", nullptr, uint64_t(tiling.mainBshLength) * (4 / sizeof(T)) + tiling.mainBsLengthAlign);
    twin::NormRows({"RmsNorm", twin::typeOf<T>, twin::typeOf<T>, twin::typeOf<T>, tiling.bLength * tiling.sLength,
                    tiling.hLength, tiling.hLength, tiling.originalHLength, static_cast<float>(epsilon), 1, true},
                   {&dstLocal, nullptr, nullptr, nullptr, &srcLocal, nullptr, &gammaLocal, nullptr});
}

/// LayerNorm of alpha * src + gx, with mean and variance of each row: the page calls the second the reciprocal
/// deviation, and its numbers, the shipped example's and the vendor's names are of the variance. T: half, float; H at
/// most 2040.
template <typename T, bool isReuseSrc = false, bool isBasicBlock = false>
__aicore__ inline void DeepNorm(const LocalTensor<T>& dstLocal, const LocalTensor<T>& meanLocal,
                                const LocalTensor<T>& rstdLocal, const LocalTensor<T>& srcLocal,
                                const LocalTensor<T>& gxLocal, const LocalTensor<T>& betaLocal,
                                const LocalTensor<T>& gammaLocal, const LocalTensor<uint8_t>& sharedTmpBuffer,
                                const T alpha, const T epsilon, DeepNormTiling& tiling) {
    static_assert(twin::oneOf<T, half, float>, "DeepNorm on this device takes half and float");
    twin::UseTemporary("DeepNorm", &sharedTmpBuffer, twin::TemporaryOf(tiling));
    twin::NormRows(
        {"DeepNorm", twin::typeOf<T>, twin::typeOf<T>, twin::typeOf<T>, tiling.bLength * tiling.sLength, tiling.hLength,
         tiling.hLength, tiling.originalHLength, static_cast<float>(epsilon), static_cast<float>(alpha)},
        {&dstLocal, &meanLocal, &rstdLocal, nullptr, &srcLocal, &gxLocal, &gammaLocal, &betaLocal});
}
template <typename T, bool isReuseSrc = false, bool isBasicBlock = false>
__aicore__ inline void DeepNorm(const LocalTensor<T>& dstLocal, const LocalTensor<T>& meanLocal,
                                const LocalTensor<T>& rstdLocal, const LocalTensor<T>& srcLocal,
                                const LocalTensor<T>& gxLocal, const LocalTensor<T>& betaLocal,
                                const LocalTensor<T>& gammaLocal, const T alpha, const T epsilon,
                                DeepNormTiling& tiling) {
    static_assert(twin::oneOf<T, half, float>, "DeepNorm on this device takes half and float");
    twin::UseTemporary("DeepNorm", nullptr, twin::TemporaryOf(tiling));
    twin::NormRows(
        {"DeepNorm", twin::typeOf<T>, twin::typeOf<T>, twin::typeOf<T>, tiling.bLength * tiling.sLength, tiling.hLength,
         tiling.hLength, tiling.originalHLength, static_cast<float>(epsilon), static_cast<float>(alpha)},
        {&dstLocal, &meanLocal, &rstdLocal, nullptr, &srcLocal, &gxLocal, &gammaLocal, &betaLocal});
}

/// LayerNorm of A rows with a known mean and variance; outputRstd = 1 / sqrt(variance + epsilon). T: half, float; U: T
/// or float.
template <typename U, typename T, bool isReuseSource = false, const NormalizeConfig& config = NLCFG_NORM>
__aicore__ inline void Normalize(const LocalTensor<T>& output, const LocalTensor<float>& outputRstd,
                                 const LocalTensor<float>& inputMean, const LocalTensor<float>& inputVariance,
                                 const LocalTensor<T>& inputX, const LocalTensor<U>& gamma, const LocalTensor<U>& beta,
                                 const LocalTensor<uint8_t>& sharedTmpBuffer, const float epsilon,
                                 const NormalizePara& para) {
    static_assert(twin::oneOf<T, half, float> && (std::is_same_v<U, T> || std::is_same_v<U, float>),
                  "Normalize on this device takes half and float, gamma and beta no narrower");
    static_assert(config.reducePattern == ReducePattern::AR && !config.isOnlyOutput,
                  "Normalize takes ReducePattern::AR and gives rstd");
    // At the least two rows in float, as the host query says; four when gamma and beta must be widened.
    twin::UseTemporary("Normalize", &sharedTmpBuffer, uint64_t(para.rLengthWithPadding) * (sizeof(U) == 4 ? 2 : 4));
    twin::NormRows({"Normalize", twin::typeOf<T>, twin::Type::kFloat, twin::typeOf<U>, para.aLength,
                    para.rLengthWithPadding, para.rLength, para.rLength, epsilon},
                   {&output, nullptr, nullptr, &outputRstd, &inputX, nullptr, config.isNoGamma ? nullptr : &gamma,
                    config.isNoBeta ? nullptr : &beta, &inputMean, &inputVariance});
}
template <typename U, typename T, bool isReuseSource = false, const NormalizeConfig& config = NLCFG_NORM>
__aicore__ inline void Normalize(const LocalTensor<T>& output, const LocalTensor<float>& outputRstd,
                                 const LocalTensor<float>& inputMean, const LocalTensor<float>& inputVariance,
                                 const LocalTensor<T>& inputX, const LocalTensor<U>& gamma, const LocalTensor<U>& beta,
                                 const float epsilon, const NormalizePara& para) {
    static_assert(twin::oneOf<T, half, float> && (std::is_same_v<U, T> || std::is_same_v<U, float>),
                  "Normalize on this device takes half and float, gamma and beta no narrower");
    static_assert(config.reducePattern == ReducePattern::AR && !config.isOnlyOutput,
                  "Normalize takes ReducePattern::AR and gives rstd");
    twin::UseTemporary("Normalize", nullptr, uint64_t(para.rLengthWithPadding) * (sizeof(U) == 4 ? 2 : 4));
    twin::NormRows({"Normalize", twin::typeOf<T>, twin::Type::kFloat, twin::typeOf<U>, para.aLength,
                    para.rLengthWithPadding, para.rLength, para.rLength, epsilon},
                   {&output, nullptr, nullptr, &outputRstd, &inputX, nullptr, config.isNoGamma ? nullptr : &gamma,
                    config.isNoBeta ? nullptr : &beta, &inputMean, &inputVariance});
}

/// Each of S x H columns over its B values; gamm and beta one a batch, mean and variance one a column. T: half, float.
template <typename T, bool isReuseSource = false, bool isBasicBlock = false>
__aicore__ inline void BatchNorm(const LocalTensor<T>& output, const LocalTensor<T>& outputMean,
                                 const LocalTensor<T>& outputVariance, const LocalTensor<T>& inputX,
                                 const LocalTensor<T>& gamm, const LocalTensor<T>& beta,
                                 const LocalTensor<uint8_t>& sharedTmpBuffer, const T epsilon,
                                 BatchNormTiling& tiling) {
    static_assert(twin::oneOf<T, half, float>, "BatchNorm on this device takes half and float");
    twin::UseTemporary("BatchNorm", &sharedTmpBuffer,
                       tiling.oneTmpSize == 0 ? 0 : tiling.firstTmpStartPos + uint64_t(3) * tiling.oneTmpSize);
    twin::NormBatches("BatchNorm", twin::typeOf<T>,
                      {&output, &outputMean, &outputVariance, nullptr, &inputX, nullptr, &gamm, &beta},
                      tiling.originalBLength, tiling.meanVarSize, static_cast<float>(epsilon));
}
template <typename T, bool isReuseSource = false, bool isBasicBlock = false>
__aicore__ inline void BatchNorm(const LocalTensor<T>& output, const LocalTensor<T>& outputMean,
                                 const LocalTensor<T>& outputVariance, const LocalTensor<T>& inputX,
                                 const LocalTensor<T>& gamm, const LocalTensor<T>& beta, const T epsilon,
                                 BatchNormTiling& tiling) {
    static_assert(twin::oneOf<T, half, float>, "BatchNorm on this device takes half and float");
    twin::UseTemporary("BatchNorm", nullptr,
                       tiling.oneTmpSize == 0 ? 0 : tiling.firstTmpStartPos + uint64_t(3) * tiling.oneTmpSize);
    twin::NormBatches("BatchNorm", twin::typeOf<T>,
                      {&output, &outputMean, &outputVariance, nullptr, &inputX, nullptr, &gamm, &beta},
                      tiling.originalBLength, tiling.meanVarSize, static_cast<float>(epsilon));
}

/// Each group of channels of N x C x H x W, H x W padded to 32 bytes; gamma and beta one a channel. T: half, float.
template <typename T, bool isReuseSource = false>
__aicore__ inline void GroupNorm(const LocalTensor<T>& output, const LocalTensor<T>& outputMean,
                                 const LocalTensor<T>& outputVariance, const LocalTensor<T>& inputX,
                                 const LocalTensor<T>& gamma, const LocalTensor<T>& beta,
                                 const LocalTensor<uint8_t>& sharedTmpBuffer, const T epsilon,
                                 GroupNormTiling& tiling) {
    static_assert(twin::oneOf<T, half, float>, "GroupNorm on this device takes half and float");
    twin::UseTemporary("GroupNorm", &sharedTmpBuffer, twin::TemporaryOf(tiling));
    twin::NormGroups("GroupNorm", twin::typeOf<T>,
                     {&output, &outputMean, &outputVariance, nullptr, &inputX, nullptr, &gamma, &beta},
                     {tiling.n, tiling.c, tiling.g, tiling.hw, tiling.hwAlignSize}, static_cast<float>(epsilon));
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void GroupNorm(const LocalTensor<T>& output, const LocalTensor<T>& outputMean,
                                 const LocalTensor<T>& outputVariance, const LocalTensor<T>& inputX,
                                 const LocalTensor<T>& gamma, const LocalTensor<T>& beta, const T epsilon,
                                 GroupNormTiling& tiling) {
    static_assert(twin::oneOf<T, half, float>, "GroupNorm on this device takes half and float");
    twin::UseTemporary("GroupNorm", nullptr, twin::TemporaryOf(tiling));
    twin::NormGroups("GroupNorm", twin::typeOf<T>,
                     {&output, &outputMean, &outputVariance, nullptr, &inputX, nullptr, &gamma, &beta},
                     {tiling.n, tiling.c, tiling.g, tiling.hw, tiling.hwAlignSize}, static_cast<float>(epsilon));
}

}  // namespace AscendC

#endif
