// SPDX-License-Identifier: Apache-2.0
#ifndef EMA_UPDATE_TILING_H
#define EMA_UPDATE_TILING_H

#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(EmaUpdateTilingData)
TILING_DATA_FIELD_DEF(uint32_t, totalLength);
TILING_DATA_FIELD_DEF(uint32_t, blockLength);
TILING_DATA_FIELD_DEF(uint32_t, tileLength);
TILING_DATA_FIELD_DEF(float, decay);
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(EmaUpdate, EmaUpdateTilingData)
} // namespace optiling

#endif // EMA_UPDATE_TILING_H
