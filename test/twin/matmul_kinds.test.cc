// Kinds of the high-level Matmul: policies, 4-bit numbers, batches in other layouts, and modes of MatmulConfig.
#include "matmul_kernels.h"

namespace {

template <typename T, bool transpose = false, LayoutMode layout = LayoutMode::NONE, bool shared = false,
          CubeFormat format = CubeFormat::ND>
using Gm = MatmulType<TPosition::GM, format, T, transpose, layout, shared>;

using Body = std::function<void(TPipe&, const TCubeTiling&, uint8_t**)>;

/// Runs a kernel over half matrices; `c` holds 99 where nothing is written.
std::string RunHalf(const TCubeTiling& tiling, std::vector<half>& a, std::vector<half>& b, std::vector<float>& c,
                    Body body) {
    std::fill(c.begin(), c.end(), 99.0f);
    return RunMixed({Input("a", a), Input("b", b), Output("c", c)}, [&](uint8_t** args) {
        TPipe pipe;
        body(pipe, tiling, args);
    });
}

/// One IterateAll of A and B in GM.
template <typename M>
Body All(std::function<void(M&, uint8_t**)> run) {
    return [run](TPipe& pipe, const TCubeTiling& tiling, uint8_t** args) {
        M mm;
        REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
        mm.SetTensorA(At<half>(args[0]));
        mm.SetTensorB(At<half>(args[1]));
        run(mm, args);
        mm.End();
    };
}

template <template <const auto&, typename, typename, typename, typename, typename> class Policy>
using WithPolicy =
    Matmul<Gm<half>, Gm<half>, Gm<float>, Gm<float>, CFG_NORM, MatmulCallBackFunc<nullptr, nullptr, nullptr>, Policy>;

template <template <const auto&, typename, typename, typename, typename, typename> class Policy>
void Policies(const std::string& name, std::function<bool(uint32_t, uint32_t)> isThere) {
    const MatmulShape s{96, 128, 32};
    auto a = Numbers<half>(s.m * s.k, 1), b = Numbers<half>(s.k * s.n, 5);
    std::vector<float> c(s.m * s.n);
    const TCubeTiling tiling = OneCore<half, float>(s, 32, 32);
    const auto rule = RunHalf(
        tiling, a, b, c, All<WithPolicy<Policy>>([](auto& mm, uint8_t** args) { mm.IterateAll(At<float>(args[2])); }));
    auto expected = Expected<half, float, float>(s, a, b, {});
    for (int32_t m = 0; m < s.m; ++m)
        for (int32_t n = 0; n < s.n; ++n)
            if (!isThere(m / 32, n / 32)) expected[m * s.n + n] = 99;
    Expect(name + " breaks no rule", rule.empty(), rule);
    ExpectSame(name, c, expected);
    const auto tiles = RunHalf(tiling, a, b, c, All<WithPolicy<Policy>>([](auto& mm, uint8_t**) { mm.Iterate(); }));
    Expect(name + ", tile by tile", tiles == (isThere(0, 1) && isThere(1, 0) ? "" : "not-covered"), tiles);
}

constexpr MatmulConfig Config(bool split, bool partial, bool biasBatch) {
    MatmulConfig cfg = CFG_MDL;
    cfg.isEnableChannelSplit = split;
    cfg.isPartialOutput = partial;
    cfg.isBiasBatch = biasBatch;
    cfg.isNBatch = true;
    return cfg;
}
constexpr MatmulConfig kSplit = Config(true, false, true), kPartial = Config(false, true, true),
                       kBatch = Config(false, false, true), kOneBias = Config(false, false, false);

void ChannelSplit() {
    const MatmulShape s{32, 48, 32};
    auto a = Numbers<half>(s.m * s.k, 1), b = Numbers<half>(s.k * s.n, 5);
    std::vector<float> c(s.m * s.n), columns(c.size());
    const auto rule = RunHalf(
        OneCore<half, float>(s), a, b, c,
        All<Matmul<Gm<half>, Gm<half>, Gm<float, false, LayoutMode::NONE, false, CubeFormat::NZ>, Gm<float>, kSplit>>(
            [](auto& mm, uint8_t** args) { mm.IterateAll(At<float>(args[2])); }));
    const auto rows = Expected<half, float, float>(s, a, b, {});
    for (int32_t m = 0; m < s.m; ++m)
        for (int32_t n = 0; n < s.n; ++n) columns[n / 8 * s.m * 8 + m * 8 + n % 8] = rows[m * s.n + n];
    Expect("isEnableChannelSplit breaks no rule", rule.empty(), rule);
    ExpectSame("columns of 8", c, columns);
    const auto wrong = RunHalf(OneCore<half, float>(s), a, b, c,
                               All<Matmul<Gm<half>, Gm<half>, Gm<float>, Gm<float>, kSplit>>(
                                   [](auto& mm, uint8_t** args) { mm.IterateAll(At<float>(args[2])); }));
    Expect("matmul-shape: isEnableChannelSplit with C in rows", wrong == "matmul-shape", wrong);
}

/// Tiles for each baseK of k add up to C; the bias is in the first.
void PartialOutput() {
    const MatmulShape s{32, 32, 80, false, false, true};
    auto a = Numbers<half>(s.m * s.k, 1), b = Numbers<half>(s.k * s.n, 5);
    auto bias = Numbers<float>(s.n, 3);
    TCubeTiling tiling = OneCore<half, float>(s, 32, 32);
    tiling.baseK = 32;
    tiling.stepKa = tiling.stepKb = tiling.depthA1 = tiling.depthB1 = 1;
    std::vector<float> c(4 * 1024, 99), sums(1024);
    const auto rule =
        RunMixed({Input("a", a), Input("b", b), Input("bias", bias), Output("c", c)}, [&](uint8_t** args) {
            TPipe pipe;
            Matmul<Gm<half>, Gm<half>, Gm<float>, Gm<float>, kPartial> mm;
            REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
            mm.SetTensorA(At<half>(args[0]));
            mm.SetTensorB(At<half>(args[1]));
            mm.SetBias(At<float>(args[2]));
            uint32_t tiles = 0;
            for (; mm.Iterate(); ++tiles) mm.GetTensorC(At<float>(args[3])[tiles * 1024], 0, true);
            mm.End();
            Expect("a tile for each baseK", tiles == 3, std::to_string(tiles));
        });
    for (uint32_t i = 0; i < sums.size(); ++i) sums[i] = c[i] + c[i + 1024] + c[i + 2048];
    Expect("isPartialOutput breaks no rule", rule.empty() && c[3072] == 99, rule);
    ExpectSame<float>("parts add up", sums, Expected<half, float, float>(s, a, b, bias));
    const MatmulShape first{32, 32, 32, false, false, true};
    std::vector<half> left, right(b.begin(), b.begin() + 1024);
    for (int32_t m = 0; m < 32; ++m) left.insert(left.end(), a.begin() + m * s.k, a.begin() + m * s.k + 32);
    ExpectSame<float>("the first of them", std::vector<float>(c.begin(), c.begin() + 1024),
                      Expected<half, float, float>(first, left, right, bias));
}

/// Of both vector cores of a block the first calculates.
void BothShared() {
    const MatmulShape s{32, 32, 32};
    auto a = Numbers<half>(s.m * s.k, 1), b = Numbers<half>(s.k * s.n, 5);
    const TCubeTiling tiling = OneCore<half, float>(s);
    std::vector<float> c(s.m * s.n, 0);
    using Shared = Matmul<Gm<half, false, LayoutMode::NONE, true>, Gm<half, false, LayoutMode::NONE, true>, Gm<float>>;
    const auto run = [&](bool local) {
        return RunOn(
            twin::Cores::kMix12,
            {Input("a", a), Input("b", b), {"c", twin::Role::kInOut, (uint8_t*)c.data(), c.size() * 4}},
            [&, local](uint8_t** args) {
                TPipe pipe;
                Shared mm;
                REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
                TBuf<> ub;
                pipe.InitBuffer(ub, 4096);
                mm.SetTensorA(At<half>(args[0]));
                mm.SetTensorB(At<half>(args[1]));
                if (local) mm.IterateAll(ub.Get<float>());
                else mm.IterateAll(At<float>(args[2]), 1);
                mm.End();
            },
            [](uint8_t**) { twin::MatmulServe(GetSysWorkSpacePtr()); });
    };
    const std::string rule = run(false);
    Expect("IBSHARE of A and B breaks no rule", rule.empty(), rule);
    ExpectSame<float>("it is added once", c, Expected<half, float, float>(s, a, b, {}));
    Expect("matmul-shape: into UB", run(true) == "matmul-shape", run(true));
}

void FourBits() {
    const MatmulShape s{20, 64, 128};
    std::vector<uint8_t> a(s.m * s.k / 2), b(s.k * s.n / 2);
    for (size_t i = 0; i < a.size(); ++i) a[i] = static_cast<uint8_t>(i * 37 + 11);
    for (size_t i = 0; i < b.size(); ++i) b[i] = static_cast<uint8_t>(i * 73 + 5);
    const auto number = [](const std::vector<uint8_t>& from, size_t i) {
        return static_cast<int8_t>(from[i / 2] << (i % 2 == 0 ? 4 : 0)) >> 4;
    };
    std::vector<int32_t> c(s.m * s.n), expected(s.m * s.n);
    for (int32_t m = 0; m < s.m; ++m)
        for (int32_t n = 0; n < s.n; ++n)
            for (int32_t k = 0; k < s.k; ++k) expected[m * s.n + n] += number(a, m * s.k + k) * number(b, k * s.n + n);
    tiles::MatmulApiTiling api(*platform_ascendc::PlatformAscendCManager::GetInstance());
    Describe<half, int32_t>(api, s);
    api.SetAType(tiles::TPosition::GM, tiles::CubeFormat::ND, tiles::DataType::DT_INT4, false);
    api.SetBType(tiles::TPosition::GM, tiles::CubeFormat::ND, tiles::DataType::DT_INT4, false);
    TCubeTiling tiling;
    Expect("a tiling of int4", api.GetTiling(tiling) != -1 && tiling.baseK % 64 == 0, std::to_string(tiling.baseK));
    const auto rule = RunMixed({Input("a", a), Input("b", b), Output("c", c)}, [&](uint8_t** args) {
        TPipe pipe;
        Matmul<Gm<int4b_t>, Gm<int4b_t>, Gm<int32_t>> mm;
        REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
        mm.SetTensorA(At<int4b_t>(args[0]));
        mm.SetTensorB(At<int4b_t>(args[1]));
        mm.IterateAll(At<int32_t>(args[2]));
        mm.End();
    });
    Expect("Matmul of int4b_t breaks no rule", rule.empty(), rule);
    ExpectSame("Matmul of int4b_t", c, expected);
}

template <LayoutMode layout, const auto& CFG>
using Batched = Matmul<Gm<half, false, layout>, Gm<half, true, layout>, Gm<float, false, layout>, Gm<float>, CFG>;

/// Two batches of three heads, S x D each, in their layout.
template <LayoutMode layout>
void Layouts(const std::string& name) {
    constexpr int32_t B = 2, N = 3, S1 = 16, S2 = 32, D = 32;
    MatmulShape s{S1, S2, D};
    TCubeTiling tiling = OneCore<half, float>(s);
    const auto axes = [](int32_t& b, int32_t& rows, int32_t& n, int32_t& g, int32_t& d, int32_t high, int32_t wide) {
        b = B;
        rows = high;
        n = N;
        g = 1;
        d = wide;
    };
    axes(tiling.ALayoutInfoB, tiling.ALayoutInfoS, tiling.ALayoutInfoN, tiling.ALayoutInfoG, tiling.ALayoutInfoD, S1,
         D);
    axes(tiling.BLayoutInfoB, tiling.BLayoutInfoS, tiling.BLayoutInfoN, tiling.BLayoutInfoG, tiling.BLayoutInfoD, S2,
         D);
    axes(tiling.CLayoutInfoB, tiling.CLayoutInfoS1, tiling.CLayoutInfoN, tiling.CLayoutInfoG, tiling.CLayoutInfoS2, S1,
         S2);
    auto a = Numbers<half>(B * S1 * N * D, 1), b = Numbers<half>(B * S2 * N * D, 5);
    std::vector<float> c(B * S1 * N * S2), expected(c.size());
    const auto at = [](int32_t batch, int32_t row, int32_t head, int32_t column, int32_t high, int32_t wide) {
        const bool rowsFirst = layout == LayoutMode::SBNGD;
        return ((rowsFirst ? row * B + batch : batch * high + row) * N + head) * wide + column;
    };
    for (int32_t batch = 0; batch < B; ++batch)
        for (int32_t head = 0; head < N; ++head)
            for (int32_t m = 0; m < S1; ++m)
                for (int32_t n = 0; n < S2; ++n)
                    for (int32_t k = 0; k < D; ++k)
                        expected[at(batch, m, head, n, S1, S2)] += static_cast<float>(a[at(batch, m, head, k, S1, D)]) *
                                                                   static_cast<float>(b[at(batch, n, head, k, S2, D)]);
    const auto run = [](bool loops) {
        return [loops](TPipe& pipe, const TCubeTiling& t, uint8_t** args) {
            Batched<layout, kBatch> mm;
            REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &t);
            mm.SetTensorA(At<half>(args[0]));
            mm.SetTensorB(At<half>(args[1]), true);
            auto out = At<float>(args[2]);
            if (loops) mm.SetWorkspace(out);
            if (loops) mm.IterateNBatch(2, 3, 3, false);
            else mm.IterateBatch(out, 6, 6, false);
            mm.End();
        };
    };
    for (const bool loops : {false, true}) {
        const auto rule = RunHalf(tiling, a, b, c, run(loops));
        Expect(name + (loops ? ", IterateNBatch" : ", IterateBatch") + " breaks no rule", rule.empty(), rule);
        ExpectSame(name + (loops ? ", IterateNBatch" : ", IterateBatch"), c, expected);
    }
    tiling.ALayoutInfoN = 0;
    Expect("matmul-tiling: no axes in the tiling", RunHalf(tiling, a, b, c, run(false)) == "matmul-tiling");
}

