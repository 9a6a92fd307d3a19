// Element types, and how the precompiled runtime is told about them.
#ifndef TWIN_TYPES_H
#define TWIN_TYPES_H

#include "twin/bfloat16.h"
#include "twin/half.h"
#include "twin/macros.h"

namespace twin {

enum class Type : uint8_t {
    kInt8, kUint8, kInt16, kUint16, kHalf, kBfloat16, kInt32, kUint32, kFloat, kInt64, kUint64, kOther
};

template <typename T> inline constexpr Type typeOf = Type::kOther;
template <> inline constexpr Type typeOf<int8_t> = Type::kInt8;
template <> inline constexpr Type typeOf<uint8_t> = Type::kUint8;
template <> inline constexpr Type typeOf<bool> = Type::kUint8;
template <> inline constexpr Type typeOf<int16_t> = Type::kInt16;
template <> inline constexpr Type typeOf<uint16_t> = Type::kUint16;
template <> inline constexpr Type typeOf<half> = Type::kHalf;
template <> inline constexpr Type typeOf<bfloat16_t> = Type::kBfloat16;
template <> inline constexpr Type typeOf<int32_t> = Type::kInt32;
template <> inline constexpr Type typeOf<uint32_t> = Type::kUint32;
template <> inline constexpr Type typeOf<float> = Type::kFloat;
template <> inline constexpr Type typeOf<int64_t> = Type::kInt64;
template <> inline constexpr Type typeOf<uint64_t> = Type::kUint64;
// `long long` is another type than int64_t (long) on LP64, and kernels use both.
template <> inline constexpr Type typeOf<long long> = Type::kInt64;
template <> inline constexpr Type typeOf<unsigned long long> = Type::kUint64;

/// True when T is one of Allowed.
template <typename T, typename... Allowed>
inline constexpr bool oneOf = (std::is_same_v<T, Allowed> || ...);

template <typename T>
inline constexpr bool isElement = typeOf<T> != Type::kOther;

}  // namespace twin

namespace AscendC {

using ::bfloat16_t;
using ::half;

/// Two 4-bit integers to a byte; the twin moves it but does not compute with it.
struct int4b_t {
    uint8_t storage : 4;
};

template <typename T> struct PrimTrait { using type = T; };
template <typename T> using PrimT = typename PrimTrait<T>::type;

template <typename T, typename U>
struct IsSameType { static constexpr bool value = std::is_same_v<T, U>; };

template <bool condition, typename T, typename F>
struct Conditional { using type = std::conditional_t<condition, T, F>; };

namespace Std {
using std::enable_if;
using std::integral_constant;
using std::is_same;
using std::conditional;
using std::true_type;
using std::false_type;
}  // namespace Std

__aicore__ inline float ToFloat(const bfloat16_t& value) { return static_cast<float>(value); }
__aicore__ inline bfloat16_t ToBfloat16(const float& value) { return bfloat16_t(value); }

}  // namespace AscendC

#endif
