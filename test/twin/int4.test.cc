// Tensors of 4-bit integers, two to a byte, and Cast between them and half.
#include <algorithm>

#include "on_device.h"

using namespace AscendC;

namespace {

constexpr uint32_t kCount = 256;

using Pairs = LocalTensor<int4b_t>;
using Halves = LocalTensor<half>;

/// What `body` makes of the halves in `in` as 4-bit integers, widened again.
std::vector<half> Through(const std::vector<half>& in, std::function<void(Pairs, Halves)> body) {
    Device<half> device({in}, {in.size()});
    const std::string broke = device.Compute([&](auto x, auto y, TPipe& pipe) {
        TBuf<> pairs;
        pipe.InitBuffer(pairs, kCount / 2);
        Pairs narrow = pairs.Get<int4b_t>();
        body(narrow, x[0]);
        Cast(y[0], narrow, RoundMode::CAST_NONE, static_cast<uint32_t>(in.size()));
    });
    Expect("the launch ends well", broke.empty(), broke);
    return device.outputs[0];
}

/// The rule that a Cast of 256 halves at 0 to integers at 1024 breaks.
std::string Rule(std::function<void(Pairs, Halves)> body) {
    Device<half> device({As<half>(Wave(kCount, 1, 7))}, {kCount});
    return device.Compute([&](auto x, auto y, TPipe& pipe) {
        TBuf<> pairs;
        pipe.InitBuffer(pairs, kCount / 2);
        body(pairs.Get<int4b_t>(), x[0]);
        Adds(y[0], x[0], half(0.0f), kCount);
    });
}

void Trips(const std::string& rule, const std::string& name, std::function<void(Pairs, Halves)> body) {
    const std::string seen = Rule(std::move(body));
    Expect((rule.empty() ? "legal" : rule) + ": " + name, seen == rule,
           seen.empty() ? "no rule broken" : "broke " + seen);
}

void Rounding() {
    const std::vector<half> in =
        As<half>({-9, -8, -7.5f, -2.5f, -1.5f, -0.4f, 0, 0.5f, 1.5f, 2.5f, 6.6f, 7, 7.6f, 100, -100, 3});
    const auto seen = [&](RoundMode mode) { return Through(in, [&](Pairs d, Halves s) { Cast(d, s, mode, 16); }); };
    const std::vector<half> nearest = As<half>({-8, -8, -8, -2, -2, 0, 0, 0, 2, 2, 7, 7, 7, 7, -8, 3});
    ExpectSame("CAST_RINT takes ties to even and saturates", seen(RoundMode::CAST_RINT), nearest);
    ExpectSame("CAST_NONE is the same", seen(RoundMode::CAST_NONE), nearest);
    ExpectSame("CAST_FLOOR", seen(RoundMode::CAST_FLOOR),
               As<half>({-8, -8, -8, -3, -2, -1, 0, 0, 1, 2, 6, 7, 7, 7, -8, 3}));
    ExpectSame("CAST_CEIL", seen(RoundMode::CAST_CEIL),
               As<half>({-8, -8, -7, -2, -1, 0, 0, 1, 2, 3, 7, 7, 7, 7, -8, 3}));
    ExpectSame("CAST_ROUND", seen(RoundMode::CAST_ROUND),
               As<half>({-8, -8, -8, -3, -2, 0, 0, 1, 2, 3, 7, 7, 7, 7, -8, 3}));
    ExpectSame("CAST_TRUNC", seen(RoundMode::CAST_TRUNC),
               As<half>({-8, -8, -7, -2, -1, 0, 0, 0, 1, 2, 6, 7, 7, 7, -8, 3}));
}

/// -8 to 7 in turn.
std::vector<half> Steps() {
    std::vector<half> v(kCount);
    for (uint32_t i = 0; i < kCount; ++i) v[i] = static_cast<float>(static_cast<int>(i * 7 % 16) - 8);
    return v;
}

void Repeats() {
    const std::vector<half> in = Steps();
    ExpectSame("two repeats: 4 blocks of half make one of pairs",
               Through(in,
                       [](Pairs d, Halves s) {
                           Cast(d, s, RoundMode::CAST_RINT, uint64_t(128), 2, {1, 1, 2, 8});
                       }),
               in);
    std::vector<half> swapped(in);
    std::rotate(swapped.begin(), swapped.begin() + 128, swapped.end());
    ExpectSame("an offset counts elements",
               Through(in,
                       [](Pairs d, Halves s) {
                           Cast(d[128], s, RoundMode::CAST_RINT, 128);
                           Cast(d, s[128], RoundMode::CAST_RINT, 128);
                       }),
               swapped);
    ExpectSame("pairs back to half by repeats",
               Through(in,
                       [](Pairs d, Halves s) {
                           Cast(d, s, RoundMode::CAST_RINT, kCount);
                           Cast(s, d, RoundMode::CAST_NONE, uint64_t(128), 2, {1, 1, 8, 2});
                           Cast(d, s, RoundMode::CAST_RINT, kCount);
                       }),
               in);
    std::vector<half> masked(in);
    for (uint32_t i = 0; i < kCount; ++i)
        if (i / 2 % 2 == 1) masked[i] = half(5.0f);
    ExpectSame("a mask of bits takes whole bytes",
               Through(in,
                       [](Pairs d, Halves s) {
                           Duplicate(d.ReinterpretCast<int16_t>(), int16_t(0x5555), kCount / 4);
                           const uint64_t every[2] = {0x3333333333333333u, 0x3333333333333333u};
                           Cast(d, s, RoundMode::CAST_RINT, every, 2, {1, 1, 2, 8});
                       }),
               masked);
}

void Views() {
    const std::vector<half> in = Steps();
    const std::vector<half> seen = Through(in, [](Pairs d, Halves s) {
        Cast(d, s, RoundMode::CAST_RINT, kCount);
        Expect("128 bytes hold 256 elements",
               d.GetSize() == kCount && d.ReinterpretCast<int8_t>().GetSize() == kCount / 2);
        Expect("the first of a byte is its low half", d.ReinterpretCast<uint8_t>().GetValue(0) == (0x8 | 0xf << 4));
        Expect("GetValue has a sign",
               int8_t(d.GetValue(0)) == -8 && int8_t(d.GetValue(1)) == -1 && int8_t(d.GetValue(3)) == -3);
        d.SetValue(1, int4b_t(6));
        d.SetValue(2, int4b_t(-5));
    });
    std::vector<half> expected(in);
    expected[1] = half(6.0f);
    expected[2] = half(-5.0f);
    ExpectSame("SetValue leaves the other half of the byte", seen, expected);
}

/// Pairs in GM: counts and offsets are elements there too.
void Copies() {
    std::vector<uint8_t> x(128), y(128, 0);
    for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<uint8_t>(i * 37);
    const auto copy = [&](uint32_t count) {
        return RuleBroken({{"x", twin::Role::kInput, x.data(), 128}, {"y", twin::Role::kOutput, y.data(), 128}},
                          [count](uint8_t** gm) {
                              TPipe pipe;
                              TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> through;
                              pipe.InitBuffer(through, 1, 128);
                              GlobalTensor<int4b_t> from, to;
                              from.SetGlobalBuffer((__gm__ int4b_t*)gm[0]);
                              to.SetGlobalBuffer((__gm__ int4b_t*)gm[1]);
                              Pairs t = through.AllocTensor<int4b_t>();
                              DataCopy(t, from[64], count);
                              through.EnQue(t);
                              t = through.DeQue<int4b_t>();
                              DataCopy(to, t, count);
                              through.FreeTensor(t);
                          });
    };
    Expect("128 elements are 64 bytes",
           copy(128).empty() && std::equal(y.begin(), y.begin() + 64, x.begin() + 32) && y[64] == 0);
    Expect("unaligned-copy: 32 elements are 16 bytes", copy(32) == "unaligned-copy");
}

void Rules() {
    Trips("", "an even count", [](Pairs d, Halves s) { Cast(d, s, RoundMode::CAST_RINT, 30); });
    Trips("count-limit", "an odd count", [](Pairs d, Halves s) { Cast(d, s, RoundMode::CAST_RINT, 31); });
    Trips("mask-limit", "an odd mask", [](Pairs d, Halves s) {
        Cast(d, s, RoundMode::CAST_RINT, uint64_t(31), 1, {1, 1, 2, 8});
    });
    Trips("mask-limit", "bits that differ in a pair", [](Pairs d, Halves s) {
        const uint64_t bits[2] = {2, 0};
        Cast(d, s, RoundMode::CAST_RINT, bits, 1, {1, 1, 2, 8});
    });
    Trips("round-mode", "CAST_ODD", [](Pairs d, Halves s) { Cast(d, s, RoundMode::CAST_ODD, 32); });
    Trips("round-mode", "rounding what loses nothing", [](Pairs d, Halves s) {
        Cast(d, s, RoundMode::CAST_RINT, 32);
        Cast(s, d, RoundMode::CAST_RINT, 32);
    });
    Trips("out-of-buffer", "more than 256", [](Pairs d, Halves s) { Cast(d[128], s, RoundMode::CAST_RINT, kCount); });
    Trips("unaligned-ub", "a start within a block",
          [](Pairs d, Halves s) { Cast(d[32], s, RoundMode::CAST_RINT, 32); });
    Trips("read-unwritten", "a scalar that nobody wrote", [](Pairs d, Halves s) {
        Cast(d, s, RoundMode::CAST_RINT, 64);
        (void)d.GetValue(64);
    });
}

}  // namespace

int main() {
    Rounding();
    Repeats();
    Views();
    Copies();
    Rules();
    return Finish();
}
