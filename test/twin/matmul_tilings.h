// Tilings for the test of them, each held to the documented limits (TCubeTiling结构体.md, tables 2 and 3).
#ifndef TWIN_TEST_MATMUL_TILINGS_H
#define TWIN_TEST_MATMUL_TILINGS_H

#include "matmul_kernels.h"

inline void Seen(const std::string& name, const std::string& seen, const std::string& expected) {
    Expect(name, seen == expected, seen);
}

/// The limit that a tiling of half or float breaks, "" when none.
inline std::string BrokenLimit(const TCubeTiling& t, int64_t size) {
    const auto up = [](int32_t whole, int32_t piece) { return (whole + piece - 1) / piece; };
    const int64_t a = size * t.baseM * t.baseK, b = size * t.baseN * t.baseK;
    if (a * t.dbL0A > 65536 || b * t.dbL0B > 65536) return "L0A, L0B";
    if (4ll * t.baseM * t.baseN * t.dbL0C > 131072) return "L0C";
    if (a * t.depthA1 + b * t.depthB1 + (t.isBias ? 4 * t.baseN : 0) > 512 * 1024) return "L1";
    const int32_t timesA = t.stepM * t.stepKa, timesB = t.stepN * t.stepKb;
    const auto once = [](int32_t depth, int32_t times) { return depth == times || depth == 2 * times; };
    if (!once(t.depthA1, timesA) || !once(t.depthB1, timesB)) return "depth";
    const int32_t kA = up(t.singleCoreK, t.baseK * t.stepKa), kB = up(t.singleCoreK, t.baseK * t.stepKb);
    if ((kA > 1 && t.stepM > 1) || (kB > 1 && t.stepN > 1)) return "steps along m and n, k not whole";
    if (kA % kB != 0 && kB % kA != 0) return "steps along k";
    const int32_t pieces = up(t.M, t.singleCoreM) * up(t.N, t.singleCoreN) * up(t.Ka, t.singleCoreK);
    return pieces == t.usedCoreNum ? "" : "cores";
}

inline TCubeTiling Told(tiles::MatmulApiTilingBase& api, const MatmulShape& s, int64_t size = 2) {
    TCubeTiling t;
    const bool has = api.GetTiling(t) != -1;
    const std::string name = std::to_string(s.m) + " x " + std::to_string(s.n) + " x " + std::to_string(s.k);
    Expect("a tiling of " + name, has);
    if (has) Seen("limits of " + name, BrokenLimit(t, size), "");
    return t;
}

inline std::string Three(int32_t a, int32_t b, int32_t c) {
    return std::to_string(a) + " " + std::to_string(b) + " " + std::to_string(c);
}
inline std::string StepsOf(const TCubeTiling& t) {
    return Three(t.stepM, t.stepN, t.stepKa) + " " + std::to_string(t.stepKb);
}
inline std::string TimesOf(const TCubeTiling& t) {
    return std::to_string(t.depthA1 / (t.stepM * t.stepKa)) + " " + std::to_string(t.depthB1 / (t.stepN * t.stepKb));
}

inline std::string Base(const MatmulShape& s) {
    tiles::MatmulApiTiling api(*platform_ascendc::PlatformAscendCManager::GetInstance());
    Describe<half, float>(api, s);
    const TCubeTiling t = Told(api, s);
    return Three(t.baseM, t.baseN, t.baseK);
}

inline std::string Steps(const MatmulShape& s, tiles::MatrixTraverse order = tiles::MatrixTraverse::FIRSTM) {
    tiles::MatmulApiTiling api(*platform_ascendc::PlatformAscendCManager::GetInstance());
    Describe<half, float>(api, s);
    api.SetTraverse(order);
    const TCubeTiling t = Told(api, s);
    return StepsOf(t) + ", " + TimesOf(t);
}

/// A or B in TSCM, with that much of L1 beside it.
inline std::string InTscm(const MatmulShape& s, bool isA, int32_t l1) {
    tiles::MatmulApiTiling api(*platform_ascendc::PlatformAscendCManager::GetInstance());
    Describe<half, float>(api, s);
    const auto set = isA ? &tiles::MatmulApiTilingBase::SetAType : &tiles::MatmulApiTilingBase::SetBType;
    (api.*set)(tiles::TPosition::TSCM, tiles::CubeFormat::ND, tiles::DataType::DT_FLOAT16, false);
    api.SetBufferSpace(l1, -1, -1);
    TCubeTiling t;
    if (api.GetTiling(t) == -1) return "refused";
    return Three(t.baseM, t.baseN, t.baseK) + ": " + StepsOf(t);
}

inline std::string NBuffer(const MatmulShape& s, const std::vector<int32_t>& base = {-1, -1, -1}, int32_t cores = 1,
                           bool splitK = false) {
    tiles::MultiCoreMatmulTiling api(*platform_ascendc::PlatformAscendCManager::GetInstance());
    Describe<float, float>(api, s);
    api.SetFixSplit(base[0], base[1], base[2]);
    api.SetDim(cores);
    api.EnableMultiCoreSplitK(splitK);
    api.SetMatmulConfigParams({1, false, tiles::ScheduleType::N_BUFFER_33});
    TCubeTiling t;
    if (api.GetTiling(t) == -1) return "refused";
    Seen("limits of NBuffer33", BrokenLimit(t, 4), "");
    const std::string all = Three(t.baseM, t.baseN, t.baseK) + ": " + StepsOf(t) + ", " + TimesOf(t);
    const std::string core =
        Three(t.singleCoreM, t.singleCoreN, t.singleCoreK) + " on " + std::to_string(t.usedCoreNum);
    return cores > 1 ? all + ", " + core : all;
}

/// Shapes of every size hold the limits, on one core and on several.
inline void EveryShape() {
    uint32_t state = 1;
    const auto next = [&](int32_t most) {
        state = state * 1664525u + 1013904223u;
        return static_cast<int32_t>(state >> 8) % most + 1;
    };
    std::string broken;
    for (int32_t i = 0; i < 600 && broken.empty(); ++i) {
        const int32_t most = i % 3 == 0 ? 100 : 5000;
        const MatmulShape s{next(most), next(most), next(most), i % 2 == 1, i % 5 < 2, i % 7 == 0};
        tiles::MultiCoreMatmulTiling api(*platform_ascendc::PlatformAscendCManager::GetInstance());
        i % 4 < 2 ? Describe<half, float>(api, s) : Describe<float, float>(api, s);
        api.SetDim(i % 11 == 0 ? 1 : next(24));
        TCubeTiling t;
        const std::string limit = api.GetTiling(t) == -1 ? "none" : BrokenLimit(t, i % 4 < 2 ? 2 : 4);
        if (!limit.empty()) broken = limit + ": " + Three(s.m, s.n, s.k);
    }
    Seen("limits of six hundred shapes", broken, "");
}

#endif
