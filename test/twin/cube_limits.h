// Whole memories of a cube core, and what a kernel says that breaks a rule there.
#ifndef TWIN_TEST_CUBE_LIMITS_H
#define TWIN_TEST_CUBE_LIMITS_H

#include "expect.h"

using namespace AscendC;

/// All of a memory, or from a place in it on, in bytes.
template <typename T>
LocalTensor<T> All(TPosition where, uint32_t from = 0) {
    uint32_t bytes = where == TPosition::A1 ? 512 * 1024 : 64 * 1024;
    if (where == TPosition::CO1) bytes = 128 * 1024;
    if (where == TPosition::C2 || where == TPosition::C2PIPE2GM) bytes = 1024;
    return LocalTensor<T>(where, from, (bytes - from) / sizeof(T));
}

/// What a kernel of a cube core says, "" when it breaks no rule; it has 64 KiB of GM.
inline std::string Says(const std::function<void(GlobalTensor<half>)>& kernel) {
    std::vector<half> gm(32768);
    const std::string rule = RuleOfLaunch([&] {
        kernel_ = [&](uint8_t** args) {
            TPipe pipe;
            GlobalTensor<half> from;
            from.SetGlobalBuffer(reinterpret_cast<half*>(args[0]));
            kernel(from);
        };
        twin::Launch({1,
                      0,
                      false,
                      {{"gm", twin::Role::kInput, reinterpret_cast<uint8_t*>(gm.data()), 65536}},
                      twin::Cores::kCube,
                      nullptr},
                     Enter);
    });
    return rule.empty() ? "" : rule + ": " + told_.message;
}

inline void Said(const std::string& name, const std::string& expected,
                 const std::function<void(GlobalTensor<half>)>& kernel) {
    const std::string said = Says(kernel);
    Expect((expected.empty() ? "legal: " : "refused: ") + name, said == expected, said);
}

#endif
