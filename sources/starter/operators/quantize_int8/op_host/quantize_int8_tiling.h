// SPDX-License-Identifier: Apache-2.0
#ifndef QUANTIZE_INT8_TILING_H
#define QUANTIZE_INT8_TILING_H

#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(QuantizeInt8TilingData)
TILING_DATA_FIELD_DEF(uint32_t, totalLength);
TILING_DATA_FIELD_DEF(uint32_t, blockLength);
TILING_DATA_FIELD_DEF(uint32_t, tileLength);
TILING_DATA_FIELD_DEF(float, scale);
TILING_DATA_FIELD_DEF(float, offset);
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(QuantizeInt8, QuantizeInt8TilingData)
} // namespace optiling

#endif // QUANTIZE_INT8_TILING_H
