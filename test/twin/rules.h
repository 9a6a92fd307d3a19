// A small kernel to break rules with.
#ifndef TWIN_TEST_RULES_H
#define TWIN_TEST_RULES_H

#include "expect.h"

using namespace AscendC;

constexpr uint32_t kElements = 256;
inline std::vector<float> x_(kElements), y_(kElements);

/// A kernel over one input and one output of 256 floats, with the usual queues ready.
struct Bench {
    TPipe pipe;
    TQue<QuePosition::VECIN, 2> in;
    TQue<QuePosition::VECOUT, 1> out;
    TBuf<TPosition::VECCALC> temp;
    GlobalTensor<float> x, y;
    explicit Bench(uint8_t** args) {
        pipe.InitBuffer(in, 2, kElements * 4);
        pipe.InitBuffer(out, 1, kElements * 4);
        pipe.InitBuffer(temp, 2048);
        x.SetGlobalBuffer((__gm__ float*)args[0]);
        y.SetGlobalBuffer((__gm__ float*)args[1]);
    }
    LocalTensor<float> Load() {
        LocalTensor<float> t = in.AllocTensor<float>();
        DataCopy(t, x, kElements);
        in.EnQue(t);
        return in.DeQue<float>();
    }
    void Store(LocalTensor<float> t) {
        out.EnQue(t);
        t = out.DeQue<float>();
        DataCopy(y, t, kElements);
        out.FreeTensor(t);
    }
};

inline std::string Rule(std::function<void(Bench&)> kernel, uint32_t blocks = 1) {
    return RuleBroken(
        {{"x", twin::Role::kInput, (uint8_t*)x_.data(), kElements * 4},
         {"y", twin::Role::kOutput, (uint8_t*)y_.data(), kElements * 4}},
        [&](uint8_t** args) {
            Bench bench(args);
            kernel(bench);
        },
        blocks);
}

inline void Trips(const std::string& rule, const std::string& name, std::function<void(Bench&)> kernel,
                  uint32_t blocks = 1) {
    const std::string seen = Rule(std::move(kernel), blocks);
    Expect(rule + ": " + name, seen == rule, seen.empty() ? "no rule broken" : "broke " + seen);
}

inline void Legal(const std::string& name, std::function<void(Bench&)> kernel, uint32_t blocks = 1) {
    const std::string seen = Rule(std::move(kernel), blocks);
    Expect("legal: " + name, seen.empty(), "broke " + seen);
}

#endif
