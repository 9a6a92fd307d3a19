#ifndef TWIN_DEVICE_ROWS_H
#define TWIN_DEVICE_ROWS_H

#include "device_vector.h"

namespace twin {

/// n elements, half or float, at an offset of UB.
std::vector<float> ReadRow(Type type, uint32_t ubOffset, uint32_t n);
void WriteRow(Type type, uint32_t ubOffset, const float* row, uint32_t n);

}  // namespace twin

#endif
