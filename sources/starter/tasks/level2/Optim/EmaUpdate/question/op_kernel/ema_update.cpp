// SPDX-License-Identifier: Apache-2.0
#include "kernel_operator.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void ema_update(GM_ADDR average, GM_ADDR value, GM_ADDR average_ref,
                                                 GM_ADDR workspace, GM_ADDR tiling)
{
}
