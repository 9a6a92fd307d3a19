// SPDX-License-Identifier: Apache-2.0
#ifndef ROW_SOFTMAX_SOFTMAX_OF_ROW_H
#define ROW_SOFTMAX_SOFTMAX_OF_ROW_H

#include "kernel_operator.h"
#include "row_scalar.h"

namespace RowSoftmaxOp {
using namespace AscendC;

/// exponentials[i] = exp(row[i] - max(row)); returns their sum. The largest exponent is 0, so nothing overflows.
/// row, exponentials: count floats, may be the same; work: scratch of the reductions; result: one 32-byte block.
__aicore__ inline float ExponentialsOfRow(const LocalTensor<float>& exponentials, const LocalTensor<float>& row,
                                          const LocalTensor<float>& work, const LocalTensor<float>& result,
                                          uint32_t count)
{
    ReduceMax(result, row, work, static_cast<int32_t>(count));
    const float largest = ReadScalar(result);
    Adds(exponentials, row, -largest, count);
    Exp(exponentials, exponentials, count);
    ReduceSum(result, exponentials, work, static_cast<int32_t>(count));
    return ReadScalar(result);
}
} // namespace RowSoftmaxOp

#endif // ROW_SOFTMAX_SOFTMAX_OF_ROW_H
