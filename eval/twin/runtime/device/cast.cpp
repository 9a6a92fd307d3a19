// Cast: every conversion of the device, with its rounding modes. Integers saturate, NaN becomes 0 there.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "numbers.h"
#include "vector.h"

namespace twin {

namespace {

// CAST_ROUND takes halves away from zero; CAST_ODD is von Neumann's: what is lost sets the last bit
// (precision_conversion.md).
/// Rounds x to a multiple of 2^(exponent of x - bits), at the smallest 2^(minExponent - bits): a binary format with
/// `bits` fraction bits.
double RoundToFormat(double x, int bits, int minExponent, double largest, RoundMode mode) {
    if (!std::isfinite(x) || x == 0) return x;
    const double quantum = std::ldexp(1.0, std::max(std::ilogb(x), minExponent) - bits);
    const double units = x / quantum;
    double rounded = 0;
    switch (mode) {
        case RoundMode::CAST_FLOOR: rounded = std::floor(units); break;
        case RoundMode::CAST_CEIL: rounded = std::ceil(units); break;
        case RoundMode::CAST_ROUND: rounded = std::round(units); break;
        case RoundMode::CAST_TRUNC: rounded = std::trunc(units); break;
        case RoundMode::CAST_ODD:
            rounded = std::trunc(units);
            if (rounded != units && std::fmod(rounded, 2.0) == 0) rounded += units < 0 ? -1 : 1;
            break;
        default: rounded = std::nearbyint(units);
    }
    const double value = rounded * quantum;
    if (std::fabs(value) <= largest) return rounded == 0 ? std::copysign(0.0, x) : value;
    return std::copysign(std::numeric_limits<double>::infinity(), x);
}

float RoundInFloat(float x, RoundMode mode) {
    switch (mode) {
        case RoundMode::CAST_FLOOR: return std::floor(x);
        case RoundMode::CAST_CEIL: return std::ceil(x);
        case RoundMode::CAST_ROUND: return std::round(x);
        case RoundMode::CAST_TRUNC: return std::trunc(x);
        default: return std::nearbyint(x);
    }
}

// Integers saturate on overflow by default and NaN becomes 0 (Cast.md).
/// Saturating; 2^63 as a float is above every int64_t, hence >=.
template <typename N>
N Saturate(double x) {
    if (x != x) return 0;
    if (x >= static_cast<double>(std::numeric_limits<N>::max())) return std::numeric_limits<N>::max();
    if (x <= static_cast<double>(std::numeric_limits<N>::min())) return std::numeric_limits<N>::min();
    return static_cast<N>(x);
}

constexpr uint32_t kChunk = 256;
RoundMode ModeOf(double scalar) { return static_cast<RoundMode>(static_cast<int>(scalar)); }
bool Nearest(RoundMode mode) { return mode == RoundMode::CAST_NONE || mode == RoundMode::CAST_RINT; }

void StoreHalf(const double* from, uint16_t* to, uint32_t n, RoundMode mode) {
    for (uint32_t i = 0; i < n; ++i)
        to[i] = HalfBits(static_cast<float>(RoundToFormat(from[i], 10, -14, 65504.0, mode)));
}

template <typename N>
void IntToHalf(void* dst, const void* a, const void*, double scalar, uint32_t n) {
    const RoundMode mode = ModeOf(scalar);
    for (uint32_t i = 0; i < n; ++i) {
        const double value = static_cast<const N*>(a)[i];
        StoreHalf(&value, static_cast<uint16_t*>(dst) + i, 1, mode);
    }
}

/// src / 2^17 * scale * 2^17 in this order; the scale is that of SetDeqScale, and the rounding mode is ignored
/// (Cast.md).
void Int32ToHalfScaled(void* dst, const void* a, const void*, double scale, uint32_t n) {
    for (uint32_t i = 0; i < n; ++i) {
        const float scaled =
            static_cast<float>(static_cast<const int32_t*>(a)[i]) / 131072.0f * static_cast<float>(scale) * 131072.0f;
        static_cast<uint16_t*>(dst)[i] = HalfBits(scaled);
    }
}

void FloatToHalfRounded(void* dst, const void* a, const void*, double scalar, uint32_t n) {
    const RoundMode mode = ModeOf(scalar);
    const auto* from = static_cast<const float*>(a);
    auto* to = static_cast<uint16_t*>(dst);
    if (Nearest(mode)) return FloatToHalf(from, to, n);
    for (uint32_t i = 0; i < n; ++i) {
        const double value = from[i];
        StoreHalf(&value, to + i, 1, mode);
    }
}

void FloatToBfloat16Rounded(void* dst, const void* a, const void*, double scalar, uint32_t n) {
    const RoundMode mode = ModeOf(scalar);
    const auto* from = static_cast<const float*>(a);
    auto* to = static_cast<uint16_t*>(dst);
    if (Nearest(mode)) return FloatToBfloat16(from, to, n);
    for (uint32_t i = 0; i < n; ++i)
        to[i] = Bfloat16Bits(static_cast<float>(RoundToFormat(from[i], 7, -126, 3.3895313892515355e38, mode)));
}

template <typename N>
void FloatToInt(void* dst, const void* a, const void*, double scalar, uint32_t n) {
    const RoundMode mode = ModeOf(scalar);
    for (uint32_t i = 0; i < n; ++i)
        static_cast<N*>(dst)[i] = Saturate<N>(RoundInFloat(static_cast<const float*>(a)[i], mode));
}

template <typename N, void (*Widen)(const uint16_t*, float*, uint32_t)>
void ShortToInt(void* dst, const void* a, const void*, double scalar, uint32_t n) {
    float x[kChunk];
    for (uint32_t at = 0; at < n; at += kChunk) {
        const uint32_t m = std::min(kChunk, n - at);
        Widen(static_cast<const uint16_t*>(a) + at, x, m);
        FloatToInt<N>(static_cast<N*>(dst) + at, x, nullptr, scalar, m);
    }
}

template <typename N>
void IntToFloat(void* dst, const void* a, const void*, double scalar, uint32_t n) {
    const RoundMode mode = ModeOf(scalar);
    const auto* from = static_cast<const N*>(a);
    auto* to = static_cast<float*>(dst);
    if (Nearest(mode)) {
        for (uint32_t i = 0; i < n; ++i) to[i] = static_cast<float>(from[i]);
        return;
    }
    for (uint32_t i = 0; i < n; ++i) {
        const auto wide =
            static_cast<long double>(from[i]);  // 64 fraction bits where the machine has them; int64_t needs 63
        double value = static_cast<double>(wide);
        if (sizeof(N) == 8 && static_cast<long double>(value) != wide)
            value = std::nextafter(value, static_cast<double>(wide > value ? 1e300 : -1e300));
        to[i] = static_cast<float>(RoundToFormat(value, 23, -126, 3.4028234663852886e38, mode));
    }
}

void FloatToIntegral(void* dst, const void* a, const void*, double scalar, uint32_t n) {
    const RoundMode mode = ModeOf(scalar);
    for (uint32_t i = 0; i < n; ++i) static_cast<float*>(dst)[i] = RoundInFloat(static_cast<const float*>(a)[i], mode);
}

template <typename D, typename S>
void IntToInt(void* dst, const void* a, const void*, double, uint32_t n) {
    for (uint32_t i = 0; i < n; ++i) {
        const S value = static_cast<const S*>(a)[i];
        const S low =
            sizeof(D) < sizeof(S) ? static_cast<S>(std::numeric_limits<D>::min()) : std::numeric_limits<S>::min();
        const S high =
            sizeof(D) < sizeof(S) ? static_cast<S>(std::numeric_limits<D>::max()) : std::numeric_limits<S>::max();
        static_cast<D*>(dst)[i] = static_cast<D>(std::min(std::max(value, low), high));
    }
}

void HalfToFloatPlain(void* dst, const void* a, const void*, double, uint32_t n) {
    HalfToFloat(static_cast<const uint16_t*>(a), static_cast<float*>(dst), n);
}
void Bfloat16ToFloatPlain(void* dst, const void* a, const void*, double, uint32_t n) {
    Bfloat16ToFloat(static_cast<const uint16_t*>(a), static_cast<float*>(dst), n);
}

constexpr unsigned Bit(RoundMode mode) { return 1u << static_cast<int>(mode); }
constexpr unsigned kNone = Bit(RoundMode::CAST_NONE);
constexpr unsigned kFive = Bit(RoundMode::CAST_RINT) | Bit(RoundMode::CAST_FLOOR) | Bit(RoundMode::CAST_CEIL) |
                           Bit(RoundMode::CAST_ROUND) | Bit(RoundMode::CAST_TRUNC);
constexpr unsigned kAny = ~0u;

struct Conversion {
    Type dst, src;
    unsigned modes;
    LaneLoop run;
};

// The table of Cast.md for Atlas A2. There is none between half and bfloat16_t, from or to uint32_t, or of int8_t with
// int32_t: kernels go through float or half. A conversion that loses nothing takes CAST_NONE only.
const Conversion kConversions[] = {
    {Type::kHalf, Type::kInt8, kNone, IntToHalf<int8_t>},
    {Type::kHalf, Type::kUint8, kNone, IntToHalf<uint8_t>},
    {Type::kHalf, Type::kInt16, kNone | kFive, IntToHalf<int16_t>},
    {Type::kHalf, Type::kInt32, kAny, Int32ToHalfScaled},
    {Type::kHalf, Type::kFloat, kNone | kFive | Bit(RoundMode::CAST_ODD), FloatToHalfRounded},
    {Type::kFloat, Type::kHalf, kNone, HalfToFloatPlain},
    {Type::kFloat, Type::kBfloat16, kNone, Bfloat16ToFloatPlain},
    {Type::kFloat, Type::kInt16, kNone, IntToFloat<int16_t>},
    {Type::kFloat, Type::kInt32, kNone | kFive, IntToFloat<int32_t>},
    {Type::kFloat, Type::kInt64, kFive, IntToFloat<int64_t>},
    {Type::kFloat, Type::kFloat, kFive, FloatToIntegral},
    {Type::kBfloat16, Type::kFloat, kFive, FloatToBfloat16Rounded},
    {Type::kInt32, Type::kHalf, kFive, ShortToInt<int32_t, HalfToFloat>},
    {Type::kInt32, Type::kBfloat16, kFive, ShortToInt<int32_t, Bfloat16ToFloat>},
    {Type::kInt32, Type::kFloat, kFive, FloatToInt<int32_t>},
    {Type::kInt32, Type::kInt64, kNone, IntToInt<int32_t, int64_t>},
    {Type::kInt16, Type::kHalf, kFive, ShortToInt<int16_t, HalfToFloat>},
    {Type::kInt16, Type::kFloat, kFive, FloatToInt<int16_t>},
    {Type::kInt16, Type::kInt32, kNone, IntToInt<int16_t, int32_t>},
    {Type::kInt64, Type::kFloat, kFive, FloatToInt<int64_t>},
    {Type::kInt64, Type::kInt32, kNone, IntToInt<int64_t, int32_t>},
    {Type::kInt8, Type::kHalf, kNone | kFive, ShortToInt<int8_t, HalfToFloat>},
    {Type::kUint8, Type::kHalf, kNone | kFive, ShortToInt<uint8_t, HalfToFloat>},
};

VectorCall CallFor(Type dstType, Type srcType, const Local& dst, const Local& src, RoundMode mode) {
    static const char* const modeNames[] = {"CAST_NONE",  "CAST_RINT",  "CAST_FLOOR", "CAST_CEIL",
                                            "CAST_ROUND", "CAST_TRUNC", "CAST_ODD",   "CAST_HYBRID"};
    core().account.api = "Cast";
    for (const Conversion& c : kConversions) {
        if (c.dst != dstType || c.src != srcType) continue;
        if ((c.modes & Bit(mode)) == 0) {
            std::string legal;
            for (int m = 0; m < 7; ++m)
                if (c.modes >> m & 1) legal += (legal.empty() ? "" : ", ") + std::string(modeNames[m]);
            Broken("round-mode", BufferName(dst),
                   Text("Cast from %s to %s with %s; the device has %s", TypeName(srcType), TypeName(dstType),
                        modeNames[static_cast<int>(mode)], legal.c_str()),
                   c.modes == kNone ? "nothing is lost in this conversion: use CAST_NONE"
                                    : "name the rounding: CAST_RINT is to nearest, ties to even");
        }
        VectorCall call{"Cast", c.run, TypeBytes(dstType), TypeBytes(srcType), &dst, &src, nullptr};
        call.scalar = c.run == Int32ToHalfScaled ? static_cast<double>(core().registers.dequantScale)
                                                 : static_cast<double>(static_cast<int>(mode));
        return call;
    }
    Broken("unsupported-type", BufferName(dst), Text("Cast from %s to %s", TypeName(srcType), TypeName(dstType)),
           "go through float or half");
}

}  // namespace

void CastScalar(Type dstType, void* dst, float value, RoundMode mode) {
    Note("Cast");
    const double scalar = static_cast<int>(mode);
    if (dstType == Type::kHalf) FloatToHalfRounded(dst, &value, nullptr, scalar, 1);
    else FloatToInt<int32_t>(dst, &value, nullptr, scalar, 1);
}

void CastCount(Type dstType, Type srcType, const Local& dst, const Local& src, RoundMode mode, int64_t count) {
    if (dstType == Type::kInt4 || srcType == Type::kInt4)
        return CastPairsCount(dst, src, dstType == Type::kInt4, mode, count);
    RunCount(CallFor(dstType, srcType, dst, src, mode), count);
}

void CastRepeat(Type dstType, Type srcType, const Local& dst, const Local& src, RoundMode mode, const Mask& mask,
                int repeatTime, const Strides& strides) {
    if (dstType == Type::kInt4 || srcType == Type::kInt4)
        return CastPairsRepeat(dst, src, dstType == Type::kInt4, mode, mask, repeatTime, strides);
    RunRepeat(CallFor(dstType, srcType, dst, src, mode), mask, repeatTime, strides);
}

}  // namespace twin
