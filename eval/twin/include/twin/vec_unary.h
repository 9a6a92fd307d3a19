// Elementwise operations of one tensor. Source: Ascend C basic API, vector computation, single operand.
#ifndef TWIN_VEC_UNARY_H
#define TWIN_VEC_UNARY_H

#include "twin/forms.h"

namespace AscendC {

/// dst[i] = max(src[i], 0); NaN stays NaN.
/// T: half, int32_t and float. UB, 32-byte aligned; dst may be exactly src.
TWIN_FORMS_UNARY(Relu, kRelu, "Relu on this device takes half, int32_t and float", half, int32_t, float)

/// dst[i] = e to the power of src[i].
/// T: half and float. UB, 32-byte aligned; dst may be exactly src.
TWIN_FORMS_UNARY(Exp, kExp, "Exp on this device takes half and float", half, float)

/// dst[i] = natural logarithm of src[i].
/// T: half and float. UB, 32-byte aligned; dst may be exactly src.
TWIN_FORMS_UNARY(Ln, kLn, "Ln on this device takes half and float", half, float)

/// dst[i] = |src[i]|.
/// T: half and float. UB, 32-byte aligned; dst may be exactly src.
TWIN_FORMS_UNARY(Abs, kAbs, "Abs on this device takes half and float", half, float)

/// dst[i] = 1 / src[i]. The device approximates (half worse than 1e-3); the twin is exact.
/// T: half and float. UB, 32-byte aligned; dst may be exactly src.
TWIN_FORMS_UNARY(Reciprocal, kReciprocal, "Reciprocal on this device takes half and float", half, float)

/// dst[i] = 1 / sqrt(src[i]). The device approximates (half worse than 1e-3); the twin is exact.
/// T: half and float. UB, 32-byte aligned; dst may be exactly src.
TWIN_FORMS_UNARY(Rsqrt, kRsqrt, "Rsqrt on this device takes half and float", half, float)

/// dst[i] = square root of src[i].
/// T: half and float. UB, 32-byte aligned; dst may be exactly src.
TWIN_FORMS_UNARY(Sqrt, kSqrt, "Sqrt on this device takes half and float", half, float)

/// dst[i] = ~src[i].
/// T: int16_t and uint16_t. UB, 32-byte aligned; dst may be exactly src.
TWIN_FORMS_UNARY(Not, kNot, "Not on this device takes int16_t and uint16_t", int16_t, uint16_t)

}  // namespace AscendC

#endif
