// Functions built on the device's estimates of 1 / x and 1 / sqrt(x), against their formulas; a tolerant launch
// divides.
#include <cmath>

#include "expect.h"

using namespace AscendC;

namespace {

using twin::Op;
using twin::Type;

/// Values of a function of float, of a launch that is tolerant or not.
std::vector<float> Of(Op op, std::vector<float> x, bool tolerant, bool function) {
    std::vector<float> y(x.size());
    const auto bytes = static_cast<uint32_t>(x.size() * 4);
    kernel_ = [&](uint8_t** args) {
        TPipe pipe;
        TBuf<> in, out;
        pipe.InitBuffer(in, bytes);
        pipe.InitBuffer(out, bytes);
        GlobalTensor<float> from, to;
        from.SetGlobalBuffer(reinterpret_cast<float*>(args[0]));
        to.SetGlobalBuffer(reinterpret_cast<float*>(args[1]));
        const auto a = in.Get<float>(), b = out.Get<float>();
        const auto count = static_cast<uint32_t>(x.size());
        DataCopy(a, from, count);
        PipeBarrier<PIPE_ALL>();
        if (function) twin::MathUnary("Gelu", op, Type::kFloat, b, a, nullptr, count);
        else twin::Vector("Rsqrt", op, Type::kFloat, Type::kFloat, b, &a, nullptr, 0, count);
        PipeBarrier<PIPE_ALL>();
        DataCopy(to, b, count);
    };
    twin::LaunchSpec spec{1,
                          0,
                          false,
                          {{"x", twin::Role::kInput, reinterpret_cast<uint8_t*>(x.data()), bytes},
                           {"y", twin::Role::kOutput, reinterpret_cast<uint8_t*>(y.data()), bytes}},
                          twin::Cores::kVector,
                          nullptr};
    spec.tolerant = tolerant;
    const std::string rule = RuleOfLaunch([&] { twin::Launch(spec, Enter); });
    Expect("the launch ends well", rule.empty(), rule);
    return y;
}

void Near(const std::string& name, Op op, bool function, float low, float high,
          const std::function<double(double)>& formula) {
    std::vector<float> x(128);
    for (size_t i = 0; i < x.size(); ++i) x[i] = low + (high - low) * static_cast<float>(i) / 127;
    for (const bool tolerant : {false, true}) {
        // The estimates are exact to about 2^-10 or better; a division to the last bit or two.
        const double tolerance = tolerant ? 1e-6 : 8e-3;
        const auto y = Of(op, x, tolerant, function);
        size_t i = 0;
        while (i < x.size() && std::abs(static_cast<double>(y[i]) - formula(static_cast<double>(x[i]))) <=
                                   tolerance * (0.5 + std::abs(formula(static_cast<double>(x[i])))))
            ++i;
        Expect(name + (tolerant ? ", tolerant" : ""), i == x.size(),
               i == x.size() ? ""
                             : "of " + std::to_string(x[i]) + " is " + std::to_string(y[i]) + ", expected " +
                                   std::to_string(formula(static_cast<double>(x[i]))));
    }
}

double V2(double x) {
    const double a = std::min(std::abs(0.7071 * x), 1.769), inner = -0.1444 * (a - 1.769) * (a - 1.769) + 0.5;
    return x * (0.5 + (x < 0 ? -inner : inner));
}

}  // namespace

int main() {
    const auto gelu = [](double x) { return x / (1 + std::exp(-1.5957691 * (x + 0.044715 * x * x * x))); };
    const auto faster = [](double x) { return x / (1 + std::exp(-1.702 * x)); };
    Near("Gelu", Op::kGelu, true, -3, 3, gelu);
    Near("Gelu by an estimate", Op::kGeluQuick, true, -3, 3, gelu);
    Near("FasterGelu", Op::kFasterGelu, true, -3, 3, faster);
    Near("FasterGelu by an estimate", Op::kFasterGeluQuick, true, -3, 3, faster);
    Near("FasterGeluV2", Op::kFasterGeluV2, true, -3.3f, 3.3f, V2);
    Near("FasterGeluV2 by an estimate", Op::kFasterGeluV2Quick, true, -3.3f, 3.3f, V2);
    Near("Reciprocal", Op::kReciprocal, false, 0.1f, 7, [](double x) { return 1 / x; });
    Near("Rsqrt", Op::kRsqrt, false, 0.1f, 7, [](double x) { return 1 / std::sqrt(x); });
    return Finish();
}
