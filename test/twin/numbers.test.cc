// Number formats: all 65,536 halves and bfloat16s, and roundings of Cast against an independent computation.
#include <cmath>
#include <cstdlib>

#include "expect.h"

using namespace AscendC;

namespace {

/// Value of a half from its fields, with ldexp only.
double HalfByFields(uint16_t bits) {
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    const double magnitude = exponent == 31  ? (fraction != 0 ? NAN : INFINITY)
                             : exponent == 0 ? std::ldexp(fraction, -24)
                                             : std::ldexp(1024 + fraction, exponent - 25);
    return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

void EveryHalf() {
    int wrong = 0, wrongBack = 0;
    for (uint32_t b = 0; b < 65536; ++b) {
        const float value = twin::HalfValue(static_cast<uint16_t>(b));
        const double expected = HalfByFields(static_cast<uint16_t>(b));
        if (!(std::isnan(expected) ? std::isnan(value) : value == expected)) ++wrong;
        if (!std::isnan(value) && twin::HalfBits(value) != b) ++wrongBack;
    }
    Expect("every half has its value", wrong == 0);
    Expect("every half survives float and back", wrongBack == 0);
}

void HalfwayCases() {
    int wrong = 0;
    for (uint32_t b = 0; b < 0x7bff; ++b) {  // between neighbours: the even one; a little above: the upper one
        const double low = HalfByFields(static_cast<uint16_t>(b)), high = HalfByFields(static_cast<uint16_t>(b + 1));
        const auto middle = static_cast<float>((low + high) / 2);
        if (twin::HalfBits(middle) != (b % 2 == 0 ? b : b + 1)) ++wrong;
        if (twin::HalfBits(std::nextafter(middle, 1e9f)) != b + 1) ++wrong;
        if (twin::HalfBits(std::nextafter(middle, 0.0f)) != b) ++wrong;
        if (twin::HalfBits(-middle) != (0x8000u | (b % 2 == 0 ? b : b + 1))) ++wrong;
    }
    Expect("a float between two halves goes to the nearer, ties to even", wrong == 0);
    Expect("65519 is the largest finite half, 65520 infinity",
           twin::HalfBits(65519.0f) == 0x7bff && twin::HalfBits(65520.0f) == 0x7c00);
    Expect("NaN stays NaN",
           std::isnan(static_cast<float>(half(NAN))) && std::isnan(static_cast<float>(bfloat16_t(NAN))));
    Expect("bfloat16 ties to even", twin::Bfloat16Bits(__builtin_bit_cast(float, 0x3f808000u)) == 0x3f80 &&
                                        twin::Bfloat16Bits(__builtin_bit_cast(float, 0x3f818000u)) == 0x3f82);
    Expect("bfloat16 overflows to infinity", twin::Bfloat16Bits(3.4e38f) == 0x7f80);
}

void HalfIsAScalar() {
    half a = 1.5, b = half(0.25f);
    half c = a * b + 1;
    a += 2;
    Expect("half computes like a built-in type",
           static_cast<float>(c) == 1.375f && static_cast<float>(a) == 3.5f && a > b && static_cast<int>(a) == 3);
    Expect("half with float gives float", std::is_same_v<decltype(a * 1.0f), float> &&
                                              std::is_same_v<decltype(a * a), half> &&
                                              std::is_same_v<decltype(a * 2), half>);
}

template <typename T, typename U>
std::vector<T> CastOf(const std::vector<U>& from, RoundMode mode) {
    std::vector<T> to(from.size());
    const size_t bytesIn = from.size() * sizeof(U), bytesOut = to.size() * sizeof(T);
    Run({{"x", twin::Role::kInput, (uint8_t*)from.data(), bytesIn},
         {"y", twin::Role::kOutput, (uint8_t*)to.data(), bytesOut}},
        [&](uint8_t** args) {
            TPipe pipe;
            TQue<QuePosition::VECIN, 1> in;
            TQue<QuePosition::VECOUT, 1> out;
            pipe.InitBuffer(in, 1, bytesIn);
            pipe.InitBuffer(out, 1, bytesOut);
            GlobalTensor<U> x;
            GlobalTensor<T> y;
            x.SetGlobalBuffer((__gm__ U*)args[0]);
            y.SetGlobalBuffer((__gm__ T*)args[1]);
            LocalTensor<U> a = in.AllocTensor<U>();
            DataCopyPad(a, x, DataCopyExtParams(1, bytesIn, 0, 0, 0), DataCopyPadExtParams<U>());
            in.EnQue(a);
            a = in.DeQue<U>();
            LocalTensor<T> b = out.AllocTensor<T>();
            Cast(b, a, mode, static_cast<uint32_t>(from.size()));
            out.EnQue(b);
            in.FreeTensor(a);
            b = out.DeQue<T>();
            DataCopyPad(y, b, DataCopyExtParams(1, bytesOut, 0, 0, 0));
            out.FreeTensor(b);
        });
    return to;
}

void Casts() {
    const std::vector<float> f = {0.5f, 1.5f, 2.5f, -0.5f, -1.5f, 0.4f, -0.6f, 3e9f, -3e9f, NAN};
    const int32_t big = 2147483647, small = -2147483647 - 1;
    ExpectSame<int32_t>("float to int32_t, RINT", CastOf<int32_t>(f, RoundMode::CAST_RINT),
                        {0, 2, 2, 0, -2, 0, -1, big, small, 0});
    ExpectSame<int32_t>("float to int32_t, ROUND", CastOf<int32_t>(f, RoundMode::CAST_ROUND),
                        {1, 2, 3, -1, -2, 0, -1, big, small, 0});
    ExpectSame<int32_t>("float to int32_t, FLOOR", CastOf<int32_t>(f, RoundMode::CAST_FLOOR),
                        {0, 1, 2, -1, -2, 0, -1, big, small, 0});
    ExpectSame<int32_t>("float to int32_t, CEIL", CastOf<int32_t>(f, RoundMode::CAST_CEIL),
                        {1, 2, 3, 0, -1, 1, 0, big, small, 0});
    ExpectSame<int32_t>("float to int32_t, TRUNC", CastOf<int32_t>(f, RoundMode::CAST_TRUNC),
                        {0, 1, 2, 0, -1, 0, 0, big, small, 0});
    ExpectSame<int8_t>("half to int8_t saturates",
                       CastOf<int8_t>(std::vector<half>{127.4, 128, -129, 300, 2.5}, RoundMode::CAST_NONE),
                       {127, 127, -128, 127, 2});
    ExpectSame<uint8_t>("half to uint8_t saturates",
                        CastOf<uint8_t>(std::vector<half>{-1, 255, 256, 3.5}, RoundMode::CAST_RINT), {0, 255, 255, 4});
    ExpectSame<int16_t>("int32_t to int16_t saturates",
                        CastOf<int16_t>(std::vector<int32_t>{40000, -40000, 7}, RoundMode::CAST_NONE),
                        {32767, -32768, 7});
    const float third = 1.0f / 3;  // between halves 0x3555 and 0x3556
    ExpectSame<half>("float to half, RINT and CEIL and ODD",
                     {CastOf<half>(std::vector<float>{third}, RoundMode::CAST_RINT)[0],
                      CastOf<half>(std::vector<float>{third}, RoundMode::CAST_CEIL)[0],
                      CastOf<half>(std::vector<float>{third}, RoundMode::CAST_ODD)[0]},
                     {half::FromBits(0x3555), half::FromBits(0x3556), half::FromBits(0x3555)});
    ExpectSame<bfloat16_t>("float to bfloat16_t, TRUNC and ROUND",
                           {CastOf<bfloat16_t>(std::vector<float>{1.00390625f}, RoundMode::CAST_TRUNC)[0],
                            CastOf<bfloat16_t>(std::vector<float>{1.00390625f}, RoundMode::CAST_ROUND)[0]},
                           {bfloat16_t::FromBits(0x3f80), bfloat16_t::FromBits(0x3f81)});
    ExpectSame<float>("int32_t to float, FLOOR and CEIL",
                      {CastOf<float>(std::vector<int32_t>{16777217}, RoundMode::CAST_FLOOR)[0],
                       CastOf<float>(std::vector<int32_t>{16777217}, RoundMode::CAST_CEIL)[0]},
                      {16777216.0f, 16777218.0f});
    ExpectSame<float>("float to integral float",
                      CastOf<float>(std::vector<float>{0.5f, 1.5f, -2.7f}, RoundMode::CAST_RINT), {0.0f, 2.0f, -3.0f});
    ExpectSame<int64_t>("float to int64_t", CastOf<int64_t>(std::vector<float>{1e15f, -2.5f}, RoundMode::CAST_RINT),
                        {999999986991104, -2});
}

}  // namespace

int main() {
    EveryHalf();
    HalfwayCases();
    HalfIsAScalar();
    Casts();
    return Finish();
}
