// Tiling structures of the high-level APIs as the kernel reads them. Field order is the host's.
#ifndef TWIN_KERNEL_TILING_H
#define TWIN_KERNEL_TILING_H

#include <cstdint>

#include "kernel_tiling/cube_tiling_fields.h"

#include "kernel_tiling/norm_tiling.h"
#include "kernel_tiling/topk_tiling.h"

// A structure nested in another of the host's stands at a multiple of 8.

/// A matrix m x k in rows, in elements: whole, per step (split), and what is left (tail).
struct alignas(8) SoftMaxTiling {
    uint32_t srcM = 0;
    uint32_t srcK = 0;
    uint32_t srcSize = 0;
    uint32_t outMaxM = 0;
    uint32_t outMaxK = 0;
    uint32_t outMaxSize = 0;
    uint32_t splitM = 0;
    uint32_t splitK = 0;
    uint32_t splitSize = 0;
    uint32_t reduceM = 0;
    uint32_t reduceK = 0;
    uint32_t reduceSize = 0;
    uint32_t rangeM = 0;
    uint32_t tailM = 0;
    uint32_t tailSplitSize = 0;
    uint32_t tailReduceSize = 0;
};

/// C = A * B of M x N x K elements, in tiles of singleCore* for a core and base* for one instruction.
struct alignas(8) TCubeTiling {
#define TWIN_FIELD(name) int32_t name = 0;
    TWIN_CUBE_TILING_FIELDS(TWIN_FIELD)
#undef TWIN_FIELD
};

namespace AscendC {
namespace tiling {
using ::SoftMaxTiling;
using ::TCubeTiling;
}  // namespace tiling
}  // namespace AscendC

#endif
