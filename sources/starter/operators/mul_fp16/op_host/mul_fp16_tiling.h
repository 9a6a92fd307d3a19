// SPDX-License-Identifier: Apache-2.0
#ifndef MUL_FP16_TILING_H
#define MUL_FP16_TILING_H

#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(MulFp16TilingData)
TILING_DATA_FIELD_DEF(uint32_t, totalLength);
TILING_DATA_FIELD_DEF(uint32_t, blockLength);
TILING_DATA_FIELD_DEF(uint32_t, tileLength);
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(MulFp16, MulFp16TilingData)
} // namespace optiling

#endif // MUL_FP16_TILING_H
