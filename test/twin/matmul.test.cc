// Results of the high-level Matmul against a plain triple loop, with tilings of the host API.
#include "matmul_kernels.h"

namespace {

template <typename T, typename C, typename Bias, bool transA = false, bool transB = false>
void Compare(const std::string& name, MatmulShape s, int32_t baseM = -1, int32_t baseN = -1) {
    s.transposeA = transA;
    s.transposeB = transB;
    auto a = Numbers<T>(static_cast<size_t>(s.m) * s.k, 1), b = Numbers<T>(static_cast<size_t>(s.k) * s.n, 5);
    auto bias = Numbers<Bias>(s.n, 3);
    std::vector<C> c(static_cast<size_t>(s.m) * s.n, static_cast<C>(99.0f));
    const TCubeTiling tiling = OneCore<T, C>(s, baseM, baseN);
    const std::string rule =
        RunMixed({Input("a", a), Input("b", b), Input("bias", bias), Output("c", c)}, [&](uint8_t** args) {
            TPipe pipe;
            Plain<T, C, Bias, transA, transB> mm;
            REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
            mm.SetTensorA(At<T>(args[0]), transA);
            mm.SetTensorB(At<T>(args[1]), transB);
            if (s.bias) mm.SetBias(At<Bias>(args[2]));
            mm.IterateAll(At<C>(args[3]));
            mm.End();
        });
    Expect(name + " breaks no rule", rule.empty(), rule);
    ExpectSame(name, c, Expected<T, C, Bias>(s, a, b, bias));
}

void Types() {
    Compare<half, float, float>("half with tails", {37, 53, 41});
    Compare<half, half, half>("half into half with half bias", {16, 32, 64, false, false, true});
    Compare<float, float, float>("float with float bias", {20, 300, 33, false, false, true});
    Compare<bfloat16_t, float, float>("bfloat16", {130, 17, 70});
    Compare<int8_t, int32_t, int32_t>("int8 into int32 with bias", {33, 65, 100, false, false, true});
    Compare<half, float, float, true, false>("A transposed", {37, 53, 41});
    Compare<half, float, float, false, true>("B transposed", {37, 53, 41});
    Compare<float, float, float, true, true>("both transposed", {70, 40, 90});
    Compare<half, float, float>("one row", {1, 64, 128});
    Compare<half, float, float>("tiles of a fixed size", {100, 100, 100}, 32, 48);
}

/// Blocks take pieces of C as MultiCoreMatmulTiling divides it; the last ones are shorter.
void ManyCores() {
    const MatmulShape s{70, 200, 48};
    auto a = Numbers<half>(s.m * s.k, 1), b = Numbers<half>(s.k * s.n, 5);
    std::vector<float> c(s.m * s.n, 99);
    tiles::MultiCoreMatmulTiling api(*platform_ascendc::PlatformAscendCManager::GetInstance());
    Describe<half, float>(api, s);
    api.SetDim(6);
    TCubeTiling tiling;
    const auto code = api.GetTiling(tiling);
    int32_t dim = 0, down = 0, across = 0, singleM = 0, singleN = 0, singleK = 0;
    Expect("several cores have a tiling", code == 0 && api.GetCoreNum(dim, down, across) == 0 &&
                                              api.GetSingleShape(singleM, singleN, singleK) == 0 && dim > 1 &&
                                              dim <= 6 && down * singleM >= s.m && across * singleN >= s.n &&
                                              dim == down * across && singleK == s.k && dim == tiling.usedCoreNum);
    for (const bool reverse : {false, true}) {
        std::fill(c.begin(), c.end(), 99.0f);
        const std::string rule = RunMixed(
            {Input("a", a), Input("b", b), Output("c", c)},
            [&](uint8_t** args) {
                TPipe pipe;
                Plain<half, float, float, false, false> mm;
                REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
                const int32_t row = static_cast<int32_t>(GetBlockIdx()) % down * singleM,
                              column = static_cast<int32_t>(GetBlockIdx()) / down * singleN;
                mm.SetTensorA(At<half>(args[0])[row * s.k]);
                mm.SetTensorB(At<half>(args[1])[column]);
                mm.SetSingleShape(std::min(singleM, s.m - row), std::min(singleN, s.n - column), s.k);
                mm.IterateAll(At<float>(args[2])[row * s.n + column]);
                mm.End();
            },
            static_cast<uint32_t>(dim), reverse);
        Expect("pieces on several cores break no rule", rule.empty(), rule);
        ExpectSame<float>("pieces on several cores", c, Expected<half, float, float>(s, a, b, {}));
    }
}

/// Tiles one by one to GM, in both orders and in their own memory.
void Tiles() {
    const MatmulShape s{50, 70, 40};
    auto a = Numbers<half>(s.m * s.k, 1), b = Numbers<half>(s.k * s.n, 5);
    for (const int32_t order : {0, 1}) {
        TCubeTiling tiling = OneCore<half, float>(s, 32, 32);
        tiling.iterateOrder = order;
        std::vector<float> c(s.m * s.n, 99), tiles(6 * 32 * 32, 99);
        const auto rule =
            RunMixed({Input("a", a), Input("b", b), Output("c", c), Output("tiles", tiles)}, [&](uint8_t** args) {
                TPipe pipe;
                Plain<half, float, float, false, false> mm;
                REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
                mm.SetTensorA(At<half>(args[0]));
                mm.SetTensorB(At<half>(args[1]));
                for (uint32_t i = 0; mm.Iterate(); ++i) {
                    mm.GetTensorC(At<float>(args[2]));
                    mm.GetTensorC(At<float>(args[3])[i * 1024], 0, true);
                }
                mm.End();
            });
        const auto whole = Expected<half, float, float>(s, a, b, {});
        Expect("tiles break no rule", rule.empty(), rule);
        ExpectSame("tiles at their place", c, whole);
        // The second tile: rows 32 to 49 when rows come first, else columns 32 to 63.
        const float second = order == 0 ? tiles[1024 + 1 * 32 + 2] : tiles[1024 + 1 * 32 + 2];
        Expect("tiles come in the tiling's order", second == (order == 0 ? whole[33 * s.n + 2] : whole[1 * s.n + 34]),
               std::to_string(second));
    }
}

/// C through UB, where the vector unit goes on with it; A out of UB, where it came from.
void Local() {
    const MatmulShape s{32, 48, 16};
    auto a = Numbers<half>(s.m * s.k, 1), b = Numbers<half>(s.k * s.n, 5);
    std::vector<float> c(s.m * s.n, 99);
    const TCubeTiling tiling = OneCore<half, float>(s, 16, 48);
    using OutOfUb =
        Matmul<MatmulType<TPosition::VECOUT, CubeFormat::ND, half>, MatmulType<TPosition::GM, CubeFormat::ND, half>,
               MatmulType<TPosition::VECIN, CubeFormat::ND, float>>;
    const auto rule = RunMixed({Input("a", a), Input("b", b), Output("c", c)}, [&](uint8_t** args) {
        TPipe pipe;
        OutOfUb mm;
        REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
        TQue<TPosition::VECIN, 1> in;
        TQue<TPosition::VECOUT, 1> out, doubled;
        pipe.InitBuffer(in, 1, s.m * s.k * sizeof(half));
        pipe.InitBuffer(doubled, 1, s.m * s.k * sizeof(half));
        pipe.InitBuffer(out, 1, 16 * 48 * sizeof(float));
        auto copied = in.AllocTensor<half>();
        DataCopy(copied, At<half>(args[0]), s.m * s.k);
        in.EnQue(copied);
        copied = in.DeQue<half>();
        auto twice = doubled.AllocTensor<half>();
        Adds(twice, copied, static_cast<half>(0.0f), s.m * s.k);
        mm.SetTensorA(twice);
        mm.SetTensorB(At<half>(args[1]));
        in.FreeTensor(copied);
        for (uint32_t i = 0; mm.Iterate(); ++i) {
            auto tile = out.AllocTensor<float>();
            mm.GetTensorC(tile, 0, true);
            Muls(tile, tile, 2.0f, 16 * 48);
            out.EnQue(tile);
            tile = out.DeQue<float>();
            DataCopy(At<float>(args[2])[i * 16 * 48], tile, 16 * 48);
            out.FreeTensor(tile);
        }
        doubled.FreeTensor(twice);
        mm.End();
    });
    auto expected = Expected<half, float, float>(s, a, b, {});
    for (float& value : expected) value *= 2;
    Expect("through UB breaks no rule", rule.empty(), rule);
    ExpectSame("A out of UB and C through UB", c, expected);
}

/// A in columns of 32 bytes, C in columns of 16.
void Columns() {
    const MatmulShape s{32, 48, 64};
    auto plain = Numbers<half>(s.m * s.k, 1), b = Numbers<half>(s.k * s.n, 5);
    std::vector<half> a(plain.size());
    for (int32_t m = 0; m < s.m; ++m)
        for (int32_t k = 0; k < s.k; ++k) a[k / 16 * s.m * 16 + m * 16 + k % 16] = plain[m * s.k + k];
    std::vector<float> c(s.m * s.n, 99), rows(s.m * s.n);
    const TCubeTiling tiling = OneCore<half, float>(s, 16, 32);
    using Nz = Matmul<MatmulType<TPosition::GM, CubeFormat::NZ, half>, MatmulType<TPosition::GM, CubeFormat::ND, half>,
                      MatmulType<TPosition::GM, CubeFormat::NZ, float>>;
    const auto rule = RunMixed({Input("a", a), Input("b", b), Output("c", c)}, [&](uint8_t** args) {
        TPipe pipe;
        Nz mm;
        REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
        mm.SetTensorA(At<half>(args[0]));
        mm.SetTensorB(At<half>(args[1]));
        while (mm.Iterate()) mm.GetTensorC(At<float>(args[2]));
        mm.End();
    });
    for (int32_t m = 0; m < s.m; ++m)
        for (int32_t n = 0; n < s.n; ++n) rows[m * s.n + n] = c[n / 16 * s.m * 16 + m * 16 + n % 16];
    Expect("NZ breaks no rule", rule.empty(), rule);
    ExpectSame<float>("A and C in NZ", rows, Expected<half, float, float>(s, plain, b, {}));
}

/// On the cube core alone a tile may go to L0C memory of the kernel's, which Fixpipe copies out.
void ToL0c() {
    const MatmulShape s{20, 40, 30};
    auto a = Numbers<half>(s.m * s.k, 1), b = Numbers<half>(s.k * s.n, 5);
    std::vector<float> c(s.m * s.n, 99);
    const TCubeTiling tiling = OneCore<half, float>(s);
    using Kept =
        Matmul<MatmulType<TPosition::GM, CubeFormat::ND, half>, MatmulType<TPosition::GM, CubeFormat::ND, half>,
               MatmulType<TPosition::CO1, CubeFormat::NZ, float>>;
    const auto rule = RunOn(
        twin::Cores::kCube, {Input("a", a), Input("b", b), Output("c", c)}, [](uint8_t**) {},
        [&](uint8_t** args) {
            TPipe pipe;
            Kept mm;
            mm.Init(&tiling, &pipe);
            TQue<TPosition::CO1, 1> results;
            pipe.InitBuffer(results, 1, 128 * 1024);
            auto tile = results.AllocTensor<float>();
            mm.SetTensorA(At<half>(args[0]));
            mm.SetTensorB(At<half>(args[1]));
            mm.Iterate(false, tile);
            results.EnQue(tile);
            tile = results.DeQue<float>();
            Fixpipe<float, float, CFG_ROW_MAJOR>(At<float>(args[2]), tile, FixpipeParamsV220(s.n, s.m, 32, s.n, false));
            results.FreeTensor(tile);
            mm.End();
        });
    Expect("a tile in L0C breaks no rule", rule.empty(), rule);
    ExpectSame<float>("a tile in L0C", c, Expected<half, float, float>(s, a, b, {}));
}

constexpr MatmulConfig wholeConfig =
    GetMMConfig<MatmulConfigMode::CONFIG_NORM>(MatmulShapeParams{32, 48, 64, 16, 48, 32});
constexpr MatmulConfig baseConfig = GetMMConfig<MatmulConfigMode::CONFIG_MDL>(MatmulShapeParams{0, 0, 0, 16, 16, 16});
using HalfRows = MatmulType<TPosition::GM, CubeFormat::ND, half>;
using FloatRows = MatmulType<TPosition::GM, CubeFormat::ND, float>;
constexpr auto wholeTiling = GetMatmulApiTiling<HalfRows, HalfRows, FloatRows, FloatRows>(wholeConfig);
constexpr auto baseTiling = GetMatmulApiTiling<HalfRows, HalfRows, FloatRows, FloatRows>(baseConfig);

/// Tilings that are constants of the kernel: all of it, and base blocks only.
void Constants() {
    const MatmulShape s{32, 48, 64};
    auto a = Numbers<half>(s.m * s.k, 1), b = Numbers<half>(s.k * s.n, 5);
    std::vector<float> c(s.m * s.n, 99), d(s.m * s.n, 99);
    const TCubeTiling tiling = OneCore<half, float>(s);
    uint32_t count = 0;
    const auto rule = RunMixed({Input("a", a), Input("b", b), Output("c", c), Output("d", d)}, [&](uint8_t** args) {
        TPipe pipe;
        Matmul<HalfRows, HalfRows, FloatRows, FloatRows, wholeTiling> whole;
        Matmul<HalfRows, HalfRows, FloatRows, FloatRows, baseTiling> base;
        REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), whole, (TCubeTiling*)nullptr, base, &tiling);
        whole.SetTensorA(At<half>(args[0]));
        whole.SetTensorB(At<half>(args[1]));
        whole.IterateAll(At<float>(args[2]));
        base.SetTensorA(At<half>(args[0]));
        base.SetTensorB(At<half>(args[1]));
        for (; base.Iterate(); ++count) base.GetTensorC(At<float>(args[3]));
    });
    const auto expected = Expected<half, float, float>(s, a, b, {});
    Expect("constant tilings break no rule", rule.empty(), rule);
    ExpectSame("a tiling of constants", c, expected);
    ExpectSame("constant base blocks", d, expected);
    Expect("constant base blocks of 16 x 16", count == 6, std::to_string(count));
}

