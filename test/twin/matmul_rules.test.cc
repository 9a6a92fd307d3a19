// Each rule of the high-level Matmul broken once, beside a legal use.
#include "matmul_kernels.h"

namespace {

/// REGIST_MATMUL_OBJ in a function of the kernel's returns from that one only: the cube core goes on through the calls,
/// which do nothing there.
void GoesOn() {
    const MatmulShape s{16, 16, 16};
    auto a = Numbers<half>(256, 1);
    std::vector<float> c(256, 99);
    const TCubeTiling tiling = OneCore<half, float>(s);
    const Kernel calls = [&](uint8_t** args) {
        TPipe pipe;
        Plain<half, float, float, false, false> mm;
        REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
        mm.SetTensorA(At<half>(args[0]));
        mm.SetTensorB(At<half>(args[0]));
        while (mm.Iterate()) mm.GetTensorC(At<float>(args[1]));
        mm.End();
    };
    const Kernel cube = [&](uint8_t** args) {
        twin::MatmulServe(GetSysWorkSpacePtr());
        Plain<half, float, float, false, false> mm;
        mm.SetOrgShape(16, 16, 16);
        mm.SetSingleShape(16, 16, 16);
        mm.SetQuantScalar(1);
        mm.DisableBias();
        mm.SetTensorA(At<half>(args[0]));
        mm.SetTensorB(At<half>(args[0]));
        while (mm.Iterate()) mm.GetTensorC(At<float>(args[1]));
        mm.IterateAll(At<float>(args[1]));
        mm.End();
    };
    const auto rule = RunOn(twin::Cores::kMix11, {Input("a", a), Output("c", c)}, calls, cube);
    Expect("legal: the cube core goes on behind REGIST_MATMUL_OBJ", rule.empty(), rule);
    ExpectSame<float>("and calculates nothing itself", c, Expected<half, float, float>(s, a, a, {}));
}

/// What the twin lacks is said, not guessed.
void NotCovered() {
    static constexpr MatmulConfig parts = [] {
        MatmulConfig cfg = CFG_NORM;
        cfg.intraBlockPartSum = true;
        return cfg;
    }();
    using Gm = MatmulType<TPosition::GM, CubeFormat::ND, half>;
    using Result = MatmulType<TPosition::GM, CubeFormat::ND, float>;
    const MatmulShape s{16, 16, 16};
    auto a = Numbers<half>(256, 1);
    const TCubeTiling tiling = OneCore<half, float>(s);
    const auto rule = RunMixed({Input("a", a)}, [&](uint8_t**) {
        TPipe pipe;
        Matmul<Gm, Gm, Result, Result, parts> mm;
        REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
    });
    Expect("intraBlockPartSum is not covered", rule == "not-covered", rule);
}

/// Kernels on one object over a, b and c of 32 x 32 x 32, which are legal but for one line.
struct Stage {
    TPipe pipe;
    Plain<half, float, half, false, false> mm;
    GlobalTensor<half> a, b;
    GlobalTensor<float> c, d;
};
bool tolerant_ = false, transposed_ = false;
std::string RuleOf(
    std::function<void(Stage&, const TCubeTiling&)> kernel,
    std::function<void(TCubeTiling&)> change = [](TCubeTiling&) {}, bool registered = true,
    twin::Cores cores = twin::Cores::kMix11, bool onEach = true) {
    const MatmulShape s{32, 32, 32};
    auto a = Numbers<half>(32 * 32, 1), b = Numbers<half>(32 * 32, 5);
    std::vector<float> c(32 * 32), d(32 * 32);
    TCubeTiling tiling = OneCore<half, float>(s);
    change(tiling);
    const Kernel vector = [&](uint8_t** args) {
        if (!onEach && GetSubBlockIdx() == 1) return;
        Stage stage;
        stage.a = At<half>(args[0]);
        stage.b = At<half>(args[1]);
        stage.c = At<float>(args[2]);
        stage.d = At<float>(args[3]);
        if (registered) REGIST_MATMUL_OBJ(&stage.pipe, GetSysWorkSpacePtr(), stage.mm, &tiling);
        kernel(stage, tiling);
    };
    const auto rule = RunOn(
        cores, {Input("a", a), Input("b", b), Output("c", c), Output("d", d)}, vector,
        [](uint8_t**) { twin::MatmulServe(GetSysWorkSpacePtr()); }, 1, false, tolerant_);
    transposed_ = c == Expected<half, float, float>({32, 32, 32, false, true}, a, b, {});
    return rule;
}
void Trips(const std::string& rule, const std::string& name, const std::string& seen) {
    Expect((rule.empty() ? "legal: " : rule + ": ") + name, seen == rule,
           seen.empty() ? "no rule broken" : "broke " + seen);
}
void SetBoth(Stage& s) {
    s.mm.SetTensorA(s.a);
    s.mm.SetTensorB(s.b);
}

void Order() {
    Trips("", "set, calculate, end", RuleOf([](Stage& s, const TCubeTiling&) {
              SetBoth(s);
              s.mm.IterateAll(s.c);
              s.mm.End();
          }));
    Trips("matmul-init", "an object that was not registered",
          RuleOf(
              [](Stage& s, const TCubeTiling&) {
                  SetBoth(s);
                  s.mm.IterateAll(s.c);
              },
              [](TCubeTiling&) {}, false));
    const auto registered = [] {
        return RuleOf([](Stage& s, const TCubeTiling&) {
            SetBoth(s);
            s.mm.IterateAll(s.c);
            s.mm.End();
        });
    };
    const size_t whole = workspace_.size();
    workspace_.resize(whole - 32);
    Trips("matmul-init", "a workspace of 32 bytes less than the library takes", registered());
    workspace_.resize(whole);
    Trips("", "a workspace of just what the library takes", registered());
    Trips("matmul-order", "B is missing", RuleOf([](Stage& s, const TCubeTiling&) {
              s.mm.SetTensorA(s.a);
              s.mm.IterateAll(s.c);
          }));
    Trips("matmul-order", "IterateAll again after End", RuleOf([](Stage& s, const TCubeTiling&) {
              SetBoth(s);
              s.mm.End();
              s.mm.IterateAll(s.c);
          }));
    Trips("", "B again, and A as it was", RuleOf([](Stage& s, const TCubeTiling&) {
              SetBoth(s);
              s.mm.IterateAll(s.c);
              s.mm.SetTensorB(s.b);
              s.mm.IterateAll(s.c);
          }));
    Trips("matmul-order", "GetTensorC before Iterate", RuleOf([](Stage& s, const TCubeTiling&) {
              SetBoth(s);
              s.mm.GetTensorC(s.c);
          }));
    Trips("matmul-order", "SetOrgShape after SetTensorA", RuleOf([](Stage& s, const TCubeTiling&) {
              SetBoth(s);
              s.mm.SetOrgShape(32, 32, 32);
              s.mm.IterateAll(s.c);
          }));
    Trips("", "SetOrgShape before SetTensorA", RuleOf([](Stage& s, const TCubeTiling&) {
              s.mm.SetOrgShape(32, 32, 32);
              SetBoth(s);
              s.mm.IterateAll(s.c);
          }));
    Trips("matmul-order", "isBias and no SetBias",
          RuleOf(
              [](Stage& s, const TCubeTiling&) {
                  SetBoth(s);
                  s.mm.IterateAll(s.c);
              },
              [](TCubeTiling& t) { t.isBias = 1; }));
    Trips("", "isBias and DisableBias",
          RuleOf(
              [](Stage& s, const TCubeTiling&) {
                  SetBoth(s);
                  s.mm.DisableBias();
                  s.mm.IterateAll(s.c);
              },
              [](TCubeTiling& t) { t.isBias = 1; }));
    Trips("matmul-order", "SetBias and no isBias", RuleOf([](Stage& s, const TCubeTiling&) {
              SetBoth(s);
              s.mm.SetBias(s.a);
              s.mm.IterateAll(s.c);
          }));
    Trips("sync-deadlock", "one of two vector cores does not register",
          RuleOf(
              [](Stage& s, const TCubeTiling&) {
                  SetBoth(s);
                  s.mm.IterateAll(s.c);
              },
              [](TCubeTiling&) {}, true, twin::Cores::kMix12, false));
    Trips("cross-core-kind", "a kernel of vector cores only",
          RuleOf([](Stage&, const TCubeTiling&) {}, [](TCubeTiling&) {}, true, twin::Cores::kVector));
    Trips("matmul-order", "InitBuffer before REGIST_MATMUL_OBJ",
          RuleOf(
              [](Stage& s, const TCubeTiling& t) {
                  TBuf<> buffer;
                  s.pipe.InitBuffer(buffer, 32);
                  REGIST_MATMUL_OBJ(&s.pipe, GetSysWorkSpacePtr(), s.mm, &t);
              },
              [](TCubeTiling&) {}, false));
}

/// Fixed bases that are no whole fractals, or more than the core has.
void FixedBases() {
    const auto base = [](int32_t m, int32_t n, int32_t k, int32_t fixedM, int32_t fixedN, int32_t fixedK = -1) {
        tiles::MatmulApiTiling api(*platform_ascendc::PlatformAscendCManager::GetInstance());
        Describe<half, float>(api, {m, n, k});
        const int32_t set = api.SetFixSplit(fixedM, fixedN, fixedK);
        TCubeTiling t;
        const int64_t got = api.GetTiling(t);
        return std::to_string(set) + " " + std::to_string(got) + ": " + std::to_string(t.baseM) + " " +
               std::to_string(t.baseN) + (fixedK > 0 ? " " + std::to_string(t.baseK) : "");
    };
    const auto fixed = [](const std::string& name, const std::string& seen, const std::string& expected) {
        Expect("a fixed base: " + name, seen == expected, seen);
    };
    fixed("taken as it is", base(128, 128, 64, 64, 32), "0 0: 64 32");
    fixed("rounded up to whole fractals", base(128, 128, 64, 40, 24), "0 0: 48 32");
    fixed("not above the core's share", base(12, 40, 64, 128, 256), "0 0: 16 48");
    fixed("of k too", base(128, 128, 40, 64, 64, 200), "0 0: 64 64 48");
    fixed("not 0, and then it is the tiling's own", base(16, 32, 64, 0, 32), "-1 0: 16 32");
    fixed("still no more than L0C holds", base(1024, 1024, 64, 512, 256).substr(0, 5), "0 -1:");
}

void Shapes() {
    const auto calculate = [](Stage& s, const TCubeTiling&) {
        SetBoth(s);
        s.mm.IterateAll(s.c);
    };
    Trips("matmul-shape", "more columns than a row of B has", RuleOf([](Stage& s, const TCubeTiling&) {
              SetBoth(s);
              s.mm.SetSingleShape(16, 33, 32);
              s.mm.IterateAll(s.c);
          }));
    Trips("gm-out-of-range", "more rows than A has", RuleOf([](Stage& s, const TCubeTiling&) {
              SetBoth(s);
              s.mm.SetSingleShape(33, 32, 32);
              s.mm.IterateAll(s.c);
          }));
    Trips("", "fewer rows and columns", RuleOf([](Stage& s, const TCubeTiling&) {
              SetBoth(s);
              s.mm.SetSingleShape(5, 7, 9);
              s.mm.IterateAll(s.c);
          }));
    Trips("gm-out-of-range", "C behind its start", RuleOf([](Stage& s, const TCubeTiling&) {
              SetBoth(s);
              s.mm.IterateAll(s.c[32]);
          }));
    Trips("write-to-input", "C is an input", RuleOf([](Stage& s, const TCubeTiling&) {
              SetBoth(s);
              s.mm.IterateAll(s.a.ReinterpretCast<float>());
          }));
    Trips("matmul-shape", "B transposed, and its type does not allow it", RuleOf([](Stage& s, const TCubeTiling&) {
              s.mm.SetTensorA(s.a);
              s.mm.SetTensorB(s.b, true);
              s.mm.IterateAll(s.c);
          }));
    tolerant_ = true;
    const std::string assertion = RuleOf([](Stage& s, const TCubeTiling&) {
        s.mm.SetTensorA(s.a);
        s.mm.SetTensorB(s.b, true);
        s.mm.IterateAll(s.c);
    });
    tolerant_ = false;
    Expect("tolerated: which the device does all the same", assertion == "past matmul-shape" && transposed_, assertion);
    Trips("matmul-tiling", "base blocks over L0A", RuleOf(calculate, [](TCubeTiling& t) {
              t.baseM = 1024;
              t.baseN = 16;
          }));
    Trips("matmul-tiling", "base blocks over L1",
          RuleOf(calculate, [](TCubeTiling& t) { t.depthA1 = t.depthB1 = 512; }));
    Trips("matmul-tiling", "a base block of 24 rows", RuleOf(calculate, [](TCubeTiling& t) { t.baseM = 24; }));
    Trips("matmul-tiling", "a tiling of zeros", RuleOf(calculate, [](TCubeTiling& t) { t = {}; }));
    Trips("", "smaller base blocks", RuleOf(calculate, [](TCubeTiling& t) { t.baseM = t.baseN = 16; }));
}

/// Base blocks fill the memories of the cube core, times the buffers that a tiling asks for, and no more.
void Capacities() {
    struct Blocks {
        int32_t m, n, k, a, b, c, bias;
    };
    const auto told = [](const Blocks& x) {
        const std::string rule = RuleOf(
            [](Stage& s, const TCubeTiling&) {
                SetBoth(s);
                s.mm.IterateAll(s.c);
            },
            [&](TCubeTiling& t) {
                t.baseM = x.m, t.baseN = x.n, t.baseK = x.k, t.dbL0A = x.a, t.dbL0B = x.b, t.dbL0C = x.c,
                t.isBias = x.bias;
                t.stepM = t.stepN = t.stepKa = t.stepKb = t.depthA1 = t.depthB1 = 1;
            });
        return rule.empty() ? rule : rule + ": " + told_.message;
    };
    const auto holds = [&](const std::string& memory, const Blocks& most, const Blocks& more) {
        Expect("base blocks that fill " + memory + " are no wrong tiling", told(most).rfind("matmul-tiling", 0) != 0,
               told(most));
        const std::string seen = told(more);
        Expect("matmul-tiling: base blocks beyond " + memory,
               seen.rfind("matmul-tiling", 0) == 0 && seen.find(memory) != std::string::npos, seen);
    };
    holds("L0A", {512, 16, 64, 1, 1, 1, 0}, {528, 16, 64, 1, 1, 1, 0});
    holds("L0A", {256, 16, 64, 2, 1, 1, 0}, {272, 16, 64, 2, 1, 1, 0});
    holds("L0B", {16, 512, 64, 1, 1, 1, 0}, {16, 528, 64, 1, 1, 1, 0});
    holds("L0B", {16, 256, 64, 1, 2, 1, 0}, {16, 272, 64, 1, 2, 1, 0});
    holds("L0C", {256, 128, 16, 1, 1, 1, 0}, {256, 144, 16, 1, 1, 1, 0});
    holds("L0C", {128, 128, 16, 1, 1, 2, 0}, {144, 128, 16, 1, 1, 2, 0});
    holds("the bias table", {16, 256, 16, 1, 1, 1, 1}, {16, 272, 16, 1, 1, 1, 1});
}

void Asynchronous() {
    const auto fetch = [](Stage& s, const GlobalTensor<float>& from) {
        TBuf<> buffer;
        s.pipe.InitBuffer(buffer, 128);
        DataCopy(buffer.Get<float>(), from, 32);
    };
    Trips("", "C is read after WaitIterateAll", RuleOf([&](Stage& s, const TCubeTiling&) {
              SetBoth(s);
              s.mm.IterateAll<false>(s.c, 0, false, true);
              s.mm.WaitIterateAll();
              fetch(s, s.c);
          }));
    Trips("gm-race", "C is read before WaitIterateAll", RuleOf([&](Stage& s, const TCubeTiling&) {
              SetBoth(s);
              s.mm.IterateAll<false>(s.c, 0, false, true);
              fetch(s, s.c);
              s.mm.WaitIterateAll();
          }));
    Trips("", "something else is read before WaitIterateAll", RuleOf([&](Stage& s, const TCubeTiling&) {
              SetBoth(s);
              s.mm.IterateAll<false>(s.c, 0, false, true);
              fetch(s, s.a.ReinterpretCast<float>());
              s.mm.WaitIterateAll();
          }));
    Trips("", "C is read after a later synchronous calculation", RuleOf([&](Stage& s, const TCubeTiling&) {
              SetBoth(s);
              s.mm.IterateAll<false>(s.c);
              SetBoth(s);
              s.mm.IterateAll(s.d);
              fetch(s, s.c);
          }));
    Trips("wait-without-set", "WaitIterateAll of a synchronous calculation", RuleOf([](Stage& s, const TCubeTiling&) {
              SetBoth(s);
              s.mm.IterateAll(s.c);
              s.mm.WaitIterateAll();
          }));
    Trips("unpaired-flag", "a calculation that nobody waits for", RuleOf([](Stage& s, const TCubeTiling&) {
              SetBoth(s);
              s.mm.IterateAll<false>(s.c, 0, false, true);
          }));
}

/// int8 products given as half, with and without the scale that makes them half.
void Scales() {
    const MatmulShape s{16, 16, 32};
    auto a = Numbers<int8_t>(s.m * s.k, 1), b = Numbers<int8_t>(s.k * s.n, 5);
    std::vector<half> c(s.m * s.n, half(99.0f));
    const TCubeTiling tiling = OneCore<int8_t, half>(s);
    for (const bool scaled : {false, true}) {
        const auto seen = RunOn(
            twin::Cores::kCube, {Input("a", a), Input("b", b), Output("c", c)}, [](uint8_t**) {},
            [&](uint8_t** args) {
                TPipe pipe;
                Plain<int8_t, half, int32_t, false, false> mm;
                mm.SetSubBlockIdx(0);
                mm.Init(&tiling, &pipe);
                const float one = 1.0f;
                if (scaled) mm.SetQuantScalar(static_cast<uint64_t>(__builtin_bit_cast(uint32_t, one)));
                mm.SetTensorA(At<int8_t>(args[0]));
                mm.SetTensorB(At<int8_t>(args[1]));
                mm.IterateAll(At<half>(args[2]));
                mm.End();
            });
        Trips(scaled ? "" : "matmul-scale", scaled ? "int8 to half with a scale" : "int8 to half without a scale",
              seen);
    }
}

}  // namespace

int main() {
    GoesOn();
    Scales();
    NotCovered();
    Order();
    FixedBases();
    Shapes();
    Capacities();
    Asynchronous();
    return Finish();
}
