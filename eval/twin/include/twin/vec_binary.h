// Elementwise operations of two tensors. Source: Ascend C basic API, vector computation, double operands.
#ifndef TWIN_VEC_BINARY_H
#define TWIN_VEC_BINARY_H

#include "twin/forms.h"

namespace AscendC {

/// dst[i] = src0[i] + src1[i]; integers wrap.
/// T: int16_t, half, int32_t and float. UB, 32-byte aligned; dst may be exactly a source.
TWIN_FORMS_BINARY(Add, kAdd, "Add on this device takes int16_t, half, int32_t and float", int16_t, half, int32_t, float)

/// dst[i] = src0[i] - src1[i]; integers wrap.
/// T: int16_t, half, int32_t and float. UB, 32-byte aligned; dst may be exactly a source.
TWIN_FORMS_BINARY(Sub, kSub, "Sub on this device takes int16_t, half, int32_t and float", int16_t, half, int32_t, float)

/// dst[i] = src0[i] * src1[i]; integers wrap.
/// T: int16_t, half, int32_t and float. UB, 32-byte aligned; dst may be exactly a source.
TWIN_FORMS_BINARY(Mul, kMul, "Mul on this device takes int16_t, half, int32_t and float", int16_t, half, int32_t, float)

/// dst[i] = src0[i] / src1[i].
/// T: half and float. UB, 32-byte aligned; dst may be exactly a source.
TWIN_FORMS_BINARY(Div, kDiv, "Div on this device takes half and float", half, float)

/// dst[i] = the larger of src0[i] and src1[i]; NaN when one is NaN.
/// T: int16_t, half, int32_t and float. UB, 32-byte aligned; dst may be exactly a source.
TWIN_FORMS_BINARY(Max, kMax, "Max on this device takes int16_t, half, int32_t and float", int16_t, half, int32_t, float)

/// dst[i] = the smaller of src0[i] and src1[i]; NaN when one is NaN.
/// T: int16_t, half, int32_t and float. UB, 32-byte aligned; dst may be exactly a source.
TWIN_FORMS_BINARY(Min, kMin, "Min on this device takes int16_t, half, int32_t and float", int16_t, half, int32_t, float)

/// dst[i] = src0[i] & src1[i].
/// T: int16_t and uint16_t. UB, 32-byte aligned; dst may be exactly a source.
TWIN_FORMS_BINARY(And, kAnd, "And on this device takes int16_t and uint16_t", int16_t, uint16_t)

/// dst[i] = src0[i] | src1[i].
/// T: int16_t and uint16_t. UB, 32-byte aligned; dst may be exactly a source.
TWIN_FORMS_BINARY(Or, kOr, "Or on this device takes int16_t and uint16_t", int16_t, uint16_t)

}  // namespace AscendC

#endif
