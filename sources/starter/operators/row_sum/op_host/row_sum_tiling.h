// SPDX-License-Identifier: Apache-2.0
#ifndef ROW_SUM_TILING_H
#define ROW_SUM_TILING_H

#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(RowSumTilingData)
TILING_DATA_FIELD_DEF(uint32_t, cols);
TILING_DATA_FIELD_DEF(uint32_t, tileLength);
TILING_DATA_FIELD_DEF(uint32_t, resultRows);
TILING_DATA_FIELD_DEF(uint32_t, rowsPerCore);
TILING_DATA_FIELD_DEF(uint32_t, extraRows);
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(RowSum, RowSumTilingData)
} // namespace optiling

#endif // ROW_SUM_TILING_H
