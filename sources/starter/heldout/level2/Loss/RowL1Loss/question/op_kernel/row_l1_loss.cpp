// SPDX-License-Identifier: Apache-2.0
#include "kernel_operator.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void row_l1_loss(GM_ADDR prediction, GM_ADDR target, GM_ADDR loss, GM_ADDR workspace,
                                                  GM_ADDR tiling)
{
}