/// A bias for each matrix, or one for all.
template <const auto& CFG>
void BatchBias(const std::string& name, bool each) {
    MatmulShape s{16, 32, 16, false, true, true};
    auto a = Numbers<half>(2 * s.m * s.k, 1), b = Numbers<half>(2 * s.k * s.n, 5);
    auto bias = Numbers<float>(2 * s.n, 3);
    std::vector<float> c(2 * s.m * s.n, 99);
    const TCubeTiling tiling = OneCore<half, float>(s);
    const auto rule =
        RunMixed({Input("a", a), Input("b", b), Input("bias", bias), Output("c", c)}, [&](uint8_t** args) {
            TPipe pipe;
            Batched<LayoutMode::NORMAL, CFG> mm;
            REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
            mm.SetTensorA(At<half>(args[0]));
            mm.SetTensorB(At<half>(args[1]), true);
            mm.SetBias(At<float>(args[2]));
            mm.IterateBatch(At<float>(args[3]), 2, 2, false);
            mm.End();
        });
    auto expected = Expected<half, float, float>(s, a, b, bias);
    const std::vector<float> second(bias.begin() + (each ? s.n : 0), bias.end());
    const auto more =
        Expected<half, float, float>(s, {a.begin() + s.m * s.k, a.end()}, {b.begin() + s.k * s.n, b.end()}, second);
    expected.insert(expected.end(), more.begin(), more.end());
    Expect(name + " breaks no rule", rule.empty(), rule);
    ExpectSame<float>(name, c, expected);
}

