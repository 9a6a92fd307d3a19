// High-level math functions. The device composes them of vector instructions; the twin computes each in float with the
// C library and rounds once, which agrees within the documented tolerance but not bit by bit.
#include "math_functions.h"

#include <algorithm>
#include <cmath>

#include "estimates.h"
#include "numbers.h"

namespace twin {

namespace {

template <float (*F)(float, float)>
void OverFloat(void* dst, const void* a, const void* b, double, uint32_t n) {
    for (uint32_t i = 0; i < n; ++i) {
        static_cast<float*>(dst)[i] =
            F(static_cast<const float*>(a)[i], b != nullptr ? static_cast<const float*>(b)[i] : 0.0f);
    }
}

template <float (*F)(float, float)>
void OverHalf(void* dst, const void* a, const void* b, double scalar, uint32_t n) {
    float x[256], y[256];
    for (uint32_t at = 0; at < n; at += 256) {
        const uint32_t m = std::min<uint32_t>(256, n - at);
        HalfToFloat(static_cast<const uint16_t*>(a) + at, x, m);
        if (b != nullptr) HalfToFloat(static_cast<const uint16_t*>(b) + at, y, m);
        OverFloat<F>(x, x, b != nullptr ? y : nullptr, scalar, m);
        FloatToHalf(x, static_cast<uint16_t*>(dst) + at, m);
    }
}

template <float (*F)(float, float)>
LaneLoop Kinds(Type type) {
    return type == Type::kFloat ? OverFloat<F> : type == Type::kHalf ? OverHalf<F> : nullptr;
}

float Sigmoid(float x, float) { return 1.0f / (1.0f + std::exp(-x)); }
float Tanh(float x, float) { return std::tanh(x); }
float Erf(float x, float) { return std::erf(x); }
float Erfc(float x, float) { return std::erfc(x); }
float Sin(float x, float) { return std::sin(x); }
float Cos(float x, float) { return std::cos(x); }
float Tan(float x, float) { return std::tan(x); }
float Asin(float x, float) { return std::asin(x); }
float Acos(float x, float) { return std::acos(x); }
float Atan(float x, float) { return std::atan(x); }
float Sinh(float x, float) { return std::sinh(x); }
float Cosh(float x, float) { return std::cosh(x); }
float Asinh(float x, float) { return std::asinh(x); }
float Acosh(float x, float) { return std::acosh(x); }
float Atanh(float x, float) { return std::atanh(x); }
float Log2(float x, float) { return std::log2(x); }
float Log10(float x, float) { return std::log10(x); }
/// The page of Sign shows 0 for NaN.
float Sign(float x, float) { return x > 0 ? 1.0f : x < 0 ? -1.0f : 0.0f; }
float Floor(float x, float) { return std::floor(x); }
float Ceil(float x, float) { return std::ceil(x); }
float Trunc(float x, float) { return std::trunc(x); }
float Round(float x, float) { return std::nearbyint(x); }
float Frac(float x, float) { return x - std::trunc(x); }
float Gelu(float x, float) { return x / (1.0f + std::exp(-1.5957691f * (x + 0.044715f * x * x * x))); }
float FasterGelu(float x, float) { return x / (1.0f + std::exp(-1.702f * x)); }
float Inverse(float x) { return Estimates() ? ReciprocalEstimate(x) : 1.0f / x; }
float GeluQuick(float x, float) { return x * Inverse(1.0f + std::exp(-1.5957691f * (x + 0.044715f * x * x * x))); }
float FasterGeluQuick(float x, float) { return x * Inverse(1.0f + std::exp(-1.702f * x)); }
float FasterGeluV2(float x, float) {
    const float a = std::min(std::max(std::fabs(0.7071f * x), 0.0f), 1.769f);
    const float inner = -0.1444f * (a - 1.769f) * (a - 1.769f) + 0.5f;
    return x * (0.5f + (x < 0 ? -inner : inner));
}
float FasterGeluV2Quick(float x, float) {
    const float a = std::min(std::fabs(0.7071f * x), 1.769f), shifted = x + 1e-12f;
    const float sign = shifted * Inverse(std::fabs(shifted));
    return x * (0.5f + sign * (-0.1444f * (a - 1.769f) * (a - 1.769f) + 0.5f));
}
float Silu(float x, float) { return x / (1.0f + std::exp(-x)); }
float Lgamma(float x, float) { return std::lgamma(x); }
/// By recurrence up to 8 and the asymptotic series, in double; below a half by reflection. Poles give NaN.
double DigammaOf(double x) {
    if (x <= 0 && x == std::floor(x)) return std::nan("");
    if (x < 0.5) return DigammaOf(1 - x) - M_PI / std::tan(M_PI * x);
    double sum = 0;
    for (; x < 8; x += 1) sum -= 1 / x;
    const double square = 1 / (x * x);
    const double series =
        square * (1.0 / 12 - square * (1.0 / 120 - square * (1.0 / 252 - square * (1.0 / 240 - square / 132))));
    return sum + std::log(x) - 0.5 / x - series;
}
float Digamma(float x, float) { return static_cast<float>(DigammaOf(static_cast<double>(x))); }
float Power(float x, float y) { return std::pow(x, y); }
float Fmod(float x, float y) { return std::fmod(x, y); }

template <float (*F)(float, float)>
void WithScalar(void* dst, const void* a, const void*, double scalar, uint32_t n) {
    const auto s = static_cast<float>(scalar);
    for (uint32_t i = 0; i < n; ++i) static_cast<float*>(dst)[i] = F(static_cast<const float*>(a)[i], s);
}

template <float (*F)(float, float)>
void WithScalarHalf(void* dst, const void* a, const void*, double scalar, uint32_t n) {
    float x[256];
    for (uint32_t at = 0; at < n; at += 256) {
        const uint32_t m = std::min<uint32_t>(256, n - at);
        HalfToFloat(static_cast<const uint16_t*>(a) + at, x, m);
        WithScalar<F>(x, x, nullptr, scalar, m);
        FloatToHalf(x, static_cast<uint16_t*>(dst) + at, m);
    }
}

template <float (*F)(float, float)>
LaneLoop ScalarKinds(Type type) {
    return type == Type::kFloat ? WithScalar<F> : type == Type::kHalf ? WithScalarHalf<F> : nullptr;
}

float ScalarPower(float x, float s) { return std::pow(s, x); }
float Swish(float x, float s) { return x / (1.0f + std::exp(-s * x)); }

int32_t PowerOfInt(int32_t from, int32_t exponent) {
    if (exponent < 0) return from == 1 ? 1 : from == -1 ? (exponent % 2 == 0 ? 1 : -1) : 0;
    uint32_t base = static_cast<uint32_t>(from), result = 1;
    for (; exponent > 0; exponent >>= 1, base *= base)
        if (exponent & 1) result *= base;
    return static_cast<int32_t>(result);
}

void PowerInt32Scalar(void* dst, const void* a, const void*, double scalar, uint32_t n) {
    for (uint32_t i = 0; i < n; ++i)
        static_cast<int32_t*>(dst)[i] = PowerOfInt(static_cast<const int32_t*>(a)[i], static_cast<int32_t>(scalar));
}

void ScalarPowerInt32(void* dst, const void* a, const void*, double scalar, uint32_t n) {
    for (uint32_t i = 0; i < n; ++i)
        static_cast<int32_t*>(dst)[i] = PowerOfInt(static_cast<int32_t>(scalar), static_cast<const int32_t*>(a)[i]);
}

void PowerInt32(void* dst, const void* a, const void* b, double, uint32_t n) {
    for (uint32_t i = 0; i < n; ++i) {
        static_cast<int32_t*>(dst)[i] =
            PowerOfInt(static_cast<const int32_t*>(a)[i], static_cast<const int32_t*>(b)[i]);
    }
}

}  // namespace

LaneLoop MathLoop(Op op, Type type) {
    switch (op) {
        case Op::kSigmoid: return Kinds<Sigmoid>(type);
        case Op::kTanh: return Kinds<Tanh>(type);
        case Op::kErf: return Kinds<Erf>(type);
        case Op::kErfc: return Kinds<Erfc>(type);
        case Op::kSin: return Kinds<Sin>(type);
        case Op::kCos: return Kinds<Cos>(type);
        case Op::kTan: return Kinds<Tan>(type);
        case Op::kAsin: return Kinds<Asin>(type);
        case Op::kAcos: return Kinds<Acos>(type);
        case Op::kAtan: return Kinds<Atan>(type);
        case Op::kSinh: return Kinds<Sinh>(type);
        case Op::kCosh: return Kinds<Cosh>(type);
        case Op::kAsinh: return Kinds<Asinh>(type);
        case Op::kAcosh: return Kinds<Acosh>(type);
        case Op::kAtanh: return Kinds<Atanh>(type);
        case Op::kLog2: return Kinds<Log2>(type);
        case Op::kLog10: return Kinds<Log10>(type);
        case Op::kSign: return Kinds<Sign>(type);
        case Op::kFloor: return Kinds<Floor>(type);
        case Op::kCeil: return Kinds<Ceil>(type);
        case Op::kTrunc: return Kinds<Trunc>(type);
        case Op::kRound: return Kinds<Round>(type);
        case Op::kFrac: return Kinds<Frac>(type);
        case Op::kGelu: return Kinds<Gelu>(type);
        case Op::kFasterGelu: return Kinds<FasterGelu>(type);
        case Op::kFasterGeluV2: return Kinds<FasterGeluV2>(type);
        case Op::kGeluQuick: return Kinds<GeluQuick>(type);
        case Op::kFasterGeluQuick: return Kinds<FasterGeluQuick>(type);
        case Op::kFasterGeluV2Quick: return Kinds<FasterGeluV2Quick>(type);
        case Op::kSilu: return Kinds<Silu>(type);
        case Op::kLgamma: return Kinds<Lgamma>(type);
        case Op::kDigamma: return Kinds<Digamma>(type);
        case Op::kPower: return type == Type::kInt32 ? PowerInt32 : Kinds<Power>(type);
        case Op::kPowerScalar: return type == Type::kInt32 ? PowerInt32Scalar : ScalarKinds<Power>(type);
        case Op::kScalarPower: return type == Type::kInt32 ? ScalarPowerInt32 : ScalarKinds<ScalarPower>(type);
        case Op::kSwish: return ScalarKinds<Swish>(type);
        case Op::kFmod: return Kinds<Fmod>(type);
        default: return nullptr;
    }
}

}  // namespace twin
