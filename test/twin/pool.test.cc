// TBufPool: stages that share memory, nesting, and each of its rules broken once beside a legal use.
#include <cstdlib>

#include "pool_stage.h"

using namespace AscendC;

namespace {

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
    const auto leave = [](int at) {
        return [at](uint8_t**) {
            Shared s;
            s.divideFirst();
            auto t = s.in1.AllocTensor<float>();
            Duplicate(t, 1.0f, 8);
            if (at > 0) s.in1.EnQue(t);
            if (at > 1) t = s.in1.DeQue<float>();
            if (at > 2) s.in1.FreeTensor(t);
            s.first.Reset();
        };
    };
    Trips("tensor-leak", "Reset with a tensor in its queue", leave(1));
    Expect("Reset says so, not the kernel's end", told_.api == "Reset", told_.api);
    Trips("tensor-leak", "Reset with a tensor taken out of its queue", leave(2));
    Expect("Reset says so of it too", told_.api == "Reset", told_.api);
    Trips("use-after-free", "the only buffer of a pipe that was reset", [](uint8_t**) {
        TPipe pipe;
        TBuf<TPosition::VECCALC> buffer;
        pipe.InitBuffer(buffer, 256);
        auto t = buffer.Get<float>();
        pipe.Reset();
        Duplicate(t, 1.0f, 64);
    });
    Trips("", "Reset with a tensor that was freed", leave(3));
    const auto read = [](bool written) {
        return [written](uint8_t**) {
            TPipe pipe;
            Pool pool;
            TBuf<> buffer;
            pipe.InitBufPool(pool, 64);
            pool.InitBuffer(buffer, 32);
            Duplicate(buffer.Get<float>(), 1.0f, 8);
            pool.Reset();
            if (written) Duplicate(buffer.Get<float>(), 2.0f, 8);
            buffer.Get<float>().GetValue(0);
        };
    };
    Trips("read-unwritten", "a value from before Reset (Reset-57.md:37 \"Buffer内容可能会被改写\")", read(false));
    Trips("", "and one from after it (Reset-57.md:37 \"重新开始使用该Buffer，无需再次分配\")", read(true));
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