/// A of one scalar: sums of the columns of B.
void Scalars() {
    const MatmulShape s{1, 48, 33};
    auto b = Numbers<float>(s.k * s.n, 5);
    std::vector<float> c(s.n, 99);
    const TCubeTiling tiling = OneCore<float, float>(s);
    const auto rule = RunMixed({Input("b", b), Output("c", c)}, [&](uint8_t** args) {
        TPipe pipe;
        Plain<float, float, float, true, false> mm;
        REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
        mm.SetTensorA(2.0f);
        mm.SetTensorB(At<float>(args[0]));
        mm.IterateAll(At<float>(args[1]));
    });
    Expect("a scalar for A breaks no rule", rule.empty(), rule);
    ExpectSame<float>("a scalar for A", c, Expected<float, float, float>(s, std::vector<float>(s.k, 2.0f), b, {}));
}

/// The cube core alone, sums in parts of k, scales, and several matrices at once.
void Others() {
    const MatmulShape s{20, 40, 30};
    auto a = Numbers<int8_t>(s.m * s.k, 1), b = Numbers<int8_t>(s.k * s.n, 5);
    std::vector<half> c(s.m * s.n, half(99.0f));
    const TCubeTiling tiling = OneCore<int8_t, half>(s);
    const auto alone = RunOn(
        twin::Cores::kCube, {Input("a", a), Input("b", b), Output("c", c)}, [](uint8_t**) {},
        [&](uint8_t** args) {
            TPipe pipe;
            Plain<int8_t, half, int32_t, false, false> mm;
            mm.SetSubBlockIdx(0);
            mm.Init(&tiling, &pipe);
            const float scale = 0.5f;
            mm.SetQuantScalar(static_cast<uint64_t>(__builtin_bit_cast(uint32_t, scale)));
            mm.SetTensorA(At<int8_t>(args[0]));
            mm.SetTensorB(At<int8_t>(args[1]));
            mm.IterateAll(At<half>(args[2]));
            mm.End();
        });
    const auto whole = Expected<int8_t, float, int32_t>(s, a, b, {});
    std::vector<half> halved(whole.size());
    for (size_t i = 0; i < whole.size(); ++i) halved[i] = static_cast<half>(whole[i] * 0.5f);
    Expect("the cube core alone breaks no rule", alone.empty(), alone);
    ExpectSame("int8 scaled to half on the cube core alone", c, halved);

    const MatmulShape part{16, 16, 32};
    auto x = Numbers<float>(16 * 32, 2), y = Numbers<float>(32 * 16, 4);
    std::vector<float> sum(256, 99);
    TCubeTiling small = OneCore<float, float>(part);
    const auto summed = RunMixed({Input("x", x), Input("y", y), Output("sum", sum)}, [&](uint8_t** args) {
        TPipe pipe;
        Plain<float, float, float, false, false> mm;
        REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &small);
        for (int32_t k = 0; k < 32; k += 16) {
            mm.SetTensorA(At<float>(args[0])[k]);
            mm.SetTensorB(At<float>(args[1])[k * 16]);
            mm.SetTail(-1, -1, 16);
            mm.Iterate(k > 0);
        }
        mm.GetTensorC(At<float>(args[2]));
        mm.IterateAll<true>(At<float>(args[2]), 1);
    });
    Expect("matmul-order: IterateAll without a new A or B", summed == "matmul-order", summed);
    ExpectSame<float>("sums in parts of k", sum, Expected<float, float, float>(part, x, y, {}));
}

