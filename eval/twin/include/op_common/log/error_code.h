#include "log/error_code.h"
