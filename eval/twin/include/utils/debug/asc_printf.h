// `printf` of device code.
#ifndef TWIN_UTILS_DEBUG_ASC_PRINTF_H
#define TWIN_UTILS_DEBUG_ASC_PRINTF_H

#include "twin/soc.h"

#endif
