#include "exe_graph/runtime/tiling_parse_context.h"
