#include "atvoss/broadcast/broadcast_tiling.h"
