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

/// Blocks one behind the other; `apart` bytes between them; `back` bytes before where the last one ended.
class Own {
public:
    __aicore__ inline Own() { Init(); }
    template <class T>
    __aicore__ inline bool InitBuffer(T& que, uint8_t num, uint32_t len) {
        const TBufHandle handle = GetBufHandle(GetCurBufSize());
        que.InitStartBufHandle(handle, num, len);
        for (uint32_t i = 0; i < num - missing; ++i) que.InitBufHandle(this, i, handle, GetCurAddr() - back + i * (len + apart), len);
        SetCurAddr(GetCurAddr() - back + num * (len + apart));
        SetCurBufSize(GetCurBufSize() + num);
        return true;
    }
    template <TPosition pos>
    __aicore__ inline bool InitBuffer(TBuf<pos>& buf, uint32_t len) { return InitBuffer(buf, 1, len); }
    uint32_t apart = 0, back = 0, missing = 0;
    EXTERN_IMPL_BUFPOOL(Own, TPosition::VECCALC, 4);
};

/// Stage with VECIN and VECOUT out of a pool of the kernel's own.
struct Owned {
    TPipe pipe;
    Own pool;
    In in;
    Out out;
    explicit Owned(uint32_t bytes = 2 * kBytes) { pipe.InitBufPool(pool, bytes); }
};

void OwnPool() {
    Data data;
    for (size_t i = 0; i < data.x.size(); ++i) data.x[i] = static_cast<float>(i) - 900;
    std::vector<float> expected(data.x.size());
    for (size_t i = 0; i < expected.size(); ++i) expected[i] = 2 * data.x[i];
    const std::string rule = RuleBroken(data.args(), [](uint8_t** args) {
        TBuf<> before;
        Owned s(3 * kBytes + 64);
        s.pipe.InitBuffer(before, 96);
        const uint32_t start = s.pool.GetCurAddr();
        s.pool.apart = 32;
        s.pool.InitBuffer(s.in, 2, kBytes);
        Expect("the pool's address goes on", s.pool.GetCurAddr() == start + 2 * (kBytes + 32) && s.pool.GetCurBufSize() == 2);
        s.pool.apart = 0;
        s.pool.InitBuffer(s.out, 1, kBytes);
        const auto first = s.in.AllocTensor<float>(), second = s.in.AllocTensor<float>();
        Expect("blocks lie apart", second.data - first.data == kBytes + 32 && first.GetSize() == kCount);
        auto a = first, b = second;
        s.in.FreeTensor(a);
        s.in.FreeTensor(b);
        Stage(args, s.in, s.out, 0);
        Stage(args, s.in, s.out, 1);
    });
    ExpectSame("queues in a pool of the kernel's own" + rule, data.y, expected);
    Data shared;
    shared.x = data.x;
    const auto inPlace = [](bool ordered) {
        return [ordered](uint8_t** args) {
            Owned s(kBytes);
            s.pool.InitBuffer(s.in, 1, kBytes);
            s.pool.back = kBytes;
            s.pool.InitBuffer(s.out, 1, kBytes);
            Stage(args, s.in, s.out, 0);
            if (ordered) PipeBarrier<PIPE_ALL>();
            Stage(args, s.in, s.out, 1);
        };
    };
    const std::string broke = RuleBroken(shared.args(), inPlace(true));
    ExpectSame("two queues share a block, which is computed in place" + broke, shared.y, expected);
    Trips("pipe-hazard", "the first queue fills the block while the other is copied out", inPlace(false));
}

