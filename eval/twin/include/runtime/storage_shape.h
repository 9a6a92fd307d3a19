#include "exe_graph/runtime/storage_shape.h"
