// High-level functions of one tensor, transcendental. sharedTmpBuffer is work memory; the twin needs none of it.
// Computed in float and rounded once: within the documented tolerance, not bit-equal to the device's polynomials.
#ifndef TWIN_MATH_UNARY_H
#define TWIN_MATH_UNARY_H

#include "twin/forms.h"

namespace AscendC {

/// dst[i] = 1 / (1 + exp(-src[i])). T: half, float.
TWIN_FORMS_MATH(Sigmoid, kSigmoid, false, "Sigmoid on this device takes half and float", half, float)

/// dst[i] = hyperbolic tangent. T: half, float.
TWIN_FORMS_MATH(Tanh, kTanh, false, "Tanh on this device takes half and float", half, float)

/// dst[i] = error function. T: half, float.
TWIN_FORMS_MATH(Erf, kErf, false, "Erf on this device takes half and float", half, float)

/// dst[i] = 1 - error function. T: half, float.
TWIN_FORMS_MATH(Erfc, kErfc, false, "Erfc on this device takes half and float", half, float)

/// dst[i] = sine, radians. T: half, float.
TWIN_FORMS_MATH(Sin, kSin, isReuseSource, "Sin on this device takes half and float", half, float)

/// dst[i] = cosine, radians. T: half, float.
TWIN_FORMS_MATH(Cos, kCos, isReuseSource, "Cos on this device takes half and float", half, float)

/// dst[i] = tangent, radians. T: half, float.
TWIN_FORMS_MATH(Tan, kTan, false, "Tan on this device takes half and float", half, float)

/// dst[i] = arc sine. T: half, float.
TWIN_FORMS_MATH(Asin, kAsin, false, "Asin on this device takes half and float", half, float)

/// dst[i] = arc cosine. T: half, float.
TWIN_FORMS_MATH(Acos, kAcos, false, "Acos on this device takes half and float", half, float)

/// dst[i] = arc tangent. T: half, float.
TWIN_FORMS_MATH(Atan, kAtan, false, "Atan on this device takes half and float", half, float)

/// dst[i] = hyperbolic sine. T: half, float.
TWIN_FORMS_MATH(Sinh, kSinh, false, "Sinh on this device takes half and float", half, float)

/// dst[i] = hyperbolic cosine. T: half, float.
TWIN_FORMS_MATH(Cosh, kCosh, false, "Cosh on this device takes half and float", half, float)

/// dst[i] = inverse hyperbolic sine. T: half, float.
TWIN_FORMS_MATH(Asinh, kAsinh, false, "Asinh on this device takes half and float", half, float)

/// dst[i] = inverse hyperbolic cosine. T: half, float.
TWIN_FORMS_MATH(Acosh, kAcosh, false, "Acosh on this device takes half and float", half, float)

/// dst[i] = inverse hyperbolic tangent. T: half, float.
TWIN_FORMS_MATH(Atanh, kAtanh, false, "Atanh on this device takes half and float", half, float)

}  // namespace AscendC

#endif