void OwnPoolRules() {
    Trips("ub-overflow", "a block behind the end of a pool of the kernel's own", [](uint8_t**) {
        Owned s(2 * kBytes - 32);
        s.pool.InitBuffer(s.in, 2, kBytes);
    });
    // The bytes of a block that nobody else uses are undefined after AllocTensor, whatever stands beside it.
    const auto beside = [](bool second) {
        return [second](uint8_t** args) {
            Owned s;
            s.pool.InitBuffer(s.in, 1, kBytes);
            s.pool.InitBuffer(s.out, 1, kBytes);
            GlobalTensor<float> x;
            x.SetGlobalBuffer((__gm__ float*)args[0]);
            const auto fill = [&](auto& queue) {
                auto t = queue.template AllocTensor<float>();
                DataCopy(t, x, kCount);
                PipeBarrier<PIPE_ALL>();
                return t;
            };
            auto in = fill(s.in);
            auto out = fill(s.out);
            const auto again = [](auto& queue, auto& t) {
                queue.FreeTensor(t);
                PipeBarrier<PIPE_ALL>();
                t = queue.template AllocTensor<float>();
                return *reinterpret_cast<const uint32_t*>(t.data);
            };
            const uint32_t first = second ? again(s.out, out) : again(s.in, in);
            const std::string name = second ? "second" : "first";
            Expect("a block beside one in use is undefined again: the " + name, first == 0xffffffff);
            s.in.FreeTensor(in);
            s.out.FreeTensor(out);
        };
    };
    for (const bool second : {false, true}) Trips("", "blocks beside each other", beside(second));
    Trips("ub-overflow", "a block before its begin", [](uint8_t**) {
        TPipe pipe;
        TBuf<> before;
        pipe.InitBuffer(before, 64);
        Own pool;
        In in;
        pipe.InitBufPool(pool, kBytes);
        pool.back = 32;
        pool.InitBuffer(in, 1, kBytes);
    });
    Trips("unaligned-ub", "a block at 20 bytes", [](uint8_t**) {
        Owned s;
        s.pool.InitBuffer(s.in, 1, 20);
        s.pool.InitBuffer(s.out, 1, 32);
    });
    Trips("init-buffer", "five blocks of four", [](uint8_t**) {
        Owned s;
        s.pool.InitBuffer(s.in, 2, 32);
        s.pool.InitBuffer(s.out, 3, 32);
    });
    Trips("", "four blocks of four", [](uint8_t**) {
        Owned s;
        s.pool.InitBuffer(s.in, 2, 32);
        s.pool.InitBuffer(s.out, 2, 32);
    });
    Trips("init-buffer", "a handle behind the last block", [](uint8_t**) {
        Owned s;
        s.pool.GetBufHandle(4);
    });
    Trips("init-buffer", "a handle that is none", [](uint8_t** args) {
        Owned s;
        s.in.InitStartBufHandle(args[0], 1, 32);
    });
    Trips("init-buffer", "a block that was never placed", [](uint8_t** args) {
        Owned s;
        s.pool.missing = 1;
        s.pool.InitBuffer(s.in, 1, kBytes);
        s.pool.InitBuffer(s.out, 1, kBytes);
        Stage(args, s.in, s.out, 0);
    });
    Trips("init-buffer", "a TBuf of two blocks", [](uint8_t**) {
        Owned s;
        TBuf<> buffer;
        s.pool.InitBuffer(buffer, 2, 32);
    });
    Trips("", "a TBuf of one", [](uint8_t**) {
        Owned s;
        TBuf<> buffer;
        s.pool.InitBuffer(buffer, 64);
        Duplicate(buffer.Get<float>(), 0.0f, 16);
    });
    Trips("init-buffer", "a queue in use after Reset of a pool of the kernel's own", [](uint8_t** args) {
        Owned s;
        s.pool.InitBuffer(s.in, 1, kBytes);
        s.pool.InitBuffer(s.out, 1, kBytes);
        s.pool.Reset();
        Stage(args, s.in, s.out, 0);
    });
    Trips("", "another pool there after Reset", [](uint8_t** args) {
        Owned s;
        Pool next;
        s.pipe.InitBufPool(next, 2 * kBytes, s.pool);
        s.pool.InitBuffer(s.in, 1, kBytes);
        s.pool.InitBuffer(s.out, 1, kBytes);
        Stage(args, s.in, s.out, 0);
        s.pool.Reset();
        In in;
        Out out;
        next.InitBuffer(in, 1, kBytes);
        next.InitBuffer(out, 1, kBytes);
        Stage(args, in, out, 1);
    });
    Trips("wrong-position", "a queue in L1 out of a pool in UB", [](uint8_t**) {
        Owned s;
        TQue<TPosition::A1, 1> queue;
        s.pool.InitBuffer(queue, 1, 32);
    });
    Trips("init-buffer", "a pool of the kernel's own that was not initialised", [](uint8_t**) {
        TPipe pipe;
        Own pool;
        In in;
        pool.InitBuffer(in, 1, 32);
    });
}

}  // namespace

int main() {
    Works();
    OwnPool();
    OwnPoolRules();
    Rules();
    return Finish();
}
