// Tilings of Matmul that are constants of the kernel, and stand in its configuration's place.
#ifndef TWIN_MATMUL_CONSTANT_H
#define TWIN_MATMUL_CONSTANT_H

#include "twin/matmul_config.h"

#pragma clang force_cuda_host_device begin

/// -1: not constant, comes with the tiling.
struct MatmulApiStaticTiling {
#define TWIN_FIELD(name) int32_t name = -1;
    TWIN_CUBE_TILING_FIELDS(TWIN_FIELD)
#undef TWIN_FIELD
    MatmulConfig cfg = CFG_NORM;
};

namespace twin {

__aicore__ constexpr const MatmulConfig& ConfigOf(const MatmulConfig& cfg) { return cfg; }
__aicore__ constexpr const MatmulConfig& ConfigOf(const MatmulApiStaticTiling& tiling) { return tiling.cfg; }

/// As a tiling with -1 for what is not constant.
__aicore__ constexpr TCubeTiling ConstantsOf(const MatmulApiStaticTiling& from) {
    TCubeTiling to;
#define TWIN_FIELD(name) to.name = from.name;
    TWIN_CUBE_TILING_FIELDS(TWIN_FIELD)
#undef TWIN_FIELD
    to.isBias = -1;
    return to;
}
__aicore__ constexpr TCubeTiling ConstantsOf(const MatmulConfig&) { return ConstantsOf(MatmulApiStaticTiling{}); }

}  // namespace twin

/// What kernels call to look at either kind of configuration.
template <typename T>
__aicore__ constexpr const MatmulConfig& ToMatmulConfig(const T& cfg) {
    return twin::ConfigOf(cfg);
}

namespace AscendC {

/// With constant basicM, basicN and basicK, and singleCoreM, singleCoreN and singleCoreK if these are constant as well.
/// How L1 is filled is the twin's choice.
template <class A_TYPE, class B_TYPE, class C_TYPE, class BIAS_TYPE>
__aicore__ constexpr MatmulApiStaticTiling GetMatmulApiTiling(const MatmulConfig& mmCFG, int32_t l1Size = 512 * 1024) {
    MatmulApiStaticTiling t;
    t.cfg = mmCFG;
    if (mmCFG.basicM == 0 || mmCFG.basicN == 0 || mmCFG.basicK == 0) return t;
    constexpr int32_t kL0 = 64 * 1024, bytes = sizeof(typename A_TYPE::T);
    t.baseM = static_cast<int32_t>(mmCFG.basicM);
    t.baseN = static_cast<int32_t>(mmCFG.basicN);
    t.baseK = static_cast<int32_t>(mmCFG.basicK);
    t.dbL0A = 2 * t.baseM * t.baseK * bytes <= kL0 ? 2 : 1;
    t.dbL0B = 2 * t.baseN * t.baseK * bytes <= kL0 ? 2 : 1;
    t.isBias = mmCFG.enableSetBias ? 1 : 0;
    if (mmCFG.singleCoreM == 0 || mmCFG.singleCoreN == 0 || mmCFG.singleCoreK == 0) return t;
    t.M = t.singleCoreM = static_cast<int32_t>(mmCFG.singleCoreM);
    t.N = t.singleCoreN = static_cast<int32_t>(mmCFG.singleCoreN);
    t.Ka = t.Kb = t.singleCoreK = static_cast<int32_t>(mmCFG.singleCoreK);
    const int32_t whole = (t.singleCoreK + t.baseK - 1) / t.baseK,
                  most = l1Size / (2 * bytes * t.baseK * (t.baseM + t.baseN) + 4 * t.baseN);
    t.usedCoreNum = t.stepM = t.stepN = t.dbL0C = 1;
    t.stepKa = t.stepKb = most < 1 ? 1 : most < whole ? most : whole;
    t.depthA1 = t.depthB1 = t.stepKa * (most < 1 ? 1 : 2);
    t.iterateOrder = t.transLength = t.shareMode = t.shareUbSize = 0;
    return t;
}

}  // namespace AscendC

#pragma clang force_cuda_host_device end
#endif
