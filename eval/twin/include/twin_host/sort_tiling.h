// Temporary memory and tiling of the sorting functions on the host.
#ifndef TWIN_HOST_SORT_TILING_H
#define TWIN_HOST_SORT_TILING_H

#include "graph/types.h"
#include "kernel_tiling/topk_tiling.h"
#include "register/tilingdata_base.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {

BEGIN_TILING_DATA_DEF(TopkTiling)
TWIN_TOPK_TILING(TILING_DATA_FIELD_DEF)
END_TILING_DATA_DEF

}  // namespace optiling

namespace AscendC {

// Bytes, for elemCount scores of dataTypeSize 2 or 4.
uint32_t GetConcatTmpSize(const platform_ascendc::PlatformAscendC& ascendcPlatform, const uint32_t elemCount,
                          const uint32_t dataTypeSize);
uint32_t GetSortTmpSize(const platform_ascendc::PlatformAscendC& ascendcPlatform, const uint32_t elemCount,
                        const uint32_t dataTypeSize);
enum class SortType { RADIX_SORT, MERGE_SORT };
struct SortConfig {
    SortType type = SortType::RADIX_SORT;
    bool isDescend = false;
    bool hasSrcIndex = false;
    bool hasDstIndex = false;
};
/// Of the form of Sort with a SortConfig, which this device lacks: no bytes.
void GetSortMaxMinTmpSize(const ge::Shape& srcShape, ge::DataType valueType, ge::DataType indexType, bool isReuseSource,
                          const SortConfig& config, uint32_t& maxValue, uint32_t& minValue);
/// inner: a multiple of 32.
bool GetTopKMaxMinTmpSize(const platform_ascendc::PlatformAscendC& ascendcPlatform, const int32_t inner,
                          const int32_t outter, const bool isReuseSource, const bool isInitIndex, enum TopKMode mode,
                          const bool isLargest, const uint32_t dataTypeSize, uint32_t& maxValue, uint32_t& minValue);
bool TopKTilingFunc(const platform_ascendc::PlatformAscendC& ascendcPlatform, const int32_t inner, const int32_t outter,
                    const int32_t k, const uint32_t dataTypeSize, const bool isInitIndex, enum TopKMode mode,
                    const bool isLargest, optiling::TopkTiling& topKTiling);
bool TopKTilingFunc(const platform_ascendc::PlatformAscendC& ascendcPlatform, const int32_t inner, const int32_t outter,
                    const int32_t k, const uint32_t dataTypeSize, const bool isInitIndex, enum TopKMode mode,
                    const bool isLargest, tiling::TopkTiling& topKTiling);

}  // namespace AscendC

#endif
