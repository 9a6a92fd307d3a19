// Division and alignment of integers, as kernels of the operator libraries name them. A divisor of 0 gives 0.
#ifndef TWIN_OP_KERNEL_MATH_UTIL_H
#define TWIN_OP_KERNEL_MATH_UTIL_H

#include "kernel_operator.h"

namespace Ops {
namespace Base {

template <typename T, typename U>
__aicore__ constexpr T CeilDiv(T value, U divisor) {
    return divisor == 0 ? T(0) : static_cast<T>((value + divisor - 1) / divisor);
}
template <typename T, typename U>
__aicore__ constexpr T FloorDiv(T value, U divisor) {
    return divisor == 0 ? T(0) : static_cast<T>(value / divisor);
}
template <typename T, typename U>
__aicore__ constexpr T CeilAlign(T value, U alignment) {
    return static_cast<T>(CeilDiv(value, alignment) * alignment);
}
template <typename T, typename U>
__aicore__ constexpr T FloorAlign(T value, U alignment) {
    return static_cast<T>(FloorDiv(value, alignment) * alignment);
}

}  // namespace Base
}  // namespace Ops

#endif
