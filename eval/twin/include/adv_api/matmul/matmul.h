#include "lib/matmul_intf.h"
