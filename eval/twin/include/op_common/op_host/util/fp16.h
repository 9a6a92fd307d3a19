#include "twin_host/narrow_floats.h"
