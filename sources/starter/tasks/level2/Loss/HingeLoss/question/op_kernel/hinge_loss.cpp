// SPDX-License-Identifier: Apache-2.0
#include "kernel_operator.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void hinge_loss(GM_ADDR score, GM_ADDR label, GM_ADDR loss, GM_ADDR workspace,
                                                 GM_ADDR tiling)
{
}
