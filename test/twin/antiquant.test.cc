// Small integers to floating numbers with an offset and a scale, and back, and weighted sums of blocks, against plain
// loops.
#include <algorithm>

#include "on_device.h"

using namespace AscendC;

namespace {

constexpr uint32_t kK = 4, kN = 64;

struct Case {
    uint32_t groups;
    bool transposed, offset;
    bool told = false;  // the offset's tensor tells the shape
};

template <typename Out>
float Rounded(double value) {
    return static_cast<float>(static_cast<Out>(static_cast<float>(value)));
}

/// Values that are exact in both types, so that the order of roundings does not show.
double Offset(uint32_t i) { return static_cast<double>(i % 5) - 2; }
double Scale(uint32_t i) { return 0.5 * static_cast<double>(i % 3 + 1); }

template <typename Out>
std::string ByChannel(Case c, uint32_t bytes, std::vector<float>* seen) {
    const uint32_t rows = c.transposed ? 32 : 64, k = c.transposed ? 64 : 64, elements = rows * 64;
    const uint32_t height = c.transposed ? rows : c.groups, width = c.transposed ? c.groups : 64;
    std::vector<int8_t> x(elements);
    for (uint32_t i = 0; i < elements; ++i) x[i] = static_cast<int8_t>(i % 200 - 100);
    Device<int8_t> device({x}, {32});
    return device.Compute([&](auto in, auto out, TPipe& pipe) {
        TBuf<> result, shift, by, work;
        pipe.InitBuffer(result, elements * 2);
        pipe.InitBuffer(shift, height * width * 2);
        pipe.InitBuffer(by, height * width * 2);
        pipe.InitBuffer(work, bytes);
        auto offset = shift.Get<Out>(), scale = by.Get<Out>(), to = result.Get<Out>();
        for (uint32_t i = 0; i < height * width; ++i) {
            offset.SetValue(i, static_cast<Out>(static_cast<float>(Offset(i))));
            scale.SetValue(i, static_cast<Out>(static_cast<float>(Scale(i))));
        }
        AntiQuantShapeInfo shape{height, width, height, width};
        if (c.told) {
            const uint32_t own[] = {height, width};
            offset.SetShapeInfo(ShapeInfo(2, own));
            shape = {};
        }
        auto space = work.Get<uint8_t>();
        if (c.transposed) AscendAntiQuant<int8_t, Out, true>(to, in[0], offset, scale, space, k, shape);
        else if (c.offset) AscendAntiQuant<int8_t, Out, false>(to, in[0], offset, scale, space, k, shape);
        else AscendAntiQuant<int8_t, Out, false>(to, in[0], scale, space, k, shape);
        for (uint32_t i = 0; i < elements; ++i) seen->push_back(static_cast<float>(to.GetValue(i)));
        Duplicate(out[0].template ReinterpretCast<half>(), half(0), 16);
    });
}

template <typename Out>
void Check(const std::string& name, Case c, uint32_t bytes) {
    const uint32_t rows = c.transposed ? 32 : 64;
    std::vector<float> seen;
    const std::string rule = ByChannel<Out>(c, bytes, &seen);
    Expect(name + " breaks no rule", rule.empty(), rule);
    std::vector<double> expected;
    for (uint32_t i = 0; i < rows * 64; ++i) {
        const uint32_t r = i / 64, j = i % 64, part = 64 / c.groups;
        const uint32_t own = c.transposed ? r * c.groups + j / part : r / part * 64 + j;
        expected.push_back(static_cast<double>(Rounded<Out>(
            Scale(own) * (static_cast<double>(static_cast<int8_t>(i % 200 - 100)) + (c.offset ? Offset(own) : 0)))));
    }
    ExpectNear(name, seen, expected, 0);
}

std::string ByScalar(uint32_t left, std::vector<float>* seen) {
    Device<int8_t> device(
        {{3, -4, 5, 6, 7, 8, 9, 10, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, -128}}, {32});
    return device.Compute([&](auto in, auto out, TPipe& pipe) {
        TBuf<> result, rest;
        pipe.InitBuffer(result, 64);
        pipe.InitBuffer(rest, 192 * 1024 - 256 - left);
        auto to = result.Get<bfloat16_t>();
        AscendAntiQuant<int8_t, bfloat16_t, false>(to, in[0], bfloat16_t(1.0f), bfloat16_t(0.5f), 1);
        seen->push_back(static_cast<float>(to.GetValue(1)));
        seen->push_back(static_cast<float>(to.GetValue(31)));
        Duplicate(out[0].template ReinterpretCast<half>(), half(0), 16);
    });
}

void Pairs() {
    std::vector<int8_t> x(32);
    for (int i = 0; i < 32; ++i) x[i] = static_cast<int8_t>((i % 16) | ((15 - i % 16) << 4));
    std::vector<float> seen;
    std::vector<double> expected;
    Device<int8_t> device({x}, {32});
    const std::string rule = device.Compute([&](auto in, auto out, TPipe& pipe) {
        TBuf<> result;
        pipe.InitBuffer(result, 128);
        auto to = result.Get<half>();
        AscendAntiQuant<int4b_t, half, false>(to, in[0].template ReinterpretCast<int4b_t>(), half(0.0f), half(2.0f), 1);
        for (int i = 0; i < 64; ++i) seen.push_back(static_cast<float>(to.GetValue(i)));
        Duplicate(out[0].template ReinterpretCast<half>(), half(0), 16);
    });
    for (int i = 0; i < 64; ++i) {
        const int bits = i % 2 == 0 ? i / 2 % 16 : 15 - i / 2 % 16;
        expected.push_back(2.0 * (bits > 7 ? bits - 16 : bits));
    }
    Expect("int4b_t breaks no rule", rule.empty(), rule);
    ExpectNear("int4b_t has the lower half of a byte first", seen, expected, 0);
}

constexpr uint32_t kShorts = 144;

/// What a call makes of 144 shorts, in a buffer of zeros.
std::vector<int8_t> Dequantised(const std::function<void(LocalTensor<int8_t>, LocalTensor<int16_t>, TPipe&)>& call,
                                std::string* rule) {
    std::vector<int16_t> x(kShorts);
    for (uint32_t i = 0; i < kShorts; ++i) x[i] = static_cast<int16_t>(static_cast<int>(i) * 5 - 300);
    Device<int16_t> device({x}, {kShorts});
    *rule = device.Compute([&](auto in, auto out, TPipe& pipe) {
        Duplicate(out[0], int16_t(0), kShorts);
        PipeBarrier<PIPE_ALL>();
        call(out[0].template ReinterpretCast<int8_t>(), in[0], pipe);
    });
    std::vector<int8_t> bytes(kShorts * 2);
    std::memcpy(bytes.data(), device.outputs[0].data(), bytes.size());
    return bytes;
}

/// Lanes below `until` of 16 to a block, to the first or second half of it.
std::vector<int8_t> Blocks(uint32_t until, uint32_t half, bool isSigned, const std::function<double(uint32_t)>& value) {
    std::vector<int8_t> expected(kShorts * 2);
    for (uint32_t i = 0; i < until; ++i) {
        const double exact = std::nearbyint(value(i));
        const double kept = isSigned ? std::min(std::max(exact, -128.0), 127.0) : std::min(std::max(exact, 0.0), 255.0);
        expected[i / 16 * 32 + half + i % 16] = static_cast<int8_t>(static_cast<uint8_t>(static_cast<int>(kept)));
    }
    return expected;
}

double Short(uint32_t i) { return static_cast<double>(i) * 5 - 300; }

void Dequants() {
    std::string rule;
    auto seen = Dequantised(
        [](auto dst, auto src, TPipe&) {
            SetDeqScale(0.5f, -3, true);
            CastDequant<int8_t, int16_t, false, false>(dst, src, 100);
        },
        &rule);
    Expect("CastDequant by one factor breaks no rule", rule.empty(), rule);
    ExpectSame("CastDequant rounds, saturates and takes the first halves", seen,
               Blocks(100, 0, true, [](uint32_t i) { return Short(i) * 0.5 - 3; }));
    const auto many = [](auto dst, auto src, TPipe& pipe, bool sign, auto call) {
        TBuf<> buffer;
        pipe.InitBuffer(buffer, 128);
        auto set = buffer.Get<uint64_t>();
        float scale[16];
        int16_t offset[16];
        bool signs[16];
        for (int i = 0; i < 16; ++i)
            scale[i] = 0.25f * static_cast<float>(i + 1), offset[i] = static_cast<int16_t>(i), signs[i] = sign;
        SetDeqScale<uint64_t>(set, VdeqInfo(scale, offset, signs));
        call(dst, src);
    };
    seen = Dequantised(
        [&](auto dst, auto src, TPipe& pipe) {
            many(dst, src, pipe, false, [](auto to, auto from) {
                CastDequant<uint8_t, int16_t, true, true, true>(to.template ReinterpretCast<uint8_t>(), from,
                                                                int32_t(128), 1, {1, 1, 8, 8});
            });
        },
        &rule);
    Expect("CastDequant by sixteen factors breaks no rule", rule.empty(), rule);
    ExpectSame("CastDequant by sixteen factors takes the second halves", seen,
               Blocks(128, 16, false, [](uint32_t i) { return Short(i) * 0.25 * (i % 16 + 1) + i % 16; }));
    seen = Dequantised(
        [](auto dst, auto src, TPipe&) {
            SetDeqScale(0.5f, 0, true);
            CastDequant<int8_t, int16_t, true, false, false>(dst, src, int32_t(32), 3, UnaryRepeatParams(3, 2, 1, 3));
        },
        &rule);
    Expect("CastDequant of three repeats breaks no rule", rule.empty(), rule);
    std::vector<int8_t> strided(kShorts * 2);
    for (uint32_t r = 0; r < 3; ++r)
        for (uint32_t b = 0; b < 2; ++b) {
            const auto block = Blocks(kShorts, 0, true, [](uint32_t i) { return Short(i) * 0.5; });
            std::memcpy(&strided[(r + b * 3) * 32], &block[(r * 3 + b * 2) * 32], 16);
        }
    ExpectSame("CastDequant steps by blocks and by repeats, each operand by its own", seen, strided);
    Dequantised(
        [&](auto dst, auto src, TPipe& pipe) {
            many(dst, src, pipe, false, [](auto to, auto from) { CastDequant<int8_t, int16_t>(to, from, 16); });
        },
        &rule);
    Expect("unsupported-type: signs that are not the type's", rule == "unsupported-type", rule);
    Dequantised([](auto dst, auto src, TPipe&) { CastDequant<int8_t, int16_t>(dst, src, 16); }, &rule);
    Expect("read-unwritten: no factors", rule == "read-unwritten", rule);
    seen = Dequantised(
        [](auto dst, auto src, TPipe&) {
            // The last bit of this scale is its eleventh of fraction; halves would go up with it.
            SetDeqScale(0.5f + 0x1p-12f, 0, true);
            CastDequant<int8_t, int16_t, false, false>(dst, src, 100);
        },
        &rule);
    Expect("CastDequant by a fine scale breaks no rule", rule.empty(), rule);
    ExpectSame("of a scale ten bits of fraction count", seen,
               Blocks(100, 0, true, [](uint32_t i) { return Short(i) * 0.5; }));
}

void Bilinears() {
    std::vector<half> x(512), weights(64);
    for (int i = 0; i < 512; ++i) x[i] = half(static_cast<float>(i % 64));
    for (int i = 0; i < 64; ++i) weights[i] = half(static_cast<float>(i + 2));
    for (const bool each : {false, true}) {
        Device<half> device({x, weights}, {256});
        const std::string rule = device.Compute([&](auto in, auto out, TPipe& pipe) {
            TBuf<> where, work;
            pipe.InitBuffer(where, 128);
            pipe.InitBuffer(work, (512 + 64) * 32);
            auto offsets = where.Get<uint32_t>();
            for (uint32_t i = 0; i < 32; ++i) offsets.SetValue(i, (i + 1) % 32 * 32);
            BilinearInterpolation(out[0], in[0], offsets, in[1], uint64_t(128), 2, each, 1, 128, 2,
                                  work.Get<uint8_t>());
        });
        std::vector<double> expected;
        for (int v = 0; v < 2; ++v)
            for (int i = 0; i < 128; ++i) {
                double sum = 0;
                for (int h = 0; h < 2; ++h) {
                    const int repeat = v * 2 + h, block = (repeat * 8 + i / 16 + 1) % 32;
                    sum +=
                        ((block * 16 + i % 16) % 64) * static_cast<double>((each ? repeat * 8 + i / 16 : repeat) + 2);
                }
                expected.push_back(sum);
            }
        Expect("BilinearInterpolation breaks no rule", rule.empty(), rule);
        ExpectNear(each ? "BilinearInterpolation with a weight for each block" : "BilinearInterpolation",
                   device.outputs[0], expected, 2e-3);
    }
    Device<half> device({x, weights}, {256});
    Expect("gather-offset: an offset within a block", device.Compute([&](auto in, auto out, TPipe& pipe) {
        TBuf<> where, work;
        pipe.InitBuffer(where, 128);
        pipe.InitBuffer(work, (512 + 64) * 32);
        auto offsets = where.Get<uint32_t>();
        for (uint32_t i = 0; i < 32; ++i) offsets.SetValue(i, i * 2);
        Duplicate(out[0], half(0), 256);
        BilinearInterpolation(out[0], in[0], offsets, in[1], uint64_t(128), 2, false, 1, 128, 2, work.Get<uint8_t>());
    }) == "gather-offset");
    // One repeat is the fewest of either; rows of the result are 128 elements apart at least, in multiples of 16.
    const auto rule = [&](uint32_t across, uint32_t down, uint32_t apart) {
        return Device<half>({x, weights}, {256}).Compute([&](auto in, auto out, TPipe& pipe) {
            TBuf<> where, work;
            pipe.InitBuffer(where, 128);
            pipe.InitBuffer(work, (512 + 64) * 32);
            auto offsets = where.Get<uint32_t>();
            for (uint32_t i = 0; i < 32; ++i) offsets.SetValue(i, i * 32 % 256);
            Duplicate(out[0], half(0), 256);
            BilinearInterpolation(out[0], in[0], offsets, in[1], uint64_t(128), static_cast<uint8_t>(across), false, 1,
                                  static_cast<uint16_t>(apart), static_cast<uint8_t>(down), work.Get<uint8_t>());
        });
    };
    Expect("legal: one repeat across and one down", rule(1, 1, 128).empty(), rule(1, 1, 128));
    Expect("repeat-limit: none across", rule(0, 1, 128) == "repeat-limit");
    Expect("repeat-limit: none down", rule(1, 0, 128) == "repeat-limit");
    Expect("copy-params: rows 112 elements apart", rule(1, 1, 112) == "copy-params");
    Expect("copy-params: rows 136 elements apart", rule(1, 1, 136) == "copy-params");
    Expect("legal: rows 144 elements apart", rule(1, 1, 144).empty(), rule(1, 1, 144));
}

}  // namespace

