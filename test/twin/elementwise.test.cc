// Elementwise instructions in all their forms against plain loops: by count, by the first lanes of a repeat, by bits
// and in counter mode, over strides of chance. What lies between and behind the lanes keeps its value.
#include <algorithm>
#include <cmath>

#include "on_ub.h"

using namespace AscendC;

namespace {

constexpr uint32_t kCases = 40;

/// `run` issues the instruction; `value` says what one element becomes, from two sources and what was there.
template <typename T, typename Run>
void Holds(const std::string& name, const Run& run, const std::function<T(T, T, T)>& value, int low = -20,
           int high = 20) {
    Always(name, kCases, 29, [&](Chance& chance) {
        const Strided<T> shape(chance);
        const auto x = Some<T>(chance, shape.kElements, low, high), y = Some<T>(chance, shape.kElements, low, high);
        auto z = Some<T>(chance, shape.kElements, low, high);
        Ub ub;
        const size_t dst = ub.Put(z), src0 = ub.Put(x), src1 = ub.Put(y);
        shape.Each([&](uint32_t d, uint32_t a, uint32_t b) { z[d] = value(x[a], y[b], z[d]); });
        ub.Then(dst, z);
        return ub.Wrong([&](Ub& u) { run(shape, u.At<T>(dst), u.At<T>(src0), u.At<T>(src1)); });
    });
}

template <typename T>
void Count(const Strided<T>& s) {
    SetMaskCount();
    SetVectorMask<T, MaskMode::COUNTER>(0, s.total());
}
void Normal() {
    SetMaskNorm();
    ResetMask();
}

// Each instruction in its four forms; the destination comes first, the arguments behind it are the instruction's own.
#define FORMS(Name, STRIDES, ...)                                                                \
    [&](const auto& s, auto z, auto x, auto y) {                                                 \
        (void)y;                                                                                 \
        uint64_t bits[2] = {s.bits[0], s.bits[1]};                                               \
        const auto repeats = static_cast<uint8_t>(s.repeats);                                    \
        switch (s.form) {                                                                        \
            case Form::kCount: return Name(z, __VA_ARGS__, static_cast<int32_t>(s.total()));     \
            case Form::kFirst: return Name(z, __VA_ARGS__, uint64_t{s.first}, repeats, STRIDES); \
            case Form::kBits: return Name(z, __VA_ARGS__, bits, repeats, STRIDES);               \
            default:                                                                             \
                Count(s);                                                                        \
                Name<FORM_TYPES, false>(z, __VA_ARGS__, MASK_PLACEHOLDER, 1, STRIDES);           \
                Normal();                                                                        \
        }                                                                                        \
    }
#define FORM_TYPES T

template <typename T>
void TwoTensors(const std::string& type) {
    using V = std::conditional_t<std::is_integral_v<T>, int, float>;
    const auto holds = [&](const std::string& name, const auto& run, V (*value)(V, V)) {
        Holds<T>(name + " of " + type, run,
                 [=](T x, T y, T) { return static_cast<T>(value(static_cast<V>(x), static_cast<V>(y))); });
    };
    holds("Add", FORMS(Add, s.strides, x, y), [](V x, V y) { return x + y; });
    holds("Sub", FORMS(Sub, s.strides, x, y), [](V x, V y) { return x - y; });
    holds("Mul", FORMS(Mul, s.strides, x, y), [](V x, V y) { return x * y; });
    holds("Max", FORMS(Max, s.strides, x, y), [](V x, V y) { return x > y ? x : y; });
    holds("Min", FORMS(Min, s.strides, x, y), [](V x, V y) { return x < y ? x : y; });
    if constexpr (!std::is_same_v<T, int32_t>) {
        holds("AddRelu", FORMS(AddRelu, s.strides, x, y), [](V x, V y) { return x + y > 0 ? x + y : 0; });
        holds("SubRelu", FORMS(SubRelu, s.strides, x, y), [](V x, V y) { return x - y > 0 ? x - y : 0; });
    }
}

template <typename T>
void TensorAndScalar(const std::string& type) {
    using V = std::conditional_t<std::is_integral_v<T>, int, float>;
    const T seven = static_cast<T>(7.0f);
    const auto holds = [&](const std::string& name, const auto& run, V (*value)(V)) {
        Holds<T>(name + " of " + type, run, [=](T x, T, T) { return static_cast<T>(value(static_cast<V>(x))); });
    };
    holds("Adds", FORMS(Adds, s.unary(), x, seven), [](V x) { return x + 7; });
    holds("Muls", FORMS(Muls, s.unary(), x, seven), [](V x) { return x * 7; });
    holds("Maxs", FORMS(Maxs, s.unary(), x, seven), [](V x) { return x > 7 ? x : 7; });
    holds("Mins", FORMS(Mins, s.unary(), x, seven), [](V x) { return x < 7 ? x : 7; });
    if constexpr (!std::is_same_v<T, int16_t>)
        holds("Relu", FORMS(Relu, s.unary(), x), [](V x) { return x > 0 ? x : 0; });
}

template <typename T>
void Shifts(const std::string& type) {
    const T three = 3;
    Holds<T>("ShiftLeft of " + type, FORMS(ShiftLeft, s.unary(), x, three),
             [](T x, T, T) { return static_cast<T>(x << 3); });
    Holds<T>("ShiftRight of " + type, FORMS(ShiftRight, s.unary(), x, three),
             [](T x, T, T) { return static_cast<T>(x >> 3); });
    for (const T by : {T(sizeof(T) * 8 - 1), T(sizeof(T) * 8)}) {
        const bool all = by == sizeof(T) * 8;
        const std::string name = type + " by " + std::to_string(by);
        Holds<T>("ShiftLeft of " + name, FORMS(ShiftLeft, s.unary(), x, by),
                 [=](T x, T, T) { return all ? T(0) : static_cast<T>(x << by); });
        Holds<T>("ShiftRight of " + name, FORMS(ShiftRight, s.unary(), x, by), [=](T x, T, T) {
            return static_cast<T>(x < 0 ? -1 : all ? 0 : x >> by);
        });
    }
}

template <typename T>
void Bits(const std::string& type) {
    Holds<T>("And of " + type, FORMS(And, s.strides, x, y), [](T x, T y, T) { return static_cast<T>(x & y); });
    Holds<T>("Or of " + type, FORMS(Or, s.strides, x, y), [](T x, T y, T) { return static_cast<T>(x | y); });
    Holds<T>("Not of " + type, FORMS(Not, s.unary(), x), [](T x, T, T) { return static_cast<T>(~x); });
}

template <typename T>
void Floats(const std::string& type) {
    const T tenth = static_cast<T>(0.125f);
    const auto holds = [&](const std::string& name, const auto& run, float (*value)(float, float, float), int low = -20,
                           int high = 20) {
        Holds<T>(
            name + " of " + type, run,
            [=](T x, T y, T z) {
                return static_cast<T>(value(static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)));
            },
            low, high);
    };
    holds(
        "Div", FORMS(Div, s.strides, x, y), [](float x, float y, float) { return x / y; }, 1, 40);
    holds("Abs", FORMS(Abs, s.unary(), x), [](float x, float, float) { return std::fabs(x); });
    holds(
        "Sqrt", FORMS(Sqrt, s.unary(), x), [](float x, float, float) { return std::sqrt(x); }, 0, 400);
    holds(
        "Exp", FORMS(Exp, s.unary(), x), [](float x, float, float) { return std::exp(x); }, -8, 8);
    holds(
        "Ln", FORMS(Ln, s.unary(), x), [](float x, float, float) { return std::log(x); }, 1, 400);
    holds("LeakyRelu", FORMS(LeakyRelu, s.unary(), x, tenth),
          [](float x, float, float) { return x >= 0 ? x : x * 0.125f; });
    // The product is rounded to the type before the sum (FusedMulAdd.md, MulAddRelu.md show 512 results in half).
    const auto fused = [](T x, T y, T z) {
        return static_cast<T>(static_cast<float>(static_cast<T>(static_cast<float>(x) * static_cast<float>(z))) +
                              static_cast<float>(y));
    };
    const auto clamped = [&](T x, T y, T z) { return std::max(static_cast<float>(fused(x, y, z)), 0.0f); };
    Holds<T>("FusedMulAdd of " + type, FORMS(FusedMulAdd, s.strides, x, y), fused);
    Holds<T>("MulAddRelu of " + type, FORMS(MulAddRelu, s.strides, x, y), clamped);
    Holds<T>("FusedMulAddRelu of " + type, FORMS(FusedMulAddRelu, s.strides, x, y), clamped);
#undef FORM_TYPES
#define FORM_TYPES T, T
    holds("MulAddDst", FORMS(MulAddDst, s.strides, x, y), [](float x, float y, float z) { return x * y + z; });
    holds("Axpy", FORMS(Axpy, s.unary(), x, tenth), [](float x, float, float z) { return x * 0.125f + z; });
#undef FORM_TYPES
}

