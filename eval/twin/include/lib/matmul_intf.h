// Many kernels include this file without using it: the high-level Matmul is not covered.
#include "kernel_operator.h"

/// Where older releases had Matmul; kernels still open it.
namespace matmul {}
