// Functions of the vector unit on addresses of UB.
#ifndef TWIN_C_API_VECTOR_COMPUTE_H
#define TWIN_C_API_VECTOR_COMPUTE_H

#include "c_api/vector_compute/elementwise.h"
#include "c_api/vector_compute/mask.h"
#include "c_api/vector_compute/reduce.h"

#endif
