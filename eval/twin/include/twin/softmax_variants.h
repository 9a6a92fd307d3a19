// Functions around SoftMax: LogSoftMax, the older SoftmaxFlash, SoftmaxFlashV3, AdjustSoftMaxRes.
// Source: Ascend C high-level API, activation functions.
#ifndef TWIN_SOFTMAX_VARIANTS_H
#define TWIN_SOFTMAX_VARIANTS_H

#include "twin/softmax.h"

namespace AscendC {

/// Of SoftmaxFlashV3. Rows srcM x srcK, all of which count; loopCnt: how often means were taken, this time included;
/// splitMeanCnt: 8; alpha: below 1.
struct SoftMaxParams {
    uint32_t srcM = 0;
    uint32_t srcK = 0;
    uint32_t oriSrcM = 0;
    uint32_t oriSrcK = 0;
    uint32_t loopCnt = 0;
    uint32_t splitMeanCnt = 0;
    float alpha = 0;
};

}  // namespace AscendC

namespace twin {
void LogSoftMaxRows(Type type, const Local& dst, const Local& sum, const Local& max, const Local& src,
                    const RowShape& shape);
void OldSoftMaxFlashRows(Type type, Type sumType, const FlashTensors& tensors, bool update, const RowShape& shape);
struct FlashMeans {
    const Local& mean;
    const Local& inMean;
};
void SoftMaxFlashV3Rows(const FlashTensors& tensors, const FlashMeans& means, bool update,
                        const AscendC::SoftMaxParams& params);
/// from: bits of a maximum. each: every element of `max` stands for a row, and not every block.
bool AdjustSoftMaxRows(Type type, Type maxType, const Local& result, const Local& max, uint32_t from, float to,
                       bool each, const RowShape& shape);

}  // namespace twin

