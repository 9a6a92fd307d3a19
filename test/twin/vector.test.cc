// Elementwise operations over types and awkward sizes, in count form and in mask form.
#include <cmath>
#include <cstdlib>

#include "on_device.h"

using namespace AscendC;

namespace {

using Binary = float (*)(float, float);

template <typename T>
std::vector<T> Values(size_t n, int seed) {
    std::vector<T> v(n);
    for (size_t i = 0; i < n; ++i)
        v[i] = T(static_cast<float>(static_cast<int>((i * 7 + seed * 13) % 97) - 40) *
                 (std::is_integral_v<T> ? 1.0f : 0.25f));
    return v;
}

/// Copies a and b in, lets `compute` fill z, copies z out; counts need no alignment.
template <typename T>
std::vector<T> OnDevice(const std::vector<T>& a, const std::vector<T>& b,
                        std::function<void(LocalTensor<T>, LocalTensor<T>, LocalTensor<T>)> compute) {
    const uint32_t bytes = a.size() * sizeof(T);
    std::vector<T> z(a.size());
    Run({{"a", twin::Role::kInput, (uint8_t*)a.data(), bytes},
         {"b", twin::Role::kInput, (uint8_t*)b.data(), bytes},
         {"z", twin::Role::kOutput, (uint8_t*)z.data(), bytes}},
        [&](uint8_t** args) {
            TPipe pipe;
            TQue<QuePosition::VECIN, 1> inA, inB;
            TQue<QuePosition::VECOUT, 1> out;
            pipe.InitBuffer(inA, 1, bytes);
            pipe.InitBuffer(inB, 1, bytes);
            pipe.InitBuffer(out, 1, bytes);
            GlobalTensor<T> ga, gb, gz;
            ga.SetGlobalBuffer((__gm__ T*)args[0]);
            gb.SetGlobalBuffer((__gm__ T*)args[1]);
            gz.SetGlobalBuffer((__gm__ T*)args[2]);
            LocalTensor<T> x = inA.AllocTensor<T>(), y = inB.AllocTensor<T>();
            DataCopyPad(x, ga, DataCopyExtParams(1, bytes, 0, 0, 0), DataCopyPadExtParams<T>());
            DataCopyPad(y, gb, DataCopyExtParams(1, bytes, 0, 0, 0), DataCopyPadExtParams<T>());
            inA.EnQue(x);
            inB.EnQue(y);
            x = inA.DeQue<T>();
            y = inB.DeQue<T>();
            LocalTensor<T> r = out.AllocTensor<T>();
            compute(r, x, y);
            out.EnQue(r);
            r = out.DeQue<T>();
            DataCopyPad(gz, r, DataCopyExtParams(1, bytes, 0, 0, 0));
            out.FreeTensor(r);
            inA.FreeTensor(x);
            inB.FreeTensor(y);
        });
    return z;
}

template <typename T>
void CountForms(const char* type) {
    const size_t block = 32 / sizeof(T), full = 65536 / sizeof(T);  // three tensors fill the 192 KB of UB
    for (size_t n : {size_t(1), block - 1, block, block + 1, size_t(300), full}) {
        const auto a = Values<T>(n, 1), b = Values<T>(n, 2);
        std::vector<T> sum(n), difference(n), product(n), larger(n), smaller(n), plus(n), times(n);
        for (size_t i = 0; i < n; ++i) {
            sum[i] = T(a[i] + b[i]);
            difference[i] = T(a[i] - b[i]);
            product[i] = T(a[i] * b[i]);
            larger[i] = a[i] > b[i] ? a[i] : b[i];
            smaller[i] = a[i] < b[i] ? a[i] : b[i];
            plus[i] = T(a[i] + T(3));
            times[i] = T(a[i] * T(3));
        }
        const std::string size = std::string(type) + " of " + std::to_string(n);
        const auto count = static_cast<int32_t>(n);
        ExpectSame<T>("Add " + size, OnDevice<T>(a, b, [&](auto z, auto x, auto y) { Add(z, x, y, count); }), sum);
        ExpectSame<T>("Sub " + size, OnDevice<T>(a, b, [&](auto z, auto x, auto y) { Sub(z, x, y, count); }),
                      difference);
        ExpectSame<T>("Mul " + size, OnDevice<T>(a, b, [&](auto z, auto x, auto y) { Mul(z, x, y, count); }), product);
        ExpectSame<T>("Max " + size, OnDevice<T>(a, b, [&](auto z, auto x, auto y) { Max(z, x, y, count); }), larger);
        ExpectSame<T>("Min " + size, OnDevice<T>(a, b, [&](auto z, auto x, auto y) { Min(z, x, y, count); }), smaller);
        ExpectSame<T>("Adds " + size, OnDevice<T>(a, b, [&](auto z, auto x, auto) { Adds(z, x, T(3), count); }), plus);
        ExpectSame<T>("Muls " + size, OnDevice<T>(a, b, [&](auto z, auto x, auto) { Muls(z, x, T(3), count); }), times);
    }
}

template <typename T>
void Floats(const char* type) {
    const size_t n = 173;
    auto a = Values<T>(n, 3), b = Values<T>(n, 4);
    for (auto& v : a) v = T(std::fabs(static_cast<float>(v)) + 0.5f);
    for (auto& v : b) v = T(std::fabs(static_cast<float>(v)) + 0.25f);
    std::vector<T> quotient(n), root(n), power(n), logarithm(n), axpy(n), tanh(n);
    for (size_t i = 0; i < n; ++i) {
        const float x = a[i], y = b[i];
        quotient[i] = T(x / y);
        root[i] = T(std::sqrt(x));
        power[i] = T(std::exp(x));
        logarithm[i] = T(std::log(x));
        axpy[i] = T(std::fma(x, 2.0f, y));
        tanh[i] = T(std::tanh(x));
    }
    const std::string of = std::string(" ") + type;
    const int32_t count = n;
    ExpectSame<T>("Div" + of, OnDevice<T>(a, b, [&](auto z, auto x, auto y) { Div(z, x, y, count); }), quotient);
    ExpectSame<T>("Sqrt" + of, OnDevice<T>(a, b, [&](auto z, auto x, auto) { Sqrt(z, x, count); }), root);
    ExpectSame<T>("Exp" + of, OnDevice<T>(a, b, [&](auto z, auto x, auto) { Exp(z, x, count); }), power);
    ExpectSame<T>("Ln" + of, OnDevice<T>(a, b, [&](auto z, auto x, auto) { Ln(z, x, count); }), logarithm);
    ExpectSame<T>("Tanh" + of, OnDevice<T>(a, b, [&](auto z, auto x, auto) { Tanh(z, x, count); }), tanh);
    ExpectSame<T>("Axpy" + of,
                  OnDevice<T>(a, b,
                              [&](auto z, auto x, auto y) {
                                  Adds(z, y, T(0), count);
                                  Axpy(z, x, T(2), count);
                              }),
                  axpy);
}

void MaskForms() {
    const size_t n = 256;  // two repeats of half
    const auto a = Values<half>(n, 5), b = Values<half>(n, 6);
    std::vector<half> first(n, half(-1)), odd(n, half(-1)), strided(n, half(-1)), counter(n, half(-1));
    for (size_t i = 0; i < n; ++i) {
        if (i % 128 < 100) first[i] = a[i] + b[i];
        if (i % 2 == 1) odd[i] = a[i] + b[i];
        if (i < 128) strided[i] = a[i] + b[i % 16];
        if (i < 130) counter[i] = a[i] + b[i];
    }
    const BinaryRepeatParams plain;
    ExpectSame<half>("a count as mask takes the first elements of each repeat",
                     OnDevice<half>(a, b,
                                    [&](auto z, auto x, auto y) {
                                        Duplicate(z, half(-1), 256);
                                        Add(z, x, y, uint64_t(100), 2, plain);
                                    }),
                     first);
    ExpectSame<half>("a bit mask takes its lanes",
                     OnDevice<half>(a, b,
                                    [&](auto z, auto x, auto y) {
                                        Duplicate(z, half(-1), 256);
                                        uint64_t mask[2] = {0xaaaaaaaaaaaaaaaaull, 0xaaaaaaaaaaaaaaaaull};
                                        Add(z, x, y, mask, 2, plain);
                                    }),
                     odd);
    ExpectSame<half>("a block stride of 0 reads one block again",
                     OnDevice<half>(a, b,
                                    [&](auto z, auto x, auto y) {
                                        Duplicate(z, half(-1), 256);
                                        Add(z, x, y, uint64_t(128), 1, BinaryRepeatParams(1, 1, 0, 8, 8, 8));
                                    }),
                     strided);
    ExpectSame<half>("counter mode takes a number of elements in all",
                     OnDevice<half>(a, b,
                                    [&](auto z, auto x, auto y) {
                                        Duplicate(z, half(-1), 256);
                                        SetMaskCount();
                                        SetVectorMask<half, MaskMode::COUNTER>(130);
                                        Add<half, false>(z, x, y, MASK_PLACEHOLDER, 1, plain);
                                        SetMaskNorm();
                                        ResetMask();
                                    }),
                     counter);
}

/// A conversion to a wider type out of the memory that it fills: all of a repeat is read before any of it is written.
void WideningInPlace() {
    for (const auto& [n, offset] : {std::pair<int, int>{64, 32}, {64, 64}, {80, 80}, {256, 256}}) {
        const auto a = Values<float>(n, 1), b = Values<float>(n, 2);
        const auto z = OnDevice<float>(
            a, b, [n = n, offset = offset](LocalTensor<float> z, LocalTensor<float> x, LocalTensor<float> y) {
                Cast(x.ReinterpretCast<half>()[offset], y, RoundMode::CAST_NONE, n);
                Cast(x, x.ReinterpretCast<half>()[offset], RoundMode::CAST_NONE, n);
                Adds(z, x, 0.0f, n);
            });
        ExpectSame("half to float over itself, " + std::to_string(n) + " from " + std::to_string(offset), z, b);
    }
}

void FunctionsAsArguments() {
    using ScalarForm = void (*)(const LocalTensor<float>&, const LocalTensor<float>&, const float&, const int32_t&);
    using UnaryForm = void (*)(const LocalTensor<float>&, const LocalTensor<float>&, const int32_t&);
    using MathForm = void (*)(const LocalTensor<float>&, const LocalTensor<float>&, const uint32_t);
    const ScalarForm muls = Muls<float>;
    const UnaryForm abs = Abs<float>;
    const MathForm sine = Sin<float>;
    const auto a = Values<float>(9, 1);
    std::vector<float> expected(9);
    for (size_t i = 0; i < 9; ++i) expected[i] = std::sin(std::fabs(a[i] * 2));
    ExpectSame<float>("API functions have the vendor's types",
                      OnDevice<float>(a, a,
                                      [&](auto z, auto x, auto) {
                                          muls(z, x, 2.0f, 9);
                                          abs(z, z, 9);
                                          sine(z, z, 9);
                                      }),
                      expected);
}

void OperatorsAndAddresses() {
    const auto a = Values<float>(64, 1), b = Values<float>(64, 2);
    std::vector<float> expected(64), raw(64, 4.0f);
    for (size_t i = 0; i < 64; ++i) expected[i] = a[i] * b[i];
    ExpectSame<float>("an operator runs over the whole destination",
                      OnDevice<float>(a, b, [](auto z, auto x, auto y) { z = x * y; }), expected);
    ExpectSame<float>("values stored through an address count as written",
                      OnDevice<float>(a, b,
                                      [](auto z, auto, auto) {
                                          float* address = (float*)z.GetPhyAddr();
                                          for (int i = 0; i < 64; ++i) address[i] = 4.0f;
                                          PipeBarrier<PIPE_ALL>();
                                      }),
                      raw);
    std::vector<half> fused(100), h = Values<half>(100, 1), g = Values<half>(100, 2);
    for (size_t i = 0; i < 100; ++i)
        fused[i] = half(std::fma(static_cast<float>(h[i]), static_cast<float>(g[i]), static_cast<float>(g[i])));
    ExpectSame<half>("MulAddDst in mask form reads its destination",
                     OnDevice<half>(h, g,
                                    [](auto z, auto x, auto y) {
                                        Adds(z, y, half(0), 100);
                                        MulAddDst(z, x, y, uint64_t(100), 1, BinaryRepeatParams());
                                    }),
                     fused);
}

void Bits() {
    const auto a = Values<int16_t>(70, 1), b = Values<int16_t>(70, 2);
    std::vector<int16_t> expected(70);
    for (size_t i = 0; i < 70; ++i) expected[i] = static_cast<int16_t>(~((a[i] & b[i]) | b[i]) >> 2);
    ExpectSame<int16_t>("And, Or, Not, ShiftRight",
                        OnDevice<int16_t>(a, b,
                                          [&](auto z, auto x, auto y) {
                                              And(z, x, y, 70);
                                              Or(z, z, y, 70);
                                              Not(z, z, 70);
                                              ShiftRight(z, z, int16_t(2), 70);
                                          }),
                        expected);
    const std::vector<int32_t> big(8, 2147483647);
    ExpectSame<int32_t>("int32_t wraps", OnDevice<int32_t>(big, big, [&](auto z, auto x, auto y) { Add(z, x, y, 8); }),
                        std::vector<int32_t>(8, -2));
    const std::vector<float> nan(8, NAN), one(8, 1.0f);
    const auto larger = OnDevice<float>(one, nan, [&](auto z, auto x, auto y) { Max(z, x, y, 8); });
    Expect("Max passes a NaN on", std::isnan(larger[0]));
}

void CompareAndSelect() {
    const size_t n = 128;
    const auto a = Values<float>(n, 1), b = Values<float>(n, 9);
    std::vector<float> expected(n), clipped(n);
    for (size_t i = 0; i < n; ++i) {
        expected[i] = a[i] < b[i] ? a[i] : b[i];
        clipped[i] = a[i] >= 1.0f ? a[i] : -7.0f;
    }
    const auto compute =
        [&](std::function<void(LocalTensor<float>, LocalTensor<float>, LocalTensor<float>, LocalTensor<uint8_t>)> f) {
            return OnDevice<float>(a, b, [&](auto z, auto x, auto y) {
                TBuf<TPosition::VECCALC> bits;
                GetTPipePtr()->InitBuffer(bits, 256);
                f(z, x, y, bits.Get<uint8_t>());
            });
        };
    ExpectSame<float>("Compare and Select of two tensors", compute([&](auto z, auto x, auto y, auto bits) {
                          Compare(bits, x, y, CMPMODE::LT, n);
                          Select(z, bits, x, y, SELMODE::VSEL_TENSOR_TENSOR_MODE, n);
                      }),
                      expected);
    ExpectSame<float>("CompareScalar and Select with a scalar", compute([&](auto z, auto x, auto, auto bits) {
                          CompareScalar(bits, x, 1.0f, CMPMODE::GE, n);
                          Select(z, bits, x, -7.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, n);
                      }),
                      clipped);
    ExpectSame<float>("Compare of a repeat whose end nobody wrote, and Select of its start",
                      OnDevice<float>({1, 5, 3}, {2, 4, 3},
                                      [](auto z, auto x, auto y) {
                                          TBuf<TPosition::VECCALC> left, right, bits;
                                          GetTPipePtr()->InitBuffer(left, 256);
                                          GetTPipePtr()->InitBuffer(right, 256);
                                          GetTPipePtr()->InitBuffer(bits, 32);
                                          Adds(left.Get<float>(), x, 0.0f, 3);
                                          Adds(right.Get<float>(), y, 0.0f, 3);
                                          Compare(bits.Get<uint8_t>(), left.Get<float>(), right.Get<float>(),
                                                  CMPMODE::LT, 64, 1, BinaryRepeatParams());
                                          Select(z, bits.Get<uint8_t>(), left.Get<float>(), right.Get<float>(),
                                                 SELMODE::VSEL_TENSOR_TENSOR_MODE, 3);
                                      }),
                      {1, 4, 3});
}

/// Half factors add up in float: neither is rounded to the other's type before.
void MixedSums() {
    const std::vector<float> sums = {1, 2048, 0.1f, -3, 5, 1e6f, 7, 8};
    const std::vector<half> x = {half(0.0009765625f), half(1), half(0.25f), half(3), half(-5), half(2),
                                 half(65504),         half(0)},
                            y(8, half(3));
    std::vector<float> expected(8), product(8);
    for (size_t i = 0; i < 8; ++i) {
        expected[i] = sums[i] + static_cast<float>(x[i]) * 3.0f;
        product[i] = sums[i] + static_cast<float>(x[i]) * static_cast<float>(y[i]);
    }
    for (const bool scalar : {true, false}) {
        Device<float> device({sums, std::vector<float>(8, 0)}, {8});
        const auto rule = device.Compute([&](auto in, auto out, TPipe&) {
            const LocalTensor<half> halves = in[1].template ReinterpretCast<half>();
            for (size_t i = 0; i < 8; ++i) {
                halves.SetValue(i, x[i]);
                halves.SetValue(8 + i, y[i]);
            }
            Adds(out[0], in[0], 0.0f, 8);
            TBuf<> other;
            GetTPipePtr()->InitBuffer(other, 32);
            if (!scalar) {
                const LocalTensor<half> second = other.Get<half>();
                for (size_t i = 0; i < 8; ++i) second.SetValue(i, y[i]);
                MulAddDst(out[0], halves, second, 8);
            } else {
                Axpy(out[0], halves, half(3), 8);
            }
        });
        ExpectSame<float>(std::string(scalar ? "Axpy" : "MulAddDst") + " of half into float" + rule, device.outputs[0],
                          scalar ? expected : product);
    }
}

void Saturation() {
    const auto added = [](uint64_t mode) {
        return Device<float>({{1, 2, 3}}, {3}).Compute([&](auto in, auto out, TPipe&) {
            AscendCUtils::SetOverflow(mode);
            Adds(out[0], in[0], 1.0f, 3);
        });
    };
    Expect("SetOverflow(1) is the mode of the twin", added(1).empty());
    Expect("nothing is computed in the mode of SetOverflow(0)", added(0) == "not-covered");
    Expect("SetOverflow(0) behind the last instruction changes nothing", Device<float>({{1, 2, 3}}, {3})
                                                                             .Compute([&](auto in, auto out, TPipe&) {
                                                                                 Adds(out[0], in[0], 1.0f, 3);
                                                                                 PipeBarrier<PIPE_ALL>();
                                                                                 AscendCUtils::SetOverflow(0);
                                                                             })
                                                                             .empty());
}

}  // namespace

int main() {
    CountForms<half>("half");
    CountForms<float>("float");
    CountForms<int16_t>("int16_t");
    CountForms<int32_t>("int32_t");
    Floats<half>("half");
    Floats<float>("float");
    MaskForms();
    WideningInPlace();
    FunctionsAsArguments();
    OperatorsAndAddresses();
    Bits();
    CompareAndSelect();
    Saturation();
    MixedSums();
    return Finish();
}
