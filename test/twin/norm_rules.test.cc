// Rules that calls of normalisations can break, and what lies beside their tensors.
#include <cmath>

#include "on_device.h"
#include "../runtime/host/layer_norm_tiling.cpp"
#include "../runtime/host/norm_tiling.cpp"
#include "../runtime/host/registry.cpp"
#include "tiling/tiling_api.h"

using namespace AscendC;

namespace {

constexpr uint32_t kB = 2, kS = 3, kH = 48;

/// A result and gamma that touch, the one right before the other.
void Neighbours() {
    const auto x = Wave(kB * kS * kH, 1), gamma = Wave(kH, 2);
    const uint32_t count = kB * kS * kH;
    uint32_t most = 0, least = 0;
    const ge::Shape flat({kB, kS, kH});
    GetRmsNormMaxMinTmpSize(flat, 4, most, least);
    RmsNormTiling rms;
    GetRmsNormTilingInfo(flat, flat, most, 4, rms);
    const auto rule = [&](uint32_t result, uint32_t scale) {
        Device<float> device({x, gamma}, {x.size()});
        return device.Compute([=, &rms](auto in, auto out, TPipe& pipe) {
            TBuf<> wide;
            pipe.InitBuffer(wide, (count + kH) * 4);
            const LocalTensor<float> w = wide.Get<float>();
            Adds(w[scale], in[1], 0.0f, kH);
            PipeBarrier<PIPE_ALL>();
            RmsNorm<float>(w[result], in[0], w[scale], 0.001f, rms);
            PipeBarrier<PIPE_ALL>();
            Adds(out[0], w[result], 0.0f, count);
        });
    };
    Expect("legal: gamma right behind the result", rule(0, count).empty());
    Expect("legal: gamma right before the result", rule(kH, 0).empty());
    Expect("partial-overlap: gamma ends in the result", rule(kH - 8, 0) == "partial-overlap");
    Expect("partial-overlap: gamma begins in the result", rule(0, count - 8) == "partial-overlap");
}

/// LayerNorm with one of its tensors an element off the start of a block.
void Starts() {
    const auto x = Wave(kB * kS * kH + 8, 1), gamma = Wave(kH + 8, 2);
    const ge::Shape shape({kB, kS, kH, kH});
    uint32_t most = 0, least = 0;
    GetLayerNormMaxMinTmpSize(shape, 4, false, most, least);
    LayerNormTiling tiling;
    GetLayerNormNDTilingInfo(shape, most, 4, false, tiling);
    const char* names[] = {"output", "mean", "variance", "inputX", "gamma", "beta", "nothing"};
    for (uint32_t off = 0; off < 7; ++off) {
        Device<float> device({x, gamma, gamma}, {x.size(), 16, 16});
        const std::string rule = device.Compute([&](auto in, auto out, TPipe& pipe) {
            TBuf<> work;
            pipe.InitBuffer(work, most);
            for (auto& t : out) Duplicate(t, 0.0f, static_cast<int32_t>(t.GetSize()));
            PipeBarrier<PIPE_ALL>();
            const auto at = [&](auto& t, uint32_t i) { return t[off == i ? 1 : 0]; };
            const auto y = at(out[0], 0), mean = at(out[1], 1), variance = at(out[2], 2);
            LayerNorm<float>(y, mean, variance, at(in[0], 3), at(in[1], 4), at(in[2], 5), work.Get<uint8_t>(), 0.001f,
                             tiling);
        });
        const std::string expected = off < 6 ? "unaligned-ub" : "";
        Expect((off < 6 ? "unaligned-ub: " : "legal: ") + std::string(names[off]) + " of LayerNorm within a block",
               rule == expected && (off == 6 || told_.message.find(names[off]) != std::string::npos),
               rule + " " + told_.message);
    }
}

void Rules() {
    const auto x = Wave(kB * kS * kH, 1), gamma = Wave(kH, 2), beta = Wave(kH, 3);
    const ge::Shape shape({kB, kS, kH, kH});
    uint32_t most = 0, least = 0;
    GetLayerNormMaxMinTmpSize(shape, 4, false, most, least);
    LayerNormTiling tiling, small;
    GetLayerNormNDTilingInfo(shape, most, 4, false, tiling);
    GetLayerNormNDTilingInfo(shape, 256, 4, false, small);
    const auto broken = [&](uint32_t taken, uint32_t work, LayerNormTiling t, bool onGamma) {
        Device<float> device({x, gamma, beta}, {x.size(), kB * kS, kB * kS});
        return device.Compute([&](auto in, auto out, TPipe& pipe) {
            TBuf<> rest, shared;
            if (taken != 0) pipe.InitBuffer(rest, taken);
            if (work != 0) pipe.InitBuffer(shared, work);
            const auto to = onGamma ? in[1] : out[0];
            if (work != 0) LayerNorm<float>(to, out[1], out[2], in[0], in[1], in[2], shared.Get<uint8_t>(), 0.01f, t);
            else LayerNorm<float>(to, out[1], out[2], in[0], in[1], in[2], 0.01f, t);
        });
    };
    const uint32_t left = 192 * 1024 - 2 * kB * kS * kH * 4 - 2 * kH * 4 - 3 * 32;
    const uint32_t needed = (tiling.firstTmpStartPos + 3 * tiling.oneTmpSize) * 4;
    Expect("temporary-memory: InitBuffer leaves too little",
           broken(left - needed + 32, 0, tiling, false) == "temporary-memory");
    // Besides, it selects, which takes the last 8 KB.
    Expect("ub-overflow: InitBuffer leaves just enough", broken(left - needed, 0, tiling, false) == "ub-overflow");
    Expect("legal: InitBuffer leaves 8 KB", needed < 8192 && broken(left - 8192, 0, tiling, false) == "",
           broken(left - 8192, 0, tiling, false));
    Expect("temporary-memory: a tiling that the host could not make", broken(0, 0, small, false) == "temporary-memory");
    Expect("out-of-buffer: sharedTmpBuffer is smaller than the tiling's",
           broken(0, needed - 32, tiling, false) == "out-of-buffer");
    Expect("legal: sharedTmpBuffer of the tiling's size", broken(0, needed, tiling, false) == "",
           broken(0, needed, tiling, false));
    Expect("partial-overlap: output is gamma", broken(0, 0, tiling, true) != "");
    // Which output lies over the input: all of them are written while the input is still read.
    for (const int over : {0, 1, 2}) {
        for (const uint32_t shift : {8u, static_cast<uint32_t>(x.size()) - 8}) {
            Device<float> device({x, gamma, beta}, {x.size(), kB * kS, kB * kS});
            const auto rule = device.Compute([&](auto in, auto out, TPipe&) {
                const LocalTensor<float> to[] = {over == 0 ? in[0][shift] : out[0], over == 1 ? in[0][shift] : out[1],
                                                 over == 2 ? in[0][shift] : out[2]};
                LayerNorm<float>(to[0], to[1], to[2], in[0], in[1], in[2], 0.01f, tiling);
            });
            Expect("partial-overlap: output " + std::to_string(over) + " over the input, from element " +
                       std::to_string(shift) + " on",
                   rule == "partial-overlap", rule);
        }
    }
    // WelfordUpdate reads and writes two tensors each: exactly the same memory, or memory of its own.
    for (const bool variance : {false, true})
        for (const uint32_t apart : {0u, 8u, 16u}) {
            Device<float> device({std::vector<float>(16, 1)}, {16});
            const auto rule = device.Compute([&](auto in, auto out, TPipe& pipe) {
                TBuf<> near, far;
                pipe.InitBuffer(near, 256);
                pipe.InitBuffer(far, 256);
                const auto n = near.Get<float>(), f = far.Get<float>();
                Duplicate(n, 0.0f, 64);
                Duplicate(f, 0.0f, 64);
                const auto mean = variance ? f : n[apart], spread = variance ? n[apart] : f;
                WelfordUpdate<float, float>(variance ? f[16] : n, variance ? n : f[16], mean, spread, in[0],
                                            {1, 16, 16, 1.0f});
                Adds(out[0], n, 0.0f, 16);
            });
            Expect(std::string("WelfordUpdate of a ") + (variance ? "variance " : "mean ") + std::to_string(apart) +
                       " elements behind its result",
                   rule == (apart == 8 ? "partial-overlap" : ""), rule);
        }
    LayerNormTiling odd = tiling;
    odd.hLength = odd.originalHLength = 47;
    Expect("reduce-shape: rows of 47 floats", broken(0, 0, odd, false) == "reduce-shape");
}

}  // namespace

int main() {
    Neighbours();
    Starts();
    Rules();
    return Finish();
}
