// What the tests of the cube core share: a launch on its cores, and all of its memories.
#ifndef TWIN_TEST_CUBE_KERNELS_H
#define TWIN_TEST_CUBE_KERNELS_H

#include "expect.h"

using namespace AscendC;

template <typename T>
std::vector<T> Numbers(size_t count, int seed) {
    std::vector<T> numbers(count);
    for (size_t i = 0; i < count; ++i)
        numbers[i] = static_cast<T>(static_cast<int>((i * 7 + i / 5 * 3 + seed) % 17) - 8);
    return numbers;
}

inline uint32_t Up(uint32_t value, uint32_t unit) { return (value + unit - 1) / unit * unit; }

inline std::function<void(uint8_t**)> cubeKernel_;
inline void EnterCube(uint8_t** args) { cubeKernel_(args); }

using Kernel = std::function<void(uint8_t**)>;

/// The rule that is broken, "" when none.
inline std::string RunCores(
    std::vector<twin::GmArg> args, twin::Cores cores, uint32_t blocks, Kernel cube, Kernel vector = [](uint8_t**) {},
    uint32_t chipCubeCores = 24) {
    kernel_ = std::move(vector);
    cubeKernel_ = std::move(cube);
    const twin::LaunchSpec spec{blocks, 0, false, std::move(args), cores, EnterCube, false, chipCubeCores};
    return RuleOfLaunch([&] { twin::Launch(spec, Enter); });
}

template <typename T>
twin::GmArg Input(const char* name, std::vector<T>& data) {
    return {name, twin::Role::kInput, (uint8_t*)data.data(), data.size() * sizeof(T)};
}
template <typename T>
twin::GmArg Output(const char* name, std::vector<T>& data) {
    return {name, twin::Role::kOutput, (uint8_t*)data.data(), data.size() * sizeof(T)};
}

/// Memories of a cube core, as kernels take them: all of each, split by hand.
struct Bench {
    TPipe pipe;
    TBuf<TPosition::A1> l1;
    TBuf<TPosition::A2> l0a;
    TBuf<TPosition::B2> l0b;
    TBuf<TPosition::CO1> l0c;
    TBuf<TPosition::C2> table;
    Bench() {
        pipe.InitBuffer(l1, 512 * 1024);
        pipe.InitBuffer(l0a, 64 * 1024);
        pipe.InitBuffer(l0b, 64 * 1024);
        pipe.InitBuffer(l0c, 128 * 1024);
        pipe.InitBuffer(table, 1024);
    }
};

#endif
