// Tiling structures of the high-level APIs as the kernel reads them, which knows them without a namespace; the host's
// headers do not (kernel_tiling.h of the SDK is for kernels alone). A structure nested in another of the host's stands
// at a multiple of 8.
#ifndef TWIN_KERNEL_TILING_H
#define TWIN_KERNEL_TILING_H

#include "kernel_tiling/hccl_tiling.h"
#include "kernel_tiling/layout_tiling.h"
#include "kernel_tiling/matrix_tiling.h"
#include "kernel_tiling/norm_tiling.h"
#include "kernel_tiling/topk_tiling.h"

using AscendC::tiling::BatchNormTiling;
using AscendC::tiling::ConfusionTransposeTiling;
using AscendC::tiling::DeepNormTiling;
using AscendC::tiling::GroupNormTiling;
using AscendC::tiling::LayerNormGradBetaTiling;
using AscendC::tiling::LayerNormGradTiling;
using AscendC::tiling::LayerNormSeparateTiling;
using AscendC::tiling::LayerNormTiling;
using AscendC::tiling::LogSoftMaxTiling;
using AscendC::tiling::Mc2CcTiling;
using AscendC::tiling::Mc2HcommCfg;
using AscendC::tiling::Mc2InitTiling;
using AscendC::tiling::Mc2ServerCfg;
using AscendC::tiling::PadTiling;
using AscendC::tiling::RmsNormTiling;
using AscendC::tiling::SoftMaxTiling;
using AscendC::tiling::TCubeTiling;
using AscendC::tiling::TopkTiling;
using AscendC::tiling::UnPadTiling;

#endif
