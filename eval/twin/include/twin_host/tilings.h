// Tilings and size queries of the high-level API. Apart from `tiling/tiling_api.h`, so that a file which includes other
// headers only finds no constants of that one.
#ifndef TWIN_HOST_TILINGS_H
#define TWIN_HOST_TILINGS_H

#include "register/tilingdata_base.h"
#include "tiling/platform/platform_ascendc.h"
#include "twin_host/hccl_tiling.h"
#include "twin_host/layout_tiling.h"
#include "twin_host/library_tiling.h"
#include "twin_host/matmul_tiling.h"
#include "twin_host/norm_tiling.h"
#include "twin_host/reduce_tiling.h"
#include "twin_host/size_queries.h"
#include "twin_host/sort_tiling.h"

#endif
