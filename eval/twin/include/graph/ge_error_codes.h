#include "graph/error_codes.h"
