#include "twin_host/infer_shape.h"
