// SPDX-License-Identifier: Apache-2.0
#ifndef SQUARED_DIFFERENCE_TILING_H
#define SQUARED_DIFFERENCE_TILING_H

#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(SquaredDifferenceTilingData)
TILING_DATA_FIELD_DEF(uint32_t, totalLength);
TILING_DATA_FIELD_DEF(uint32_t, blockLength);
TILING_DATA_FIELD_DEF(uint32_t, tileLength);
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(SquaredDifference, SquaredDifferenceTilingData)
} // namespace optiling

#endif // SQUARED_DIFFERENCE_TILING_H
