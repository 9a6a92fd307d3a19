// The umbrella header of host-side tiling. Size queries of the high-level APIs and matmul tiling are not covered by the twin.
#ifndef TWIN_TILING_API_H
#define TWIN_TILING_API_H

#include "register/tilingdata_base.h"
#include "tiling/platform/platform_ascendc.h"

// The namespaces exist so that a query in them is reported by its own name.
namespace AscendC {}
namespace matmul_tiling {}

#endif
