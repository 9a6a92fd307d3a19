#ifndef TWIN_LIB_MATMUL_INTF_H
#define TWIN_LIB_MATMUL_INTF_H
#include "kernel_operator.h"
#include "twin/matmul_register.h"
#endif
