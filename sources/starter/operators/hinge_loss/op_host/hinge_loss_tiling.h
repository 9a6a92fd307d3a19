// SPDX-License-Identifier: Apache-2.0
#ifndef HINGE_LOSS_TILING_H
#define HINGE_LOSS_TILING_H

#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(HingeLossTilingData)
TILING_DATA_FIELD_DEF(uint32_t, totalLength);
TILING_DATA_FIELD_DEF(uint32_t, tileLength);
TILING_DATA_FIELD_DEF(float, margin);
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(HingeLoss, HingeLossTilingData)
} // namespace optiling

#endif // HINGE_LOSS_TILING_H
