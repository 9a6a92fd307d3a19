// Every rule: a kernel that breaks it, and the nearest one that does not.
#include <algorithm>
#include <cstdlib>

#include "rules.h"

using namespace AscendC;

namespace {

void Queues() {
    Legal("load, add, store", [](Bench& b) {
        auto t = b.Load();
        auto r = b.out.AllocTensor<float>();
        Adds(r, t, 1.0f, kElements);
        b.in.FreeTensor(t);
        b.Store(r);
    });
    Trips("tensor-leak", "FreeTensor is missing", [](Bench& b) { b.Load(); });
    Trips("tensor-leak", "DeQue is missing", [](Bench& b) {
        auto t = b.in.AllocTensor<float>();
        DataCopy(t, b.x, kElements);
        b.in.EnQue(t);
    });
    Trips("deque-empty", "EnQue is missing", [](Bench& b) {
        auto t = b.in.AllocTensor<float>();
        DataCopy(t, b.x, kElements);
        t = b.in.DeQue<float>();
    });
    Trips("alloc-deadlock", "three tensors from two blocks", [](Bench& b) {
        b.in.AllocTensor<float>();
        b.in.AllocTensor<float>();
        b.in.AllocTensor<float>();
    });
    Trips("double-free", "FreeTensor twice", [](Bench& b) {
        auto t = b.Load();
        b.in.FreeTensor(t);
        b.in.FreeTensor(t);
    });
    Trips("free-while-enqueued", "FreeTensor before DeQue", [](Bench& b) {
        auto t = b.in.AllocTensor<float>();
        b.in.EnQue(t);
        b.in.FreeTensor(t);
    });
    Trips("enque-wrong-state", "EnQue twice", [](Bench& b) {
        auto t = b.in.AllocTensor<float>();
        b.in.EnQue(t);
        b.in.EnQue(t);
    });
    Trips("foreign-tensor", "freed into another queue", [](Bench& b) {
        auto t = b.Load();
        b.out.FreeTensor(t);
    });
    Trips("use-while-enqueued", "computing before DeQue", [](Bench& b) {
        auto t = b.in.AllocTensor<float>();
        DataCopy(t, b.x, kElements);
        b.in.EnQue(t);
        Adds(t, t, 1.0f, kElements);
    });
    Trips("use-after-free", "computing after FreeTensor", [](Bench& b) {
        auto t = b.Load();
        b.in.FreeTensor(t);
        Adds(t, t, 1.0f, kElements);
    });
    Trips("queue-not-initialised", "no InitBuffer", [](Bench&) {
        TQue<QuePosition::VECIN, 1> q;
        q.AllocTensor<float>();
    });
    Trips("null-tensor", "a TBuf without InitBuffer", [](Bench& b) {
        TBuf<> none;
        Adds(none.Get<float>(), b.temp.Get<float>(), 1.0f, 8);
    });
    Legal("a TBuf without InitBuffer whose tensor nothing uses", [](Bench&) {
        TBuf<> none;
        none.Get<float>();
    });
    Trips("null-tensor", "a tensor without memory", [](Bench& b) {
        LocalTensor<float> t;
        Adds(t, b.temp.Get<float>(), 1.0f, 8);
    });
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
    Trips("ub-overflow", "more than 192 KB", [](Bench& b) {
        TBuf<> big;
        b.pipe.InitBuffer(big, 192 * 1024);
    });
    Legal("all of what is left", [](Bench& b) {
        TBuf<> rest;
        b.pipe.InitBuffer(rest, 192 * 1024 - 3 * 1024 - 2048);
    });
    Trips("init-buffer", "length 0", [](Bench& b) {
        TBuf<> none;
        b.pipe.InitBuffer(none, 0);
    });
    Trips("out-of-buffer", "count past the buffer", [](Bench& b) { Duplicate(b.temp.Get<float>(), 0.0f, 513); });
    Legal("count up to its end", [](Bench& b) { Duplicate(b.temp.Get<float>(), 0.0f, 512); });
    Trips("out-of-buffer", "GetValue past the buffer", [](Bench& b) { b.temp.Get<float>().GetValue(512); });
    Trips("unaligned-ub", "an offset of 4 bytes", [](Bench& b) {
        auto t = b.temp.Get<float>();
        Duplicate(t[1], 0.0f, 8);
    });
    Legal("an offset of 32 bytes", [](Bench& b) {
        auto t = b.temp.Get<float>();
        Duplicate(t[8], 0.0f, 8);
    });
    Trips("unaligned-ub", "src of a reduction at 16 bytes", [](Bench& b) {
        auto t = b.temp.Get<float>();
        Duplicate(t, 0.0f, 512);
        WholeReduceSum(t[256], t[4], 64, 1, 1, 1, 8);
    });
    Trips("unaligned-ub", "value and index at 4 bytes", [](Bench& b) {
        auto t = b.temp.Get<float>();
        Duplicate(t, 0.0f, 512);
        WholeReduceMax(t[257], t, 64, 1, 1, 1, 8);
    });
    Legal("a sum at 4 bytes, value and index at 8", [](Bench& b) {
        auto t = b.temp.Get<float>();
        Duplicate(t, 0.0f, 512);
        WholeReduceSum(t[257], t, 64, 1, 1, 1, 8);
        WholeReduceMax(t[258], t, 64, 1, 1, 1, 8);
    });
    Trips("partial-overlap", "dst shifted over src", [](Bench& b) {
        auto t = b.temp.Get<float>();
        Duplicate(t, 0.0f, 512);
        Adds(t[8], t, 1.0f, 256);
    });
    Trips("partial-overlap", "to a wider type out of the lower part of dst", [](Bench& b) {
        auto t = b.temp.Get<float>();
        Duplicate(t, 0.0f, 512);
        Cast(t, t.ReinterpretCast<half>()[96], RoundMode::CAST_NONE, 128);
    });
    Legal("to a wider type out of the upper half of dst, also of less than a repeat", [](Bench& b) {
        auto t = b.temp.Get<float>();
        Duplicate(t, 0.0f, 512);
        for (int n : {16, 64, 80, 128, 256}) Cast(t, t.ReinterpretCast<half>()[n], RoundMode::CAST_NONE, n);
    });
    Legal("dst is src", [](Bench& b) {
        auto t = b.temp.Get<float>();
        Duplicate(t, 0.0f, 512);
        Adds(t, t, 1.0f, 256);
    });
    Trips("read-unwritten", "a scalar nobody wrote", [](Bench& b) { b.temp.Get<float>().GetValue(3); });
    Trips("read-unwritten", "an output nobody computed", [](Bench& b) { b.Store(b.out.AllocTensor<float>()); });
    Trips("read-unwritten", "an output computed from what nobody wrote", [](Bench& b) {
        auto r = b.out.AllocTensor<float>();
        Adds(r, b.temp.Get<float>(), 1.0f, kElements);
        b.Store(r);
    });
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

void Copies() {
    Trips("unaligned-copy", "7 floats", [](Bench& b) {
        auto t = b.in.AllocTensor<float>();
        DataCopy(t, b.x, 7);
    });
    Trips("gm-out-of-range", "reading past the allocation of the input", [](Bench& b) {
        auto t = b.in.AllocTensor<float>();
        DataCopy(t, b.x[16], kElements);
    });
    Legal("reading what is allocated behind the input", [](Bench& b) {
        auto t = b.in.AllocTensor<float>();
        DataCopy(t, b.x[8], kElements);
        b.in.FreeTensor(t);
    });
    Legal("reading a row that starts behind the input", [](Bench& b) {
        auto t = b.in.AllocTensor<float>();
        DataCopy(t, b.x[kElements - 8], DataCopyParams(2, 1, 0, 0));
        b.in.FreeTensor(t);
    });
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
    Trips("gm-out-of-range", "writing behind the output", [](Bench& b) {
        auto r = b.out.AllocTensor<float>();
        Duplicate(r, 0.0f, kElements);
        b.out.EnQue(r);
        r = b.out.DeQue<float>();
        DataCopy(b.y[8], r, kElements);
    });
    Trips("gm-out-of-range", "an address of no argument", [](Bench& b) {
        auto t = b.in.AllocTensor<float>();
        static float elsewhere[8];
        b.x.SetGlobalBuffer(elsewhere);
        DataCopy(t, b.x, 8);
    });
    Trips("write-to-input", "copying out to x", [](Bench& b) {
        auto r = b.out.AllocTensor<float>();
        Duplicate(r, 0.0f, 8);
        b.out.EnQue(r);
        r = b.out.DeQue<float>();
        DataCopy(b.x, r, 8);
    });
    Trips("copy-params", "blockLen counts bytes", [](Bench& b) {
        auto t = b.in.AllocTensor<float>();
        DataCopyPad(t, b.x, DataCopyExtParams(1, 7, 0, 0, 0), DataCopyPadExtParams<float>());
    });
    Trips("copy-params", "padding over one block", [](Bench& b) {
        auto t = b.in.AllocTensor<float>();
        DataCopyPad(t, b.x, DataCopyExtParams(1, 4, 0, 0, 0), DataCopyPadExtParams<float>(true, 0, 9, 0));
    });
    Trips("round-mode", "half to float with a rounding", [](Bench& b) {
        auto t = b.temp.Get<float>();
        Duplicate(t, 0.0f, 64);
        Cast(t[256], t.ReinterpretCast<half>(), RoundMode::CAST_RINT, 16);
    });
    Trips("compare-count", "9 elements", [](Bench& b) {
        auto t = b.temp.Get<float>();
        Duplicate(t, 0.0f, 64);
        CompareScalar(t[256].ReinterpretCast<uint8_t>(), t, 0.0f, CMPMODE::EQ, 9);
    });
    Trips("repeat-limit", "WholeReduceSum of 256 repeats", [](Bench& b) {
        auto t = b.temp.Get<float>();
        WholeReduceSum(t, t, 64, 256, 1, 1, 8);
    });
    Trips("mask-limit", "a mask of 65 floats", [](Bench& b) {
        auto t = b.temp.Get<float>();
        Duplicate(t, 0.0f, uint64_t(65), 1, 1, 8);
    });
    Trips("gather-offset", "offsets that count elements", [](Bench& b) {
        auto t = b.temp.Get<float>();
        Duplicate(t, 0.0f, 64);
        auto o = t[256].ReinterpretCast<uint32_t>();
        Duplicate(o, 1u, 8);
        Gather(t[128], t, o, 0, 8);
    });
    Trips("assert-failed", "ASSERT of a false condition", [](Bench&) { ASSERT(1 + 1 == 3 && "sum"); });
}

void Pipes() {
    Trips("pipe-hazard", "computing on a copy that may not have arrived", [](Bench& b) {
        auto t = b.temp.Get<float>();
        DataCopy(t, b.x, kElements);
        Adds(t, t, 1.0f, kElements);
    });
    Legal("with a flag between", [](Bench& b) {
        auto t = b.temp.Get<float>();
        DataCopy(t, b.x, kElements);
        const auto id = GetTPipePtr()->FetchEventID(HardEvent::MTE2_V);
        SetFlag<HardEvent::MTE2_V>(id);
        WaitFlag<HardEvent::MTE2_V>(id);
        Adds(t, t, 1.0f, kElements);
    });
    Legal("with PIPE_ALL between", [](Bench& b) {
        auto t = b.temp.Get<float>();
        DataCopy(t, b.x, kElements);
        PipeBarrier<PIPE_ALL>();
        Adds(t, t, 1.0f, kElements);
    });
    Trips("pipe-hazard", "copying out what may not be computed", [](Bench& b) {
        auto t = b.temp.Get<float>();
        Duplicate(t, 1.0f, kElements);
        DataCopy(b.y, t, kElements);
    });
    Trips("pipe-hazard", "copying in over what is still read", [](Bench& b) {
        auto t = b.temp.Get<float>();
        Duplicate(t, 1.0f, kElements);
        Adds(t[256], t, 1.0f, 8);
        DataCopy(t, b.x, kElements);
    });
    Trips("pipe-hazard", "copying a VECIN tensor out after DeQue", [](Bench& b) {
        auto t = b.Load();
        DataCopy(b.y, t, kElements);
    });
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
    Legal("vector after vector, and scalars in between", [](Bench& b) {
        auto t = b.temp.Get<float>();
        Duplicate(t, 1.0f, 8);
        t.SetValue(0, t.GetValue(1) + 1);
        Adds(t, t, 1.0f, 8);
    });
    Trips("wait-without-set", "WaitFlag alone", [](Bench&) { WaitFlag<HardEvent::MTE2_V>(0); });
    Trips("unpaired-flag", "SetFlag alone", [](Bench&) { SetFlag<HardEvent::MTE2_V>(0); });
    Trips("flag-set-twice", "SetFlag twice", [](Bench&) {
        SetFlag<HardEvent::MTE2_V>(0);
        SetFlag<HardEvent::MTE2_V>(0);
    });
    Trips("event-id", "event 8", [](Bench&) { SetFlag<HardEvent::MTE2_V>(8); });
    Trips("atomic-left-on", "SetAtomicNone is missing", [](Bench&) { SetAtomicAdd<float>(); });
    Trips("mask-mode-left", "SetMaskNorm is missing", [](Bench&) { SetMaskCount(); });
}

}  // namespace

int main() {
    Queues();
    Memory();
    Copies();
    Pipes();
    return Finish();
}
