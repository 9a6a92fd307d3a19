// Element types, and how the precompiled runtime is told about them.
#ifndef TWIN_TYPES_H
#define TWIN_TYPES_H

#include "twin/bfloat16.h"
#include "twin/half.h"
#include "twin/macros.h"

namespace twin {

enum class Type : uint8_t {
    kInt8,
    kUint8,
    kInt16,
    kUint16,
    kHalf,
    kBfloat16,
    kInt32,
    kUint32,
    kFloat,
    kInt64,
    kUint64,
    kOther,
    kInt4
};

template <typename T>
inline constexpr Type typeOf = Type::kOther;
template <>
inline constexpr Type typeOf<int8_t> = Type::kInt8;
template <>
inline constexpr Type typeOf<uint8_t> = Type::kUint8;
template <>
inline constexpr Type typeOf<bool> = Type::kUint8;
template <>
inline constexpr Type typeOf<int16_t> = Type::kInt16;
template <>
inline constexpr Type typeOf<uint16_t> = Type::kUint16;
template <>
inline constexpr Type typeOf<half> = Type::kHalf;
template <>
inline constexpr Type typeOf<bfloat16_t> = Type::kBfloat16;
template <>
inline constexpr Type typeOf<int32_t> = Type::kInt32;
template <>
inline constexpr Type typeOf<uint32_t> = Type::kUint32;
template <>
inline constexpr Type typeOf<float> = Type::kFloat;
template <>
inline constexpr Type typeOf<int64_t> = Type::kInt64;
template <>
inline constexpr Type typeOf<uint64_t> = Type::kUint64;
// `long long` is another type than int64_t (long) on LP64, and kernels use both.
template <>
inline constexpr Type typeOf<long long> = Type::kInt64;
template <>
inline constexpr Type typeOf<unsigned long long> = Type::kUint64;

/// True when T is one of Allowed.
template <typename T, typename... Allowed>
inline constexpr bool oneOf = (std::is_same_v<T, Allowed> || ...);

template <typename T>
inline constexpr bool isElement = typeOf<T> != Type::kOther;

}  // namespace twin

namespace AscendC {

using ::bfloat16_t;
using ::half;

/// A 4-bit integer, -8 to 7. Two of them to a byte in every memory, the first in its low half.
/// Of other chips: kernels for several name it as a type.
struct fp8_e8m0_t {
    uint8_t storage;
};
struct int4b_t {
    uint8_t storage;
    int4b_t() = default;
    template <typename A, std::enable_if_t<std::is_arithmetic_v<A>, int> = 0>
    explicit constexpr int4b_t(A value) : storage(static_cast<uint8_t>(static_cast<int>(value) & 0xf)) {}
    constexpr operator int8_t() const { return static_cast<int8_t>((storage ^ 8) - 8); }
};

template <typename T>
struct PrimTrait {
    using type = T;
};
template <typename T>
using PrimT = typename PrimTrait<T>::type;

template <typename T, typename U>
struct IsSameType {
    static constexpr bool value = std::is_same_v<T, U>;
};

using TrueType = std::true_type;
using FalseType = std::false_type;

template <bool condition, typename T, typename F>
struct Conditional {
    using type = std::conditional_t<condition, T, F>;
};

__aicore__ inline float ToFloat(const bfloat16_t& value) { return static_cast<float>(value); }
__aicore__ inline bfloat16_t ToBfloat16(const float& value) { return bfloat16_t(value); }

/// As memory holds it.
template <typename T>
struct SizeOfBits {
    static constexpr uint32_t value = sizeof(T) * 8;
};
template <>
struct SizeOfBits<int4b_t> {
    static constexpr uint32_t value = 4;
};

}  // namespace AscendC

namespace twin {

template <>
inline constexpr Type typeOf<AscendC::int4b_t> = Type::kInt4;
template <typename T>
inline constexpr bool isInt4 = std::is_same_v<T, AscendC::int4b_t>;
/// Bytes that `count` elements take.
template <typename T>
constexpr uint64_t bytesOf(uint64_t count) {
    return isInt4<T> ? count / 2 : count * sizeof(T);
}
/// Elements that lie in `bytes`.
template <typename T>
constexpr uint64_t elementsIn(uint64_t bytes) {
    return isInt4<T> ? bytes * 2 : bytes / sizeof(T);
}

}  // namespace twin

#endif
