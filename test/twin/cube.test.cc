// The cube core: small matrices against a plain triple loop, layouts, and each of its rules broken once beside a legal
// use.
#include <cmath>
#include <cstdlib>

#include "cube_kernels.h"

namespace {

/// Shape and the steps of one product of a tile, each of which a test may leave out or change.
struct Tile {
    uint32_t m, n, k;
    bool transposeA = false, transposeB = false;
    bool loadEvent = true, multiplyEvent = true, resultEvent = true;
    uint8_t unitFlag = 0;
    QuantMode_t quant = NoQuant;
    uint64_t scale = 0;
    bool relu = false;
};

/// Rows of GM to columns of 32 bytes in L1.
template <typename T>
void ToL1(const LocalTensor<T>& dst, const GlobalTensor<T>& src, uint32_t rows, uint32_t columns) {
    DataCopy(dst, src, Nd2NzParams(1, rows, columns, 0, columns, Up(rows, 16 * (sizeof(T) == 1 ? 2 : 1)), 1, 0));
}

/// A of m x k as written, or k x m and transposed on the way.
template <typename T>
void LoadA(const LocalTensor<T>& dst, const LocalTensor<T>& src, const Tile& t) {
    const uint32_t c0 = 32 / sizeof(T), mBlocks = Up(t.m, 16) / 16, kBlocks = Up(t.k, c0) / c0;
    for (uint32_t i = 0; i < mBlocks; ++i) {
        if (t.transposeA)
            LoadData(dst[i * kBlocks * 256], src[i * kBlocks * 256], LoadData2DParams(0, kBlocks, 1, 0, 0, true, 0));
        else
            LoadData(dst[i * kBlocks * 16 * c0], src[i * 16 * c0],
                     LoadData2DParams(0, kBlocks, mBlocks, 0, 0, false, 0));
    }
}

/// B of k x n: transposed on the way, as L0B wants k inside; or n x k, which already is.
template <typename T>
void LoadB(const LocalTensor<T>& dst, const LocalTensor<T>& src, const Tile& t) {
    const uint32_t c0 = 32 / sizeof(T), kBlocks = Up(t.k, c0) / c0, nBlocks = Up(t.n, 16) / 16;
    if (t.transposeB) {
        for (uint32_t i = 0; i < kBlocks; ++i)
            LoadData(dst[i * nBlocks * 16 * c0], src[i * nBlocks * 16 * c0],
                     LoadData2DParams(0, nBlocks, 1, 0, 0, false, 0));
    } else if (sizeof(T) == 2) {
        for (uint32_t i = 0; i < kBlocks; ++i)
            LoadData(dst[i * nBlocks * 256], src[i * 256], LoadData2DParams(0, nBlocks, kBlocks, 0, 0, true, 0));
    } else if (sizeof(T) == 1) {  // squares of 32 x 32: the two fractals along n are neighbours
        for (uint32_t i = 0; i < kBlocks; ++i)
            LoadDataWithTranspose(dst[i * nBlocks * 512], src[i * 1024],
                                  LoadData2dTransposeParams(0, Up(t.n, 32) / 32, kBlocks, 1, 0));
    } else {  // squares of 16 x 16 in two fractals along n, which become two fractals along k
        const uint32_t rows = Up(t.k, 16) / 16;
        for (uint32_t i = 0; i < rows; ++i)
            for (uint32_t j = 0; j < nBlocks; ++j) {
                // In L1 the columns of 8 stand Up(k, 16) rows apart; with k = 16 a square is one piece.
                LoadDataWithTranspose(dst[(i * 2 * nBlocks + j) * 128], src[j * 2 * rows * 128 + i * 128],
                                      LoadData2dTransposeParams(0, 1, 0, 0, nBlocks - 1));
            }
    }
}

template <typename T, typename R, typename O>
void Product(uint8_t** args, const Tile& t) {
    Bench bench;
    GlobalTensor<T> a, b;
    GlobalTensor<O> c;
    a.SetGlobalBuffer((__gm__ T*)args[0]);
    b.SetGlobalBuffer((__gm__ T*)args[1]);
    c.SetGlobalBuffer((__gm__ O*)args[2]);
    LocalTensor<T> l1A = bench.l1.Get<T>(), l1B = bench.l1.Get<uint8_t>()[256 * 1024].template ReinterpretCast<T>();
    LocalTensor<T> l0A = bench.l0a.Get<T>(), l0B = bench.l0b.Get<T>();
    LocalTensor<R> l0C = bench.l0c.Get<R>();
    t.transposeA ? ToL1(l1A, a, t.k, t.m) : ToL1(l1A, a, t.m, t.k);
    t.transposeB ? ToL1(l1B, b, t.n, t.k) : ToL1(l1B, b, t.k, t.n);
    SetFlag<HardEvent::MTE2_MTE1>(0);
    if (t.loadEvent) WaitFlag<HardEvent::MTE2_MTE1>(0);
    LoadA(l0A, l1A, t);
    LoadB(l0B, l1B, t);
    SetFlag<HardEvent::MTE1_M>(0);
    if (t.multiplyEvent) WaitFlag<HardEvent::MTE1_M>(0);
    MmadParams multiply;
    multiply.m = t.m;
    multiply.n = t.n;
    multiply.k = t.k;
    multiply.unitFlag = t.unitFlag;
    Mmad(l0C, l0A, l0B, multiply);
    SetFlag<HardEvent::M_FIX>(0);
    if (t.resultEvent) WaitFlag<HardEvent::M_FIX>(0);
    FixpipeParamsV220 out(t.n, t.m, Up(t.m, 16), t.n, t.relu);
    out.quantPre = t.quant;
    out.deqScalar = t.scale;
    out.unitFlag = t.unitFlag;
    Fixpipe<O, R, CFG_ROW_MAJOR>(c, l0C, out);
    if (!t.resultEvent) WaitFlag<HardEvent::M_FIX>(0);
    if (!t.multiplyEvent) WaitFlag<HardEvent::MTE1_M>(0);
    if (!t.loadEvent) WaitFlag<HardEvent::MTE2_MTE1>(0);
}

/// What a plain loop gives.
template <typename T, typename R>
std::vector<R> Expected(const std::vector<T>& a, const std::vector<T>& b, const Tile& t) {
    std::vector<R> c(t.m * t.n);
    for (uint32_t i = 0; i < t.m; ++i)
        for (uint32_t j = 0; j < t.n; ++j) {
            R sum = 0;
            for (uint32_t k = 0; k < t.k; ++k)
                sum += static_cast<R>(a[t.transposeA ? k * t.m + i : i * t.k + k]) *
                       static_cast<R>(b[t.transposeB ? j * t.k + k : k * t.n + j]);
            c[i * t.n + j] = sum;
        }
    return c;
}

template <typename T, typename R, typename O = R>
void Multiplies(const std::string& name, const Tile& t) {
    auto a = Numbers<T>(t.m * t.k, 1), b = Numbers<T>(t.k * t.n, 5);
    std::vector<O> c(t.m * t.n);
    const std::string rule = RunCores({Input("a", a), Input("b", b), Output("c", c)}, twin::Cores::kCube, 1,
                                      [&](uint8_t** args) { Product<T, R, O>(args, t); });
    if (!rule.empty()) return Expect(name, false, "broke " + rule);
    std::vector<O> expected;
    for (R value : Expected<T, R>(a, b, t)) expected.push_back(static_cast<O>(t.relu && value < 0 ? R(0) : value));
    ExpectSame(name, c, expected);
}

void Products() {
    Multiplies<half, float>("half, one fractal", {16, 16, 16});
    Multiplies<half, float>("half, many fractals", {48, 64, 80});
    Multiplies<half, float>("half, sizes that fill no fractal", {30, 40, 70});
    Multiplies<bfloat16_t, float>("bfloat16", {32, 48, 32});
    Multiplies<half, float>("half, A transposed", {48, 32, 64, true});
    Multiplies<half, float>("half, B transposed", {32, 48, 64, false, true});
    Multiplies<float, float>("float, B transposed", {32, 48, 24, false, true});
    Multiplies<float, float>("float, B turned in squares", {32, 48, 16});
    Multiplies<int8_t, int32_t>("int8, B transposed", {32, 64, 64, false, true});
    Multiplies<int8_t, int32_t>("int8, B turned in squares", {32, 64, 96});
    Multiplies<half, float>("one row is read as a plain row", {1, 32, 16});
    Tile rounded{32, 32, 32};
    rounded.quant = F322F16;
    Multiplies<half, float, half>("the result rounded to half", rounded);
    rounded.relu = true;
    Multiplies<half, float, half>("the result rounded to half, negative ones 0", rounded);
    Tile unit{32, 32, 32};
    unit.unitFlag = 3;
    unit.resultEvent = false;
    Multiplies<half, float>("unitFlag orders Mmad and Fixpipe without an event", unit);
}

std::string RuleOf(const Tile& t) {
    auto a = Numbers<half>(t.m * t.k, 1), b = Numbers<half>(t.k * t.n, 5);
    std::vector<float> c(t.m * t.n);
    return RunCores({Input("a", a), Input("b", b), Output("c", c)}, twin::Cores::kCube, 1,
                    [&](uint8_t** args) { Product<half, float, float>(args, t); });
}

/// A kernel over whole memories that are filled first, so that only the call in question is judged.
std::string RuleIn(std::function<void(Bench&)> kernel) {
    auto a = Numbers<half>(64 * 64, 1);
    std::vector<float> c(64 * 64);
    return RunCores({Input("a", a), Output("c", c)}, twin::Cores::kCube, 1, [&](uint8_t** args) {
        Bench bench;
        GlobalTensor<half> gm;
        gm.SetGlobalBuffer((__gm__ half*)args[0]);
        ToL1(bench.l1.Get<half>(), gm, 64, 64);
        PipeBarrier<PIPE_ALL>();
        LoadData(bench.l0a.Get<half>(), bench.l1.Get<half>(), LoadData2DParams(0, 16, 1, 0, 0, false, 0));
        LoadData(bench.l0b.Get<half>(), bench.l1.Get<half>(), LoadData2DParams(0, 16, 1, 0, 0, false, 0));
        PipeBarrier<PIPE_ALL>();
        kernel(bench);
    });
}

void Trips(const std::string& rule, const std::string& name, const std::string& seen) {
    Expect((rule.empty() ? "legal: " : rule + ": ") + name, seen == rule,
           seen.empty() ? "no rule broken" : "broke " + seen);
}

void MultiplyTwice(Bench& bench, uint16_t m, uint16_t n, bool barrier) {
    Mmad(bench.l0c.Get<float>(), bench.l0a.Get<half>(), bench.l0b.Get<half>(), MmadParams(m, n, 16, 0, false, true));
    if (barrier) PipeBarrier<PIPE_M>();
    MmadImpl(bench.l0c.Get<float>(), bench.l0a.Get<half>(), bench.l0b.Get<half>(),
             MmadParams(m, n, 16, 0, false, false));
}

/// A small result right before, or right behind, of one that is then added to.
void MultiplyBeside(Bench& bench, uint32_t other, uint32_t added) {
    const LocalTensor<float> l0c = bench.l0c.Get<float>();
    Mmad(l0c[added], bench.l0a.Get<half>(), bench.l0b.Get<half>(), MmadParams(32, 32, 16, 0, false, true));
    PipeBarrier<PIPE_M>();
    Mmad(l0c[other], bench.l0a.Get<half>(), bench.l0b.Get<half>(), MmadParams(32, 32, 16, 0, false, true));
    Mmad(l0c[added], bench.l0a.Get<half>(), bench.l0b.Get<half>(), MmadParams(32, 32, 16, 0, false, false));
}

/// The bias table is filled, a product reads it, and it is filled again with nothing between: from `second` halves into
/// L1.
void FillBiasTwice(Bench& bench, uint32_t second) {
    const LocalTensor<half> bias = bench.l1.Get<half>();
    DataCopy(bench.table.Get<float>(), bias, DataCopyParams(1, 1, 0, 0));
    SetFlag<HardEvent::MTE1_M>(0);
    WaitFlag<HardEvent::MTE1_M>(0);
    Mmad(bench.l0c.Get<float>(), bench.l0a.Get<half>(), bench.l0b.Get<half>(), bench.table.Get<float>(),
         MmadParams(16, 16, 16, 0, true, false));
    DataCopy(bench.table.Get<float>(), bias[second], DataCopyParams(1, 1, 0, 0));
}

/// The same with a bias of the result's type, both named.
void FillBiasOfFloatTwice(Bench& bench) {
    const LocalTensor<float> bias = bench.l1.Get<float>();
    DataCopy<float, float>(bench.table.Get<float>(), bias, DataCopyParams(1, 1, 0, 0));
    SetFlag<HardEvent::MTE1_M>(0);
    WaitFlag<HardEvent::MTE1_M>(0);
    Mmad(bench.l0c.Get<float>(), bench.l0a.Get<half>(), bench.l0b.Get<half>(), bench.table.Get<float>(),
         MmadParams(16, 16, 16, 0, true, false));
    DataCopy<float, float>(bench.table.Get<float>(), bias[64], DataCopyParams(1, 1, 0, 0));
}

void Rules() {
    Tile t{32, 32, 32};
    t.loadEvent = false;
    Trips("pipe-hazard", "L1 is read while MTE2 fills it", RuleOf(t));
    t = {32, 32, 32};
    t.multiplyEvent = false;
    Trips("pipe-hazard", "Mmad reads L0 while MTE1 fills it", RuleOf(t));
    t = {32, 32, 32};
    t.resultEvent = false;
    Trips("pipe-hazard", "Fixpipe reads L0C while Mmad fills it", RuleOf(t));
    t = {32, 32, 32};
    t.quant = F322F16;
    Trips("fixpipe-params", "F322F16 into float", RuleOf(t));
    Trips("pipe-hazard", "the bias table gets other values while Mmad reads it",
          RuleIn([](Bench& b) { FillBiasTwice(b, 32); }));
    Trips("pipe-hazard", "the bias table gets other floats while Mmad reads it", RuleIn(FillBiasOfFloatTwice));
    Trips("", "the bias table gets the values it has while Mmad reads it",
          RuleIn([](Bench& b) { FillBiasTwice(b, 0); }));
    Trips("mmad-order", "two small Mmad into one result", RuleIn([](Bench& b) { MultiplyTwice(b, 32, 32, false); }));
    Trips("", "with PipeBarrier<PIPE_M> between", RuleIn([](Bench& b) { MultiplyTwice(b, 32, 32, true); }));
    const auto beside = [](uint32_t other, uint32_t added) {
        return RuleIn([=](Bench& b) { MultiplyBeside(b, other, added); });
    };
    Trips("", "a small Mmad before the result that is added to", beside(0, 1024));
    Trips("", "a small Mmad behind the result that is added to", beside(1024, 0));
    Trips("mmad-order", "a small Mmad into half of the result that is added to", beside(512, 0));
    Trips("mmad-order", "two Mmad of 9 fractals", RuleIn([](Bench& b) { MultiplyTwice(b, 48, 48, false); }));
    Trips("", "two Mmad of 10 fractals", RuleIn([](Bench& b) { MultiplyTwice(b, 32, 80, false); }));
    Trips("", "two Mmad of 16 fractals", RuleIn([](Bench& b) { MultiplyTwice(b, 64, 64, false); }));
    const auto limit = [](uint16_t m, uint16_t n, uint16_t k) {
        return RuleIn([=](Bench& b) {
            Mmad(b.l0c.Get<float>(), b.l0a.Get<half>(), b.l0b.Get<half>(), MmadParams(m, n, k, 0, false, true));
        });
    };
    Trips("mmad-limit", "m of 4096", limit(4096, 16, 16));
    Trips("mmad-limit", "n of 4096", limit(16, 4096, 16));
    Trips("mmad-limit", "k of 4096", limit(16, 16, 4096));
    for (const auto& rule : {limit(4095, 16, 16), limit(16, 4095, 16), limit(16, 16, 4095)})
        Expect("4095 is no limit of its own", rule != "mmad-limit", rule);
    Trips("wrong-position", "Mmad with the operands swapped", RuleIn([](Bench& b) {
              Mmad(b.l0c.Get<float>(), b.l0b.Get<half>(), b.l0a.Get<half>(), MmadParams(16, 16, 16, 0, false, true));
          }));
    Trips("unaligned-ub", "a result 512 bytes into L0C", RuleIn([](Bench& b) {
              Mmad(b.l0c.Get<float>()[128], b.l0a.Get<half>(), b.l0b.Get<half>(),
                   MmadParams(16, 16, 16, 0, false, true));
          }));
    Trips("", "a result 1024 bytes into L0C", RuleIn([](Bench& b) {
              Mmad(b.l0c.Get<float>()[256], b.l0a.Get<half>(), b.l0b.Get<half>(),
                   MmadParams(16, 16, 16, 0, false, true));
          }));
    Trips("unaligned-ub", "LoadData to 32 bytes into L0A", RuleIn([](Bench& b) {
              LoadData(b.l0a.Get<half>()[16], b.l1.Get<half>(), LoadData2DParams(0, 1, 1, 0, 0, false, 0));
          }));
    Trips("out-of-buffer", "LoadData over the end of L0A", RuleIn([](Bench& b) {
              LoadData(b.l0a.Get<half>(), b.l1.Get<half>(), LoadData2DParams(0, 129, 0, 0, 0, false, 0));
          }));
    Trips("", "LoadData up to the end of L0A", RuleIn([](Bench& b) {
              LoadData(b.l0a.Get<half>(), b.l1.Get<half>(), LoadData2DParams(0, 128, 0, 0, 0, false, 0));
          }));
    Trips("local-overflow", "a buffer more than L1 has", RuleIn([](Bench& b) {
              TBuf<TPosition::B1> more;
              b.pipe.InitBuffer(more, 32);
          }));
    Trips("copy-params", "Nd2NzParams with srcDValue 0", RuleIn([](Bench& b) {
              GlobalTensor<half> gm;
              DataCopy(b.l1.Get<half>(), gm, Nd2NzParams(1, 16, 16, 0, 0, 16, 1, 0));
          }));
}

/// One number for each block goes from its cube core to its vector cores through GM, who add their own and hand it
/// back.
struct Relay {
    std::vector<int32_t> numbers, sums;
    std::string rule;
};

Relay RunRelay(uint32_t blocks, bool cubeSets = true, bool vectorsSet = true) {
    // A line of 64 bytes for each core, which writes it back before it says so.
    Relay relay{std::vector<int32_t>(blocks * 16), std::vector<int32_t>(blocks * 32), ""};
    const auto at = [](uint8_t* data) {
        GlobalTensor<int32_t> gm;
        gm.SetGlobalBuffer((__gm__ int32_t*)data);
        return gm;
    };
    const auto hand = [](GlobalTensor<int32_t> gm, int64_t place, int64_t value) {
        gm.SetValue(place, static_cast<int32_t>(value));
        DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE>(gm[place]);
    };
    const Kernel cube = [&](uint8_t** args) {
        auto numbers = at(args[0]), sums = at(args[1]);
        const int64_t block = GetBlockIdx();
        hand(numbers, block * 16, 100 + block);
        if (cubeSets) CrossCoreSetFlag<2, PIPE_FIX>(3);
        CrossCoreWaitFlag(4);
        numbers.SetValue(block * 16 + 1, sums.GetValue(block * 32) + sums.GetValue(block * 32 + 16));
    };
    const Kernel vector = [&](uint8_t** args) {
        auto numbers = at(args[0]), sums = at(args[1]);
        const int64_t block = GetBlockIdx() / GetSubBlockNum();
        CrossCoreWaitFlag(3);
        hand(sums, GetBlockIdx() * 16, numbers.GetValue(block * 16) + 1000 * GetSubBlockIdx());
        if (vectorsSet || GetSubBlockIdx() == 0) CrossCoreSetFlag<2, PIPE_MTE3>(4);
    };
    relay.rule =
        RunCores({{"numbers", twin::Role::kWorkspace, (uint8_t*)relay.numbers.data(), relay.numbers.size() * 4},
                  {"sums", twin::Role::kWorkspace, (uint8_t*)relay.sums.data(), relay.sums.size() * 4}},
                 twin::Cores::kMix12, blocks, cube, vector);
    return relay;
}

void CrossCore() {
    const Relay relay = RunRelay(3);
    Expect("a block's cube core and its two vector cores hand numbers on",
           relay.rule.empty() && relay.numbers[1] == 1200 && relay.numbers[33] == 1204,
           relay.rule + std::to_string(relay.numbers[1]));
    Trips("sync-deadlock", "the cube core sets no flag", RunRelay(2, false).rule);
    Trips("sync-deadlock", "one vector core of two sets no flag", RunRelay(2, true, false).rule);
    const Kernel none = [](uint8_t**) {};
    const Kernel all = [](uint8_t**) { SyncAll<false>(); };
    Trips("flag-overflow", "a flag is set 16 times and nobody waits",
          RunCores({}, twin::Cores::kMix12, 1, [](uint8_t**) {
              for (int i = 0; i < 16; ++i) CrossCoreSetFlag<2, PIPE_FIX>(1);
          }));
    cubeKernel_ = [](uint8_t**) {
        for (int i = 0; i < 16; ++i) CrossCoreSetFlag<2, PIPE_FIX>(1);
    };
    kernel_ = [](uint8_t**) {
        for (int i = 0; i < 16; ++i) CrossCoreWaitFlag(1);
    };
    twin::LaunchSpec tolerant{1, 0, false, {}, twin::Cores::kMix12, EnterCube};
    tolerant.tolerant = true;
    Trips("flag-overflow", "tolerated, and every wait ends", twin::Launch(tolerant, Enter).tolerated.rule);
    Trips("cross-core-kind", "mode 2 in a kernel of vector cores",
          RunCores({}, twin::Cores::kVector, 1, none, [](uint8_t**) { CrossCoreSetFlag<2, PIPE_MTE3>(1); }));
    Trips("", "SyncAll<false> on all cores", RunCores({}, twin::Cores::kMix12, 2, all, all));
    Trips("", "SyncAll on the vector cores", RunCores({}, twin::Cores::kMix12, 2, none, [](uint8_t**) { SyncAll(); }));
    Trips("sync-deadlock", "SyncAll<false> on the vector cores only", RunCores({}, twin::Cores::kMix12, 2, none, all));
    int came = 0, early = 0;
    Trips("", "mode 1 orders the vector cores of a block", RunCores({}, twin::Cores::kMix12, 1, none, [&](uint8_t**) {
              ++came;
              CrossCoreSetFlag<1, PIPE_MTE3>(2);
              CrossCoreWaitFlag(2);
              early += came != 2;
          }));
    Expect("mode 1 lets no vector core go on before the other has come", came == 2 && early == 0);
    came = 0;
    Trips("", "mode 0 orders the cube cores", RunCores({}, twin::Cores::kMix12, 3, [&](uint8_t**) {
              ++came;
              CrossCoreSetFlag<0, PIPE_FIX>(5);
              CrossCoreWaitFlag(5);
              early += came != 3;
          }));
    Expect("mode 0 lets no cube core go on before all have come", came == 3 && early == 0);
}

}  // namespace

int main() {
    Products();
    Rules();
    CrossCore();
    return Finish();
}
