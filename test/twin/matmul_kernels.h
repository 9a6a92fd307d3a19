// What the tests of the high-level Matmul share: kernels of both kinds of core, tilings of the host API, and a plain
// triple loop.
#ifndef TWIN_TEST_MATMUL_KERNELS_H
#define TWIN_TEST_MATMUL_KERNELS_H

#include "../runtime/host/matmul_blocks.cpp"
#include "../runtime/host/matmul_cores.cpp"
#include "../runtime/host/matmul_nbuffer.cpp"
#include "../runtime/host/matmul_tiling.cpp"
#include "../runtime/host/platform.cpp"
#include "../runtime/host/registry.cpp"

#include <cmath>
#include <cstdlib>

#include "expect.h"
#include "lib/matmul_intf.h"

using namespace AscendC;
namespace tiles = matmul_tiling;

template <typename T>
std::vector<T> Numbers(size_t count, int seed) {
    std::vector<T> numbers(count);
    for (size_t i = 0; i < count; ++i)
        numbers[i] = static_cast<T>(static_cast<float>(static_cast<int>((i * 7 + i / 5 * 3 + seed) % 17) - 8));
    return numbers;
}

inline std::function<void(uint8_t**)> cubeKernel_;
inline void EnterCube(uint8_t** args) { cubeKernel_(args); }
using Kernel = std::function<void(uint8_t**)>;

inline std::vector<uint8_t> workspace_(16 << 20);
inline twin::GmArg Workspace() { return {"workspace", twin::Role::kWorkspace, workspace_.data(), workspace_.size()}; }
template <typename T>
twin::GmArg Input(const char* name, std::vector<T>& data) {
    return {name, twin::Role::kInput, (uint8_t*)data.data(), data.size() * sizeof(T)};
}
template <typename T>
twin::GmArg Output(const char* name, std::vector<T>& data) {
    return {name, twin::Role::kOutput, (uint8_t*)data.data(), data.size() * sizeof(T)};
}

/// The rule that is broken, "" when none; after "past " what a tolerant launch went past.
inline std::string RunOn(twin::Cores cores, std::vector<twin::GmArg> args, Kernel vector, Kernel cube,
                         uint32_t blocks = 1, bool reverse = false, bool tolerant = false) {
    kernel_ = std::move(vector);
    cubeKernel_ = std::move(cube);
    args.push_back(Workspace());
    std::string past;
    const std::string rule = RuleOfLaunch([&] {
        past = twin::Launch({blocks, 0, reverse, std::move(args), cores, EnterCube, tolerant}, Enter).tolerated.rule;
    });
    return past.empty() ? rule : "past " + past;
}
/// One cube core and one vector core a block, the cube core serving.
inline std::string RunMixed(std::vector<twin::GmArg> args, Kernel vector, uint32_t blocks = 1, bool reverse = false) {
    return RunOn(
        twin::Cores::kMix11, std::move(args), std::move(vector),
        [](uint8_t**) { twin::MatmulServe(GetSysWorkSpacePtr()); }, blocks, reverse);
}

struct MatmulShape {
    int32_t m, n, k;
    bool transposeA = false, transposeB = false, bias = false;
};

template <typename T>
constexpr tiles::DataType hostType = tiles::DataType::DT_FLOAT;
template <>
constexpr tiles::DataType hostType<half> = tiles::DataType::DT_FLOAT16;
template <>
constexpr tiles::DataType hostType<bfloat16_t> = tiles::DataType::DT_BF16;
template <>
constexpr tiles::DataType hostType<int8_t> = tiles::DataType::DT_INT8;
template <>
constexpr tiles::DataType hostType<int32_t> = tiles::DataType::DT_INT32;

template <typename T, typename C>
void Describe(tiles::MatmulApiTilingBase& api, const MatmulShape& s) {
    api.SetAType(tiles::TPosition::GM, tiles::CubeFormat::ND, hostType<T>, s.transposeA);
    api.SetBType(tiles::TPosition::GM, tiles::CubeFormat::ND, hostType<T>, s.transposeB);
    api.SetCType(tiles::TPosition::GM, tiles::CubeFormat::ND, hostType<C>);
    api.SetShape(s.m, s.n, s.k);
    api.SetOrgShape(s.m, s.n, s.k);
    api.EnableBias(s.bias);
    api.SetBufferSpace(-1, -1, -1);
}
template <typename T, typename C>
TCubeTiling OneCore(const MatmulShape& s, int32_t baseM = -1, int32_t baseN = -1) {
    tiles::MatmulApiTiling api(*platform_ascendc::PlatformAscendCManager::GetInstance());
    Describe<T, C>(api, s);
    if (baseM > 0) api.SetFixSplit(baseM, baseN, -1);
    TCubeTiling tiling;
    if (api.GetTiling(tiling) == -1) tiling.usedCoreNum = 0;
    return tiling;
}

template <typename T, typename C, typename Bias>
std::vector<C> Expected(const MatmulShape& s, const std::vector<T>& a, const std::vector<T>& b,
                        const std::vector<Bias>& bias) {
    std::vector<C> c(static_cast<size_t>(s.m) * s.n);
    for (int32_t m = 0; m < s.m; ++m) {
        for (int32_t n = 0; n < s.n; ++n) {
            double sum = s.bias ? static_cast<double>(static_cast<float>(bias[n])) : 0;
            for (int32_t k = 0; k < s.k; ++k) {
                const T left = s.transposeA ? a[static_cast<size_t>(k) * s.m + m] : a[static_cast<size_t>(m) * s.k + k];
                const T right =
                    s.transposeB ? b[static_cast<size_t>(n) * s.k + k] : b[static_cast<size_t>(k) * s.n + n];
                sum += static_cast<double>(static_cast<float>(left)) * static_cast<double>(static_cast<float>(right));
            }
            c[static_cast<size_t>(m) * s.n + n] = static_cast<C>(static_cast<float>(sum));
        }
    }
    return c;
}

template <typename T, typename C, typename Bias, bool transA, bool transB>
using Plain =
    Matmul<MatmulType<TPosition::GM, CubeFormat::ND, T, transA>, MatmulType<TPosition::GM, CubeFormat::ND, T, transB>,
           MatmulType<TPosition::GM, CubeFormat::ND, C>, MatmulType<TPosition::GM, CubeFormat::ND, Bias>>;

template <typename T>
GlobalTensor<T> At(uint8_t* address) {
    GlobalTensor<T> tensor;
    tensor.SetGlobalBuffer((__gm__ T*)address);
    return tensor;
}

#endif
