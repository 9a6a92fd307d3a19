// The cube core: Fill of its memories, and the older ways out of L0C beside Fixpipe with FixpipeParamsV220.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "expect.h"

using namespace AscendC;

namespace {

constexpr uint32_t kM = 32, kN = 48, kK = 16;

std::function<void(uint8_t**)> cubeKernel_;
void EnterCube(uint8_t** args) { cubeKernel_(args); }

template <typename T>
twin::GmArg Arg(const char* name, twin::Role role, std::vector<T>& data) {
    return {name, role, (uint8_t*)data.data(), data.size() * sizeof(T)};
}

std::string RunCube(std::vector<twin::GmArg> args, std::function<void(uint8_t**)> cube) {
    kernel_ = [](uint8_t**) {};
    cubeKernel_ = std::move(cube);
    return RuleOfLaunch([&] {
        twin::Launch({1, 0, false, std::move(args), twin::Cores::kCube, EnterCube}, EnterCube);
    });
}

struct Memories {
    TPipe pipe;
    TBuf<TPosition::A1> l1;
    TBuf<TPosition::A2> l0a;
    TBuf<TPosition::B2> l0b;
    TBuf<TPosition::CO1> l0c;
    Memories() {
        pipe.InitBuffer(l1, 64 * 1024);
        pipe.InitBuffer(l0a, 64 * 1024);
        pipe.InitBuffer(l0b, 64 * 1024);
        pipe.InitBuffer(l0c, 64 * 1024);
    }
};

void MultiplyThere(Memories& m) {
    SetFlag<HardEvent::MTE1_M>(0);
    WaitFlag<HardEvent::MTE1_M>(0);
    MmadParams p;
    p.m = kM;
    p.n = kN;
    p.k = kK;
    Mmad(m.l0c.Get<float>(), m.l0a.Get<half>(), m.l0b.Get<half>(), p);
    SetFlag<HardEvent::M_FIX>(0);
    WaitFlag<HardEvent::M_FIX>(0);
}

// Fractals of 16x16 as L0A and L0B have them: rows of A, and rows of B that is n x k.
std::vector<half> a_(kM* kK), b_(kN* kK);
float C(uint32_t m, uint32_t n) {
    float sum = 0;
    for (uint32_t k = 0; k < kK; ++k) sum += static_cast<float>(a_[m * kK + k]) * static_cast<float>(b_[n * kK + k]);
    return sum;
}

/// What `out` writes of the product into 8192 elements that were -1.
template <typename T>
std::vector<T> Out(std::function<void(GlobalTensor<T>, LocalTensor<float>)> out) {
    std::vector<T> y(8192, T(-1.0f));
    const std::string broke =
        RunCube({Arg("a", twin::Role::kInput, a_), Arg("b", twin::Role::kInput, b_), Arg("y", twin::Role::kInOut, y)},
                [&](uint8_t** gm) {
                    Memories m;
                    GlobalTensor<half> a, b;
                    GlobalTensor<T> c;
                    a.SetGlobalBuffer((__gm__ half*)gm[0]);
                    b.SetGlobalBuffer((__gm__ half*)gm[1]);
                    c.SetGlobalBuffer((__gm__ T*)gm[2]);
                    LoadData(m.l0a.Get<half>(), a, LoadData2DParams(0, kM / 16, 1, 0, 0, false, inc));
                    LoadData(m.l0b.Get<half>(), b, LoadData2DParams(0, kN / 16, 1, 0, 0, false, inc));
                    SetFlag<HardEvent::MTE2_M>(0);
                    WaitFlag<HardEvent::MTE2_M>(0);
                    MultiplyThere(m);
                    out(c, m.l0c.Get<float>());
                });
    Expect("the launch ends well", broke.empty(), broke);
    return y;
}

template <typename T>
std::vector<T> Rows(uint32_t stride, uint32_t columns = kN) {
    std::vector<T> y(8192, T(-1.0f));
    for (uint32_t m = 0; m < kM; ++m)
        for (uint32_t n = 0; n < columns; ++n) y[m * stride + n] = T(C(m, n));
    return y;
}

/// Columns of 16, `gap` elements between them.
template <typename T>
std::vector<T> Columns(uint32_t gap) {
    std::vector<T> y(8192, T(-1.0f));
    for (uint32_t n = 0; n < kN; ++n)
        for (uint32_t m = 0; m < kM; ++m) y[n / 16 * (kM * 16 + gap) + m * 16 + n % 16] = T(C(m, n));
    return y;
}

void WaysOut() {
    for (size_t i = 0; i < a_.size(); ++i) a_[i] = static_cast<float>(static_cast<int>(i * 5 % 13) - 6);
    for (size_t i = 0; i < b_.size(); ++i) b_[i] = static_cast<float>(static_cast<int>(i * 7 % 11) - 5);
    ExpectSame("DataCopy out of L0C in rows", Out<float>([](auto y, auto c) {
                   SetFixpipeNz2ndFlag(1, 1, 1);
                   DataCopy(y, c, DataCopyCO12DstParams(kN, kM, 64, kM, NoQuant, 0, false, true));
               }),
               Rows<float>(64));
    ExpectSame("DataCopy out of L0C in columns, as half", Out<half>([](auto y, auto c) {
                   DataCopy(y, c, DataCopyCO12DstParams(kN, kM, kM + 4, kM, F322F16, 0, false, false));
               }),
               Columns<half>(64));
    std::vector<float> positive = Rows<float>(kN);
    for (uint32_t i = 0; i < kM * kN; ++i) positive[i] = positive[i] > 0 ? positive[i] : 0;
    ExpectSame("reluPre", Out<float>([](auto y, auto c) {
                   DataCopy(y, c, DataCopyCO12DstParams(kN, kM, kN, kM, NoQuant, 1, false, true));
               }),
               positive);
    // Two matrices of 16 columns, the second one 48 rows of 64 bytes behind the first in L0C: columns 16 to 31.
    std::vector<float> two(8192, -1.0f);
    for (uint32_t m = 0; m < kM; ++m)
        for (uint32_t n = 0; n < 32; ++n) two[n / 16 * 2000 + m * 16 + n % 16] = C(m, n);
    ExpectSame("SetFixpipeNz2ndFlag for two matrices", Out<float>([](auto y, auto c) {
                   SetFixpipeNz2ndFlag(2, kM * 16 * 4 / 1024, 2000);
                   DataCopy(y, c, DataCopyCO12DstParams(16, kM, 16, kM, NoQuant, 0, false, true));
               }),
               two);
    ExpectSame("Fixpipe with FixpipeParams in rows, 40 of 48 columns", Out<float>([](auto y, auto c) {
                   FixpipeParams<float> p(kN / 16, kM * 16 * 4 / 32, 0, 50);
                   p.nz2ndParams = {true, 1, 0, 0, 40};
                   Fixpipe(y, c, p);
               }),
               Rows<float>(50, 40));
    ExpectSame("in columns, whose stride is a gap", Out<half>([](auto y, auto c) {
                   FixpipeParams<float> p(kN / 16, kM * 16 * 4 / 32, 0, 3);
                   p.quantParams = {F322F16};
                   Fixpipe(y, c, p);
               }),
               Columns<half>(48));
}

/// What Fill leaves in the first 512 bytes of L1, which were 7.
std::vector<int16_t> Filled(const InitConstValueParams<int16_t>& p, std::string* broke) {
    std::vector<int16_t> y(256, -1);
    *broke = RunCube({Arg("y", twin::Role::kInOut, y)}, [&](uint8_t** gm) {
        Memories m;
        GlobalTensor<int16_t> to;
        to.SetGlobalBuffer((__gm__ int16_t*)gm[0]);
        LocalTensor<int16_t> l1 = m.l1.Get<int16_t>();
        Fill(l1, {1, 16, 0, 7});
        InitConstValue(l1, p);
        SetFlag<HardEvent::MTE2_MTE3>(0);
        WaitFlag<HardEvent::MTE2_MTE3>(0);
        DataCopy(to, l1, 256);
    });
    return y;
}

void Filling() {
    std::string broke;
    std::vector<int16_t> expected(256, 7);
    for (int i : {0, 1, 5, 6, 10, 11})
        for (int e = 0; e < 16; ++e) expected[i * 16 + e] = -3;
    ExpectSame("Fill of L1: three pieces of two blocks, three apart", Filled({3, 2, 3, -3}, &broke), expected);
    Expect("and breaks nothing", broke.empty(), broke);
    ExpectSame("no repeat fills nothing", Filled({0, 2, 3, -3}, &broke), std::vector<int16_t>(256, 7));
    Filled({1, 32768, 0, 0}, &broke);
    Expect("copy-params: 32768 blocks", broke == "copy-params", broke);
    std::vector<float> y(kM * kN);
    const auto multiply = [&](bool ordered) {
        return RunCube({Arg("y", twin::Role::kOutput, y)}, [ordered](uint8_t** gm) {
            Memories m;
            GlobalTensor<float> to;
            to.SetGlobalBuffer((__gm__ float*)gm[0]);
            Fill(m.l0a.Get<half>(), {1, 4, 0, half(2.0f)});
            Fill(m.l0a.Get<half>(), {2, 1, 1, half(4.0f)});
            Fill(m.l0b.Get<half>(), {kN / 16, 1, 0, half(-1.5f)});
            if (!ordered)
                Mmad(m.l0c.Get<float>(), m.l0a.Get<half>(), m.l0b.Get<half>(), MmadParams(16, 16, 16, 0, false, true));
            MultiplyThere(m);
            Fixpipe<float, float, CFG_ROW_MAJOR>(to, m.l0c.Get<float>(), FixpipeParamsV220(kN, kM, kM, kN, false));
        });
    };
    broke = multiply(true);
    std::vector<float> product(kM * kN, -96.0f);
    std::fill(product.begin() + 16 * kN, product.end(), -48.0f);
    Expect("Fill of L0A, every second fractal again, and of L0B", broke.empty() && y == product, broke);
    broke = multiply(false);
    Expect("pipe-hazard: Mmad of what may not be filled yet", broke == "pipe-hazard", broke);
}

/// Scales in the fixpipe buffer, set before the older copy: column n times 2^-(n % 4).
void SetScales() {
    std::vector<uint64_t> scales(kN);
    for (uint32_t n = 0; n < kN; ++n) {
        const float factor = 1.0f / static_cast<float>(1 << n % 4);
        uint32_t bits;
        std::memcpy(&bits, &factor, 4);
        scales[n] = bits | 1ull << 46;
    }
    std::vector<int8_t> y(kM * kN), expected(kM * kN);
    for (uint32_t m = 0; m < kM; ++m)
        for (uint32_t n = 0; n < kN; ++n)
            expected[m * kN + n] = static_cast<int8_t>(
                std::clamp(std::nearbyint(C(m, n) / static_cast<float>(1 << n % 4)), -128.0f, 127.0f));
    const auto run = [&](bool set, bool fromL1) {
        return RunCube(
            {Arg("a", twin::Role::kInput, a_), Arg("b", twin::Role::kInput, b_),
             Arg("scales", twin::Role::kInput, scales), Arg("y", twin::Role::kOutput, y)},
            [&](uint8_t** args) {
                Memories m;
                TBuf<TPosition::C2PIPE2GM> buffer;
                m.pipe.InitBuffer(buffer, 1024);
                GlobalTensor<half> a, b;
                GlobalTensor<uint64_t> s;
                GlobalTensor<int8_t> out;
                a.SetGlobalBuffer((__gm__ half*)args[0]);
                b.SetGlobalBuffer((__gm__ half*)args[1]);
                s.SetGlobalBuffer((__gm__ uint64_t*)args[2]);
                out.SetGlobalBuffer((__gm__ int8_t*)args[3]);
                LoadData(m.l0a.Get<half>(), a, LoadData2DParams(0, kM / 16, 1, 0, 0, false, 0));
                LoadData(m.l0b.Get<half>(), b, LoadData2DParams(0, kN / 16, 1, 0, 0, false, 0));
                DataCopy(m.l1.Get<uint64_t>(), s, kN);
                PipeBarrier<PIPE_ALL>();
                DataCopy(buffer.Get<uint64_t>(), m.l1.Get<uint64_t>(), DataCopyParams(1, kN * 8 / 128, 0, 0));
                MultiplyThere(m);
                PipeBarrier<PIPE_ALL>();
                if (set) SetFixPipeConfig(fromL1 ? m.l1.Get<uint64_t>() : buffer.Get<uint64_t>());
                SetFixPipeConfig(m.l0c.Get<float>(), true);
                DataCopy(out, m.l0c.Get<float>(), DataCopyCO12DstParams(kN, kM, kN, kM, VQF322B8_PRE, 0, false, true));
            });
    };
    const std::string rule = run(true, false);
    ExpectSame("SetFixPipeConfig gives each column its scale" + rule, y, expected);
    Expect("fixpipe-params: no scales were set", run(false, false) == "fixpipe-params");
    Expect("wrong-position: scales in L1", run(true, true) == "wrong-position");
}

/// The older structure to L1, with a scale for each column: two columns of 16 x 16 with a gap of 32 bytes between.
void ScaledIntoL1() {
    std::vector<uint64_t> scales(32);
    for (uint32_t n = 0; n < 32; ++n) scales[n] = __builtin_bit_cast(uint32_t, 1.0f / static_cast<float>(1 << n % 4));
    std::vector<half> y(528, half(-1.0f)), expected(528, half(5.0f));
    for (uint32_t n = 0; n < 32; ++n)
        for (uint32_t m = 0; m < 16; ++m)
            expected[n / 16 * 272 + m * 16 + n % 16] = half(192.0f / static_cast<float>(1 << n % 4));
    const std::string rule =
        RunCube({Arg("scales", twin::Role::kInput, scales), Arg("y", twin::Role::kInOut, y)}, [](uint8_t** args) {
            Memories m;
            const LocalTensor<uint64_t> perColumn = m.l1.Get<uint64_t>()[1024];
            GlobalTensor<uint64_t> s;
            GlobalTensor<half> out;
            s.SetGlobalBuffer((__gm__ uint64_t*)args[0]);
            out.SetGlobalBuffer((__gm__ half*)args[1]);
            DataCopy(perColumn, s, 32);
            Fill(m.l0a.Get<int16_t>(), {1, 1, 0, 0x0202});
            Fill(m.l0b.Get<int16_t>(), {2, 1, 0, 0x0303});
            Fill(m.l1.Get<half>(), {1, 33, 0, half(5.0f)});
            PipeBarrier<PIPE_ALL>();
            Mmad(m.l0c.Get<int32_t>(), m.l0a.Get<int8_t>(), m.l0b.Get<int8_t>(),
                 MmadParams(16, 32, 32, 0, false, true));
            PipeBarrier<PIPE_ALL>();
            FixpipeParams<int32_t> p(2, 32, 0, 1);
            p.quantParams = {VDEQF16};
            Fixpipe(m.l1.Get<half>(), m.l0c.Get<int32_t>(), perColumn, p);
            PipeBarrier<PIPE_ALL>();
            DataCopy(out, m.l1.Get<half>(), 528);
        });
    ExpectSame("Fixpipe with FixpipeParams and scales to L1" + rule, y, expected);
}

std::string RuleOf(std::function<void(Memories&)> body) {
    return RunCube({}, [&](uint8_t**) {
        Memories m;
        body(m);
    });
}

void Rules() {
    const std::string place = RuleOf([](Memories& m) { Fill(m.l0c.Get<float>(), {1, 1, 0, 0.0f}); });
    Expect("wrong-position: Fill of L0C", place == "wrong-position", place);
    const std::string start = RuleOf([](Memories& m) { Fill(m.l0a.Get<half>()[16], {1, 1, 0, half(0.0f)}); });
    Expect("unaligned-ub: Fill of L0A within a fractal", start == "unaligned-ub", start);
    const std::string length = RuleOf([](Memories& m) { Fill(m.l0a.Get<half>(), {1, 129, 0, half(0.0f)}); });
    Expect("out-of-buffer: Fill of more than L0A", length == "out-of-buffer" || length == "local-overflow", length);
    const std::string none = RuleOf([](Memories&) { SetFixpipeNz2ndFlag(0, 1, 1); });
    Expect("fixpipe-params: no matrix", none == "fixpipe-params", none);
    const std::string far = RuleOf([](Memories&) { SetFixpipeNz2ndFlag(2, 513, 1); });
    Expect("fixpipe-params: matrices 513 KiB apart", far == "fixpipe-params", far);
    const std::string near = RuleOf([](Memories&) { SetFixpipeNz2ndFlag(2, 512, 1); });
    Expect("legal: 512", near.empty(), near);
    const std::string clip = RuleOf([](Memories& m) {
        DataCopyCO12DstParams p(16, 16, 16, 16, F322F16, 2, false, false);
        DataCopy(m.l1.Get<half>(), m.l0c.Get<float>(), p);
    });
    Expect("not-covered: a relu that is none", clip == "not-covered", clip);
}

}  // namespace

int main() {
    WaysOut();
    SetScales();
    ScaledIntoL1();
    Filling();
    Rules();
    return Finish();
}
