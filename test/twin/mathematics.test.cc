// Functions of the advanced API against the C library in double, over counts that end within and behind a repeat; what
// lies behind the count keeps its value.
#include <cmath>

#include "on_ub.h"

using namespace AscendC;

namespace {

constexpr uint32_t kCounts[] = {1, 31, 128, 256, 257, 600};

template <typename T>
constexpr double kTolerance = sizeof(T) == 2 ? 2e-3 : 3e-6;

template <typename T>
std::string Differs(const std::vector<T>& seen, const std::vector<double>& expected, double tolerance) {
    for (size_t i = 0; i < expected.size(); ++i) {
        const double value = static_cast<double>(static_cast<float>(seen[i])), want = expected[i];
        const bool near = std::isnan(want)
                              ? std::isnan(value)
                              : value == want || std::abs(value - want) <= tolerance * (1 + std::abs(want));
        if (!near)
            return "element " + std::to_string(i) + " is " + std::to_string(value) + ", expected " +
                   std::to_string(want);
    }
    return "";
}

template <typename T>
using Instruction = std::function<void(LocalTensor<T>, LocalTensor<T>, LocalTensor<T>, uint32_t)>;

template <typename T>
void Near(const std::string& name, const Instruction<T>& run, const std::function<double(double, double)>& value,
          float low, float high) {
    for (const uint32_t count : kCounts) {
        Chance chance(count);
        const auto numbers = [&] {
            std::vector<T> v(count + 16);
            for (auto& x : v) x = static_cast<T>(low + (high - low) * static_cast<float>(chance.From(0, 1000)) / 1000);
            return v;
        };
        const auto x = numbers(), y = numbers();
        std::vector<T> z(count + 16, static_cast<T>(77.0f));
        std::vector<double> expected(count + 16, 77);
        for (uint32_t i = 0; i < count; ++i)
            expected[i] =
                value(static_cast<double>(static_cast<float>(x[i])), static_cast<double>(static_cast<float>(y[i])));
        Ub ub;
        const size_t dst = ub.Put(z), a = ub.Put(x), b = ub.Put(y);
        std::string wrong = ub.Wrong([&](Ub& u) { run(u.At<T>(dst), u.At<T>(a), u.At<T>(b), count); });
        if (wrong.rfind("broke", 0) != 0) wrong = Differs(ub.Seen<T>(dst, count + 16), expected, kTolerance<T>);
        if (!wrong.empty()) return Expect(name, false, std::to_string(count) + " elements: " + wrong);
    }
    Expect(name, true);
}

#define NEAR(Name, expression, low, high)                                                            \
    Near<T>(                                                                                         \
        std::string(#Name) + " of " + type, [](auto z, auto x, auto, uint32_t n) { Name(z, x, n); }, \
        [](double x, double) -> double { return expression; }, low, high)

template <typename T>
void Functions(const std::string& type) {
    NEAR(Sigmoid, 1 / (1 + std::exp(-x)), -9, 9);
    NEAR(Tanh, std::tanh(x), -4, 4);
    NEAR(Erf, std::erf(x), -3, 3);
    NEAR(Erfc, std::erfc(x), -3, 3);
    NEAR(Sin, std::sin(x), -7, 7);
    NEAR(Cos, std::cos(x), -7, 7);
    NEAR(Tan, std::tan(x), -1, 1);
    NEAR(Asin, std::asin(x), -1, 1);
    NEAR(Acos, std::acos(x), -1, 1);
    NEAR(Atan, std::atan(x), -9, 9);
    NEAR(Sinh, std::sinh(x), -3, 3);
    NEAR(Cosh, std::cosh(x), -3, 3);
    NEAR(Asinh, std::asinh(x), -9, 9);
    NEAR(Acosh, std::acosh(x), 1, 9);
    NEAR(Atanh, std::atanh(x), -0.9f, 0.9f);
    NEAR(Log, std::log(x), 0.5f, 90);
    NEAR(Log2, std::log2(x), 0.5f, 90);
    NEAR(Log10, std::log10(x), 0.5f, 90);
    NEAR(Sign, (x > 0) - (x < 0), -1, 1);
    NEAR(Floor, std::floor(x), -9, 9);
    NEAR(Ceil, std::ceil(x), -9, 9);
    NEAR(Trunc, std::trunc(x), -9, 9);
    NEAR(Round, std::nearbyint(x), -500, 500);
    NEAR(Frac, x - std::trunc(x), -9, 9);
    NEAR(Lgamma, std::lgamma(x), 0.5f, 9);
    NEAR(Silu, x / (1 + std::exp(-x)), -9, 9);
    NEAR(Gelu, x / (1 + std::exp(-1.5957691 * (x + 0.044715 * x * x * x))), -4, 4);
    NEAR(FasterGelu, x / (1 + std::exp(-1.702 * x)), -4, 4);
}

/// Half a turn of the function is the straight piece between its clamps (FasterGeluV2.md).
double FasterV2(double x) {
    const double a = std::min(std::abs(0.7071 * x), 1.769) - 1.769;
    return x * (0.5 + (x < 0 ? -1 : 1) * (0.5 - 0.1444 * a * a));
}

/// The slope of the logarithm of Gamma.
double Slope(double x) {
    const long double step = 1e-4L;
    return static_cast<double>((lgammal(x + step) - lgammal(x - step)) / (2 * step));
}

template <typename T>
void Others(const std::string& type) {
    using Unary = std::function<double(double, double)>;
    const auto near = [&](const std::string& name, const Instruction<T>& run, const Unary& value, float low,
                          float high) { Near<T>(name + " of " + type, run, value, low, high); };
    near(
        "FasterGeluV2", [](auto z, auto x, auto, uint32_t n) { FasterGeluV2(z, x, n); },
        [](double x, double) { return FasterV2(x); }, -4, 4);
    near(
        "Digamma", [](auto z, auto x, auto, uint32_t n) { Digamma(z, x, n); },
        [](double x, double) { return Slope(x); }, 0.25f, 12);
    near(
        "Digamma below nought", [](auto z, auto x, auto, uint32_t n) { Digamma(z, x, n); },
        [](double x, double) { return Slope(x); }, -0.7f, -0.3f);
    near(
        "Swish", [](auto z, auto x, auto, uint32_t n) { Swish(z, x, n, static_cast<T>(1.5f)); },
        [](double x, double) { return x / (1 + std::exp(-1.5 * x)); }, -5, 5);
    near(
        "Power", [](auto z, auto x, auto y, uint32_t n) { Power<T>(z, x, y, n); },
        [](double x, double y) { return std::pow(x, y); }, 0.5f, 3);
    near(
        "Power to a scalar", [](auto z, auto x, auto, uint32_t n) { Power<T>(z, x, static_cast<T>(2.5f), n); },
        [](double x, double) { return std::pow(x, 2.5); }, 0.5f, 3);
    near(
        "Power of a scalar", [](auto z, auto x, auto, uint32_t n) { Power<T>(z, static_cast<T>(2.5f), x, n); },
        [](double x, double) { return std::pow(2.5, x); }, -3, 3);
    near(
        "Fmod", [](auto z, auto x, auto y, uint32_t n) { Fmod(z, x, y, n); },
        [](double x, double y) { return std::fmod(x, y); }, 1, 9);
    near(
        "ClampMax", [](auto z, auto x, auto, uint32_t n) { ClampMax(z, x, static_cast<T>(1.5f), n); },
        [](double x, double) { return std::min(x, 1.5); }, -5, 5);
    near(
        "ClampMin", [](auto z, auto x, auto, uint32_t n) { ClampMin(z, x, static_cast<T>(1.5f), n); },
        [](double x, double) { return std::max(x, 1.5); }, -5, 5);
}

/// Signs of nothing, poles and what is no number.
void Edges() {
    const auto of = [](float x, const Instruction<float>& run) {
        Ub ub;
        const size_t dst = ub.Put(std::vector<float>(8)), src = ub.Put(std::vector<float>(8, x));
        ub.Wrong([&](Ub& u) { run(u.At<float>(dst), u.At<float>(src), u.At<float>(src), 8); });
        return ub.Seen<float>(dst, 1)[0];
    };
    const auto sign = [](auto z, auto x, auto, uint32_t n) { Sign(z, x, n); };
    Expect("the sign of 0 is 0", of(0, sign) == 0);
    Expect("the sign of no number is 0", of(NAN, sign) == 0);
    const auto digamma = [](auto z, auto x, auto, uint32_t n) { Digamma(z, x, n); };
    Expect("Digamma has poles at nought and below",
           std::isnan(of(0, digamma)) && std::isnan(of(-1, digamma)) && std::isnan(of(-7, digamma)));
    Expect("and none between them", std::isfinite(of(-1.5f, digamma)) && std::isfinite(of(1, digamma)));
}

/// Powers of integers wrap; a negative exponent leaves what a division of whole numbers leaves.
void Integers() {
    const auto power = [](int64_t base, int32_t exponent) -> int32_t {
        if (exponent < 0) return base == 1 ? 1 : base == -1 ? (exponent % 2 == 0 ? 1 : -1) : 0;
        uint32_t result = 1;
        for (int32_t i = 0; i < exponent; ++i) result *= static_cast<uint32_t>(base);
        return static_cast<int32_t>(result);
    };
    const std::vector<int32_t> bases = {2, 3, -3, 7, 1, -1, -1, 2, 10, 0, 5, 2, 1, -1, -2, 46341},
                               exponents = {0, 1, 3, 11, 9, 4, 5, 31, 9, 3, -1, -2, -3, -4, -5, 2};
    std::vector<int32_t> both(16), squared(16), ofThree(16), halves(16), crossed(16);
    for (size_t i = 0; i < 16; ++i) {
        both[i] = power(bases[i], exponents[i]);
        squared[i] = power(bases[i], 2);
        ofThree[i] = power(-3, exponents[i]);
    }
    const auto holds = [&](const std::string& name, const Instruction<int32_t>& run,
                           const std::vector<int32_t>& expected) {
        Ub ub;
        const size_t dst = ub.Put(std::vector<int32_t>(16)), a = ub.Put(bases), b = ub.Put(exponents);
        ub.Then(dst, expected);
        const auto wrong = ub.Wrong([&](Ub& u) { run(u.At<int32_t>(dst), u.At<int32_t>(a), u.At<int32_t>(b), 16); });
        Expect(name, wrong.empty(), wrong);
    };
    holds(
        "Power of int32_t", [](auto z, auto x, auto y, uint32_t n) { Power<int32_t>(z, x, y, n); }, both);
    holds(
        "Power of int32_t to a scalar", [](auto z, auto x, auto, uint32_t n) { Power<int32_t>(z, x, 2, n); }, squared);
    holds(
        "Power of a scalar to int32_t", [](auto z, auto, auto y, uint32_t n) { Power<int32_t>(z, -3, y, n); }, ofThree);
    const std::vector<uint16_t> left = {0x00ff, 0x1234, 0xffff, 7}, right = {0x0f0f, 0x4321, 0xffff, 0};
    std::vector<uint16_t> either(4);
    for (size_t i = 0; i < 4; ++i) either[i] = left[i] ^ right[i];
    Ub ub;
    const size_t dst = ub.Put(std::vector<uint16_t>(4)), a = ub.Put(left), b = ub.Put(right);
    ub.Then(dst, either);
    const auto wrong = ub.Wrong([&](Ub& u) { Xor(u.At<uint16_t>(dst), u.At<uint16_t>(a), u.At<uint16_t>(b), 4); });
    Expect("Xor", wrong.empty(), wrong);
}

}  // namespace

int main() {
    Functions<half>("half");
    Functions<float>("float");
    Others<half>("half");
    Others<float>("float");
    Edges();
    Integers();
    return Finish();
}
