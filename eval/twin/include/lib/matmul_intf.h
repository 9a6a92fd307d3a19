// Many kernels include this file without using it. The cube core, and so Matmul, is not covered.
#include "kernel_operator.h"