void Refused() {
    const MatmulShape s{32, 32, 32};
    auto a = Numbers<half>(s.m * s.k, 1), b = Numbers<half>(s.k * s.n, 5);
    std::vector<int8_t> x(1024), y(512);
    std::vector<int32_t> c(1024);
    const TCubeTiling tiling = OneCore<int8_t, int32_t>(s);
    const auto sparse = RunMixed({Input("a", x), Input("b", y), Output("c", c)}, [&](uint8_t**) {
        TPipe pipe;
        Matmul<Gm<int8_t>, SparseMatmulType<TPosition::GM, TPosition::GM, CubeFormat::ND, int8_t, true>, Gm<int32_t>>
            mm;
        REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
    });
    Expect("not-covered: SparseMatmulType", sparse == "not-covered", sparse);
    std::vector<float> d(1024);
    const auto tscm = RunHalf(OneCore<half, float>(s), a, b, d, [](TPipe& pipe, const TCubeTiling& t, uint8_t** args) {
        Matmul<MatmulType<TPosition::TSCM, CubeFormat::ND, half>, Gm<half>, Gm<float>> mm;
        REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &t);
        TSCM<TPosition::GM, 1> memory;
        pipe.InitBuffer(memory, 1, 2048);
        LocalTensor<half> tensor = memory.AllocTensor<half>();
        DataCopy(tensor, At<half>(args[0]), 1024);
        memory.EnQue(tensor);
        mm.SetTensorA(memory.DeQue<half>());
    });
    Expect("not-covered: TSCM from a vector core", tscm == "not-covered", tscm);
}

}  // namespace

int main() {
    Policies<Impl::Detail::NBuffer33MatmulPolicy>("NBuffer33MatmulPolicy", [](uint32_t, uint32_t) { return true; });
    Policies<Impl::Detail::TrianUpperMatmulPolicy>("TrianUpperMatmulPolicy",
                                                   [](uint32_t down, uint32_t across) { return down <= across; });
    Policies<Impl::Detail::TrianLowerMatmulPolicy>("TrianLowerMatmulPolicy",
                                                   [](uint32_t down, uint32_t across) { return down >= across; });
    ChannelSplit();
    PartialOutput();
    BothShared();
    FourBits();
    Layouts<LayoutMode::BSNGD>("BSNGD");
    Layouts<LayoutMode::SBNGD>("SBNGD");
    BatchBias<kBatch>("a bias for each matrix", true);
    BatchBias<kOneBias>("isBiasBatch false: one bias for all", false);
    Refused();
    return Finish();
}
