// SPDX-License-Identifier: Apache-2.0
#ifndef MISH_COMPUTE_H
#define MISH_COMPUTE_H

#include "kernel_operator.h"

namespace MishOp {
using namespace AscendC;

/// Above this the result is x to within float precision, and exp(x)^2 is still far from overflow.
constexpr float EXPONENT_LIMIT = 20.0f;

/// y = x * tanh(ln(1 + e^x)), with tanh(ln(1 + e)) = e(e + 2) / (e(e + 2) + 2): no logarithm is needed.
/// x, y: float, count elements; y may be x. numerator, denominator: scratch of count floats.
__aicore__ inline void Mish(const LocalTensor<float>& y, const LocalTensor<float>& x,
                            const LocalTensor<float>& numerator, const LocalTensor<float>& denominator,
                            uint32_t count)
{
    Mins(numerator, x, EXPONENT_LIMIT, count);
    Exp(numerator, numerator, count);
    Adds(denominator, numerator, 2.0f, count);
    Mul(numerator, numerator, denominator, count);
    Adds(denominator, numerator, 2.0f, count);
    Div(numerator, numerator, denominator, count);
    Mul(y, x, numerator, count);
}
} // namespace MishOp

#endif // MISH_COMPUTE_H