/// A NaN goes through where two values are compared, from either side, and negative zero is no smaller than zero.
void Nans() {
    const float nan = NAN;
    const std::vector<float> x = {nan, 1, nan, 2, 3, -1, 0, 8}, y = {1, nan, nan, 3, 2, -1, 0, 8};
    const auto holds = [&](const std::string& name,
                           const std::function<void(LocalTensor<float>, LocalTensor<float>, LocalTensor<float>)>& run,
                           float third, float fourth) {
        Ub ub;
        const size_t z = ub.Put(std::vector<float>(8)), a = ub.Put(x), b = ub.Put(y);
        ub.Wrong([&](Ub& u) { run(u.At<float>(z), u.At<float>(a), u.At<float>(b)); });
        const auto seen = ub.Seen<float>(z, 8);
        Expect(name + " passes on a NaN of either source",
               std::isnan(seen[0]) && std::isnan(seen[1]) && std::isnan(seen[2]));
        Expect(name + " takes the other elements as they are",
               seen[3] == third && seen[4] == fourth && seen[5] == -1 && seen[7] == 8);
    };
    holds(
        "Max", [](auto z, auto x, auto y) { Max(z, x, y, 8); }, 3, 3);
    holds(
        "Min", [](auto z, auto x, auto y) { Min(z, x, y, 8); }, 2, 2);
}