int main() {
    Check<half>("half by channel", {1, false, true}, 32);
    Check<half>("half by groups of K", {4, false, true}, 32);
    Check<half>("half with the offset's own shape", {1, false, true, true}, 32);
    Check<half>("half without an offset", {1, false, false}, 32);
    Check<half>("half transposed", {2, true, true}, 32);
    Check<bfloat16_t>("bfloat16_t by channel", {1, false, true}, (64 * 2 + 64 * 64) * 4);
    Check<bfloat16_t>("bfloat16_t transposed", {1, true, true}, 80 * 32 * 4);
    std::vector<float> seen;
    Expect("out-of-buffer: bfloat16_t with a block less",
           ByChannel<bfloat16_t>({1, false, true}, (64 * 2 + 64 * 64) * 4 - 32, &seen) == "out-of-buffer");
    Expect("operand-shape: groups that do not divide K",
           ByChannel<half>({3, false, true}, 32, &seen) == "operand-shape");
    seen.clear();
    Expect("one scale for all", ByScalar(1024, &seen) == "" && seen[0] == -1.5f && seen[1] == -63.5f,
           std::to_string(seen.empty() ? 0 : seen[0]));
    Expect("temporary-memory: one scale with no room left", ByScalar(96, &seen) == "temporary-memory");
    Pairs();
    Dequants();
    Bilinears();
    return Finish();
}
