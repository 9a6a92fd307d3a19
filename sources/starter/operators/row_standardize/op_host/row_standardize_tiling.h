// SPDX-License-Identifier: Apache-2.0
#ifndef ROW_STANDARDIZE_TILING_H
#define ROW_STANDARDIZE_TILING_H

#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(RowStandardizeTilingData)
TILING_DATA_FIELD_DEF(uint32_t, cols);
TILING_DATA_FIELD_DEF(uint32_t, alignedCols);
TILING_DATA_FIELD_DEF(uint32_t, tileRows);
TILING_DATA_FIELD_DEF(uint32_t, rowsPerCore);
TILING_DATA_FIELD_DEF(uint32_t, extraRows);
TILING_DATA_FIELD_DEF(float, epsilon);
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(RowStandardize, RowStandardizeTilingData)
} // namespace optiling

#endif // ROW_STANDARDIZE_TILING_H
