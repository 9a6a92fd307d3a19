// SPDX-License-Identifier: Apache-2.0
#ifndef ROW_L1_LOSS_TILING_H
#define ROW_L1_LOSS_TILING_H

#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(RowL1LossTilingData)
TILING_DATA_FIELD_DEF(uint32_t, cols);
TILING_DATA_FIELD_DEF(uint32_t, alignedCols);
TILING_DATA_FIELD_DEF(uint32_t, tileRows);
TILING_DATA_FIELD_DEF(uint32_t, rowsPerCore);
TILING_DATA_FIELD_DEF(uint32_t, extraRows);
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(RowL1Loss, RowL1LossTilingData)
} // namespace optiling

#endif // ROW_L1_LOSS_TILING_H
