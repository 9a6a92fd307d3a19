#include "twin/tiling_template.h"
