// Tiling structures of SoftMax and Matmul as the kernel reads them. Field order is the host's.
#ifndef TWIN_MATRIX_TILING_H
#define TWIN_MATRIX_TILING_H

#include <cstdint>

#include "kernel_tiling/cube_tiling_fields.h"

#ifndef TWIN_TILING_FIELD
#define TWIN_TILING_FIELD(type, name) type name = 0;
#endif

/// A matrix m x k in rows, in elements: whole, per step (split), and what is left (tail).
#define TWIN_SOFTMAX_TILING(X) \
    X(uint32_t, srcM)          \
    X(uint32_t, srcK)          \
    X(uint32_t, srcSize)       \
    X(uint32_t, outMaxM)       \
    X(uint32_t, outMaxK)       \
    X(uint32_t, outMaxSize)    \
    X(uint32_t, splitM)        \
    X(uint32_t, splitK)        \
    X(uint32_t, splitSize)     \
    X(uint32_t, reduceM)       \
    X(uint32_t, reduceK)       \
    X(uint32_t, reduceSize)    \
    X(uint32_t, rangeM)        \
    X(uint32_t, tailM)         \
    X(uint32_t, tailSplitSize) \
    X(uint32_t, tailReduceSize)

namespace AscendC {
namespace tiling {
struct alignas(8) SoftMaxTiling {
    TWIN_SOFTMAX_TILING(TWIN_TILING_FIELD)
};
struct alignas(8) LogSoftMaxTiling {
    TWIN_SOFTMAX_TILING(TWIN_TILING_FIELD)
};

/// C = A * B of M x N x K elements, in tiles of singleCore* for a core and base* for one instruction.
struct alignas(8) TCubeTiling {
#define TWIN_FIELD(name) int32_t name = 0;
    TWIN_CUBE_TILING_FIELDS(TWIN_FIELD)
#undef TWIN_FIELD
};
}  // namespace tiling
}  // namespace AscendC

#endif
