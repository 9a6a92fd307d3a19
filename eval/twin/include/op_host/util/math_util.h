#include "util/math_util.h"
