// TBufPool: stages that share memory, nesting, and each of its rules broken once beside a legal use.
#include <cstdlib>

#include "expect.h"

using namespace AscendC;

namespace {

constexpr uint32_t kCount = 1024, kBytes = kCount * sizeof(float);

struct Data {
    std::vector<float> x = std::vector<float>(2 * kCount), y = std::vector<float>(2 * kCount);
    std::vector<twin::GmArg> args() {
        return {{"x", twin::Role::kInput, (uint8_t*)x.data(), x.size() * 4}, {"y", twin::Role::kOutput, (uint8_t*)y.data(), y.size() * 4}};
    }
};

using In = TQue<TPosition::VECIN, 1>;
using Out = TQue<TPosition::VECOUT, 1>;
using Pool = TBufPool<TPosition::VECCALC>;

/// y = 2 x for one half of the data.
void Stage(uint8_t** args, In& in, Out& out, uint32_t half) {
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

/// Two stages in one piece of memory, the second one through a pool inside a pool.
struct Shared {
    TPipe pipe;
    Pool whole, first, second;
    In in1, in2;
    Out out1, out2;
    explicit Shared(uint32_t bytes = 2 * kBytes) {
        pipe.InitBufPool(whole, 4 * kBytes);
        whole.InitBufPool(first, 2 * kBytes);
        whole.InitBufPool(second, bytes, first);
    }
    void divideFirst() {
        first.InitBuffer(in1, 1, kBytes);
        first.InitBuffer(out1, 1, kBytes);
    }
    void divideSecond() {
        second.InitBuffer(in2, 1, kBytes);
        second.InitBuffer(out2, 1, kBytes);
    }
};

void Works() {
    Data data;
    for (size_t i = 0; i < data.x.size(); ++i) data.x[i] = static_cast<float>(i);
    std::string rule;
    rule = RuleBroken(data.args(), [](uint8_t** args) {
        Shared s;
        s.divideFirst();
        Stage(args, s.in1, s.out1, 0);
        s.first.Reset();
        s.divideSecond();
        Stage(args, s.in2, s.out2, 1);
        s.second.Reset();
    });
    std::vector<float> expected(data.x.size());
    for (size_t i = 0; i < expected.size(); ++i) expected[i] = 2 * data.x[i];
    Expect("two stages in one piece of memory break no rule", rule.empty(), rule);
    ExpectSame("two stages in one piece of memory", data.y, expected);
}

void Trips(const std::string& rule, const std::string& name, std::function<void(uint8_t**)> kernel) {
    Data data;
    const std::string seen = RuleBroken(data.args(), std::move(kernel));
    Expect((rule.empty() ? "legal: " : rule + ": ") + name, seen == rule, seen.empty() ? "no rule broken" : "broke " + seen);
}

void Rules() {
    Trips("pool-in-use", "the second stage without Reset of the first", [](uint8_t** args) {
        Shared s;
        s.divideFirst();
        s.divideSecond();
        Stage(args, s.in1, s.out1, 0);
        Stage(args, s.in2, s.out2, 1);
    });
    Trips("", "back to the first stage after Reset of the second", [](uint8_t** args) {
        Shared s;
        s.divideFirst();
        s.divideSecond();
        Stage(args, s.in1, s.out1, 0);
        s.first.Reset();
        Stage(args, s.in2, s.out2, 1);
        s.second.Reset();
        Stage(args, s.in1, s.out1, 0);
    });
    Trips("", "two pools next to each other", [](uint8_t** args) {
        TPipe pipe;
        Pool first, second;
        In in;
        Out out;
        pipe.InitBufPool(first, kBytes);
        pipe.InitBufPool(second, kBytes);
        first.InitBuffer(in, 1, kBytes);
        second.InitBuffer(out, 1, kBytes);
        Stage(args, in, out, 0);
    });
    Trips("ub-overflow", "buffers of more than the pool has", [](uint8_t**) {
        TPipe pipe;
        Pool pool;
        In in;
        pipe.InitBufPool(pool, kBytes);
        pool.InitBuffer(in, 2, kBytes);
    });
    Trips("", "buffers of just what the pool has", [](uint8_t**) {
        TPipe pipe;
        Pool pool;
        In in;
        pipe.InitBufPool(pool, kBytes);
        pool.InitBuffer(in, 2, kBytes / 2);
    });
    Trips("ub-overflow", "a shared pool larger than the other", [](uint8_t**) { Shared s(2 * kBytes + 32); });
    Trips("ub-overflow", "pools of more than UB", [](uint8_t**) {
        TPipe pipe;
        Pool first, second;
        pipe.InitBufPool(first, 192 * 1024);
        pipe.InitBufPool(second, 32);
    });
    Trips("init-buffer", "a pool that was not initialised", [](uint8_t**) {
        TPipe pipe;
        Pool pool;
        In in;
        pool.InitBuffer(in, 1, 32);
    });
    Trips("init-buffer", "a pool divided after Reset", [](uint8_t**) {
        Shared s;
        s.first.Reset();
        s.divideFirst();
    });
    Trips("init-buffer", "17 buffers in a pool", [](uint8_t**) {
        TPipe pipe;
        Pool pool;
        In in;
        pipe.InitBufPool(pool, kBytes);
        pool.InitBuffer(in, 17, 32);
    });
    Trips("tensor-leak", "Reset with a tensor that was not freed", [](uint8_t**) {
        Shared s;
        s.divideFirst();
        s.in1.AllocTensor<float>();
        s.first.Reset();
    });
    Trips("wrong-position", "a buffer in L1 out of a pool in UB", [](uint8_t**) {
        TPipe pipe;
        Pool pool;
        TBuf<TPosition::A1> buffer;
        pipe.InitBufPool(pool, kBytes);
        pool.InitBuffer(buffer, 32);
    });
}

}  // namespace

int main() {
    Works();
    Rules();
    return Finish();
}
