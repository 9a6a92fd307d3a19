#include "tiling/tiling_api.h"
