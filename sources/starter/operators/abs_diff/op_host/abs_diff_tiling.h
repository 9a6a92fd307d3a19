// SPDX-License-Identifier: Apache-2.0
#ifndef ABS_DIFF_TILING_H
#define ABS_DIFF_TILING_H

#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(AbsDiffTilingData)
TILING_DATA_FIELD_DEF(uint32_t, totalLength);
TILING_DATA_FIELD_DEF(uint32_t, blockLength);
TILING_DATA_FIELD_DEF(uint32_t, tileLength);
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(AbsDiff, AbsDiffTilingData)
} // namespace optiling

#endif // ABS_DIFF_TILING_H
