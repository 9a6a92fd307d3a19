// bfloat16_t: storage and conversion only. The vector core of dav-c220 has no bfloat16 arithmetic: kernels cast to
// float.
#ifndef TWIN_BFLOAT16_H
#define TWIN_BFLOAT16_H

#include "twin/half.h"

namespace twin {

/// Nearest bfloat16 of a float, ties to even; NaN stays (quiet) NaN.
constexpr uint16_t Bfloat16Bits(float value) {
    const uint32_t bits = __builtin_bit_cast(uint32_t, value);
    if ((bits & 0x7fffffffu) > 0x7f800000u) return static_cast<uint16_t>((bits >> 16) | 0x40u);
    return static_cast<uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

constexpr float Bfloat16Value(uint16_t bits) { return __builtin_bit_cast(float, static_cast<uint32_t>(bits) << 16); }

}  // namespace twin

struct bfloat16_t {
    uint16_t bits;

    bfloat16_t() = default;
    template <typename There, twin::IsElsewhere<There, bfloat16_t> = 0>
    constexpr bfloat16_t(const There& value) : bits(value.bits) {}
    template <typename There, twin::IsElsewhere<There, bfloat16_t> = 0>
    bfloat16_t& operator=(const There& value) {
        bits = value.bits;
        return *this;
    }
    template <typename A, twin::Arithmetic<A> = 0>
    constexpr bfloat16_t(A value) : bits(twin::Bfloat16Bits(static_cast<float>(value))) {}
    constexpr bfloat16_t(half value) : bits(twin::Bfloat16Bits(static_cast<float>(value))) {}
    constexpr operator float() const { return twin::Bfloat16Value(bits); }

    static constexpr bfloat16_t FromBits(uint16_t bits) {
        bfloat16_t result{};
        result.bits = bits;
        return result;
    }
};

#endif
