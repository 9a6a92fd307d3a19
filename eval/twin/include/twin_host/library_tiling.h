// Tiling of the high-level APIs on the host: structures that operators embed, and the size queries that fill them.
#ifndef TWIN_HOST_LIBRARY_TILING_H
#define TWIN_HOST_LIBRARY_TILING_H

#include "graph/types.h"
#include "kernel_tiling/matrix_tiling.h"
#include "register/tilingdata_base.h"

namespace optiling {

BEGIN_TILING_DATA_DEF(SoftMaxTiling)
TWIN_SOFTMAX_TILING(TILING_DATA_FIELD_DEF)
END_TILING_DATA_DEF
BEGIN_TILING_DATA_DEF(LogSoftMaxTiling)
TWIN_SOFTMAX_TILING(TILING_DATA_FIELD_DEF)
END_TILING_DATA_DEF

}  // namespace optiling

namespace AscendC {

using TensorShape = ge::Shape;

// Bytes of temporary memory that SoftMax and its kin want for a matrix (all axes but the last are rows): at most
// useful, and at least. dataTypeSize 2 or 4, of another one nothing is known and the size is 0; for FlashV2 and FlashV3
// the first is that of the data, the second that of sum and max.
uint32_t GetSoftMaxMaxTmpSize(const TensorShape& srcShape, const uint32_t dataTypeSize, const bool isReuseSource);
uint32_t GetSoftMaxMinTmpSize(const TensorShape& srcShape, const uint32_t dataTypeSize, const bool isReuseSource);
uint32_t GetSoftMaxGradMaxTmpSize(const TensorShape& srcShape, const uint32_t dataTypeSize, const bool isFront,
                                  const bool isReuseSource);
uint32_t GetSoftMaxGradMinTmpSize(const TensorShape& srcShape, const uint32_t dataTypeSize, const bool isFront,
                                  const bool isReuseSource);
uint32_t GetSoftMaxFlashV2MaxTmpSize(const TensorShape& srcShape, const uint32_t dataTypeSize1,
                                     const uint32_t dataTypeSize2, const bool isUpdate, const bool isBasicBlock = false,
                                     const bool isFlashOutputBrc = false);
uint32_t GetSoftMaxFlashV2MinTmpSize(const TensorShape& srcShape, const uint32_t dataTypeSize1,
                                     const uint32_t dataTypeSize2, const bool isUpdate, const bool isBasicBlock = false,
                                     const bool isFlashOutputBrc = false);
// Tilings for a workspace of that many bytes.
void SoftMaxTilingFunc(const TensorShape& srcShape, const uint32_t dataTypeSize, const uint32_t localWorkSpaceSize,
                       optiling::SoftMaxTiling& softmaxTiling);
void SoftMaxTilingFunc(const TensorShape& srcShape, const uint32_t dataTypeSize, const uint32_t localWorkSpaceSize,
                       tiling::SoftMaxTiling& softmaxTiling);
void SoftMaxGradTilingFunc(const TensorShape& srcShape, const uint32_t dataTypeSize, const uint32_t localWorkSpaceSize,
                           optiling::SoftMaxTiling& softmaxGradTiling, const bool isFront = false);
void SoftMaxGradTilingFunc(const TensorShape& srcShape, const uint32_t dataTypeSize, const uint32_t localWorkSpaceSize,
                           tiling::SoftMaxTiling& softmaxGradTiling, const bool isFront = false);
void SoftMaxFlashV2TilingFunc(const TensorShape& srcShape, const uint32_t dataTypeSize1, const uint32_t dataTypeSize2,
                              const uint32_t localWorkSpaceSize, optiling::SoftMaxTiling& softmaxFlashTiling,
                              const bool isUpdate, const bool isBasicBlock = false,
                              const bool isFlashOutputBrc = false);
void SoftMaxFlashV2TilingFunc(const TensorShape& srcShape, const uint32_t dataTypeSize1, const uint32_t dataTypeSize2,
                              const uint32_t localWorkSpaceSize, tiling::SoftMaxTiling& softmaxFlashTiling,
                              const bool isUpdate, const bool isBasicBlock = false,
                              const bool isFlashOutputBrc = false);
uint32_t GetLogSoftMaxMaxTmpSize(const TensorShape srcShape, const uint32_t dataTypeSize, const bool isReuseSource);
uint32_t GetLogSoftMaxMinTmpSize(const TensorShape srcShape, const uint32_t dataTypeSize, const bool isReuseSource);
void LogSoftMaxTilingFunc(const TensorShape srcShape, const uint32_t dataTypeSize, const uint32_t localWorkSpaceSize,
                          optiling::LogSoftMaxTiling& softmaxTiling);
void LogSoftMaxTilingFunc(const TensorShape srcShape, const uint32_t dataTypeSize, const uint32_t localWorkSpaceSize,
                          tiling::LogSoftMaxTiling& softmaxTiling);
uint32_t GetSoftMaxFlashMaxTmpSize(const TensorShape& srcShape, const uint32_t dataTypeSize, const bool isUpdate,
                                   const bool isReuseSource);
uint32_t GetSoftMaxFlashMinTmpSize(const TensorShape& srcShape, const uint32_t dataTypeSize, const bool isUpdate,
                                   const bool isReuseSource);
void SoftMaxFlashTilingFunc(const TensorShape& srcShape, const uint32_t dataTypeSize, const uint32_t localWorkSpaceSize,
                            optiling::SoftMaxTiling& softmaxFlashTiling, const bool isUpdate = false);
void SoftMaxFlashTilingFunc(const TensorShape& srcShape, const uint32_t dataTypeSize, const uint32_t localWorkSpaceSize,
                            tiling::SoftMaxTiling& softmaxFlashTiling, const bool isUpdate = false);
void GetSoftMaxFlashV3MaxMinTmpSize(const TensorShape& srcShape, const uint32_t dataTypeSize1,
                                    const uint32_t dataTypeSize2, uint32_t& maxValue, uint32_t& minValue,
                                    const bool isUpdate, const bool isBasicBlock = false);
void SoftMaxFlashV3TilingFunc(const TensorShape& srcShape, const uint32_t dataTypeSize1, const uint32_t dataTypeSize2,
                              const uint32_t localWorkSpaceSize, optiling::SoftMaxTiling& softmaxFlashV3Tiling,
                              const bool isUpdate, const bool isBasicBlock = false);
void SoftMaxFlashV3TilingFunc(const TensorShape& srcShape, const uint32_t dataTypeSize1, const uint32_t dataTypeSize2,
                              const uint32_t localWorkSpaceSize, tiling::SoftMaxTiling& softmaxFlashV3Tiling,
                              const bool isUpdate, const bool isBasicBlock = false);
/// Whether the rows left over are none and a row is a multiple of 64 elements, at least 256 bytes and less than 2048
/// elements.
bool IsBasicBlockInSoftMax(optiling::SoftMaxTiling& tiling, const uint32_t dataTypeSize = 2);
bool IsBasicBlockInSoftMax(tiling::SoftMaxTiling& tiling, const uint32_t dataTypeSize = 2);

void GetSigmoidMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, bool isReuseSource,
                             uint32_t& maxValue, uint32_t& minValue);
/// n elements a row.
void GetMeanMaxMinTmpSize(const uint32_t n, const uint32_t srcTypeSize, const uint32_t accTypeSize,
                          const bool isReuseSource, uint32_t& maxSize, uint32_t& minSize);
void GetSumMaxMinTmpSize(const uint32_t n, const uint32_t srcTypeSize, const bool isReuseSource, uint32_t& maxSize,
                         uint32_t& minSize);

}  // namespace AscendC

#endif
