// Cast between the types of the device in each of its rounding modes, against the numbers next to the exact value;
// integers saturate and what is no number becomes 0 in them. Values at the edges of operations as the manual lists
// them.
#include <algorithm>
#include <cmath>
#include <limits>

#include "on_ub.h"

using namespace AscendC;

namespace {

constexpr RoundMode kFive[] = {RoundMode::CAST_RINT, RoundMode::CAST_FLOOR, RoundMode::CAST_CEIL, RoundMode::CAST_ROUND,
                               RoundMode::CAST_TRUNC};

/// The numbers of a 16-bit format, in order, the last bits of neighbours being different.
template <typename T>
std::vector<float> AllOf() {
    std::vector<float> all;
    for (uint32_t bits = 0; bits < 65536; ++bits) {
        T value;
        value.bits = static_cast<uint16_t>(bits);
        if (std::isfinite(static_cast<float>(value)) && bits != 0x8000) all.push_back(static_cast<float>(value));
    }
    std::sort(all.begin(), all.end());
    return all;
}

/// One of the two numbers around x: which, says the mode. `odd`: whether the last bit of the lower one is set.
double Choose(double low, double high, bool odd, double x, RoundMode mode) {
    if (low == high) return low;
    switch (mode) {
        case RoundMode::CAST_FLOOR: return low;
        case RoundMode::CAST_CEIL: return high;
        case RoundMode::CAST_TRUNC: return x < 0 ? high : low;
        case RoundMode::CAST_ODD: return odd ? low : high;
        default: break;
    }
    if (x - low != high - x) return x - low < high - x ? low : high;
    if (mode == RoundMode::CAST_ROUND) return x < 0 ? low : high;
    return odd ? high : low;
}

template <typename T>
T Rounded(float x, RoundMode mode) {
    static const std::vector<float> all = AllOf<T>();
    const auto high = std::lower_bound(all.begin(), all.end(), x);
    const auto low = *high == x ? high : high - 1;
    const T lower = static_cast<T>(*low);
    const float chosen = static_cast<float>(Choose(*low, *high, (lower.bits & 1) != 0, x, mode));
    return static_cast<T>(chosen == 0 ? std::copysign(0.0f, x) : chosen);
}

double Whole(double x, RoundMode mode) {
    if (!std::isfinite(x)) return x;
    const double low = std::floor(x);
    return Choose(low, std::ceil(x), std::fmod(low, 2) != 0, x, mode);
}

template <typename N>
N Saturated(double x) {
    if (std::isnan(x)) return 0;
    if (x >= static_cast<double>(std::numeric_limits<N>::max())) return std::numeric_limits<N>::max();
    return x <= static_cast<double>(std::numeric_limits<N>::min()) ? std::numeric_limits<N>::min() : static_cast<N>(x);
}

/// Numbers of every size that a format has, halves and quarters among them.
std::vector<float> Reals(float largest) {
    Chance chance(113);
    std::vector<float> x;
    for (float v = 0; v < 8; v += 0.25f) x.insert(x.end(), {v, -v});
    for (int exponent = -30; exponent < 40; ++exponent)
        for (int i = 0; i < 8; ++i) {
            const float v = std::ldexp(1 + static_cast<float>(chance.From(0, 1 << 20)) / (1 << 20), exponent);
            if (v < largest) x.insert(x.end(), {v, -v});
        }
    x.insert(x.end(), {127.5f, 128, -128.5f, 255.5f, 32767.5f, -32768.5f});
    return x;
}

template <typename D, typename S>
void Converts(const std::string& name, const std::vector<S>& x, RoundMode mode, const std::function<D(S)>& value) {
    std::vector<D> z(x.size());
    for (size_t i = 0; i < x.size(); ++i) z[i] = value(x[i]);
    Ub ub;
    const size_t dst = ub.Put(std::vector<D>(x.size() + 8)), src = ub.Put(x);
    ub.Then(dst, z);
    std::string wrong =
        ub.Wrong([&](Ub& u) { Cast(u.At<D>(dst), u.At<S>(src), mode, static_cast<uint32_t>(x.size())); });
    const auto seen = wrong.empty() ? z : ub.Seen<D>(dst, z.size());
    for (size_t i = 0; i < z.size() && !wrong.empty(); ++i)
        if (std::memcmp(&seen[i], &z[i], sizeof(D)) != 0) {
            wrong += ", from " + std::to_string(static_cast<double>(x[i]));
            break;
        }
    Expect("Cast of " + name + ", mode " + std::to_string(static_cast<int>(mode)), wrong.empty(), wrong);
}

void FromFloat() {
    const std::vector<float> x = Reals(60000);
    auto wide = Reals(1e20f);
    wide.insert(wide.end(), {INFINITY, -INFINITY, NAN, 2147483648.0f, -2147483648.0f, 9.3e18f});
    for (const RoundMode mode : kFive) {
        Converts<half, float>("float to half", x, mode, [&](float v) { return Rounded<half>(v, mode); });
        Converts<bfloat16_t, float>("float to bfloat16_t", x, mode,
                                    [&](float v) { return Rounded<bfloat16_t>(v, mode); });
        Converts<float, float>("float to whole float", x, mode, [&](float v) {
            const auto r = static_cast<float>(Whole(v, mode));
            return r == 0 ? std::copysign(0.0f, v) : r;
        });
        Converts<int32_t, float>("float to int32_t", wide, mode,
                                 [&](float v) { return Saturated<int32_t>(Whole(v, mode)); });
        Converts<int16_t, float>("float to int16_t", wide, mode,
                                 [&](float v) { return Saturated<int16_t>(Whole(v, mode)); });
        Converts<int64_t, float>("float to int64_t", wide, mode,
                                 [&](float v) { return Saturated<int64_t>(Whole(v, mode)); });
    }
    Converts<half, float>("float to half", x, RoundMode::CAST_ODD,
                          [](float v) { return Rounded<half>(v, RoundMode::CAST_ODD); });
    Converts<half, float>("float to half", x, RoundMode::CAST_NONE,
                          [](float v) { return Rounded<half>(v, RoundMode::CAST_RINT); });
    Converts<half, float>("float to half beyond its range", {65519, 65520, -65520, 1e9f, INFINITY},
                          RoundMode::CAST_RINT, [](float v) {
                              return static_cast<half>(std::fabs(v) < 65520 ? 65504.0f : v < 0 ? -INFINITY : INFINITY);
                          });
    // Neighbours that the format does not reach are infinite, whatever the mode would choose.
    Converts<half, float>(
        "float to half beyond its range", {65504, 65536, -65536, INFINITY}, RoundMode::CAST_CEIL,
        [](float v) { return static_cast<half>(std::fabs(v) <= 65504 ? v : std::copysign(INFINITY, v)); });
}

template <typename T>
void FromShort(const std::string& type) {
    std::vector<T> x;
    for (const float v : Reals(60000)) x.push_back(static_cast<T>(v));
    x.insert(x.end(), {static_cast<T>(INFINITY), static_cast<T>(-INFINITY), static_cast<T>(NAN)});
    for (const RoundMode mode : kFive) {
        Converts<int32_t, T>(type + " to int32_t", x, mode,
                             [&](T v) { return Saturated<int32_t>(Whole(static_cast<float>(v), mode)); });
        if constexpr (std::is_same_v<T, half>) {
            Converts<int16_t, T>(type + " to int16_t", x, mode,
                                 [&](T v) { return Saturated<int16_t>(Whole(static_cast<float>(v), mode)); });
            Converts<int8_t, T>(type + " to int8_t", x, mode,
                                [&](T v) { return Saturated<int8_t>(Whole(static_cast<float>(v), mode)); });
            Converts<uint8_t, T>(type + " to uint8_t", x, mode,
                                 [&](T v) { return Saturated<uint8_t>(Whole(static_cast<float>(v), mode)); });
        }
    }
    x.resize(x.size() - 1);
    Converts<float, T>(type + " to float", x, RoundMode::CAST_NONE, [](T v) { return static_cast<float>(v); });
}

template <typename N>
std::vector<N> Wholes() {
    Chance chance(127);
    std::vector<N> x = {0, 1, std::numeric_limits<N>::max(), std::numeric_limits<N>::min()};
    for (int i = 0; i < 300; ++i)
        x.push_back(static_cast<N>((static_cast<uint64_t>(chance.Bits()) << 32 | chance.Bits()) >> chance.From(0, 63)));
    for (uint64_t v = 1; v < 1ull << 40; v *= 2)
        x.insert(x.end(), {static_cast<N>(3 * v), static_cast<N>(v * 0x1000001), static_cast<N>(v * 0x1000003),
                           static_cast<N>(0 - v * 0x1000001)});
    return x;
}

/// The numbers of float around an integer, which a step up or down of the nearest one gives.
template <typename N>
float FloatOf(N x, RoundMode mode) {
    const long double wide = static_cast<long double>(x);
    const float near = static_cast<float>(x);
    if (static_cast<long double>(near) == wide) return near;
    const bool above = static_cast<long double>(near) > wide;
    const float low = above ? std::nextafter(near, -INFINITY) : near,
                high = above ? near : std::nextafter(near, INFINITY);
    if (mode == RoundMode::CAST_FLOOR) return low;
    if (mode == RoundMode::CAST_CEIL) return high;
    if (mode == RoundMode::CAST_TRUNC) return x < 0 ? high : low;
    const bool tie = wide - static_cast<long double>(low) == static_cast<long double>(high) - wide;
    if (mode == RoundMode::CAST_ROUND && tie) return x < 0 ? low : high;
    return near;
}

void FromIntegers() {
    const auto words = Wholes<int32_t>();
    const auto longs = Wholes<int64_t>();
    const auto shorts = Wholes<int16_t>();
    for (const RoundMode mode : kFive) {
        Converts<float, int32_t>("int32_t to float", words, mode, [&](int32_t v) { return FloatOf(v, mode); });
        Converts<float, int64_t>("int64_t to float", longs, mode, [&](int64_t v) { return FloatOf(v, mode); });
        Converts<half, int16_t>("int16_t to half", shorts, mode, [&](int16_t v) { return Rounded<half>(v, mode); });
    }
    Converts<float, int32_t>("int32_t to float", words, RoundMode::CAST_NONE,
                             [](int32_t v) { return FloatOf(v, RoundMode::CAST_RINT); });
    Converts<half, int16_t>("int16_t to half", shorts, RoundMode::CAST_NONE,
                            [](int16_t v) { return Rounded<half>(v, RoundMode::CAST_RINT); });
    Converts<float, int16_t>("int16_t to float", shorts, RoundMode::CAST_NONE,
                             [](int16_t v) { return static_cast<float>(v); });
    Converts<half, int8_t>("int8_t to half", Wholes<int8_t>(), RoundMode::CAST_NONE,
                           [](int8_t v) { return static_cast<half>(static_cast<float>(v)); });
    Converts<half, uint8_t>("uint8_t to half", Wholes<uint8_t>(), RoundMode::CAST_NONE,
                            [](uint8_t v) { return static_cast<half>(static_cast<float>(v)); });
    Converts<int32_t, int64_t>("int64_t to int32_t", longs, RoundMode::CAST_NONE, [](int64_t v) {
        return static_cast<int32_t>(std::clamp<int64_t>(v, INT32_MIN, INT32_MAX));
    });
    Converts<int16_t, int32_t>("int32_t to int16_t", words, RoundMode::CAST_NONE, [](int32_t v) {
        return static_cast<int16_t>(std::clamp<int32_t>(v, INT16_MIN, INT16_MAX));
    });
    Converts<int64_t, int32_t>("int32_t to int64_t", words, RoundMode::CAST_NONE,
                               [](int32_t v) { return static_cast<int64_t>(v); });
}

/// int32_t becomes half by a scale that SetDeqScale sets.
void Scaled() {
    const std::vector<int32_t> x = {0, 1, -3, 100, 4096, -65536, 1 << 20};
    Ub ub;
    const size_t dst = ub.Put(std::vector<half>(16)), src = ub.Put(x);
    std::vector<half> z(x.size());
    for (size_t i = 0; i < x.size(); ++i) z[i] = static_cast<half>(static_cast<float>(x[i]) * 0.25f);
    ub.Then(dst, z);
    const auto wrong = ub.Wrong([&](Ub& u) {
        SetDeqScale(half(0.25f));
        Cast(u.At<half>(dst), u.At<int32_t>(src), RoundMode::CAST_NONE, 7);
    });
    Expect("Cast of int32_t to half by the scale", wrong.empty(), wrong);
}

/// A repeat is as many elements as the wider type has in 256 bytes; strides count blocks of each side's own.
template <typename D, typename S>
void Repeats(const std::string& name, RoundMode mode) {
    Always("Cast of " + name + " by repeats", 30, 131, [&](Chance& chance) {
        constexpr uint32_t kLanes = 256 / std::max(sizeof(D), sizeof(S)), kDst = 32 / sizeof(D), kSrc = 32 / sizeof(S);
        const uint32_t repeats = chance.From(1, 3), first = chance.From(1, kLanes), dstBlk = chance.From(1, 2),
                       srcBlk = chance.From(0, 2);
        const uint32_t dstRep = chance.From(8, 12), srcRep = chance.From(0, 12);
        const uint64_t bits[2] = {static_cast<uint64_t>(chance.Bits()) << 32 | chance.Bits() | 1,
                                  kLanes > 64 ? chance.Bits() : 0};
        const bool byBits = chance.Coin();
        const auto x = Some<S>(chance, 48 * kSrc, 0, 20);
        auto z = Some<D>(chance, 48 * kDst, 0, 20);
        Ub ub;
        const size_t dst = ub.Put(z), src = ub.Put(x);
        for (uint32_t r = 0; r < repeats; ++r)
            for (uint32_t i = 0; i < kLanes; ++i) {
                if (byBits ? (bits[i / 64] >> i % 64 & 1) == 0 : i >= first) continue;
                const S v = x[(r * srcRep + i / kSrc * srcBlk) * kSrc + i % kSrc];
                z[(r * dstRep + i / kDst * dstBlk) * kDst + i % kDst] = static_cast<D>(static_cast<float>(v));
            }
        ub.Then(dst, z);
        return ub.Wrong([&](Ub& u) {
            const UnaryRepeatParams strides(dstBlk, srcBlk, dstRep, srcRep);
            if (byBits) Cast(u.At<D>(dst), u.At<S>(src), mode, bits, static_cast<uint8_t>(repeats), strides);
            else Cast(u.At<D>(dst), u.At<S>(src), mode, uint64_t{first}, static_cast<uint8_t>(repeats), strides);
        });
    });
}

/// Tables of boundary values of the vector instructions, in the mode that keeps infinities and NaN.
void Edges() {
    const float inf = INFINITY, nan = NAN, max = 3.4028235e+38f;
    const auto holds = [](const std::string& name, const std::vector<float>& x, const std::vector<float>& expected,
                          auto run) {
        Ub ub;
        const size_t dst = ub.Put(std::vector<float>(8)), src = ub.Put(x);
        ub.Wrong([&](Ub& u) { run(u.At<float>(dst), u.At<float>(src)); });
        const auto seen = ub.Seen<float>(dst, x.size());
        bool same = true;
        for (size_t i = 0; i < x.size(); ++i)
            same = same && (std::isnan(expected[i])
                                ? std::isnan(seen[i])
                                : seen[i] == expected[i] && std::signbit(seen[i]) == std::signbit(expected[i]));
        Expect(name + " at its edges", same);
    };
    const std::vector<float> x = {-max, max, 0.0f, -0.0f, nan, inf, -inf};
    holds("Relu", x, {0.0f, max, 0.0f, 0.0f, nan, inf, 0.0f}, [](auto z, auto y) { Relu(z, y, 7); });
    holds("Abs", x, {max, max, 0.0f, 0.0f, nan, inf, inf}, [](auto z, auto y) { Abs(z, y, 7); });
    holds("Exp", x, {0.0f, inf, 1.0f, 1.0f, nan, inf, 0.0f}, [](auto z, auto y) { Exp(z, y, 7); });
    holds("Sqrt", x, {nan, std::sqrt(max), 0.0f, -0.0f, nan, inf, nan}, [](auto z, auto y) { Sqrt(z, y, 7); });
    holds("Rsqrt", {0.0f, -0.0f, nan, inf, -inf, -max}, {inf, -inf, nan, 0.0f, nan, nan},
          [](auto z, auto y) { Rsqrt(z, y, 6); });
    holds("Reciprocal", {0.0f, -0.0f, nan, inf, -inf}, {inf, -inf, nan, 0.0f, -0.0f},
          [](auto z, auto y) { Reciprocal(z, y, 5); });
}

}  // namespace

int main() {
    FromFloat();
    FromShort<half>("half");
    FromShort<bfloat16_t>("bfloat16_t");
    FromIntegers();
    Scaled();
    Repeats<half, float>("float to half", RoundMode::CAST_RINT);
    Repeats<float, half>("half to float", RoundMode::CAST_NONE);
    Repeats<uint8_t, half>("half to uint8_t", RoundMode::CAST_RINT);
    Repeats<int64_t, int32_t>("int32_t to int64_t", RoundMode::CAST_NONE);
    Edges();
    return Finish();
}
