// Tiling structures of the high-level APIs as the kernel reads them. Field order is the host's.
#ifndef TWIN_KERNEL_TILING_H
#define TWIN_KERNEL_TILING_H

#include <cstdint>

/// A matrix m x k in rows, in elements: whole, per step (split), and what is left (tail).
struct SoftMaxTiling {
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

namespace AscendC {
namespace tiling {
using ::SoftMaxTiling;
}  // namespace tiling
}  // namespace AscendC

#endif
