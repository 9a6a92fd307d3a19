// Ops::Base: integer arithmetic that the operator repositories share.
#ifndef TWIN_UTIL_MATH_UTIL_H
#define TWIN_UTIL_MATH_UTIL_H

#include <type_traits>

namespace Ops {
namespace Base {

/// A divisor of 0 gives back the dividend.
template <class T, class U> constexpr auto CeilDiv(T value, U divisor) -> std::common_type_t<T, U> {
    using R = std::common_type_t<T, U>;
    if (divisor == 0) return value;
    return (static_cast<R>(value) + static_cast<R>(divisor) - 1) / static_cast<R>(divisor);
}
template <class T, class U> constexpr auto FloorDiv(T value, U divisor) -> std::common_type_t<T, U> {
    using R = std::common_type_t<T, U>;
    return divisor == 0 ? static_cast<R>(value) : static_cast<R>(value) / static_cast<R>(divisor);
}
template <class T, class U> constexpr auto CeilAlign(T value, U unit) -> std::common_type_t<T, U> { return CeilDiv(value, unit) * unit; }
template <class T, class U> constexpr auto FloorAlign(T value, U unit) -> std::common_type_t<T, U> {
    return unit == 0 ? 0 : FloorDiv(value, unit) * unit;
}

}  // namespace Base
}  // namespace Ops

#endif
