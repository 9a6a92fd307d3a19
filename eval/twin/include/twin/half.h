// half: IEEE binary16 as the device's scalar type. Conversions are exact, rounding is to nearest, ties to even.
#ifndef TWIN_HALF_H
#define TWIN_HALF_H

#include <cstdint>
#include <type_traits>

#include "twin/macros.h"

namespace twin {

/// Nearest binary16 of a float, ties to even. |value| >= 65520 becomes infinity, NaN stays (quiet) NaN.
constexpr uint16_t HalfBits(float value) {
    uint32_t bits = __builtin_bit_cast(uint32_t, value);
    const uint32_t sign = (bits >> 16) & 0x8000u;
    bits &= 0x7fffffffu;
    if (bits > 0x7f800000u) return static_cast<uint16_t>(sign | 0x7e00u | ((bits >> 13) & 0x3ffu));
    if (bits >= 0x477ff000u) return static_cast<uint16_t>(sign | 0x7c00u);
    if (bits < 0x38800000u) {  // subnormal: adding 0.5 leaves the value in units of 2^-24, rounded by the addition
        const float shifted = __builtin_bit_cast(float, bits) + 0.5f;
        return static_cast<uint16_t>(sign | (__builtin_bit_cast(uint32_t, shifted) - 0x3f000000u));
    }
    bits += 0xc8000fffu + ((bits >> 13) & 1u);
    return static_cast<uint16_t>(sign | (bits >> 13));
}

constexpr float HalfValue(uint16_t bits) {
    const uint32_t magnitude = static_cast<uint32_t>(bits & 0x7fffu) << 13;
    uint32_t wide = __builtin_bit_cast(uint32_t, __builtin_bit_cast(float, magnitude) * 0x1p112f);
    if (magnitude >= (0x7c00u << 13)) wide |= 0x7f800000u;
    return __builtin_bit_cast(float, wide | (static_cast<uint32_t>(bits & 0x8000u) << 16));
}

/// The same class in another memory: `*(__gm__ half*)address` is a value of such a type.
template <typename There, typename Here>
using IsElsewhere = std::enable_if_t<
    !std::is_same_v<There, Here> && (std::is_same_v<There, __gm__ Here> || std::is_same_v<There, __ubuf__ Here>), int>;

template <typename A>
using Arithmetic = std::enable_if_t<std::is_arithmetic_v<A>, int>;

}  // namespace twin

/// Arithmetic of two halves is rounded to half; with a float or double the other type wins, as for a built-in type.
struct half {
    uint16_t bits;

    half() = default;
    template <typename There, twin::IsElsewhere<There, half> = 0>
    constexpr half(const There& value) : bits(value.bits) {}
    template <typename There, twin::IsElsewhere<There, half> = 0>
    half& operator=(const There& value) {
        bits = value.bits;
        return *this;
    }
    template <typename A, twin::Arithmetic<A> = 0>
    constexpr half(A value) : bits(twin::HalfBits(static_cast<float>(value))) {}
    constexpr operator float() const { return twin::HalfValue(bits); }

    static constexpr half FromBits(uint16_t bits) {
        half result{};
        result.bits = bits;
        return result;
    }
    template <typename A>
    half& operator+=(A other) {
        return *this = static_cast<float>(*this) + static_cast<float>(other);
    }
    template <typename A>
    half& operator-=(A other) {
        return *this = static_cast<float>(*this) - static_cast<float>(other);
    }
    template <typename A>
    half& operator*=(A other) {
        return *this = static_cast<float>(*this) * static_cast<float>(other);
    }
    template <typename A>
    half& operator/=(A other) {
        return *this = static_cast<float>(*this) / static_cast<float>(other);
    }
};

namespace twin {
template <typename A>
using WithHalf = std::conditional_t<std::is_floating_point_v<A>, A, half>;
}

constexpr half operator-(half a) { return half::FromBits(static_cast<uint16_t>(a.bits ^ 0x8000u)); }
constexpr half operator+(half a, half b) { return static_cast<float>(a) + static_cast<float>(b); }
constexpr half operator-(half a, half b) { return static_cast<float>(a) - static_cast<float>(b); }
constexpr half operator*(half a, half b) { return static_cast<float>(a) * static_cast<float>(b); }
constexpr half operator/(half a, half b) { return static_cast<float>(a) / static_cast<float>(b); }

template <typename A, twin::Arithmetic<A> = 0>
constexpr twin::WithHalf<A> operator+(half a, A b) {
    return static_cast<float>(a) + static_cast<twin::WithHalf<A>>(b);
}
template <typename A, twin::Arithmetic<A> = 0>
constexpr twin::WithHalf<A> operator+(A a, half b) {
    return static_cast<twin::WithHalf<A>>(a) + static_cast<float>(b);
}
template <typename A, twin::Arithmetic<A> = 0>
constexpr twin::WithHalf<A> operator-(half a, A b) {
    return static_cast<float>(a) - static_cast<twin::WithHalf<A>>(b);
}
template <typename A, twin::Arithmetic<A> = 0>
constexpr twin::WithHalf<A> operator-(A a, half b) {
    return static_cast<twin::WithHalf<A>>(a) - static_cast<float>(b);
}
template <typename A, twin::Arithmetic<A> = 0>
constexpr twin::WithHalf<A> operator*(half a, A b) {
    return static_cast<float>(a) * static_cast<twin::WithHalf<A>>(b);
}
template <typename A, twin::Arithmetic<A> = 0>
constexpr twin::WithHalf<A> operator*(A a, half b) {
    return static_cast<twin::WithHalf<A>>(a) * static_cast<float>(b);
}
template <typename A, twin::Arithmetic<A> = 0>
constexpr twin::WithHalf<A> operator/(half a, A b) {
    return static_cast<float>(a) / static_cast<twin::WithHalf<A>>(b);
}
template <typename A, twin::Arithmetic<A> = 0>
constexpr twin::WithHalf<A> operator/(A a, half b) {
    return static_cast<twin::WithHalf<A>>(a) / static_cast<float>(b);
}

using float16_t = half;
using float32_t = float;

#endif
