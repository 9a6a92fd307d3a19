// Gated linear units, running sums, quantisation and dropout against plain loops.
#include "on_device.h"
#include "twin_host/size_queries.h"

using namespace AscendC;

namespace {

template <typename T>
void Gates(const std::string& type, double tolerance) {
    const auto a = As<T>(Wave(96, 1, 2)), b = As<T>(Wave(96, 2, 3));
    Device<T> device({a, b}, {96, 96, 96});
    const std::string rule = device.Compute([](auto in, auto out, TPipe&) {
        SwiGLU(out[0], in[0], in[1], 1.5f, 96);
        GeGLU(out[1], in[0], in[1], 96);
        ReGlu(out[2], in[0], in[1], 96);
    });
    std::vector<double> swish, gelu, relu;
    for (size_t i = 0; i < 96; ++i) {
        const double x = static_cast<float>(a[i]), y = static_cast<float>(b[i]);
        swish.push_back(x * y / (1 + std::exp(-1.5 * y)));
        gelu.push_back(x * y * 0.5 * (1 + std::tanh(std::sqrt(2 / M_PI) * (y + 0.044715 * y * y * y))));
        relu.push_back(x * std::max(y, 0.0));
    }
    Expect("gated units of " + type + " break no rule", rule.empty(), rule);
    ExpectNear("SwiGLU of " + type, device.outputs[0], swish, tolerance);
    ExpectNear("GeGLU of " + type, device.outputs[1], gelu, tolerance);
    ExpectNear("ReGlu of " + type, device.outputs[2], relu, tolerance);
}

void Sigmoids() {
    const auto x = Wave(96, 1, 6);
    Device<float> device({x}, {96});
    const std::string rule = device.Compute([](auto in, auto out, TPipe&) { Silu(out[0], in[0], 96); });
    std::vector<double> expected;
    for (const float v : x) expected.push_back(v / (1 + std::exp(-static_cast<double>(v))));
    Expect("Silu breaks no rule", rule.empty(), rule);
    ExpectNear("Silu", device.outputs[0], expected, 1e-5);
}

constexpr CumSumConfig kDown = {false, false, true, CumSumAlgorithm::CUMSUM_ALGORITHM_LINEBYLINE};

void Sums() {
    const auto x = Wave(5 * 24, 1);
    Device<float> device({x}, {x.size(), x.size(), 24});
    const std::string rule = device.Compute([](auto in, auto out, TPipe&) {
        CumSum(out[0], out[2], in[0], {5, 24});
        CumSum<float, kDown>(out[1], out[2], in[0], {5, 24});
    });
    std::vector<double> along(x.begin(), x.end()), down = along;
    for (size_t i = 0; i < x.size(); ++i) {
        if (i % 24 != 0) along[i] += along[i - 1];
        if (i >= 24) down[i] += down[i - 24];
    }
    Expect("CumSum breaks no rule", rule.empty(), rule);
    ExpectNear("CumSum along rows", device.outputs[0], along, 1e-5);
    ExpectNear("CumSum down columns", device.outputs[1], down, 1e-5);
    ExpectNear("and its last row", device.outputs[2], std::vector<double>(down.end() - 24, down.end()), 1e-5);
    Expect("reduce-shape: CumSum of rows of 20 bytes", [&] {
        Device<float> odd({x}, {x.size()});
        return odd.Compute([](auto in, auto out, TPipe&) {
            LocalTensor<float> none;
            CumSum(out[0], none, in[0], {5, 5});
        });
    }() == "reduce-shape");
}

void Quant() {
    const std::vector<float> x = {0.5f, 1.5f, 2.5f, -2.5f, 1000, -1000, 0.3f, 4};
    Device<float> device({x, {2, 3, 0.5f, 1}, {1, 0, 0, -1}}, {2, 2, 2});
    const std::string rule = device.Compute([](auto in, auto out, TPipe&) {
        AscendQuant(out[0].template ReinterpretCast<int8_t>(), in[0], 1.0f, 0.0f, 8);
        AscendQuant(out[1].template ReinterpretCast<int8_t>(), in[0], in[1], 1.0f, 4, 8);
        AscendQuant(out[2].template ReinterpretCast<int8_t>(), in[0], in[1], in[2], 4, 4, 8);
    });
    const auto bytes = [&](size_t i) {
        std::vector<int8_t> v(8);
        std::memcpy(v.data(), device.outputs[i].data(), 8);
        return v;
    };
    Expect("AscendQuant breaks no rule", rule.empty(), rule);
    ExpectSame<int8_t>("AscendQuant rounds ties to even and saturates", bytes(0), {0, 2, 2, -2, 127, -128, 0, 4});
    ExpectSame<int8_t>("with a scale for each column", bytes(1), {2, 6, 2, -2, 127, -128, 1, 5});
    ExpectSame<int8_t>("and an offset", bytes(2), {2, 4, 1, -4, 127, -128, 0, 3});
    Expect("reduce-shape: three scales for eight elements", [&] {
        Device<float> odd({x, {1, 1, 1}}, {2});
        return odd.Compute([](auto in, auto out, TPipe&) {
            AscendQuant(out[0].template ReinterpretCast<int8_t>(), in[0], in[1], 0.0f, 3, 8);
        });
    }() == "reduce-shape");
}

void Drop() {
    const auto x = Wave(2 * 16, 1);
    const auto dropped = [&](uint32_t maskColumns, std::vector<uint8_t> mask, std::string* rule) {
        Device<float> device({x}, {x.size()});
        *rule = device.Compute([&](auto in, auto out, TPipe& pipe) {
            TBuf<> buffer;
            pipe.InitBuffer(buffer, 64);
            LocalTensor<uint8_t> bits = buffer.Get<uint8_t>();
            for (size_t i = 0; i < mask.size(); ++i) bits.SetValue(static_cast<uint32_t>(i), mask[i]);
            DropOutShapeInfo info;
            info.firstAxis = 2;
            info.srcLastAxis = 16;
            info.maskLastAxis = maskColumns;
            DropOut(out[0], in[0], bits, 0.5f, info);
        });
        return device.outputs[0];
    };
    std::vector<double> expected;
    std::vector<uint8_t> bytes(32), bits(4);
    for (size_t i = 0; i < 32; ++i) {
        bytes[i] = i % 3 == 0 || i == 17;
        bits[i / 8] = static_cast<uint8_t>(bits[i / 8] | bytes[i] << i % 8);
        expected.push_back(bytes[i] ? 2.0 * x[i] : 0.0);
    }
    std::string rule;
    ExpectNear("DropOut by bytes", dropped(16, bytes, &rule), expected, 1e-6);
    ExpectNear("DropOut by bits", dropped(2, bits, &rule), expected, 1e-6);
    Expect("DropOut breaks no rule", rule.empty(), rule);
    dropped(1, bits, &rule);
    Expect("reduce-shape: a mask that ends too early", rule == "reduce-shape", rule);
    dropped(16, std::vector<uint8_t>(31, 1), &rule);
    Expect("read-unwritten: a mask with a hole", rule == "read-unwritten", rule);
}

void Queries() {
    uint32_t most = 0, least = 0;
    GetTanhMaxMinTmpSize(ge::Shape({1000}), 2, false, most, least);
    Expect("Tanh of half takes four buffers, a repeat each at least", least == 4 * 256 && most == 4 * 2000);
    GetSinMaxMinTmpSize(ge::Shape({10}), 4, true, most, least);
    Expect("Sin of floats that it may overwrite takes two", least == 2 * 256 && most == least);
    Expect("Exp of half takes four buffers of floats",
           GetExpMaxMinTmpSize(ge::Shape({10}), 2, false, most, least) && least == 4 * 256 && most == least);
    GetErfTmpBufferFactorSize(4, most, least);
    Expect("Erf of floats counts three", most == 3 && least == 0);
    GetSwiGLUMaxMinTmpSize(ge::Shape({4, 100}), 2, most, least);
    Expect("SwiGLU of half takes six buffers", least == 6 * 256 && most == 6 * 800);
    GetCumSumMaxMinTmpSize(ge::Shape({5, 32}), 4, true, false, most, least);
    Expect("CumSum along rows takes two transposed blocks", least == 16 * 32 * 4 * 2 && most == least);
    GetAscendQuantMaxMinTmpSize(ge::Shape({1000}), 4, most, least);
    Expect("AscendQuant takes two repeats at least", least == 512 && most == 2016);
}

}  // namespace

int main() {
    Gates<float>("float", 1e-5);
    Gates<half>("half", 4e-3);
    Sigmoids();
    Sums();
    Quant();
    Drop();
    Queries();
    return Finish();
}
