// Number formats in bulk. Half and bfloat16 are computed in float and rounded once per operation: for + - * / and sqrt
// a float carries enough bits (24 >= 2 * 11 + 2) that this equals rounding the exact result.
#ifndef TWIN_DEVICE_NUMBERS_H
#define TWIN_DEVICE_NUMBERS_H

#include <cstdint>

#include "twin/runtime.h"

namespace twin {

void HalfToFloat(const uint16_t* from, float* to, uint32_t n);
void FloatToHalf(const float* from, uint16_t* to, uint32_t n);
void Bfloat16ToFloat(const uint16_t* from, float* to, uint32_t n);
void FloatToBfloat16(const float* from, uint16_t* to, uint32_t n);

/// to[i] = to[i] op from[i]; op 1 add, 2 max, 3 min.
void AtomicInto(Type type, int op, uint8_t* to, const uint8_t* from, uint64_t n);

}  // namespace twin

#endif
