// The umbrella header of host-side tiling.
#ifndef TWIN_TILING_API_H
#define TWIN_TILING_API_H

<<<<<<< HEAD
#include "register/tilingdata_base.h"
#include "tiling/platform/platform_ascendc.h"
#include "twin_host/layout_tiling.h"
#include "twin_host/library_tiling.h"
#include "twin_host/matmul_tiling.h"
#include "twin_host/norm_tiling.h"
#include "twin_host/reduce_tiling.h"
#include "twin_host/size_queries.h"
#include "twin_host/sort_tiling.h"
=======
#include "twin_host/tilings.h"
>>>>>>> 05de540 (Host files find the constants of tiling_api.h only when they include it)

// The device's headers have them as well; a kernel may include both.
#ifndef TWIN_BLOCK_SIZES
#define TWIN_BLOCK_SIZES
namespace AscendC {
constexpr uint32_t ONE_BLK_SIZE = 32;
constexpr uint32_t BLOCK_CUBE = 16;
}  // namespace AscendC
#endif

#endif
