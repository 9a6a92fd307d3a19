// SPDX-License-Identifier: Apache-2.0
#ifndef THRESHOLD_TILING_H
#define THRESHOLD_TILING_H

#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(ThresholdTilingData)
TILING_DATA_FIELD_DEF(uint32_t, totalLength);
TILING_DATA_FIELD_DEF(uint32_t, blockLength);
TILING_DATA_FIELD_DEF(uint32_t, tileLength);
TILING_DATA_FIELD_DEF(float, threshold);
TILING_DATA_FIELD_DEF(float, value);
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(Threshold, ThresholdTilingData)
} // namespace optiling

#endif // THRESHOLD_TILING_H
