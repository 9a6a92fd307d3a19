#include "atvoss/elewise/elewise_base_struct.h"
