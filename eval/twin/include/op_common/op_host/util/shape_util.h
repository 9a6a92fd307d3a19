#include "twin_host/shapes.h"
