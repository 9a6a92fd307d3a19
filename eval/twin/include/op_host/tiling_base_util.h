#include "twin_host/platform_queries.h"
