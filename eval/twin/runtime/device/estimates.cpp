// Tables of 256 values with nine significant bits. The pages of Reciprocal and Rsqrt say that half does not meet 1e-3
// and float not 1e-4; how they miss it follows from the ten results that the two pages show: each is the value at the
// middle of an interval, which the leading bits of the operand choose (eight of the fraction; seven and whether the
// exponent is even), rounded to eight bits of fraction. Tables made that way give all ten. A board gave 0.6251 in float
// where 0.6236 is right, an error of the same size. Special values: the tables of boundary values of the same manual.
#include "estimates.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "core.h"

namespace twin {

namespace {

constexpr float kTiny = 0x1p-126f;  // subnormal numbers are below
constexpr float kScale = 0x1p64f;   // brings them up; an even power, for the square root
constexpr int kExponentBias = 127;

using Table = std::array<float, 256>;

float RoundTo8Bits(double value) { return static_cast<float>(std::nearbyint(value * 256) / 256); }

/// 2 / m, for m from 1 to 2.
Table Reciprocals() {
    Table table;
    for (int i = 0; i < 256; ++i) table[i] = RoundTo8Bits(2 / (1 + (i + 0.5) / 256));
    return table;
}

/// 2 / sqrt(m), for m from 1 to 2 in the first half and from 2 to 4 in the second.
Table Rsqrts() {
    Table table;
    for (int i = 0; i < 256; ++i) {
        const double m = 1 + (i % 128 + 0.5) / 128;
        table[i] = RoundTo8Bits(2 / std::sqrt(i < 128 ? m : 2 * m));
    }
    return table;
}

const Table kReciprocals = Reciprocals(), kRsqrts = Rsqrts();

uint32_t Bits(float x) {
    uint32_t bits;
    std::memcpy(&bits, &x, sizeof bits);
    return bits;
}

}  // namespace

bool Estimates() { return !launch().spec->tolerant; }

float ReciprocalEstimate(float x) {
    if (x == 0 || !std::isfinite(x)) return 1.0f / x;
    if (std::fabs(x) < kTiny) return ReciprocalEstimate(x * kScale) * kScale;
    const uint32_t bits = Bits(x);
    const int exponent = static_cast<int>(bits >> 23 & 0xff) - kExponentBias;
    return std::copysign(std::ldexp(kReciprocals[bits >> 15 & 0xff], -exponent - 1), x);
}

float RsqrtEstimate(float x) {
    if (!(x > 0) || !std::isfinite(x)) return 1.0f / std::sqrt(x);
    if (x < kTiny) return RsqrtEstimate(x * kScale) * 0x1p32f;
    const uint32_t bits = Bits(x);
    const int exponent = static_cast<int>(bits >> 23 & 0xff) - kExponentBias;
    const bool odd = (exponent & 1) != 0;
    return std::ldexp(kRsqrts[(odd ? 128 : 0) + (bits >> 16 & 0x7f)], -(exponent - odd) / 2 - 1);
}

}  // namespace twin
