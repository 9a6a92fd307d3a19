// Sizes that both the kernel's and the host's umbrella header of the vendor define.
#ifndef TWIN_BLOCK_SIZES_H
#define TWIN_BLOCK_SIZES_H

#include <cstdint>

namespace AscendC {

constexpr uint32_t ONE_BLK_SIZE = 32;
constexpr int32_t BLOCK_CUBE = 16;

}  // namespace AscendC

#endif
