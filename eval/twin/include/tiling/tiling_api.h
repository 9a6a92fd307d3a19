// The umbrella header of host-side tiling.
#ifndef TWIN_TILING_API_H
#define TWIN_TILING_API_H

#include "register/tilingdata_base.h"
#include "tiling/platform/platform_ascendc.h"
#include "twin/block_sizes.h"
#include "twin_host/library_tiling.h"
#include "twin_host/matmul_tiling.h"
#include "twin_host/norm_tiling.h"
#include "twin_host/reduce_tiling.h"
#include "twin_host/size_queries.h"
#include "twin_host/sort_tiling.h"

#endif
