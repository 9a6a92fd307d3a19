#include "exe_graph/runtime/runtime_attrs.h"
