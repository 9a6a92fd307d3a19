// Sizes of the blocks into which a tiling of Matmul divides.
#ifndef TWIN_HOST_MATMUL_BLOCKS_H
#define TWIN_HOST_MATMUL_BLOCKS_H

#include <algorithm>
#include <cstdint>

namespace matmul_tiling {

inline int32_t Up(int32_t value, int32_t unit) { return (value + unit - 1) / unit * unit; }
inline int32_t Pieces(int32_t whole, int32_t piece) { return (whole + piece - 1) / piece; }

/// Between least and most, where these are told.
inline int32_t Clamp(int32_t value, int32_t most, int32_t least) {
    if (most > 0) value = std::min(value, most);
    return least > 0 ? std::max(value, least) : value;
}

/// The base block that TCubeTiling结构体.md recommends; along k it gives 64 elements of half, 128 bytes.
constexpr int32_t kBaseM = 128, kBaseN = 256, kBaseKBytes = 128;
/// Base blocks along m and along k that one core has with NBuffer33 (MatmulPolicy.md).
constexpr int32_t kNBuffer = 3;

}  // namespace matmul_tiling

#endif
