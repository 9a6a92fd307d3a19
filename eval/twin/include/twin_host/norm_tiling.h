// Tiling of the normalisations on the host: structures that operators embed, and the queries that fill them.
#ifndef TWIN_HOST_NORM_TILING_H
#define TWIN_HOST_NORM_TILING_H

#include "graph/types.h"
#include "kernel_tiling/norm_tiling.h"
#include "register/tilingdata_base.h"

namespace optiling {

BEGIN_TILING_DATA_DEF(LayerNormTiling)
TWIN_LAYER_NORM_TILING(TILING_DATA_FIELD_DEF)
END_TILING_DATA_DEF
BEGIN_TILING_DATA_DEF(DeepNormTiling)
TWIN_LAYER_NORM_TILING(TILING_DATA_FIELD_DEF)
END_TILING_DATA_DEF
BEGIN_TILING_DATA_DEF(LayerNormSeparateTiling)
TWIN_LAYER_NORM_SEPARATE_TILING(TILING_DATA_FIELD_DEF)
END_TILING_DATA_DEF
BEGIN_TILING_DATA_DEF(LayerNormGradTiling)
TWIN_LAYER_NORM_GRAD_TILING(TILING_DATA_FIELD_DEF)
END_TILING_DATA_DEF
BEGIN_TILING_DATA_DEF(LayerNormGradBetaTiling)
TWIN_LAYER_NORM_GRAD_BETA_TILING(TILING_DATA_FIELD_DEF)
END_TILING_DATA_DEF
BEGIN_TILING_DATA_DEF(RmsNormTiling)
TWIN_RMS_NORM_TILING(TILING_DATA_FIELD_DEF)
END_TILING_DATA_DEF
BEGIN_TILING_DATA_DEF(BatchNormTiling)
TWIN_BATCH_NORM_TILING(TILING_DATA_FIELD_DEF)
END_TILING_DATA_DEF
BEGIN_TILING_DATA_DEF(GroupNormTiling)
TWIN_GROUP_NORM_TILING(TILING_DATA_FIELD_DEF)
END_TILING_DATA_DEF

}  // namespace optiling

namespace AscendC {

using TensorShape = ge::Shape;

// Shapes: {B, S, H stored, H real} of LayerNorm and its gradients, {A, R} of the form with rstd and of Normalize, {B,
// S, H} of RmsNorm, DeepNorm and BatchNorm, {N, C, H, W} of GroupNorm, {1, length} of WelfordUpdate, {length} of
// WelfordFinalize. typeSize 2 or 4. Sizes in bytes: at most useful, and at least. A tiling for too small a
// stackBufferSize keeps oneTmpSize at 0.
void GetLayerNormMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, const bool isReuseSource,
                               uint32_t& maxValue, uint32_t& minValue);
void GetLayerNormMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, const bool isReuseSource,
                               const bool isComputeRstd, const bool isOnlyOutput, uint32_t& maxValue,
                               uint32_t& minValue);
void GetLayerNormNDTilingInfo(const TensorShape& srcShape, const uint32_t stackBufferSize, const uint32_t typeSize,
                              const bool isReuseSource, optiling::LayerNormTiling& tiling);
void GetLayerNormNDTilingInfo(const TensorShape& srcShape, const uint32_t stackBufferSize, const uint32_t typeSize,
                              const bool isReuseSource, tiling::LayerNormTiling& tiling);
void GetLayerNormNDTillingInfo(const TensorShape& srcShape, const uint32_t stackBufferSize, const uint32_t typeSize,
                               const bool isReuseSource, optiling::LayerNormTiling& tilling);
void GetLayerNormNDTilingInfo(const TensorShape& srcShape, const uint32_t stackBufferSize, const uint32_t typeSize,
                              const bool isReuseSource, const bool isComputeRstd,
                              optiling::LayerNormSeparateTiling& tiling);
void GetLayerNormNDTilingInfo(const TensorShape& srcShape, const uint32_t stackBufferSize, const uint32_t typeSize,
                              const bool isReuseSource, const bool isComputeRstd,
                              tiling::LayerNormSeparateTiling& tiling);
void GetNormalizeMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSizeU, const uint32_t typeSizeT,
                               const bool isReuseSource, const bool isComputeRstd, const bool isOnlyOutput,
                               uint32_t& maxValue, uint32_t& minValue);
void GetWelfordUpdateMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSizeT, const uint32_t typeSizeU,
                                   const bool isReuseSource, const bool isInplace, uint32_t& maxValue,
                                   uint32_t& minValue);
void GetWelfordFinalizeMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, const bool isReuseSource,
                                     uint32_t& maxValue, uint32_t& minValue);
void GetLayerNormGradMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, const bool isReuseSource,
                                   uint32_t& maxValue, uint32_t& minValue);
void GetLayerNormGradNDTilingInfo(const TensorShape srcShape, const uint32_t stackBufferSize, const uint32_t typeSize,
                                  const bool isReuseSource, optiling::LayerNormGradTiling& tiling);
void GetLayerNormGradNDTilingInfo(const TensorShape srcShape, const uint32_t stackBufferSize, const uint32_t typeSize,
                                  const bool isReuseSource, tiling::LayerNormGradTiling& tiling);
void GetLayerNormGradBetaMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, const bool isReuseSource,
                                       uint32_t& maxValue, uint32_t& minValue);
void GetLayerNormGradBetaNDTilingInfo(const TensorShape srcShape, const uint32_t stackBufferSize,
                                      const uint32_t typeSize, const bool isReuseSource,
                                      optiling::LayerNormGradBetaTiling& tiling);
void GetLayerNormGradBetaNDTilingInfo(const TensorShape srcShape, const uint32_t stackBufferSize,
                                      const uint32_t typeSize, const bool isReuseSource,
                                      tiling::LayerNormGradBetaTiling& tiling);
// False: the shape is not one that the function takes, or the buffer is too small.
bool GetRmsNormMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, uint32_t& maxValue,
                             uint32_t& minValue, const bool isBasicBlock = false);
bool GetRmsNormTilingInfo(const TensorShape& srcShape, const TensorShape& originSrcShape,
                          const uint32_t stackBufferByteSize, const uint32_t typeSize, optiling::RmsNormTiling& tiling,
                          const bool isBasicBlock = false);
bool GetRmsNormTilingInfo(const TensorShape& srcShape, const TensorShape& originSrcShape,
                          const uint32_t stackBufferByteSize, const uint32_t typeSize, tiling::RmsNormTiling& tiling,
                          const bool isBasicBlock = false);
bool GetDeepNormMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, const bool isReuseSource,
                              const bool isBasicBlock, uint32_t& maxValue, uint32_t& minValue);
bool GetDeepNormTilingInfo(const TensorShape& srcShape, const TensorShape& originSrcShape,
                           const uint32_t stackBufferSize, const uint32_t typeSize, const bool isReuseSource,
                           const bool isBasicBlock, optiling::DeepNormTiling& tiling);
bool GetDeepNormTilingInfo(const TensorShape& srcShape, const TensorShape& originSrcShape,
                           const uint32_t stackBufferSize, const uint32_t typeSize, const bool isReuseSource,
                           const bool isBasicBlock, tiling::DeepNormTiling& tiling);
bool GetBatchNormMaxMinTmpSize(const TensorShape& srcShape, const TensorShape& originSrcShape, const uint32_t typeSize,
                               const bool isReuseSource, uint32_t& maxValue, uint32_t& minValue,
                               const bool isBasicBlock = false);
bool GetBatchNormNDTilingInfo(const TensorShape& srcShape, const TensorShape& originSrcShape,
                              const uint32_t stackBufferByteSize, const uint32_t typeSize, const bool isReuseSource,
                              optiling::BatchNormTiling& tilling, const bool isBasicBlock = false);
bool GetBatchNormNDTilingInfo(const TensorShape& srcShape, const TensorShape& originSrcShape,
                              const uint32_t stackBufferByteSize, const uint32_t typeSize, const bool isReuseSource,
                              tiling::BatchNormTiling& tilling, const bool isBasicBlock = false);
void GetGroupNormMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, const bool isReuseSource,
                               const uint32_t groupNum, uint32_t& maxValue, uint32_t& minValue);
void GetGroupNormNDTilingInfo(const TensorShape& srcShape, const uint32_t stackBufferSize, const uint32_t typeSize,
                              const bool isReuseSource, const uint32_t groupNum, optiling::GroupNormTiling& tiling);
void GetGroupNormNDTilingInfo(const TensorShape& srcShape, const uint32_t stackBufferSize, const uint32_t typeSize,
                              const bool isReuseSource, const uint32_t groupNum, tiling::GroupNormTiling& tiling);

}  // namespace AscendC

#endif
