// Sums and products that end in a conversion.
#include "on_device.h"

using namespace AscendC;

namespace {

template <typename T, typename U>
void FusedCasts(const std::string& types, std::vector<U> a, std::vector<U> b, std::vector<T> sum,
                std::vector<T> difference) {
    const uint32_t n = static_cast<uint32_t>(a.size());
    a.resize(256);
    b.resize(256);
    for (uint32_t form = 0; form < 2; ++form) {
        Device<U> device({a, b}, {256 * sizeof(T) / sizeof(U) * 2});
        std::string rule = device.Compute([&](auto in, auto out, TPipe&) {
            LocalTensor<T> r = out[0].template ReinterpretCast<T>();
            Duplicate(out[0], U(0.0f), 512 * sizeof(T) / sizeof(U));
            const BinaryRepeatParams params{1, 1, 1, static_cast<uint8_t>(8 * sizeof(T) / sizeof(U)), 8, 8};
            if (form == 0) {
                AddReluCast(r, in[0], in[1], n);
                SubReluCast(r[256], in[0], in[1], n);
            } else {
                AddReluCast(r, in[0], in[1], uint64_t(n), 1, params);
                SubReluCast(r[256], in[0], in[1], uint64_t(n), 1, params);
            }
        });
        std::vector<T> seen(512);
        std::memcpy(seen.data(), device.outputs[0].data(), 512 * sizeof(T));
        const std::string name = types + (form == 0 ? "" : " with a mask");
        Expect("AddReluCast and SubReluCast of " + name + " break no rule", rule.empty(), rule);
        ExpectSame("AddReluCast of " + name, std::vector<T>(seen.begin(), seen.begin() + n), sum);
        ExpectSame("SubReluCast of " + name, std::vector<T>(seen.begin() + 256, seen.begin() + 256 + n), difference);
        Expect("and nothing behind the mask of " + name, seen[n] == T(0.0f));
    }
}

void Products() {
    // Table 28: nan with any number, and 0 times inf, are 0.
    Device<half> device({As<half>({2, -3, 20, 1.5f, NAN, 0}), As<half>({3, 3, 20, 1.0f, 1, INFINITY})}, {32});
    device.Compute([&](auto in, auto out, TPipe&) {
        Duplicate(out[0], half(0.0f), 32);
        MulCast(out[0].template ReinterpretCast<uint8_t>(), in[0], in[1], 6);
        MulCast(out[0][16].template ReinterpretCast<int8_t>(), in[0], in[1], 6);
    });
    std::vector<uint8_t> u(6);
    std::vector<int8_t> s(6);
    std::memcpy(u.data(), device.outputs[0].data(), 6);
    std::memcpy(s.data(), device.outputs[0].data() + 16, 6);
    ExpectSame<uint8_t>("MulCast to uint8_t saturates and rounds ties to even", u, {6, 0, 255, 2, 0, 0});
    ExpectSame<int8_t>("MulCast to int8_t", s, {6, -9, 127, 2, 0, 0});

    Device<int32_t> sums({{100, -200, 65536, 7, 0, 0, 0, 0}, {20, 10, 65536, 0, 0, 0, 0, 0}}, {8});
    sums.Compute([&](auto in, auto out, TPipe&) {
        SetDeqScale(half(0.25f));
        Duplicate(out[0], 0, 8);
        AddDeqRelu(out[0].template ReinterpretCast<half>(), in[0], in[1], 8);
    });
    std::vector<half> seen(4);
    std::memcpy(seen.data(), sums.outputs[0].data(), 8);
    ExpectSame<half>("AddDeqRelu scales, rounds and keeps what is positive", seen, As<half>({30, 0, 32768, 1.75f}));
}

}  // namespace

int main() {
    FusedCasts<int8_t, half>("half to int8_t", As<half>({1.5f, 100, -5, 0.25f}), As<half>({1, 100, 2, 0.25f}),
                             {2, 127, 0, 0}, {0, 0, 0, 0});
    FusedCasts<int8_t, int16_t>("int16_t to int8_t", {1, 100, -5, 300}, {2, 100, 2, 1}, {3, 127, 0, 127},
                                {0, 0, 0, 127});
    FusedCasts<half, float>("float to half", {1, 2.5f, -5, 70000}, {2, 0.5f, 2, 0}, As<half>({3, 3, 0, INFINITY}),
                            As<half>({0, 2, 0, INFINITY}));
    // Tables 26 and 27 of the page of limits: nan with any value, and inf less inf, are nan on the way and 0 in the
    // end.
    FusedCasts<int8_t, half>("NaN of half to int8_t: 0", As<half>({NAN, 1, INFINITY, INFINITY}),
                             As<half>({1, NAN, -INFINITY, INFINITY}), {0, 0, 0, 127}, {0, 0, 127, 0});
    FusedCasts<half, float>("NaN of float to half: +0", {NAN, 1, INFINITY, INFINITY}, {1, NAN, -INFINITY, INFINITY},
                            As<half>({0, 0, 0, INFINITY}), As<half>({0, 0, INFINITY, 0}));
    Products();
    return Finish();
}