/// Fills and copies: the destination's lanes alone.
template <typename T>
void Fills(const std::string& type) {
    const T seven = static_cast<T>(7.0f);
    Always("Duplicate of " + type, kCases, 31, [&](Chance& chance) {
        const Strided<T> shape(chance);
        auto z = Some<T>(chance, shape.kElements);
        Ub ub;
        const size_t dst = ub.Put(z);
        shape.Each([&](uint32_t d, uint32_t, uint32_t) { z[d] = seven; });
        ub.Then(dst, z);
        return ub.Wrong([&](Ub& u) {
            const auto to = u.At<T>(dst);
            const auto repeats = static_cast<uint8_t>(shape.repeats);
            uint64_t bits[2] = {shape.bits[0], shape.bits[1]};
            const auto& s = shape.strides;
            switch (shape.form) {
                case Form::kCount: return Duplicate(to, seven, static_cast<int32_t>(shape.total()));
                case Form::kFirst:
                    return Duplicate(to, seven, uint64_t{shape.first}, repeats, s.dstBlkStride, s.dstRepStride);
                case Form::kBits: return Duplicate(to, seven, bits, repeats, s.dstBlkStride, s.dstRepStride);
                default:
                    Count(shape);
                    Duplicate<T, false>(to, seven, MASK_PLACEHOLDER, 1, s.dstBlkStride, s.dstRepStride);
                    Normal();
            }
        });
    });
}

template <typename T>
void Copies(const std::string& type) {
    Always("Copy of " + type, kCases, 37, [&](Chance& chance) {
        const Strided<T> shape(chance);
        if (shape.form == Form::kCount || shape.form == Form::kCounter) return std::string();
        auto z = Some<T>(chance, shape.kElements);
        const auto x = Some<T>(chance, shape.kElements);
        Ub ub;
        const size_t dst = ub.Put(z), src = ub.Put(x);
        shape.Each([&](uint32_t d, uint32_t a, uint32_t) { z[d] = x[a]; });
        ub.Then(dst, z);
        return ub.Wrong([&](Ub& u) {
            const auto& s = shape.strides;
            const CopyRepeatParams strides(s.dstBlkStride, s.src0BlkStride, s.dstRepStride, s.src0RepStride);
            const uint64_t bits[2] = {shape.bits[0], shape.bits[1]};
            const auto repeats = static_cast<uint8_t>(shape.repeats);
            if (shape.form == Form::kFirst) Copy(u.At<T>(dst), u.At<T>(src), uint64_t{shape.first}, repeats, strides);
            else Copy(u.At<T>(dst), u.At<T>(src), bits, repeats, strides);
        });
    });
}

}  // namespace

int main() {
    TwoTensors<half>("half");
    TwoTensors<float>("float");
    TwoTensors<int16_t>("int16_t");
    TwoTensors<int32_t>("int32_t");
    TensorAndScalar<half>("half");
    TensorAndScalar<float>("float");
    TensorAndScalar<int16_t>("int16_t");
    TensorAndScalar<int32_t>("int32_t");
    Shifts<int16_t>("int16_t");
    Shifts<uint16_t>("uint16_t");
    Shifts<int32_t>("int32_t");
    Shifts<uint32_t>("uint32_t");
    Bits<int16_t>("int16_t");
    Bits<uint16_t>("uint16_t");
    Floats<half>("half");
    Floats<float>("float");
    Nans();
    Fills<half>("half");
    Fills<bfloat16_t>("bfloat16_t");
    Fills<float>("float");
    Fills<int16_t>("int16_t");
    Fills<uint16_t>("uint16_t");
    Fills<int32_t>("int32_t");
    Fills<uint32_t>("uint32_t");
    Copies<int16_t>("int16_t");
    Copies<float>("float");
    return Finish();
}
