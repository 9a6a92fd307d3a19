#include "atvoss/elewise/elewise_tiling.h"
