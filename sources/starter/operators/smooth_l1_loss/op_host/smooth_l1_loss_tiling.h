// SPDX-License-Identifier: Apache-2.0
#ifndef SMOOTH_L1_LOSS_TILING_H
#define SMOOTH_L1_LOSS_TILING_H

#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(SmoothL1LossTilingData)
TILING_DATA_FIELD_DEF(uint32_t, totalLength);
TILING_DATA_FIELD_DEF(uint32_t, blockLength);
TILING_DATA_FIELD_DEF(uint32_t, tileLength);
TILING_DATA_FIELD_DEF(float, beta);
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(SmoothL1Loss, SmoothL1LossTilingData)
} // namespace optiling

#endif // SMOOTH_L1_LOSS_TILING_H
