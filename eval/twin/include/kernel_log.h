#include "kernel_operator.h"
