#include "twin_host/tiling_base.h"