namespace AscendC {

/// dst = log10 of SoftMax; sum and max hold one 32-byte block a row. T: half, float.
template <typename T, bool isReuseSource = false, bool isDataFormatNZ = false>
__aicore__ inline void LogSoftMax(const LocalTensor<T>& dst, const LocalTensor<T>& sum, const LocalTensor<T>& max,
                                  const LocalTensor<T>& src, const LocalTensor<uint8_t>& sharedTmpBuffer,
                                  const LogSoftMaxTiling& tiling, const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
    static_assert(twin::oneOf<T, half, float> && !isDataFormatNZ, "LogSoftMax here takes half and float in ND format");
    const twin::RowShape shape = twin::RowShapeOf(src, softmaxShapeInfo);
    twin::UseAtLeast("LogSoftMax", &sharedTmpBuffer, twin::SoftMaxNeeds<T>(shape));
    twin::LogSoftMaxRows(twin::typeOf<T>, dst, sum, max, src, shape);
}

/// Older: dst = exp(src - max) / sum; with isUpdate, sum and max go on from the ones given, and expMax is the share of
/// what came before, exp(inMax - max) * inSum / sum. T: half, float; sums and maxima are of T, or float beside half.
template <typename T, bool isReuseSource = false, bool isBasicBlock = false, typename U>
__aicore__ inline void SoftmaxFlash(const LocalTensor<T>& dstTensor, const LocalTensor<U>& sumTensor,
                                    const LocalTensor<U>& maxTensor, const LocalTensor<T>& srcTensor,
                                    const LocalTensor<T>& expMaxTensor, const LocalTensor<U>& inSumTensor,
                                    const LocalTensor<U>& inMaxTensor, const SoftMaxTiling& tiling,
                                    bool isUpdate = false, const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
    static_assert(twin::oneOf<T, half, float> && (std::is_same_v<T, U> || std::is_same_v<U, float>),
                  "SoftmaxFlash on this device takes half and float");
    const twin::RowShape shape = twin::RowShapeOf(srcTensor, softmaxShapeInfo);
    twin::UseAtLeast("SoftmaxFlash", nullptr, twin::OldSoftMaxFlashTemporary(shape.columns, sizeof(U), isUpdate));
    twin::OldSoftMaxFlashRows(twin::typeOf<T>, twin::typeOf<U>,
                              {dstTensor, sumTensor, maxTensor, srcTensor, expMaxTensor, inSumTensor, inMaxTensor},
                              isUpdate, shape);
}
template <typename T, bool isReuseSource = false, bool isBasicBlock = false, typename U>
__aicore__ inline void SoftmaxFlash(const LocalTensor<T>& dstTensor, const LocalTensor<U>& sumTensor,
                                    const LocalTensor<U>& maxTensor, const LocalTensor<T>& srcTensor,
                                    const LocalTensor<T>& expMaxTensor, const LocalTensor<U>& inSumTensor,
                                    const LocalTensor<U>& inMaxTensor, const LocalTensor<uint8_t>& sharedTmpBuffer,
                                    const SoftMaxTiling& tiling, bool isUpdate = false,
                                    const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
    static_assert(twin::oneOf<T, half, float> && (std::is_same_v<T, U> || std::is_same_v<U, float>),
                  "SoftmaxFlash on this device takes half and float");
    const twin::RowShape shape = twin::RowShapeOf(srcTensor, softmaxShapeInfo);
    twin::UseAtLeast("SoftmaxFlash", &sharedTmpBuffer,
                     twin::OldSoftMaxFlashTemporary(shape.columns, sizeof(U), isUpdate));
    twin::OldSoftMaxFlashRows(twin::typeOf<T>, twin::typeOf<U>,
                              {dstTensor, sumTensor, maxTensor, srcTensor, expMaxTensor, inSumTensor, inMaxTensor},
                              isUpdate, shape);
}

/// The flash form with shifted means (PASA). T: half, U: float. Rows are a multiple of 64 elements and at least 512,
/// and there are a multiple of eight of them.
template <typename T, typename U, bool isUpdate = false, bool isReuseSource = false, bool isBasicBlock = false,
          bool isDataFormatNZ = false, const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG>
__aicore__ inline void SoftmaxFlashV3(const LocalTensor<T>& dstTensor, const LocalTensor<U>& meanTensor,
                                      const LocalTensor<U>& expSumTensor, const LocalTensor<U>& maxTensor,
                                      const LocalTensor<T>& srcTensor, const LocalTensor<T>& expMaxTensor,
                                      const LocalTensor<U>& inMeanTensor, const LocalTensor<U>& inExpSumTensor,
                                      const LocalTensor<U>& inMaxTensor, const SoftMaxTiling&,
                                      const SoftMaxParams& params) {
    twin::CoveredMode<config>("SoftmaxFlashV3");
    static_assert(std::is_same_v<T, half> && std::is_same_v<U, float>,
                  "SoftmaxFlashV3 takes half, with float for means, sums and maxima");
    twin::UseAtLeast("SoftmaxFlashV3", nullptr, twin::SoftMaxFlashV3Temporary(params.srcK, sizeof(U)));
    twin::SoftMaxFlashV3Rows({dstTensor, expSumTensor, maxTensor, srcTensor, expMaxTensor, inExpSumTensor, inMaxTensor},
                             {meanTensor, inMeanTensor}, isUpdate, params);
}
template <typename T, typename U, bool isUpdate = false, bool isReuseSource = false, bool isBasicBlock = false,
          bool isDataFormatNZ = false, const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG>
__aicore__ inline void SoftmaxFlashV3(const LocalTensor<T>& dstTensor, const LocalTensor<U>& meanTensor,
                                      const LocalTensor<U>& expSumTensor, const LocalTensor<U>& maxTensor,
                                      const LocalTensor<T>& srcTensor, const LocalTensor<T>& expMaxTensor,
                                      const LocalTensor<U>& inMeanTensor, const LocalTensor<U>& inExpSumTensor,
                                      const LocalTensor<U>& inMaxTensor, const LocalTensor<uint8_t>& sharedTmpBuffer,
                                      const SoftMaxTiling&, const SoftMaxParams& params) {
    twin::CoveredMode<config>("SoftmaxFlashV3");
    static_assert(std::is_same_v<T, half> && std::is_same_v<U, float>,
                  "SoftmaxFlashV3 takes half, with float for means, sums and maxima");
    twin::UseAtLeast("SoftmaxFlashV3", &sharedTmpBuffer, twin::SoftMaxFlashV3Temporary(params.srcK, sizeof(U)));
    twin::SoftMaxFlashV3Rows({dstTensor, expSumTensor, maxTensor, srcTensor, expMaxTensor, inExpSumTensor, inMaxTensor},
                             {meanTensor, inMeanTensor}, isUpdate, params);
}

/// Sets the rows whose maximum has the bits `from` to `to`; true when there was one. Maxima stand in one 32-byte block
/// a row, or behind each other when stepSizeMode is not 0. T1, T2: half, float.
template <typename T1, typename T2, bool isDataFormatNZ = false, uint8_t stepSizeMode = 0>
__aicore__ inline bool AdjustSoftMaxRes(const LocalTensor<T1>& softMaxRes, const LocalTensor<T2>& maxTensor,
                                        const uint32_t from, const T1 to, const SoftMaxShapeInfo& softmaxShapeInfo) {
    static_assert(twin::oneOf<T1, half, float> && twin::oneOf<T2, half, float> && !isDataFormatNZ,
                  "AdjustSoftMaxRes here takes half and float in ND format");
    return twin::AdjustSoftMaxRows(twin::typeOf<T1>, twin::typeOf<T2>, softMaxRes, maxTensor, from,
                                   static_cast<float>(to), stepSizeMode != 0,
                                   {softmaxShapeInfo.srcM, softmaxShapeInfo.srcK, softmaxShapeInfo.srcK});
}

}  // namespace AscendC

#endif
