// What boards were seen to do, and the pages say: estimates, temporary memory, and what the literal rule goes past.
#include "../runtime/host/library_tiling.cpp"
#include "../runtime/host/platform.cpp"
#include "../runtime/host/registry.cpp"

#include "on_device.h"
#include "twin_host/size_queries.h"

using namespace AscendC;

namespace {

/// Scalar outputs of a vector function over `x`.
template <typename T>
std::vector<float> Over(const std::vector<float>& x, bool tolerant,
                        std::function<void(LocalTensor<T>, LocalTensor<T>, int32_t)> body) {
    const std::vector<T> in = As<T>(x);
    std::vector<T> out(x.size());
    const auto bytes = static_cast<uint32_t>(x.size() * sizeof(T));
    const std::string rule = Outcome(
        {{"x", twin::Role::kInput, (uint8_t*)in.data(), bytes},
         {"y", twin::Role::kOutput, (uint8_t*)out.data(), bytes}},
        [&](uint8_t** gm) {
            TPipe pipe;
            TBuf<> from, to;
            pipe.InitBuffer(from, bytes + 32);
            pipe.InitBuffer(to, bytes + 32);
            GlobalTensor<T> source, target;
            source.SetGlobalBuffer((__gm__ T*)gm[0]);
            target.SetGlobalBuffer((__gm__ T*)gm[1]);
            DataCopyPad(from.Get<T>(), source, DataCopyExtParams(1, bytes, 0, 0, 0), DataCopyPadExtParams<T>());
            PipeBarrier<PIPE_ALL>();
            body(to.Get<T>(), from.Get<T>(), static_cast<int32_t>(x.size()));
            PipeBarrier<PIPE_ALL>();
            DataCopyPad(target, to.Get<T>(), DataCopyExtParams(1, bytes, 0, 0, 0));
        },
        tolerant);
    if (!rule.empty()) Expect("the launch ends well", false, rule);
    return {out.begin(), out.end()};
}

template <typename T>
void TakeReciprocal(LocalTensor<T> y, LocalTensor<T> x, int32_t n) {
    Reciprocal(y, x, n);
}
template <typename T>
void TakeRsqrt(LocalTensor<T> y, LocalTensor<T> x, int32_t n) {
    Rsqrt(y, x, n);
}

/// Whether each is printed as the page prints it, which is with four digits at most.
bool AsPrinted(const std::vector<float>& seen, const std::vector<float>& printed) {
    bool all = true;
    for (size_t i = 0; i < printed.size(); ++i)
        all = all && std::abs(seen[i] - printed[i]) <= 6e-4f * std::abs(printed[i]) &&
              std::abs(seen[i] - printed[i]) <= 6e-5f * (std::abs(printed[i]) < 0.6f ? 1 : 9);
    return all;
}

void Estimated() {
    const std::vector<float> a = {-7.152f, -7.24f, 1.771f, -1.339f, 4.473f}, b = {0.8335f, 2.2f, 2.672f, 2.312f, 5.36f};
    const std::vector<float> shownA = {-0.1396f, -0.1382f, 0.5645f, -0.748f, 0.2231f},
                             shownB = {1.094f, 0.676f, 0.6113f, 0.6562f, 0.4316f};
    Expect("Reciprocal gives the results of its page", AsPrinted(Over<half>(a, false, TakeReciprocal<half>), shownA));
    Expect("Rsqrt gives the results of its page", AsPrinted(Over<half>(b, false, TakeRsqrt<half>), shownB));
    Expect("and exact ones, which the page does not show, by the literal rule",
           !AsPrinted(Over<half>(a, true, TakeReciprocal<half>), shownA) &&
               !AsPrinted(Over<half>(b, true, TakeRsqrt<half>), shownB) &&
               Over<float>({3.0f}, true, TakeReciprocal<float>)[0] == 1.0f / 3);
    double worst[2] = {0, 0};
    std::vector<float> x(4000);
    for (size_t i = 0; i < x.size(); ++i)
        x[i] = std::ldexp(1 + static_cast<float>(i) / 4000, static_cast<int>(i % 41) - 20);
    const std::vector<float> r = Over<float>(x, false, TakeReciprocal<float>),
                             s = Over<float>(x, false, TakeRsqrt<float>);
    for (size_t i = 0; i < x.size(); ++i) {
        worst[0] = std::max(worst[0], std::abs(double(r[i]) * x[i] - 1));
        worst[1] = std::max(worst[1], std::abs(double(s[i]) * std::sqrt(double(x[i])) - 1));
    }
    Expect("float misses 1e-4 by as much as half misses 1e-3, and no more",
           worst[0] > 2e-3 && worst[0] < 3e-3 && worst[1] > 2e-3 && worst[1] < 4e-3,
           std::to_string(worst[0]) + " " + std::to_string(worst[1]));
    const float most = 3.4028235e38f;
    const std::vector<float> edges =
        Over<float>({0.0f, -0.0f, INFINITY, -INFINITY, NAN, most, 1e-45f}, false, TakeReciprocal<float>);
    Expect("Reciprocal at the ends is as tabled", edges[0] == INFINITY && edges[1] == -INFINITY && edges[2] == 0 &&
                                                      std::signbit(edges[3]) && std::isnan(edges[4]) &&
                                                      edges[5] == 2.938736e-39f && edges[6] == INFINITY);
    const std::vector<float> roots =
        Over<float>({0.0f, -0.0f, INFINITY, -1.0f, NAN, most, 1e-40f}, false, TakeRsqrt<float>);
    Expect("Rsqrt at the ends is as tabled", roots[0] == INFINITY && roots[1] == -INFINITY && roots[2] == 0 &&
                                                 std::isnan(roots[3]) && std::isnan(roots[4]) && roots[5] == 0x1p-64f &&
                                                 std::abs(roots[6] * 1e-20f - 1) < 4e-3f);
    const auto division = [](auto y, auto x, int32_t n) {
        Sqrt(y, x, n);
        Duplicate(x, 1.0f, n);
        PipeBarrier<PIPE_V>();
        Div(y, x, y, n);
    };
    Expect("Sqrt and Div are exact", Over<float>({3.0f}, false, division)[0] == 1.0f / std::sqrt(3.0f));
    const std::vector<float> quick = Over<float>({1.0f}, false,
                                                 [](auto y, auto x, int32_t n) { Gelu<float, false, true>(y, x, n); }),
                             slow = Over<float>({1.0f}, false, [](auto y, auto x, int32_t n) { Gelu<float>(y, x, n); });
    Expect("Gelu with highPerformance divides with Reciprocal",
           quick[0] != slow[0] && std::abs(quick[0] - slow[0]) < 3e-3f * slow[0]);
}

std::vector<float> x_(256, 0.5f), y_(256);

/// A kernel that leaves `left` bytes of UB, or passes `shared` bytes of temporary memory.
template <typename T>
std::string With(uint32_t left, uint32_t shared, bool tolerant,
                 std::function<void(LocalTensor<T>, LocalTensor<T>, LocalTensor<uint8_t>*)> body) {
    return Outcome(
        {{"x", twin::Role::kInput, (uint8_t*)x_.data(), 1024}, {"y", twin::Role::kOutput, (uint8_t*)y_.data(), 1024}},
        [&](uint8_t**) {
            TPipe pipe;
            TBuf<> from, to, work, rest;
            pipe.InitBuffer(from, 1024);
            pipe.InitBuffer(to, 1024);
            if (shared > 0) pipe.InitBuffer(work, shared);
            pipe.InitBuffer(rest, 192 * 1024 - 2048 - shared - left);
            LocalTensor<T> x = from.Get<T>(), y = to.Get<T>();
            Duplicate(from.Get<half>(), half(0.5f), 512);
            LocalTensor<uint8_t> memory = shared > 0 ? work.Get<uint8_t>() : LocalTensor<uint8_t>();
            body(y, x, shared > 0 ? &memory : nullptr);
        },
        tolerant);
}

using Query = void (*)(const TensorShape&, const uint32_t, const bool, uint32_t&, uint32_t&);
/// With what the host is told at least it runs; with a block less, or nothing, it does not.
template <typename T>
void Takes(const std::string& name, uint32_t least,
           std::function<void(LocalTensor<T>, LocalTensor<T>, LocalTensor<uint8_t>*)> body) {
    // These take the last 8 KB too, where the memory that the framework gives lies.
    const bool selects = name.rfind("Sign", 0) == 0 || name.rfind("Lgamma", 0) == 0 || name.rfind("Power", 0) == 0 ||
                         name.rfind("Digamma", 0) == 0;
    const std::string enough = With<T>(least, 0, true, body), shared = With<T>(selects ? 8192 : 0, least, false, body);
    const std::string less = With<T>(least - 32, 0, false, body), none = With<T>(0, 0, true, body),
                      small = With<T>(0, least - 32, false, body);
    Expect(name + " runs with " + std::to_string(least) + " bytes",
           enough == (selects ? "past ub-overflow" : "") && shared.empty(), enough + " " + shared);
    Expect("temporary-memory: " + name + " and less",
           less == "temporary-memory" && none == "temporary-memory" && small == "out-of-buffer",
           less + " " + none + " " + small);
}

uint32_t Least(Query query, uint32_t typeSize, bool reuse = false) {
    uint32_t most = 0, least = 0;
    query(ge::Shape({128}), typeSize, reuse, most, least);
    return least;
}

#define TWIN_TAKES(Name, T)                                                  \
    Takes<T>(#Name " of " #T, Least(Get##Name##MaxMinTmpSize, sizeof(T)),    \
             [](auto y, auto x, LocalTensor<uint8_t>* work) {                \
                 work != nullptr ? Name(y, x, *work, 128) : Name(y, x, 128); \
             });

void Temporary() {
    TWIN_TAKES(Tanh, float)
    TWIN_TAKES(Tanh, half)
    TWIN_TAKES(Erf, float)
    TWIN_TAKES(Erfc, half)
    TWIN_TAKES(Sin, float)
    TWIN_TAKES(Tan, half)
    TWIN_TAKES(Acos, float)
    TWIN_TAKES(Atan, half)
    TWIN_TAKES(Sinh, float)
    TWIN_TAKES(Cosh, half)
    TWIN_TAKES(Asinh, float)
    TWIN_TAKES(Acosh, half)
    TWIN_TAKES(Atanh, float)
    TWIN_TAKES(Sign, float)
    TWIN_TAKES(Floor, half)
    TWIN_TAKES(Ceil, float)
    TWIN_TAKES(Trunc, half)
    TWIN_TAKES(Frac, half)
    TWIN_TAKES(Lgamma, float)
    TWIN_TAKES(Log2, half)
    TWIN_TAKES(Sigmoid, float)
    Takes<float>("Gelu", 768, [](auto y, auto x, LocalTensor<uint8_t>* work) {
        work != nullptr ? Gelu(y, x, *work, 128) : Gelu(y, x, 128);
    });
    Takes<float>("Sin that may overwrite its source", Least(GetSinMaxMinTmpSize, 4, true),
                 [](auto y, auto x, LocalTensor<uint8_t>* work) {
                     work != nullptr ? Sin<float, true>(y, x, *work, 128) : Sin<float, true>(y, x, 128);
                 });
    Takes<half>("Fmod", Least(GetFmodMaxMinTmpSize, 2), [](auto y, auto x, LocalTensor<uint8_t>* work) {
        work != nullptr ? Fmod(y, x, x, *work, 128) : Fmod(y, x, x, 128);
    });
    uint32_t most = 0, least = 0;
    GetPowerMaxMinTmpSize(ge::Shape({128}), ge::Shape({128}), false, 4, false, most, least);
    Expect("Power asks for five repeats and five buffers", least == 1280 && most == 4 * 512 + 256);
    Takes<float>("Power", least, [](auto y, auto x, LocalTensor<uint8_t>* work) {
        work != nullptr ? Power(y, x, x, *work, 128) : Power(y, x, x, 128);
    });
    GetPowerMaxMinTmpSize(ge::Shape({128}), ge::Shape({1}), false, 2, false, most, least);
    Takes<half>("Power to a scalar", least, [](auto y, auto x, LocalTensor<uint8_t>* work) {
        work != nullptr ? Power(y, x, half(2), *work, 128u) : Power(y, x, half(2), 128u);
    });
    GetSumMaxMinTmpSize(128, 4, false, most, least);
    const auto sum = [](auto y, auto x, LocalTensor<uint8_t>*) { Sum(y, x, {1, 128, 128}); };
    const std::string none = With<float>(0, 0, true, sum), enough = With<float>(least, 0, false, sum);
    Expect("temporary-memory: Sum and nothing", none == "temporary-memory" && enough.empty(), none + " " + enough);
    const SoftMaxTiling tiling{};
    const SoftMaxShapeInfo rows = {2, 64, 2, 64};
    const auto softMax = [&](auto y, auto x, LocalTensor<uint8_t>* work) {
        work != nullptr ? SoftMax(y, x, *work, tiling, rows) : SoftMax(y, x, tiling, rows);
    };
    Takes<float>("SoftMax", GetSoftMaxMinTmpSize(ge::Shape({2, 64}), 4, false), softMax);
    Takes<half>("SoftMax", GetSoftMaxMinTmpSize(ge::Shape({2, 64}), 2, false), softMax);
    Takes<float>("SoftmaxGradFront", GetSoftMaxGradMinTmpSize(ge::Shape({2, 64}), 4, true, false),
                 [&](auto y, auto x, LocalTensor<uint8_t>* work) {
                     work != nullptr ? SoftmaxGradFront(y, x, x, *work, tiling, rows)
                                     : SoftmaxGradFront(y, x, x, tiling, rows);
                 });
    Expect("legal: functions that take none", With<float>(0, 0, false, [](auto y, auto x, LocalTensor<uint8_t>*) {
                                                  Silu(y, x, 128);
                                                  Log(y, x, 128);
                                                  Exp(y, x, 128);
                                                  Floor(y, x, 128);
                                              }).empty());
    const std::string some = With<float>(736, 0, true, [](auto y, auto x, LocalTensor<uint8_t>*) { Erf(y, x, 128); });
    Expect("tolerated: a block for each buffer, though less than a repeat", some == "past temporary-memory", some);
    const std::string gone = With<float>(0, 256, false, [](auto y, auto x, LocalTensor<uint8_t>* work) {
        Duplicate(work->ReinterpretCast<float>(), 1.0f, 64);
        Tanh(y, x, *work, 128);
        work->GetValue(0);
    });
    Expect("what the temporary memory held is gone", gone == "read-unwritten", gone);
}

}  // namespace

int main() {
    Estimated();
    Temporary();
    return Finish();
}
