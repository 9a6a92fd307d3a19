#include "twin_host/tiling_class.h"
