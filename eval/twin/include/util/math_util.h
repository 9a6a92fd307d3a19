// Ops::Base: integer arithmetic that the operator repositories share. Both operands are of one type, as in the SDK.
#ifndef TWIN_UTIL_MATH_UTIL_H
#define TWIN_UTIL_MATH_UTIL_H

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace Ops {
namespace Base {

/// A divisor of 0 gives back the dividend.
template <class T>
constexpr auto FloorDiv(T x, T y) -> std::enable_if_t<std::is_integral_v<T>, T> {
    return y == 0 ? x : x / y;
}
template <class T>
constexpr auto FloorAlign(T x, T align) -> std::enable_if_t<std::is_integral_v<T>, T> {
    return align == 0 ? 0 : x / align * align;
}
/// Towards positive infinity; a divisor of 0 gives back the dividend.
template <class T>
constexpr auto CeilDiv(T x, T y) -> std::enable_if_t<std::is_integral_v<T>, T> {
    if (y == 0) return x;
    const bool same = (x < 0) == (y < 0);
    return x / y + (x % y != 0 && same ? 1 : 0);
}
/// 0 for an alignment of 0; the largest number of the type where the multiple is above it.
template <class T>
constexpr auto CeilAlign(T x, T align) -> std::enable_if_t<std::is_integral_v<T>, T> {
    if (align == 0) return 0;
    const T multiple = CeilDiv(x, align);
    return multiple > std::numeric_limits<T>::max() / align ? std::numeric_limits<T>::max() : multiple * align;
}
/// Apart by the type's epsilon at most; infinities of one sign are equal, NaN never.
template <class T>
auto IsFloatEqual(T a, T b) -> std::enable_if_t<std::is_floating_point_v<T>, bool> {
    if (std::isnan(a) || std::isnan(b)) return false;
    if (std::isinf(a) || std::isinf(b)) return std::signbit(a) == std::signbit(b);
    return std::fabs(a - b) <= std::numeric_limits<T>::epsilon();
}
/// The largest power of 2 that is not above n; 1 for 0.
constexpr uint64_t LastPow2(uint64_t n) {
    uint64_t power = 1;
    while (n >>= 1) power <<= 1;
    return power;
}

struct SplitResult {
    int32_t splitCount = 0;
    int64_t splitFactor = 0;
    int64_t splitTailFactor = 0;
};
/// In at most `parts` equal parts and a shorter last one. False for a length or a number of parts below 1.
inline bool SplitIntoEqualByParts(int64_t splitLen, int32_t parts, SplitResult& splitResult) {
    if (splitLen <= 0 || parts <= 0) return false;
    splitResult.splitFactor = CeilDiv(splitLen, std::min<int64_t>(splitLen, parts));
    splitResult.splitCount = static_cast<int32_t>(CeilDiv(splitLen, splitResult.splitFactor));
    splitResult.splitTailFactor = splitLen - (splitResult.splitCount - 1) * splitResult.splitFactor;
    return true;
}
/// In parts of `factor` and a shorter last one; a length of one part has a factor of 0.
inline bool SplitIntoEqualByFactor(int64_t splitLen, int32_t factor, SplitResult& splitResult) {
    if (splitLen <= 0 || factor <= 0) return false;
    splitResult.splitCount = static_cast<int32_t>(CeilDiv<int64_t>(splitLen, factor));
    splitResult.splitTailFactor = splitLen - (splitResult.splitCount - int64_t{1}) * factor;
    splitResult.splitFactor = splitResult.splitCount == 1 ? 0 : factor;
    return true;
}

}  // namespace Base
}  // namespace Ops

#endif
