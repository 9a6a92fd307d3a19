#ifndef TWIN_DEVICE_ROWS_H
#define TWIN_DEVICE_ROWS_H

#include "vector.h"

namespace twin {

/// n elements, half or float, at an offset of UB.
std::vector<float> ReadRow(Type type, uint32_t ubOffset, uint32_t n);
void WriteRow(Type type, uint32_t ubOffset, const float* row, uint32_t n);

/// n elements from element `from` on; `known` becomes false, with a note in dst, when some of them nobody wrote.
std::vector<float> TakeValues(Type type, const Local& t, const char* operand, uint64_t from, uint32_t n,
                              const Local& dst, bool* known);
void PutValues(Type type, const Local& t, const char* operand, uint64_t from, const float* values, uint32_t n,
               bool known);
/// Elements whose values the documentation leaves open.
void PutPadding(Type type, const Local& t, const char* operand, uint64_t from, uint32_t n);

}  // namespace twin

#endif
