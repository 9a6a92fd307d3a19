#include "twin_host/matmul_tiling.h"
