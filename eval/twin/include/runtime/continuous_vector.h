#include "exe_graph/runtime/continuous_vector.h"
