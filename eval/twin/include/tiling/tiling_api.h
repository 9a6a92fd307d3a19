// The umbrella header of host-side tiling.
#ifndef TWIN_TILING_API_H
#define TWIN_TILING_API_H

#include "twin_host/tilings.h"

// The device's headers have them as well; a kernel may include both.
#ifndef TWIN_BLOCK_SIZES
#define TWIN_BLOCK_SIZES
namespace AscendC {
constexpr uint32_t ONE_BLK_SIZE = 32;
constexpr uint32_t BLOCK_CUBE = 16;
}  // namespace AscendC
#endif

#endif
