#include "platform/platform_info.h"
