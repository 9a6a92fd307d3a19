// Normalisations against plain loops, with tilings from the host's own queries.
#include <cmath>

#include "on_device.h"
#include "../runtime/host/layer_norm_tiling.cpp"
#include "../runtime/host/norm_tiling.cpp"
#include "../runtime/host/registry.cpp"
#include "tiling/tiling_api.h"

using namespace AscendC;

namespace {

struct Expected {
    std::vector<double> y, mean, variance;
};

Expected NormOf(const std::vector<double>& x, const std::vector<double>& gamma, const std::vector<double>& beta,
                size_t rows, size_t columns, double epsilon) {
    Expected e;
    for (size_t r = 0; r < rows; ++r) {
        double sum = 0, squares = 0;
        for (size_t i = 0; i < columns; ++i) sum += x[r * columns + i];
        const double mean = sum / static_cast<double>(columns);
        for (size_t i = 0; i < columns; ++i) squares += std::pow(x[r * columns + i] - mean, 2);
        const double variance = squares / static_cast<double>(columns);
        for (size_t i = 0; i < columns; ++i)
            e.y.push_back((x[r * columns + i] - mean) / std::sqrt(variance + epsilon) * gamma[i] + beta[i]);
        e.mean.push_back(mean);
        e.variance.push_back(variance);
    }
    return e;
}

template <typename T>
std::vector<double> Exact(const std::vector<T>& v) {
    std::vector<double> result;
    for (const T& x : v) result.push_back(static_cast<double>(static_cast<float>(x)));
    return result;
}

constexpr uint32_t kB = 2, kS = 3, kH = 48;

template <typename T>
void OverRows(const std::string& type, double tolerance) {
    const auto x = As<T>(Wave(kB * kS * kH, 1)), gamma = As<T>(Wave(kH, 2)), beta = As<T>(Wave(kH, 3)),
               gx = As<T>(Wave(kB * kS * kH, 4));
    const ge::Shape shape({kB, kS, kH, kH}), flat({kB, kS, kH});
    uint32_t most = 0, least = 0;
    GetLayerNormMaxMinTmpSize(shape, sizeof(T), false, most, least);
    for (const uint32_t bytes : {most, least + 32 * 8}) {
        LayerNormTiling tiling;
        GetLayerNormNDTilingInfo(shape, bytes, sizeof(T), false, tiling);
        Device<T> device({x, gamma, beta}, {x.size(), kB * kS, kB * kS});
        const std::string rule = device.Compute([&](auto in, auto out, TPipe& pipe) {
            TBuf<> work;
            pipe.InitBuffer(work, bytes);
            LayerNorm<T>(out[0], out[1], out[2], in[0], in[1], in[2], work.Get<uint8_t>(), T(0.001f), tiling);
        });
        const Expected e = NormOf(Exact(x), Exact(gamma), Exact(beta), kB * kS, kH, 0.001);
        Expect("LayerNorm of " + type + " breaks no rule with " + std::to_string(bytes) + " bytes", rule.empty(), rule);
        ExpectNear("LayerNorm of " + type, device.outputs[0], e.y, tolerance);
        ExpectNear("LayerNorm of " + type + ": mean", device.outputs[1], e.mean, tolerance);
        ExpectNear("LayerNorm of " + type + ": variance", device.outputs[2], e.variance, tolerance);
    }

    GetRmsNormMaxMinTmpSize(flat, sizeof(T), most, least);
    RmsNormTiling rms;
    Expect("RmsNorm has a tiling", GetRmsNormTilingInfo(flat, flat, least, sizeof(T), rms) && rms.loopRound == 6 &&
                                       !GetRmsNormTilingInfo(flat, flat, least - 4, sizeof(T), rms));
    GetRmsNormTilingInfo(flat, flat, most, sizeof(T), rms);
    Device<T> device({x, gamma}, {x.size()});
    const std::string rule =
        device.Compute([&](auto in, auto out, TPipe&) { RmsNorm<T>(out[0], in[0], in[1], T(0.001f), rms); });
    std::vector<double> expected;
    for (size_t r = 0; r < kB * kS; ++r) {
        double squares = 0;
        for (size_t i = 0; i < kH; ++i) squares += std::pow(Exact(x)[r * kH + i], 2);
        for (size_t i = 0; i < kH; ++i)
            expected.push_back(Exact(x)[r * kH + i] / std::sqrt(squares / kH + 0.001) * Exact(gamma)[i]);
    }
    Expect("RmsNorm of " + type + " breaks no rule", rule.empty(), rule);
    ExpectNear("RmsNorm of " + type, device.outputs[0], expected, tolerance);

    GetDeepNormMaxMinTmpSize(flat, sizeof(T), false, false, most, least);
    DeepNormTiling deep;
    Expect("DeepNorm has a tiling", GetDeepNormTilingInfo(flat, flat, most, sizeof(T), false, false, deep) &&
                                        !GetDeepNormTilingInfo(flat, flat, least - 4, sizeof(T), false, false, deep));
    GetDeepNormTilingInfo(flat, flat, most, sizeof(T), false, false, deep);
    Device<T> residual({x, gx, beta, gamma}, {x.size(), kB * kS, kB * kS});
    residual.Compute([&](auto in, auto out, TPipe&) {
        DeepNorm<T>(out[0], out[1], out[2], in[0], in[1], in[2], in[3], T(0.5f), T(0.001f), deep);
    });
    std::vector<double> both = Exact(x);
    for (size_t i = 0; i < both.size(); ++i) both[i] = both[i] * 0.5 + Exact(gx)[i];
    Expected e = NormOf(both, Exact(gamma), Exact(beta), kB * kS, kH, 0.001);
    ExpectNear("DeepNorm of " + type, residual.outputs[0], e.y, tolerance);
    ExpectNear("DeepNorm of " + type + ": mean", residual.outputs[1], e.mean, tolerance);
    ExpectNear("DeepNorm of " + type + ": variance", residual.outputs[2], e.variance, tolerance);
}

constexpr uint32_t kA = 3, kR = 43, kPadded = 48;

void WithPadding() {
    const auto x = Wave(kA * kPadded, 1), gamma = Wave(kR, 2), beta = Wave(kR, 3);
    const ge::Shape shape({kA, kR});
    uint32_t most = 0, least = 0;
    GetLayerNormMaxMinTmpSize(shape, 4, false, true, false, most, least);
    LayerNormSeparateTiling tiling;
    GetLayerNormNDTilingInfo(shape, least, 4, false, true, tiling);
    std::vector<double> packed;
    for (size_t r = 0; r < kA; ++r) packed.insert(packed.end(), x.begin() + r * kPadded, x.begin() + r * kPadded + kR);
    const Expected e = NormOf(packed, Exact(gamma), Exact(beta), kA, kR, 0.01);
    std::vector<double> rstd;
    for (const double v : e.variance) rstd.push_back(1 / std::sqrt(v + 0.01));

    // Padding of the results is nobody's to read, so rows are copied out one by one.
    const auto row = [&](LocalTensor<float> from, LocalTensor<float> to) {
        for (uint32_t r = 0; r < kA; ++r)
            for (uint32_t i = 0; i < kR; ++i) to.SetValue(r * kR + i, from.GetValue(r * kPadded + i));
    };
    Device<float> device({x, gamma, beta}, {packed.size(), kA, kA});
    std::string rule = device.Compute([&](auto in, auto out, TPipe& pipe) {
        TBuf<> wide;
        pipe.InitBuffer(wide, kA * kPadded * 4);
        LayerNorm<float, float>(wide.Get<float>(), out[1], out[2], in[0], in[1], in[2], 0.01f, {kA, kR, kPadded},
                                tiling);
        row(wide.Get<float>(), out[0]);
    });
    Expect("LayerNorm with rstd breaks no rule", rule.empty(), rule);
    ExpectNear("LayerNorm with rstd", device.outputs[0], e.y, 1e-5);
    ExpectNear("LayerNorm with rstd: mean", device.outputs[1], e.mean, 1e-5);
    ExpectNear("LayerNorm with rstd: rstd", device.outputs[2], rstd, 1e-5);
    for (const bool mean : {true, false}) {
        rule = device.Compute([&](auto in, auto out, TPipe& pipe) {
            TBuf<> wide;
            pipe.InitBuffer(wide, kA * kPadded * 4);
            const LocalTensor<float> means = mean ? in[0][8] : out[1], rstds = mean ? out[2] : in[0][8];
            const LocalTensor<float> y = wide.Get<float>();
            LayerNorm<float, float>(y, means, rstds, in[0], in[1], in[2], 0.01f, {kA, kR, kPadded}, tiling);
        });
        const std::string what = mean ? "mean" : "rstd";
        Expect("partial-overlap: " + what + " over the input", rule == "partial-overlap", rule);
    }
    rule = device.Compute([&](auto in, auto out, TPipe& pipe) {
        TBuf<> wide;
        pipe.InitBuffer(wide, kA * kPadded * 4);
        LayerNorm<float, float>(wide.Get<float>(), out[1], out[2], in[0], in[1], in[2], 0.01f, {kA, kR, kPadded},
                                tiling);
        DataCopy(out[0], wide.Get<float>(), 128);
    });
    Expect("read-unwritten: padding of a row as a result", rule == "read-unwritten", rule);

    const auto mean = As<float>(std::vector<float>(e.mean.begin(), e.mean.end())),
               variance = As<float>(std::vector<float>(e.variance.begin(), e.variance.end()));
    Device<float> normal({x, gamma, beta, mean, variance}, {packed.size(), kA});
    rule = normal.Compute([&](auto in, auto out, TPipe& pipe) {
        TBuf<> wide;
        pipe.InitBuffer(wide, kA * kPadded * 4);
        Normalize<float, float>(wide.Get<float>(), out[1], in[3], in[4], in[0], in[1], in[2], 0.01f, {kA, kR, kPadded});
        row(wide.Get<float>(), out[0]);
    });
    Expect("Normalize breaks no rule", rule.empty(), rule);
    ExpectNear("Normalize", normal.outputs[0], e.y, 1e-5);
    ExpectNear("Normalize: rstd", normal.outputs[1], rstd, 1e-5);
}

void Gradients() {
    const auto dy = Wave(kB * kS * kH, 5), x = Wave(kB * kS * kH, 1), gamma = Wave(kH, 2);
    const std::vector<double> zero(kH, 0.0), one(kH, 1.0);
    const double epsilon = 0.01, step = 1e-4;
    const Expected forward = NormOf(Exact(x), one, zero, kB * kS, kH, epsilon);
    const ge::Shape shape({kB, kS, kH, kH});
    uint32_t most = 0, least = 0;
    GetLayerNormGradMaxMinTmpSize(shape, 4, false, most, least);
    LayerNormGradTiling tiling;
    GetLayerNormGradNDTilingInfo(shape, least, 4, false, tiling);
    Device<float> device({dy, x, std::vector<float>(forward.variance.begin(), forward.variance.end()),
                          std::vector<float>(forward.mean.begin(), forward.mean.end()), gamma},
                         {x.size(), x.size()});
    std::string rule = device.Compute([&](auto in, auto out, TPipe&) {
        LayerNormGrad<float>(out[0], out[1], in[0], in[1], in[2], in[3], in[4], 0.01f, tiling);
    });
    // The gradient is what small steps of x do to the sum of dy * y.
    std::vector<double> slopes;
    for (size_t i = 0; i < x.size(); ++i) {
        double sums[2] = {};
        for (const int side : {0, 1}) {
            std::vector<double> moved = Exact(x);
            moved[i] += side == 0 ? step : -step;
            const Expected e = NormOf(moved, Exact(gamma), zero, kB * kS, kH, epsilon);
            for (size_t k = i / kH * kH; k < (i / kH + 1) * kH; ++k) sums[side] += Exact(dy)[k] * e.y[k];
        }
        slopes.push_back((sums[0] - sums[1]) / (2 * step));
    }
    Expect("LayerNormGrad breaks no rule", rule.empty(), rule);
    ExpectNear("LayerNormGrad", device.outputs[0], slopes, 1e-3);
    ExpectNear("LayerNormGrad: for gamma", device.outputs[1], forward.y, 1e-4);

    GetLayerNormGradBetaMaxMinTmpSize(shape, 4, false, most, least);
    LayerNormGradBetaTiling scales;
    GetLayerNormGradBetaNDTilingInfo(shape, least, 4, false, scales);
    Device<float> sums({device.outputs[1], dy}, {kH, kH});
    rule = sums.Compute(
        [&](auto in, auto out, TPipe&) { LayerNormGradBeta<float>(out[0], out[1], in[0], in[1], scales); });
    std::vector<double> dGamma(kH), dBeta(kH);
    for (size_t i = 0; i < x.size(); ++i) {
        dGamma[i % kH] += Exact(dy)[i] * forward.y[i];
        dBeta[i % kH] += Exact(dy)[i];
    }
    Expect("LayerNormGradBeta breaks no rule", rule.empty(), rule);
    ExpectNear("LayerNormGradBeta: gamma", sums.outputs[0], dGamma, 1e-4);
    ExpectNear("LayerNormGradBeta: beta", sums.outputs[1], dBeta, 1e-4);
}

void Welford() {
    constexpr uint32_t lanes = 16, steps = 5;
    const auto x = Wave(lanes * steps, 7);
    Device<float> device({x}, {1, 1});
    const std::string rule = device.Compute([&](auto in, auto out, TPipe& pipe) {
        TBuf<> a, b, c, d;
        for (TBuf<>* one : {&a, &b, &c, &d}) pipe.InitBuffer(*one, lanes * 4);
        LocalTensor<float> mean = a.Get<float>(), variance = b.Get<float>(), nextMean = c.Get<float>(),
                           nextVariance = d.Get<float>();
        Duplicate(mean, 0.0f, lanes);
        Duplicate(variance, 0.0f, lanes);
        for (uint32_t i = 0; i < steps; ++i) {
            WelfordUpdate<float, float>(nextMean, nextVariance, mean, variance, in[0][i * lanes],
                                        {1, lanes, lanes, 1.0f / static_cast<float>(i + 1)});
            std::swap(mean, nextMean);
            std::swap(variance, nextVariance);
        }
        WelfordFinalizePara para{steps, lanes, steps, lanes, 0, 0, 1.0f / lanes, 1.0f / (lanes * steps)};
        WelfordFinalize(out[0], out[1], mean, variance, para);
    });
    const Expected e =
        NormOf(Exact(x), std::vector<double>(x.size(), 1.0), std::vector<double>(x.size(), 0.0), 1, x.size(), 0);
    Expect("Welford breaks no rule", rule.empty(), rule);
    ExpectNear("Welford: mean", device.outputs[0], e.mean, 1e-5);
    ExpectNear("Welford: variance", device.outputs[1], e.variance, 1e-5);
}

void BatchesAndGroups() {
    const auto x = Wave(kB * 8 * kS * 8, 1), gamma = Wave(16, 2), beta = Wave(16, 3);
    const ge::Shape shape({16, kS, 8});
    uint32_t most = 0, least = 0;
    BatchNormTiling batch;
    Expect("BatchNorm has a tiling", GetBatchNormMaxMinTmpSize(shape, shape, 4, false, most, least) &&
                                         GetBatchNormNDTilingInfo(shape, shape, most, 4, false, batch));
    Device<float> device({x, gamma, beta}, {x.size(), 24, 24});
    std::string rule = device.Compute([&](auto in, auto out, TPipe&) {
        BatchNorm<float>(out[0], out[1], out[2], in[0], in[1], in[2], 0.01f, batch);
    });
    std::vector<double> y(x.size()), means, variances;
    for (size_t i = 0; i < 24; ++i) {
        std::vector<double> column;
        for (size_t b = 0; b < 16; ++b) column.push_back(x[b * 24 + i]);
        const Expected e = NormOf(column, Exact(gamma), Exact(beta), 1, 16, 0.01);
        for (size_t b = 0; b < 16; ++b) y[b * 24 + i] = e.y[b];
        means.push_back(e.mean[0]);
        variances.push_back(e.variance[0]);
    }
    Expect("BatchNorm breaks no rule", rule.empty(), rule);
    ExpectNear("BatchNorm", device.outputs[0], y, 1e-5);
    ExpectNear("BatchNorm: mean", device.outputs[1], means, 1e-5);
    ExpectNear("BatchNorm: variance", device.outputs[2], variances, 1e-5);

    // {N, C, H, W} = {2, 6, 2, 4} in 3 groups of two channels.
    const auto image = Wave(2 * 6 * 8, 4), scale = Wave(6, 5), shift = Wave(6, 6);
    const ge::Shape nchw({2, 6, 2, 4});
    GetGroupNormMaxMinTmpSize(nchw, 4, false, 3, most, least);
    GroupNormTiling group;
    GetGroupNormNDTilingInfo(nchw, most, 4, false, 3, group);
    Device<float> groups({image, scale, shift}, {image.size(), 6, 6});
    rule = groups.Compute([&](auto in, auto out, TPipe&) {
        GroupNorm<float>(out[0], out[1], out[2], in[0], in[1], in[2], 0.01f, group);
    });
    std::vector<double> expected, mean;
    for (size_t g = 0; g < 6; ++g) {
        std::vector<double> s, b;
        for (size_t i = 0; i < 16; ++i) {
            s.push_back(scale[g % 3 * 2 + i / 8]);
            b.push_back(shift[g % 3 * 2 + i / 8]);
        }
        const Expected e =
            NormOf(std::vector<double>(image.begin() + g * 16, image.begin() + (g + 1) * 16), s, b, 1, 16, 0.01);
        expected.insert(expected.end(), e.y.begin(), e.y.end());
        mean.push_back(e.mean[0]);
    }
    Expect("GroupNorm breaks no rule", rule.empty(), rule);
    ExpectNear("GroupNorm", groups.outputs[0], expected, 1e-5);
    ExpectNear("GroupNorm: mean", groups.outputs[1], mean, 1e-5);
}

}  // namespace

int main() {
    OverRows<float>("float", 1e-5);
    OverRows<half>("half", 4e-3);
    WithPadding();
    Gradients();
    Welford();
    BatchesAndGroups();
    return Finish();
}
