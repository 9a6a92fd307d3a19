// A stage of a kernel whose memory comes out of a pool.
#ifndef TWIN_TEST_POOL_STAGE_H
#define TWIN_TEST_POOL_STAGE_H

#include "expect.h"

using namespace AscendC;

constexpr uint32_t kCount = 1024, kBytes = kCount * sizeof(float);

struct Data {
    std::vector<float> x = std::vector<float>(2 * kCount), y = std::vector<float>(2 * kCount);
    std::vector<twin::GmArg> args() {
        return {{"x", twin::Role::kInput, (uint8_t*)x.data(), x.size() * 4},
                {"y", twin::Role::kOutput, (uint8_t*)y.data(), y.size() * 4}};
    }
};

using In = TQue<TPosition::VECIN, 1>;
using Out = TQue<TPosition::VECOUT, 1>;
using Pool = TBufPool<TPosition::VECCALC>;

/// y = 2 x for one half of the data.
inline void Stage(uint8_t** args, In& in, Out& out, uint32_t half) {
    GlobalTensor<float> x, y;
    x.SetGlobalBuffer((__gm__ float*)args[0] + half * kCount);
    y.SetGlobalBuffer((__gm__ float*)args[1] + half * kCount);
    auto a = in.AllocTensor<float>();
    DataCopy(a, x, kCount);
    in.EnQue(a);
    a = in.DeQue<float>();
    auto b = out.AllocTensor<float>();
    Muls(b, a, 2.0f, kCount);
    in.FreeTensor(a);
    out.EnQue(b);
    b = out.DeQue<float>();
    DataCopy(y, b, kCount);
    out.FreeTensor(b);
}

inline void Trips(const std::string& rule, const std::string& name, std::function<void(uint8_t**)> kernel) {
    Data data;
    const std::string seen = RuleBroken(data.args(), std::move(kernel));
    Expect((rule.empty() ? "legal: " : rule + ": ") + name, seen == rule,
           seen.empty() ? "no rule broken" : "broke " + seen);
}

#endif
