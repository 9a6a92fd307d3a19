#include "exe_graph/runtime/infer_datatype_context.h"