/// Tiles of an asynchronous Iterate lie in the workspace; several matrices follow each other.
void Workspaces() {
    const MatmulShape s{32, 32, 32};
    auto a = Numbers<half>(2 * 32 * 32, 1), b = Numbers<half>(32 * 32, 5);
    std::vector<float> c(2 * 32 * 32, 99);
    const TCubeTiling tiling = OneCore<half, float>(s, 16, 32);
    using Cached =
        Matmul<MatmulType<TPosition::GM, CubeFormat::ND, half>, MatmulType<TPosition::GM, CubeFormat::ND, half>,
               MatmulType<TPosition::VECIN, CubeFormat::ND, float>>;
    const auto cached = RunMixed({Input("a", a), Input("b", b), Output("c", c)}, [&](uint8_t** args) {
        TPipe pipe;
        Cached mm;
        REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
        TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> through;
        pipe.InitBuffer(through, 1, 16 * 32 * sizeof(float));
        auto memory = At<float>(args[3]);
        mm.SetWorkspace(memory);
        mm.SetTensorA(At<half>(args[0]));
        mm.SetTensorB(At<half>(args[1]));
        mm.template Iterate<false>();
        for (uint32_t i = 0; i < 2; ++i) {
            auto tile = through.AllocTensor<float>();
            mm.template GetTensorC<false>(tile);
            through.EnQue(tile);
            tile = through.DeQue<float>();
            DataCopy(At<float>(args[2])[i * 512], tile, 512);
            through.FreeTensor(tile);
        }
        mm.End();
    });
    c.resize(1024);
    Expect("an asynchronous Iterate breaks no rule", cached.empty(), cached);
    ExpectSame<float>("tiles out of the workspace", c, Expected<half, float, float>(s, a, b, {}));

    using Many = Matmul<MatmulType<TPosition::GM, CubeFormat::ND, half, false, LayoutMode::NORMAL>,
                        MatmulType<TPosition::GM, CubeFormat::ND, half, false, LayoutMode::NORMAL>,
                        MatmulType<TPosition::GM, CubeFormat::ND, float, false, LayoutMode::NORMAL>>;
    c.assign(2048, 99);
    const auto batched = RunMixed({Input("a", a), Input("b", b), Output("c", c)}, [&](uint8_t** args) {
        TPipe pipe;
        Many mm;
        REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
        mm.SetTensorA(At<half>(args[0]));
        mm.SetTensorB(At<half>(args[1]));
        mm.IterateBatch(At<float>(args[2]), 2, 1, false);
    });
    auto expected = Expected<half, float, float>(s, a, b, {});
    const auto second = Expected<half, float, float>(s, {a.begin() + 1024, a.end()}, b, {});
    expected.insert(expected.end(), second.begin(), second.end());
    Expect("two matrices with one break no rule", batched.empty(), batched);
    ExpectSame<float>("two matrices with one", c, expected);
}

}  // namespace

int main() {
    Workspaces();
    Types();
    ManyCores();
    Tiles();
    Local();
    Columns();
    ToL0c();
    Constants();
    Scalars();
    Others();
    return Finish();
}
