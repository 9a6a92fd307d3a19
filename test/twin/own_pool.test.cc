// A pool in which the kernel places blocks itself.
#include <cstdlib>

#include "pool_stage.h"

using namespace AscendC;

namespace {

/// Blocks one behind the other; `apart` bytes between them; `back` bytes before where the last one ended.
class Own {
public:
    __aicore__ inline Own() { Init(); }
    template <class T>
    __aicore__ inline bool InitBuffer(T& que, uint8_t num, uint32_t len) {
        const TBufHandle handle = GetBufHandle(GetCurBufSize());
        que.InitStartBufHandle(handle, num, len);
        for (uint32_t i = 0; i < num - missing; ++i)
            que.InitBufHandle(this, i, handle, GetCurAddr() - back + i * (len + apart), len);
        SetCurAddr(GetCurAddr() - back + num * (len + apart));
        SetCurBufSize(GetCurBufSize() + num);
        return true;
    }
    template <TPosition pos>
    __aicore__ inline bool InitBuffer(TBuf<pos>& buf, uint32_t len) {
        return InitBuffer(buf, 1, len);
    }
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
        Expect("the pool's address goes on",
               s.pool.GetCurAddr() == start + 2 * (kBytes + 32) && s.pool.GetCurBufSize() == 2);
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
    OwnPool();
    OwnPoolRules();
    return Finish();
}
