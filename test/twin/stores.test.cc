// What a kernel stores through an address of UB.
#include "on_device.h"

using namespace AscendC;

namespace {

std::vector<float> x_(256, 0.5f), y_(256);

/// A kernel with a tensor in UB and its address, and 256 floats to copy from and to.
struct Stored {
    TPipe pipe;
    TQue<QuePosition::VECIN, 1> in;
    TQue<QuePosition::VECOUT, 1> out;
    TBuf<> buffer;
    GlobalTensor<float> x, y;
    LocalTensor<float> t;
    explicit Stored(uint8_t** gm) {
        pipe.InitBuffer(in, 1, 1024);
        pipe.InitBuffer(out, 1, 1024);
        pipe.InitBuffer(buffer, 4096);
        x.SetGlobalBuffer((__gm__ float*)gm[0]);
        y.SetGlobalBuffer((__gm__ float*)gm[1]);
        t = buffer.Get<float>();
        Duplicate(t, 1.0f, 1024);
    }
    /// Through the address, one value in each of so many blocks.
    void Store(int blocks, float value = 5.0f) {
        __ubuf__ float* address = (__ubuf__ float*)t.GetPhyAddr();
        for (int i = 0; i < blocks; ++i) address[8 * i] = value;
    }
    void CopyOut() { DataCopy(y, t, 256); }
};

std::string RuleOfStores(std::function<void(Stored&)> kernel) {
    return Outcome(
        {{"x", twin::Role::kInput, (uint8_t*)x_.data(), 1024}, {"y", twin::Role::kOutput, (uint8_t*)y_.data(), 1024}},
        [&](uint8_t** gm) {
            Stored s(gm);
            PipeBarrier<PIPE_ALL>();
            kernel(s);
            PipeBarrier<PIPE_ALL>();
        },
        false);
}

void Stores() {
    const auto races = [](const std::string& name, std::function<void(Stored&)> kernel) {
        const std::string seen = RuleOfStores(std::move(kernel));
        Expect("pipe-hazard: " + name, seen == "pipe-hazard", seen);
    };
    const auto legal = [](const std::string& name, std::function<void(Stored&)> kernel) {
        const std::string seen = RuleOfStores(std::move(kernel));
        Expect("legal: " + name, seen.empty(), seen);
    };
    races("a store through an address, copied out", [](Stored& s) {
        s.Store(1);
        s.CopyOut();
    });
    races("Barrier, which is for the compiler alone", [](Stored& s) {
        s.Store(1);
        Barrier();
        s.CopyOut();
    });
    races("the last of many", [](Stored& s) {
        __ubuf__ float* p = (__ubuf__ float*)s.t.GetPhyAddr(248);
        p[7] = 2;
        s.CopyOut();
    });
    races("computed with", [](Stored& s) {
        s.Store(3);
        Adds(s.t[512], s.t, 1.0f, 256);
    });
    races("copied over", [](Stored& s) {
        s.Store(3);
        DataCopy(s.t, s.x, 256);
    });
    races("an address that was taken before", [](Stored& s) {
        __ubuf__ float* p = (__ubuf__ float*)s.t.GetPhyAddr();
        Duplicate(s.t, 2.0f, 256);
        Duplicate(s.t[512], 2.0f, 8);
        p[0] = 1;
        PipeBarrier<PIPE_V>();
        s.CopyOut();
    });
    races("through a queue, which orders other pipes", [](Stored& s) {
        auto r = s.out.AllocTensor<float>();
        Duplicate(r, 2.0f, 256);
        __ubuf__ float* p = (__ubuf__ float*)r.GetPhyAddr();
        p[9] = 1;
        s.out.EnQue(r);
        r = s.out.DeQue<float>();
        DataCopy(s.y, r, 256);
        s.out.FreeTensor(r);
    });
    races("S_V, and then MTE3", [](Stored& s) {
        SetFlag<HardEvent::S_V>(0);
        WaitFlag<HardEvent::S_V>(0);
        s.Store(1);
        s.CopyOut();
    });
    legal("SetValue, copied out", [](Stored& s) {
        s.t.SetValue(3, 5.0f);
        s.CopyOut();
    });
    legal("operator(), copied out", [](Stored& s) {
        s.t(3) = s.t(4) + 5.0f;
        s.CopyOut();
    });
    legal("SetValue beside an address that is read", [](Stored& s) {
        __ubuf__ float* p = (__ubuf__ float*)s.t.GetPhyAddr();
        s.t.SetValue(3, p[0] + 5.0f);
        s.CopyOut();
    });
    legal("a store and S_MTE3", [](Stored& s) {
        s.Store(32);
        SetFlag<HardEvent::S_MTE3>(0);
        WaitFlag<HardEvent::S_MTE3>(0);
        s.CopyOut();
    });
    legal("a store and PIPE_ALL", [](Stored& s) {
        s.Store(32);
        PipeBarrier<PIPE_ALL>();
        s.CopyOut();
    });
    legal("a store into a tensor that nothing uses", [](Stored& s) {
        s.Store(1);
        DataCopy(s.t[128], s.x, 8);
    });
    legal("an address that is only read", [](Stored& s) {
        __ubuf__ float* p = (__ubuf__ float*)s.t.GetPhyAddr();
        const float v = p[0];
        PipeBarrier<PIPE_ALL>();
        Duplicate(s.t, v, 256);
        PipeBarrier<PIPE_ALL>();
        s.CopyOut();
    });
    legal("instructions over addresses, one behind the other", [](Stored& s) {
        __ubuf__ float* p = (__ubuf__ float*)s.t.GetPhyAddr();
        for (int i = 0; i < 3; ++i) vadds(p, p, 1.0f, 4, 1, 1, 8, 8);
        vmuls(p, p, 2.0f, 4, 1, 1, 0, 8);  // four repeats into one
        Adds(s.t, s.t, 1.0f, 256);
        Add(s.t, s.t, s.t[256], uint64_t(64), 4, {1, 1, 1, 0, 0, 8});
    });
    legal("a queue's tensor again and again", [](Stored& s) {
        for (int i = 0; i < 3; ++i) {
            auto q = s.in.AllocTensor<float>();
            DataCopy(q, s.x, 256);
            s.in.EnQue(q);
            q = s.in.DeQue<float>();
            __ubuf__ float* p = (__ubuf__ float*)q.GetPhyAddr();
            vadds(p, p, 1.0f, 4, 1, 1, 8, 8);
            s.in.FreeTensor(q);
        }
    });
    Expect("tolerated, as the device goes on", Outcome(
                                                   {{"x", twin::Role::kInput, (uint8_t*)x_.data(), 1024},
                                                    {"y", twin::Role::kOutput, (uint8_t*)y_.data(), 1024}},
                                                   [](uint8_t** gm) {
                                                       Stored s(gm);
                                                       PipeBarrier<PIPE_ALL>();
                                                       s.Store(1);
                                                       s.CopyOut();
                                                   },
                                                   true) == "past pipe-hazard" &&
                                                   y_[0] == 5.0f);
}

}  // namespace

int main() {
    Stores();
    return Finish();
}
