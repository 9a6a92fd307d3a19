#include "hccl/hccl_types.h"
