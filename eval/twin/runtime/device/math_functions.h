#ifndef TWIN_DEVICE_MATH_FUNCTIONS_H
#define TWIN_DEVICE_MATH_FUNCTIONS_H

#include "vector.h"

namespace twin {

/// Loop of a high-level math function for half or float; null when there is none.
LaneLoop MathLoop(Op op, Type type);

}  // namespace twin

#endif
