// SPDX-License-Identifier: Apache-2.0
#ifndef ROW_SOFTMAX_TILING_H
#define ROW_SOFTMAX_TILING_H

#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(RowSoftmaxTilingData)
TILING_DATA_FIELD_DEF(uint32_t, cols);
TILING_DATA_FIELD_DEF(uint32_t, alignedCols);
TILING_DATA_FIELD_DEF(uint32_t, tileRows);
TILING_DATA_FIELD_DEF(uint32_t, rowsPerCore);
TILING_DATA_FIELD_DEF(uint32_t, extraRows);
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(RowSoftmax, RowSoftmaxTilingData)
} // namespace optiling

#endif // ROW_SOFTMAX_TILING_H
