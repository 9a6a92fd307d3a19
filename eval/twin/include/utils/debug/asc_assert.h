// `ascendc_assert`, whose failure is `assert-failed`.
#ifndef TWIN_UTILS_DEBUG_ASC_ASSERT_H
#define TWIN_UTILS_DEBUG_ASC_ASSERT_H

#include "twin/soc.h"

#endif
