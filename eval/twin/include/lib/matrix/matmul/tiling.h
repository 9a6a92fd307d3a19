#include "twin/matmul_config.h"
