// Many kernels include this file and take from it what kernel_operator.h declares.
#include "kernel_operator.h"
