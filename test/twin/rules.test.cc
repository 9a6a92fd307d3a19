// Every rule: a kernel that breaks it, and the nearest one that does not.
#include <algorithm>
#include <cstdlib>

#include "expect.h"

using namespace AscendC;

namespace {

constexpr uint32_t kElements = 256;
std::vector<float> x_(kElements), y_(kElements);

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

std::string Rule(std::function<void(Bench&)> kernel, uint32_t blocks = 1) {
    return RuleBroken({{"x", twin::Role::kInput, (uint8_t*)x_.data(), kElements * 4}, {"y", twin::Role::kOutput, (uint8_t*)y_.data(), kElements * 4}},
                      [&](uint8_t** args) { Bench bench(args); kernel(bench); }, blocks);
}

void Trips(const std::string& rule, const std::string& name, std::function<void(Bench&)> kernel, uint32_t blocks = 1) {
    const std::string seen = Rule(std::move(kernel), blocks);
    Expect(rule + ": " + name, seen == rule, seen.empty() ? "no rule broken" : "broke " + seen);
}

void Legal(const std::string& name, std::function<void(Bench&)> kernel, uint32_t blocks = 1) {
    const std::string seen = Rule(std::move(kernel), blocks);
    Expect("legal: " + name, seen.empty(), "broke " + seen);
}

void Queues() {
    Legal("load, add, store", [](Bench& b) {
        auto t = b.Load();
        auto r = b.out.AllocTensor<float>();
        Adds(r, t, 1.0f, kElements);
        b.in.FreeTensor(t);
        b.Store(r);
    });
    Trips("tensor-leak", "FreeTensor is missing", [](Bench& b) { b.Load(); });
    Trips("tensor-leak", "DeQue is missing", [](Bench& b) { auto t = b.in.AllocTensor<float>(); DataCopy(t, b.x, kElements); b.in.EnQue(t); });
    Trips("deque-empty", "EnQue is missing", [](Bench& b) { auto t = b.in.AllocTensor<float>(); DataCopy(t, b.x, kElements); t = b.in.DeQue<float>(); });
    Trips("alloc-deadlock", "three tensors from two blocks", [](Bench& b) { b.in.AllocTensor<float>(); b.in.AllocTensor<float>(); b.in.AllocTensor<float>(); });
    Trips("double-free", "FreeTensor twice", [](Bench& b) { auto t = b.Load(); b.in.FreeTensor(t); b.in.FreeTensor(t); });
    Trips("free-while-enqueued", "FreeTensor before DeQue", [](Bench& b) { auto t = b.in.AllocTensor<float>(); b.in.EnQue(t); b.in.FreeTensor(t); });
    Trips("enque-wrong-state", "EnQue twice", [](Bench& b) { auto t = b.in.AllocTensor<float>(); b.in.EnQue(t); b.in.EnQue(t); });
    Trips("foreign-tensor", "freed into another queue", [](Bench& b) { auto t = b.Load(); b.out.FreeTensor(t); });
    Trips("use-while-enqueued", "computing before DeQue", [](Bench& b) { auto t = b.in.AllocTensor<float>(); DataCopy(t, b.x, kElements); b.in.EnQue(t); Adds(t, t, 1.0f, kElements); });
    Trips("use-after-free", "computing after FreeTensor", [](Bench& b) { auto t = b.Load(); b.in.FreeTensor(t); Adds(t, t, 1.0f, kElements); });
    Trips("queue-not-initialised", "no InitBuffer", [](Bench&) { TQue<QuePosition::VECIN, 1> q; q.AllocTensor<float>(); });
    Trips("null-tensor", "a TBuf without InitBuffer", [](Bench& b) { TBuf<> none; Adds(none.Get<float>(), b.temp.Get<float>(), 1.0f, 8); });
    Legal("a TBuf without InitBuffer whose tensor nothing uses", [](Bench&) { TBuf<> none; none.Get<float>(); });
    Trips("null-tensor", "a tensor without memory", [](Bench& b) { LocalTensor<float> t; Adds(t, b.temp.Get<float>(), 1.0f, 8); });
    Trips("queue-depth", "two EnQue into depth 1", [](Bench& b) {
        TQue<QuePosition::VECIN, 1> q;
        b.pipe.InitBuffer(q, 2, 64);
        auto s = q.AllocTensor<float>(), t = q.AllocTensor<float>();
        q.EnQue(s);
        q.EnQue(t);
    });
    Legal("two EnQue into depth 2", [](Bench& b) {
        auto s = b.in.AllocTensor<float>(), t = b.in.AllocTensor<float>();
        b.in.EnQue(s);
        b.in.EnQue(t);
        s = b.in.DeQue<float>();
        t = b.in.DeQue<float>();
        b.in.FreeTensor(s);
        b.in.FreeTensor(t);
    });
    Trips("second-tpipe", "a TPipe inside a TPipe", [](Bench&) { TPipe another; });
}

void Memory() {
    Trips("ub-overflow", "more than 192 KB", [](Bench& b) { TBuf<> big; b.pipe.InitBuffer(big, 192 * 1024); });
    Legal("all of what is left", [](Bench& b) { TBuf<> rest; b.pipe.InitBuffer(rest, 192 * 1024 - 3 * 1024 - 2048); });
    Trips("init-buffer", "length 0", [](Bench& b) { TBuf<> none; b.pipe.InitBuffer(none, 0); });
    Trips("out-of-buffer", "count past the buffer", [](Bench& b) { Duplicate(b.temp.Get<float>(), 0.0f, 513); });
    Legal("count up to its end", [](Bench& b) { Duplicate(b.temp.Get<float>(), 0.0f, 512); });
    Trips("out-of-buffer", "GetValue past the buffer", [](Bench& b) { b.temp.Get<float>().GetValue(512); });
    Trips("unaligned-ub", "an offset of 4 bytes", [](Bench& b) { auto t = b.temp.Get<float>(); Duplicate(t[1], 0.0f, 8); });
    Legal("an offset of 32 bytes", [](Bench& b) { auto t = b.temp.Get<float>(); Duplicate(t[8], 0.0f, 8); });
    Trips("unaligned-ub", "src of a reduction at 16 bytes", [](Bench& b) { auto t = b.temp.Get<float>(); Duplicate(t, 0.0f, 512); WholeReduceSum(t[256], t[4], 64, 1, 1, 1, 8); });
    Trips("unaligned-ub", "value and index at 4 bytes", [](Bench& b) { auto t = b.temp.Get<float>(); Duplicate(t, 0.0f, 512); WholeReduceMax(t[257], t, 64, 1, 1, 1, 8); });
    Legal("a sum at 4 bytes, value and index at 8", [](Bench& b) {
        auto t = b.temp.Get<float>();
        Duplicate(t, 0.0f, 512);
        WholeReduceSum(t[257], t, 64, 1, 1, 1, 8);
        WholeReduceMax(t[258], t, 64, 1, 1, 1, 8);
    });
    Trips("partial-overlap", "dst shifted over src", [](Bench& b) { auto t = b.temp.Get<float>(); Duplicate(t, 0.0f, 512); Adds(t[8], t, 1.0f, 256); });
    Trips("partial-overlap", "to a wider type out of the lower part of dst", [](Bench& b) { auto t = b.temp.Get<float>(); Duplicate(t, 0.0f, 512); Cast(t, t.ReinterpretCast<half>()[96], RoundMode::CAST_NONE, 128); });
    Legal("to a wider type out of the upper half of dst, also of less than a repeat", [](Bench& b) {
        auto t = b.temp.Get<float>();
        Duplicate(t, 0.0f, 512);
        for (int n : {16, 64, 80, 128, 256}) Cast(t, t.ReinterpretCast<half>()[n], RoundMode::CAST_NONE, n);
    });
    Legal("dst is src", [](Bench& b) { auto t = b.temp.Get<float>(); Duplicate(t, 0.0f, 512); Adds(t, t, 1.0f, 256); });
    Trips("read-unwritten", "a scalar nobody wrote", [](Bench& b) { b.temp.Get<float>().GetValue(3); });
    Trips("read-unwritten", "an output nobody computed", [](Bench& b) { b.Store(b.out.AllocTensor<float>()); });
    Trips("read-unwritten", "an output computed from what nobody wrote", [](Bench& b) { auto r = b.out.AllocTensor<float>(); Adds(r, b.temp.Get<float>(), 1.0f, kElements); b.Store(r); });
    Trips("read-unwritten", "a tile that holds the values of the one before", [](Bench& b) {
        auto r = b.out.AllocTensor<float>();
        Duplicate(r, 1.0f, kElements);
        b.Store(r);
        r = b.out.AllocTensor<float>();
        Duplicate(r, 1.0f, kElements - 8);
        b.Store(r);
    });
    Legal("rubbish past the end that stays in UB", [](Bench& b) {
        auto r = b.out.AllocTensor<float>();
        Duplicate(b.temp.Get<float>(), 1.0f, 100);
        Adds(r, b.temp.Get<float>(), 1.0f, 128);
        b.out.EnQue(r);
        r = b.out.DeQue<float>();
        DataCopyPad(b.y, r, DataCopyExtParams(1, 400, 0, 0, 0));
        b.out.FreeTensor(r);
    });
}

/// What a tolerant launch went past, y when it is told.
std::string Tolerated(std::vector<float>& x, std::vector<float>& y, std::function<void(Bench&)> kernel) {
    twin::onViolation = [](const twin::Violation& v) { throw Broke{v}; };
    kernel_ = [&](uint8_t** args) { Bench bench(args); kernel(bench); };
    twin::LaunchSpec spec{1, 0, false, {{"x", twin::Role::kInput, (uint8_t*)x.data(), kElements * 4}, {"y", twin::Role::kOutput, (uint8_t*)y.data(), kElements * 4}}};
    spec.tolerant = true;
    try {
        return twin::Launch(spec, Enter).tolerated.rule;
    } catch (const Broke& broke) {
        return "ended by " + broke.violation.rule;
    }
}

/// A tolerant launch goes on behind a tensor's end, with the bytes that are the tensor's, and tells of it.
void Tolerance() {
    std::vector<float> x(kElements, 3.0f), y(2 * kElements, 1.0f);
    const std::string behind = Tolerated(x, y, [](Bench& b) {
        auto t = b.Load();
        auto r = b.out.AllocTensor<float>();
        Adds(r, t, 1.0f, kElements);
        b.in.FreeTensor(t);
        b.out.EnQue(r);
        r = b.out.DeQue<float>();
        DataCopy(b.y[8], r, kElements);
        b.out.FreeTensor(r);
    });
    Expect("tolerated: writing behind the output", behind == "gm-out-of-range", behind);
    Expect("what is the output's was written, and no more", y[7] == 1.0f && y[8] == 4.0f && y[kElements - 1] == 4.0f && y[kElements] == 1.0f);
    const std::string twice = Tolerated(x, y, [](Bench&) { for (int i = 0; i < 2; ++i) SetFlag<HardEvent::MTE2_V>(0); for (int i = 0; i < 2; ++i) WaitFlag<HardEvent::MTE2_V>(0); });
    Expect("tolerated: a flag set twice counts", twice == "flag-set-twice", twice);
    const std::string thrice = Tolerated(x, y, [](Bench&) { for (int i = 0; i < 2; ++i) SetFlag<HardEvent::MTE2_V>(0); for (int i = 0; i < 3; ++i) WaitFlag<HardEvent::MTE2_V>(0); });
    Expect("not tolerated: a wait that nothing ends", thrice == "ended by wait-without-set", thrice);
    const std::string foreign = Tolerated(x, y, [](Bench& b) { auto t = b.Load(); b.out.FreeTensor(t); });
    Expect("tolerated: freed into another queue", foreign == "foreign-tensor", foreign);
    const std::string unqueued = Tolerated(x, y, [](Bench& b) { auto t = b.temp.Get<float>(); b.out.FreeTensor(t); });
    Expect("not tolerated: a tensor of no queue freed", unqueued == "ended by foreign-tensor", unqueued);
    const std::string enqueued = Tolerated(x, y, [](Bench& b) { auto t = b.Load(); b.out.EnQue(t); });
    Expect("not tolerated: another queue's tensor enqueued", enqueued == "ended by foreign-tensor", enqueued);
    const std::string spare = Tolerated(x, y, [](Bench& b) { TBuf<> big; b.pipe.InitBuffer(big, 192 * 1024); });
    Expect("tolerated: a buffer that goes behind UB and is not used there", spare == "ub-overflow", spare);
    const std::string used = Tolerated(x, y, [](Bench& b) { TBuf<> big; b.pipe.InitBuffer(big, 192 * 1024); Duplicate(big.Get<float>(), 0.0f, 8); });
    Expect("not tolerated: one that is, in front of the end too", used == "ended by ub-overflow", used);
    const std::string scalar = Tolerated(x, y, [](Bench& b) { TBuf<> big; b.pipe.InitBuffer(big, 192 * 1024); big.Get<float>().SetValue(0, 1.0f); });
    Expect("not tolerated: a scalar in it", scalar == "ended by ub-overflow", scalar);
    const std::string queue = Tolerated(x, y, [](Bench& b) { TQue<QuePosition::VECIN, 1> q; b.pipe.InitBuffer(q, 2, 100 * 1024); auto t = q.AllocTensor<float>(); DataCopy(t, b.x, 8); q.FreeTensor(t); });
    Expect("tolerated: the tensor of a queue that lies before the one that overflows", queue == "ub-overflow", queue);
    const std::string address = Tolerated(x, y, [](Bench& b) { TBuf<> big; b.pipe.InitBuffer(big, 192 * 1024); big.Get<float>().GetPhyAddr(); });
    Expect("not tolerated: its address", address == "ended by ub-overflow", address);
    y.assign(y.size(), 1.0f);
    const std::string tail = Tolerated(x, y, [](Bench& b) {
        auto t = b.Load();
        auto r = b.out.AllocTensor<float>();
        Adds(r, t, 1.0f, kElements);
        b.in.FreeTensor(t);
        b.out.EnQue(r);
        r = b.out.DeQue<float>();
        DataCopy(b.y, r, 15);
        DataCopy(b.y[16], r, 7);
        b.out.FreeTensor(r);
    });
    Expect("tolerated: a copy of 15 floats, which moves 8, and one of 7, which moves none", tail == "unaligned-copy" && y[7] == 4.0f && y[8] == 1.0f && y[16] == 1.0f, tail);
    const std::string empty = Tolerated(x, y, [](Bench& b) { TBuf<> none; b.pipe.InitBuffer(none, 0); });
    Expect("tolerated: a buffer without length", empty == "init-buffer", empty);
}

/// A raw address takes a buffer out of the tracking: what lies behind an input then shows by differing between the orders of blocks.
void BehindAnInput() {
    std::vector<float> x(kElements, 3.0f), seen[2];
    for (const bool reverse : {false, true}) {
        std::vector<float>& y = seen[reverse];
        y.assign(kElements, 1.0f);
        Run({{"x", twin::Role::kInput, (uint8_t*)x.data(), kElements * 4}, {"y", twin::Role::kOutput, (uint8_t*)y.data(), kElements * 4}}, [](uint8_t** args) {
            Bench b(args);
            auto r = b.out.AllocTensor<float>();
            DataCopy(r, b.x[8], kElements);
            r.GetPhyAddr();
            SetFlag<HardEvent::MTE2_MTE3>(0);
            WaitFlag<HardEvent::MTE2_MTE3>(0);
            b.Store(r);
        }, 1, reverse);
    }
    Expect("values of the input are the same in both orders", std::equal(seen[0].begin(), seen[0].end() - 8, seen[1].begin()));
    for (uint32_t i = kElements - 8; i < kElements; ++i) Expect("value " + std::to_string(i) + " behind it is another", std::memcmp(&seen[0][i], &seen[1][i], 4) != 0);
}

void Copies() {
    Trips("unaligned-copy", "7 floats", [](Bench& b) { auto t = b.in.AllocTensor<float>(); DataCopy(t, b.x, 7); });
    Trips("gm-out-of-range", "reading past the allocation of the input", [](Bench& b) { auto t = b.in.AllocTensor<float>(); DataCopy(t, b.x[16], kElements); });
    Legal("reading what is allocated behind the input", [](Bench& b) { auto t = b.in.AllocTensor<float>(); DataCopy(t, b.x[8], kElements); b.in.FreeTensor(t); });
    Legal("reading a row that starts behind the input", [](Bench& b) { auto t = b.in.AllocTensor<float>(); DataCopy(t, b.x[kElements - 8], DataCopyParams(2, 1, 0, 0)); b.in.FreeTensor(t); });
    Trips("read-unwritten", "Select by what Compare made of values nobody wrote", [](Bench& b) {
        auto t = b.temp.Get<float>();
        auto bits = t[256].ReinterpretCast<uint8_t>();
        Compare(bits, t, t[64], CMPMODE::LT, 64, 1, BinaryRepeatParams());
        Select(t[128], bits, t, t[64], SELMODE::VSEL_TENSOR_TENSOR_MODE, 64);
    });
    Trips("read-unwritten", "an output computed from what lies behind the input, over a tile", [](Bench& b) {
        auto t = b.in.AllocTensor<float>();
        DataCopy(t, b.x, kElements), PipeBarrier<PIPE_ALL>(), DataCopy(t, b.x[8], kElements);
        b.in.EnQue(t);
        t = b.in.DeQue<float>();
        auto r = b.out.AllocTensor<float>();
        Adds(r, t, 1.0f, kElements);
        b.in.FreeTensor(t);
        b.Store(r);
    });
    Trips("gm-out-of-range", "GetValue behind the input", [](Bench& b) { b.x.GetValue(kElements); });
    Trips("gm-out-of-range", "writing behind the output", [](Bench& b) { auto r = b.out.AllocTensor<float>(); Duplicate(r, 0.0f, kElements); b.out.EnQue(r); r = b.out.DeQue<float>(); DataCopy(b.y[8], r, kElements); });
    Trips("gm-out-of-range", "an address of no argument", [](Bench& b) { auto t = b.in.AllocTensor<float>(); static float elsewhere[8]; b.x.SetGlobalBuffer(elsewhere); DataCopy(t, b.x, 8); });
    Trips("write-to-input", "copying out to x", [](Bench& b) { auto r = b.out.AllocTensor<float>(); Duplicate(r, 0.0f, 8); b.out.EnQue(r); r = b.out.DeQue<float>(); DataCopy(b.x, r, 8); });
    Trips("copy-params", "blockLen counts bytes", [](Bench& b) { auto t = b.in.AllocTensor<float>(); DataCopyPad(t, b.x, DataCopyExtParams(1, 7, 0, 0, 0), DataCopyPadExtParams<float>()); });
    Trips("copy-params", "padding over one block", [](Bench& b) { auto t = b.in.AllocTensor<float>(); DataCopyPad(t, b.x, DataCopyExtParams(1, 4, 0, 0, 0), DataCopyPadExtParams<float>(true, 0, 9, 0)); });
    Trips("round-mode", "half to float with a rounding", [](Bench& b) { auto t = b.temp.Get<float>(); Duplicate(t, 0.0f, 64); Cast(t[256], t.ReinterpretCast<half>(), RoundMode::CAST_RINT, 16); });
    Trips("compare-count", "9 elements", [](Bench& b) { auto t = b.temp.Get<float>(); Duplicate(t, 0.0f, 64); CompareScalar(t[256].ReinterpretCast<uint8_t>(), t, 0.0f, CMPMODE::EQ, 9); });
    Trips("repeat-limit", "WholeReduceSum of 256 repeats", [](Bench& b) { auto t = b.temp.Get<float>(); WholeReduceSum(t, t, 64, 256, 1, 1, 8); });
    Trips("mask-limit", "a mask of 65 floats", [](Bench& b) { auto t = b.temp.Get<float>(); Duplicate(t, 0.0f, uint64_t(65), 1, 1, 8); });
    Trips("gather-offset", "offsets that count elements", [](Bench& b) { auto t = b.temp.Get<float>(); Duplicate(t, 0.0f, 64); auto o = t[256].ReinterpretCast<uint32_t>(); Duplicate(o, 1u, 8); Gather(t[128], t, o, 0, 8); });
    Trips("assert-failed", "ASSERT of a false condition", [](Bench&) { ASSERT(1 + 1 == 3 && "sum"); });
}

void Pipes() {
    Trips("pipe-hazard", "computing on a copy that may not have arrived", [](Bench& b) { auto t = b.temp.Get<float>(); DataCopy(t, b.x, kElements); Adds(t, t, 1.0f, kElements); });
    Legal("with a flag between", [](Bench& b) {
        auto t = b.temp.Get<float>();
        DataCopy(t, b.x, kElements);
        const auto id = GetTPipePtr()->FetchEventID(HardEvent::MTE2_V);
        SetFlag<HardEvent::MTE2_V>(id);
        WaitFlag<HardEvent::MTE2_V>(id);
        Adds(t, t, 1.0f, kElements);
    });
    Legal("with PIPE_ALL between", [](Bench& b) { auto t = b.temp.Get<float>(); DataCopy(t, b.x, kElements); PipeBarrier<PIPE_ALL>(); Adds(t, t, 1.0f, kElements); });
    Trips("pipe-hazard", "copying out what may not be computed", [](Bench& b) { auto t = b.temp.Get<float>(); Duplicate(t, 1.0f, kElements); DataCopy(b.y, t, kElements); });
    Trips("pipe-hazard", "copying in over what is still read", [](Bench& b) { auto t = b.temp.Get<float>(); Duplicate(t, 1.0f, kElements); Adds(t[256], t, 1.0f, 8); DataCopy(t, b.x, kElements); });
    Trips("pipe-hazard", "copying a VECIN tensor out after DeQue", [](Bench& b) { auto t = b.Load(); DataCopy(b.y, t, kElements); });
    Legal("copying through a TQueBind", [](Bench& b) {
        TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> through;
        b.pipe.InitBuffer(through, 1, kElements * 4);
        auto t = through.AllocTensor<float>();
        DataCopy(t, b.x, kElements);
        through.EnQue(t);
        t = through.DeQue<float>();
        DataCopy(b.y, t, kElements);
        through.FreeTensor(t);
    });
    Legal("vector after vector, and scalars in between", [](Bench& b) { auto t = b.temp.Get<float>(); Duplicate(t, 1.0f, 8); t.SetValue(0, t.GetValue(1) + 1); Adds(t, t, 1.0f, 8); });
    Trips("wait-without-set", "WaitFlag alone", [](Bench&) { WaitFlag<HardEvent::MTE2_V>(0); });
    Trips("unpaired-flag", "SetFlag alone", [](Bench&) { SetFlag<HardEvent::MTE2_V>(0); });
    Trips("flag-set-twice", "SetFlag twice", [](Bench&) { SetFlag<HardEvent::MTE2_V>(0); SetFlag<HardEvent::MTE2_V>(0); });
    Trips("event-id", "event 8", [](Bench&) { SetFlag<HardEvent::MTE2_V>(8); });
    Trips("atomic-left-on", "SetAtomicNone is missing", [](Bench&) { SetAtomicAdd<float>(); });
    Trips("mask-mode-left", "SetMaskNorm is missing", [](Bench&) { SetMaskCount(); });
}

/// Each block fills y with its own value through an own queue; `span` elements from `from`.
void FillOut(Bench& b, uint32_t from, uint32_t span, float value) {
    auto r = b.out.AllocTensor<float>();
    Duplicate(r, value, span);
    b.out.EnQue(r);
    r = b.out.DeQue<float>();
    DataCopy(b.y[from], r, span);
    b.out.FreeTensor(r);
}

void Blocks() {
    Trips("gm-overlap", "two blocks write other values to the same place", [](Bench& b) { FillOut(b, 0, 8, static_cast<float>(GetBlockIdx())); }, 2);
    Legal("each block writes its own part", [](Bench& b) { FillOut(b, static_cast<uint32_t>(GetBlockIdx()) * 8, 8, static_cast<float>(GetBlockIdx())); }, 8);
    Legal("two blocks write the same values", [](Bench& b) { FillOut(b, 0, 8, 1.0f); }, 2);
    Trips("gm-overlap", "two blocks set one element to other values", [](Bench& b) { b.y.SetValue(0, static_cast<float>(GetBlockIdx())); }, 2);
    Legal("two blocks set one element to the same value", [](Bench& b) { b.y.SetValue(0, 1.0f); }, 2);
    Legal("one after the other", [](Bench& b) { if (GetBlockIdx() == 0) FillOut(b, 0, 8, 0.0f); SyncAll(); if (GetBlockIdx() == 1) FillOut(b, 0, 8, 1.0f); }, 2);
    Trips("sync-deadlock", "one block does not reach SyncAll", [](Bench&) { if (GetBlockIdx() != 1) SyncAll(); }, 3);
    Trips("gm-race", "reading what another block writes", [](Bench& b) {
        if (GetBlockIdx() == 0) return FillOut(b, 0, 8, 1.0f);
        auto t = b.in.AllocTensor<float>();
        DataCopy(t, b.y, 8);
    }, 2);

    const auto store = [](Bench& b, bool adds) {
        if (adds) SetAtomicAdd<float>();
        FillOut(b, 0, 8, 0.0f);
        if (adds) SetAtomicNone();
    };
    // Two stores to one place may come in any order only where both of them add, or a barrier is between.
    for (const int choice : {0, 1, 2, 3, 4, 5, 6, 7}) {
        const bool first = (choice & 1) != 0, second = (choice & 2) != 0, apart = (choice & 4) != 0;
        const auto kernel = [=](Bench& b) {
            if (GetBlockIdx() == 0) store(b, first);
            if (apart) SyncAll();
            if (GetBlockIdx() == 1) store(b, second);
        };
        const std::string name = std::string(first ? "an addition" : "a store") + " and another block's " + (second ? "addition" : "store");
        apart || first == second ? Legal(name + (apart ? ", one after the other" : ""), kernel, 2) : Trips("gm-overlap", name, kernel, 2);
    }

    const std::string seen = Rule([](Bench& b) {
        if (GetBlockIdx() == 0) FillOut(b, 0, 8, 0.0f);
        SyncAll();
        SetAtomicAdd<float>();
        FillOut(b, 0, 8, static_cast<float>(GetBlockIdx() + 1));
        SetAtomicNone();
        SyncAll();
    }, 4);
    Expect("atomic adds of four blocks give 10", seen.empty() && y_[0] == 10.0f && y_[7] == 10.0f, seen);
}

/// Scalars in GM come in cache lines of 64 bytes.
void CacheLines() {
    const auto each = [](uint64_t step, bool again) {
        return [step, again](Bench& b) {
            for (uint64_t i = 0; i < 3; ++i) b.y.SetValue(GetBlockIdx() * step + i, 10.5f * (GetBlockIdx() + 1) + i);
            if (again) SyncAll();
            if (again) b.y.SetValue(64 + GetBlockIdx() * 16, 1.0f);
        };
    };
    Trips("gm-cache-line", "two blocks in one line", each(8, false), 2);
    Trips("gm-cache-line", "a block's end in the next one's first line", each(15, false), 2);
    Legal("blocks that begin at lines", each(16, true), 4);
    Legal("one block in one line", each(1, false));
    Legal("a flag that every block sets", [](Bench& b) { b.y.SetValue(5, 7.0f); }, 3);
    Legal("one block behind the other", [](Bench& b) {
        if (GetBlockIdx() == 0) b.y.SetValue(0, 1.0f);
        if (GetBlockIdx() == 0) DataCacheCleanAndInvalid<float, CacheLine::SINGLE_CACHE_LINE>(b.y);
        SyncAll();
        if (GetBlockIdx() == 1) b.y.SetValue(1, 1.0f);
    }, 2);
}

void Report() {
    std::vector<float> x(512), y(512);
    const twin::LaunchReport report = Run({{"x", twin::Role::kInput, (uint8_t*)x.data(), 2048}, {"y", twin::Role::kOutput, (uint8_t*)y.data(), 2048}}, [](uint8_t** args) {
        Bench b(args);
        b.x = b.x[static_cast<uint64_t>(GetBlockIdx()) * kElements];
        b.y = b.y[static_cast<uint64_t>(GetBlockIdx()) * kElements];
        auto t = b.Load();
        auto r = b.out.AllocTensor<float>();
        Muls(r, t, 2.0f, kElements);
        b.in.FreeTensor(t);
        b.Store(r);
    }, 2);
    Expect("the report names buffers, bytes, calls and blocks", report.buffers.size() == 3 && report.buffers[0].position == "VECIN" && report.buffers[0].count == 2 && report.buffers[0].bytes == 1024 &&
           report.buffers[0].queue && !report.buffers[2].queue && report.ubPeakBytes == 3 * 1024 + 2048 && report.calls.at("Muls") == 2 && report.calls.at("DataCopy") == 4 &&
           report.blocks.size() == 2 && report.blocks[1].readBytes == 1024 && report.blocks[1].writtenBytes == 1024);
    try {
        Run({{"x", twin::Role::kInput, (uint8_t*)x.data(), 2048}, {"y", twin::Role::kOutput, (uint8_t*)y.data(), 2048}}, [](uint8_t** args) { Bench b(args); if (GetBlockIdx() == 1) b.in.DeQue<float>(); }, 2);
        Expect("a violation is told", false);
    } catch (const Broke& broke) {
        const twin::Violation& v = broke.violation;
        Expect("a violation names block, API, tensor and a fix", v.rule == "deque-empty" && v.block == 1 && v.api == "DeQue" && v.tensor == "VECIN queue 0" && !v.message.empty() && !v.fix.empty());
    }
}

}  // namespace

int main() {
    Queues();
    Memory();
    Tolerance();
    BehindAnInput();
    Copies();
    Pipes();
    Blocks();
    CacheLines();
    Report();
    return Finish();
}
