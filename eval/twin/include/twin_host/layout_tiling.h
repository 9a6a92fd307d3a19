// Temporary memory and tilings of Pad, UnPad, Transpose and TransData, on the host.
#ifndef TWIN_HOST_LAYOUT_TILING_H
#define TWIN_HOST_LAYOUT_TILING_H

#include "graph/types.h"
#include "kernel_tiling/layout_tiling.h"
#include "register/tilingdata_base.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {

BEGIN_TILING_DATA_DEF(UnPadTiling)
TWIN_UNPAD_TILING(TILING_DATA_FIELD_DEF)
END_TILING_DATA_DEF
BEGIN_TILING_DATA_DEF(PadTiling)
TWIN_PAD_TILING(TILING_DATA_FIELD_DEF)
END_TILING_DATA_DEF
BEGIN_TILING_DATA_DEF(ConfusionTransposeTiling)
TWIN_TRANSPOSE_TILING(TILING_DATA_FIELD_DEF)
END_TILING_DATA_DEF

}  // namespace optiling

namespace AscendC {

using TensorShape = ge::Shape;
using TensorDataType = ge::DataType;

// Shapes of two axes, elements of 2 or 4 bytes; sizes in bytes. A row that is whole blocks needs no temporary memory.
void GetPadMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, uint32_t& maxValue, uint32_t& minValue);
void PadTilingFunc(const TensorShape srcShape, const TensorShape oriSrcShape, const uint32_t stackBufferSize,
                   const uint32_t typeSize, optiling::PadTiling& tiling);
void PadTilingFunc(const TensorShape srcShape, const TensorShape oriSrcShape, const uint32_t stackBufferSize,
                   const uint32_t typeSize, tiling::PadTiling& tiling);
void GetUnPadMaxMinTmpSize(const platform_ascendc::PlatformAscendC& ascendcPlatform, const TensorShape& srcShape,
                           const uint32_t typeSize, uint32_t& maxValue, uint32_t& minValue);
void UnPadTilingFunc(const TensorShape srcShape, const uint32_t stackBufferSize, const uint32_t typeSize,
                     optiling::UnPadTiling& tiling);
void UnPadTilingFunc(const TensorShape srcShape, const uint32_t stackBufferSize, const uint32_t typeSize,
                     tiling::UnPadTiling& tiling);

// transposeTypeIn: the number of a TransposeType. ConfusionTranspose is the older name.
#define TWIN_TRANSPOSE_QUERIES(Name)                                                                                 \
    void Get##Name##MaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize,                              \
                                  const uint32_t transposeTypeIn, uint32_t& maxValue, uint32_t& minValue);           \
    void Get##Name##TilingInfo(const TensorShape& srcShape, const uint32_t stackBufferSize, const uint32_t typeSize, \
                               const uint32_t transposeTypeIn, optiling::ConfusionTransposeTiling& tiling);          \
    void Get##Name##TilingInfo(const TensorShape& srcShape, const uint32_t stackBufferSize, const uint32_t typeSize, \
                               const uint32_t transposeTypeIn, tiling::ConfusionTransposeTiling& tiling);
TWIN_TRANSPOSE_QUERIES(Transpose)
TWIN_TRANSPOSE_QUERIES(ConfusionTranspose)
#undef TWIN_TRANSPOSE_QUERIES
/// [H, W] -> [W, H]
void GetConfusionTransposeOnlyTilingInfo(const TensorShape& srcShape, const uint32_t stackBufferSize,
                                         const uint32_t typeSize, optiling::ConfusionTransposeTiling& tiling);
void GetConfusionTransposeOnlyTilingInfo(const TensorShape& srcShape, const uint32_t stackBufferSize,
                                         const uint32_t typeSize, tiling::ConfusionTransposeTiling& tiling);

/// Between NCDHW and NDC1HWC0 or FRACTAL_Z_3D, elements of 2 bytes. False: another pair, or shapes that do not match.
bool GetTransDataMaxMinTmpSize(const platform_ascendc::PlatformAscendC& platform, const TensorShape& srcShape,
                               const TensorShape& dstShape, const TensorDataType dataType,
                               const TransDataConfig& config, uint32_t& maxValue, uint32_t& minValue);

}  // namespace AscendC

#endif
