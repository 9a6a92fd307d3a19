// SPDX-License-Identifier: Apache-2.0
#ifndef ROW_MAX_TILING_H
#define ROW_MAX_TILING_H

#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(RowMaxTilingData)
TILING_DATA_FIELD_DEF(uint32_t, cols);
TILING_DATA_FIELD_DEF(uint32_t, alignedCols);
TILING_DATA_FIELD_DEF(uint32_t, tileRows);
TILING_DATA_FIELD_DEF(uint32_t, rowsPerCore);
TILING_DATA_FIELD_DEF(uint32_t, extraRows);
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(RowMax, RowMaxTilingData)
} // namespace optiling

#endif // ROW_MAX_TILING_H
