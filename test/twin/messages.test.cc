// What a refusal says: the instruction, what it saw and what it wants, with the numbers of the call.
#include "expect.h"

using namespace AscendC;

namespace {

std::vector<float> x_(64, 1.0f), y_(64);

struct Bench {
    TPipe pipe;
    TBuf<> first, second;
    GlobalTensor<float> x, y;
    explicit Bench(uint8_t** args) {
        pipe.InitBuffer(first, 1024);
        pipe.InitBuffer(second, 1024);
        x.SetGlobalBuffer((__gm__ float*)args[0]);
        y.SetGlobalBuffer((__gm__ float*)args[1]);
        Duplicate(first.Get<float>(), 0.0f, 256);
        Duplicate(second.Get<float>(), 0.0f, 256);
    }
};

void Says(const std::string& name, const std::string& message, const std::function<void(Bench&)>& kernel,
          const std::string& fix = "") {
    RuleBroken(
        {{"x", twin::Role::kInput, (uint8_t*)x_.data(), 256}, {"y", twin::Role::kOutput, (uint8_t*)y_.data(), 256}},
        [&](uint8_t** args) {
            Bench bench(args);
            kernel(bench);
        });
    Expect("says: " + name, told_.message == message, told_.message);
    if (!fix.empty()) Expect("and what to do: " + name, told_.fix == fix, told_.fix);
}

void OfOperands() {
    Says("what goes behind its buffer", "dst of Adds covers bytes 768 to 1280 of a buffer of 1024 bytes",
         [](Bench& b) { Adds(b.second.Get<float>()[192], b.first.Get<float>(), 1.0f, 128); });
    Says("where a source starts", "src of Adds starts at UB address 0x3e8, 8 bytes past a multiple of 32",
         [](Bench& b) { Adds(b.second.Get<float>(), b.first.Get<float>()[250], 1.0f, 8); });
    Says(
        "where a tensor starts", "dst of Adds starts at UB address 0x434, 20 bytes past a multiple of 32",
        [](Bench& b) { Adds(b.second.Get<float>()[13], b.first.Get<float>(), 1.0f, 8); },
        "keep offsets into a tensor at multiples of 32 bytes; pad rows with DataCopyPad");
    Says("tensors that overlap in part", "dst of Adds overlaps src with a shift of 32 bytes",
         [](Bench& b) { Adds(b.first.Get<float>()[8], b.first.Get<float>(), 1.0f, 100); });
    Says("a mask over the limit", "mask 65 of Adds is over the 64 elements of a repeat", [](Bench& b) {
        Adds(b.first.Get<float>(), b.first.Get<float>(), 1.0f, uint64_t{65}, 1, UnaryRepeatParams());
    });
    Says("repeats over the limit", "repeatTime 256 of WholeReduceSum is outside 0 to 255",
         [](Bench& b) { WholeReduceSum(b.second.Get<float>(), b.first.Get<float>(), 64, 256, 1, 1, 0); });
    Says("repeats below nought", "repeatTime -1 of WholeReduceSum is outside 0 to 255",
         [](Bench& b) { WholeReduceSum(b.second.Get<float>(), b.first.Get<float>(), 64, -1, 1, 1, 0); });
    Says(
        "a rounding that a conversion lacks",
        "Cast from float to int32_t with CAST_NONE; the device has CAST_RINT, CAST_FLOOR, CAST_CEIL, CAST_ROUND, "
        "CAST_TRUNC",
        [](Bench& b) { Cast(b.second.Get<int32_t>(), b.first.Get<float>(), RoundMode::CAST_NONE, 8); },
        "name the rounding: CAST_RINT is to nearest, ties to even");
    Says(
        "a rounding where nothing is lost", "Cast from half to float with CAST_RINT; the device has CAST_NONE",
        [](Bench& b) { Cast(b.second.Get<float>(), b.first.Get<half>(), RoundMode::CAST_RINT, 8); },
        "nothing is lost in this conversion: use CAST_NONE");
    Says("work memory", "sharedTmpBuffer of ReduceMax has 32 bytes and 64 are needed for 4 repeats with index",
         [](Bench& b) {
             TBuf<> small;
             b.pipe.InitBuffer(small, 32);
             ReduceMax(b.second.Get<float>(), b.first.Get<float>(), small.Get<float>(), 256, true);
         });
}

void OfCopies() {
    Says("bytes far from every argument", "dst of DataCopy lies outside of every tensor", [](Bench& b) {
        PipeBarrier<PIPE_ALL>();
        DataCopy(b.y[uint32_t(0) - 4], b.first.Get<float>(), 128);
    });
    Says("bytes behind an argument", "dst of DataCopy covers bytes 240 to 752 of 'y', which has 256", [](Bench& b) {
        PipeBarrier<PIPE_ALL>();
        DataCopy(b.y[60], b.first.Get<float>(), 128);
    });
    Says("an address within an element",
         "dst of DataCopyPad starts at byte 9 of 'y', no multiple of the element size 4", [](Bench& b) {
             PipeBarrier<PIPE_ALL>();
             GlobalTensor<float> odd;
             odd.SetGlobalBuffer(reinterpret_cast<float*>(reinterpret_cast<uint8_t*>(b.y.GetPhyAddr(2)) + 1));
             DataCopyPad(odd, b.first.Get<float>(), DataCopyExtParams(1, 4, 0, 0, 0));
         });
    Says(
        "pipes that nothing orders",
        "DataCopy writes dst on PIPE_MTE2 while PIPE_V still writes it for Duplicate: nothing orders the two pipes",
        [](Bench& b) { DataCopy(b.first.Get<float>(), b.x, 64); },
        "pass the tensor through a queue (EnQue, DeQue, FreeTensor, AllocTensor), or SetFlag and WaitFlag "
        "<HardEvent::V_MTE2>");
    Says("a tail that a copy drops", "DataCopy of 13 elements is 52 bytes, no multiple of 32; the device would move 32",
         [](Bench& b) {
             PipeBarrier<PIPE_ALL>();
             DataCopy(b.y, b.first.Get<float>(), 13);
         });
    Says("what a copy brought out that nobody wrote",
         "bytes 64 to 256 of 'y' hold values that nothing computed: DataCopy copied byte 64 of VECCALC buffer 2, which "
         "nothing had written",
         [](Bench& b) {
             TBuf<> hollow;
             b.pipe.InitBuffer(hollow, 256);
             Duplicate(hollow.Get<float>(), 1.0f, 16);
             PipeBarrier<PIPE_ALL>();
             DataCopy(b.y, hollow.Get<float>(), 64);
         });
}

void OfQueues() {
    Says("more tensors in a queue than its depth", "EnQue brings the queue to 2 tensors; its depth is 1", [](Bench& b) {
        TQue<QuePosition::VECIN, 1> queue;
        b.pipe.InitBuffer(queue, 2, 32);
        queue.EnQue(queue.AllocTensor<float>());
        queue.EnQue(queue.AllocTensor<float>());
    });
    Says("a tensor that was freed", "EnQue of a tensor that was freed", [](Bench& b) {
        TQue<QuePosition::VECIN, 1> queue;
        b.pipe.InitBuffer(queue, 1, 32);
        LocalTensor<float> tensor = queue.AllocTensor<float>();
        queue.FreeTensor(tensor);
        queue.EnQue(tensor);
    });
    Says("more blocks than a queue has", "InitBuffer with num 65 and len 32; num is 1 to 64 and len is above 0",
         [](Bench& b) {
             TQue<QuePosition::VECIN, 1> queue;
             b.pipe.InitBuffer(queue, 65, 32);
         });
    Says("a flag that nobody waits for", "SetFlag from PIPE_MTE2 to PIPE_V, event 3, has no WaitFlag",
         [](Bench&) { SetFlag<HardEvent::MTE2_V>(EVENT_ID3); });
    Says("a part that goes behind its buffer", "Get of bytes 1000 to 1032 of a buffer of 1024 bytes",
         [](Bench& b) { b.first.GetWithOffset<float>(8, 1000); });
}

/// Which core of which block waits, and for what.
void OfDeadlocks() {
    using twin::Cores;
    const auto waits = [](Cores cores, uint32_t blocks, std::function<void()> vector) {
        kernel_ = [=](uint8_t**) { vector(); };
        RuleOfLaunch([&] { twin::Launch({blocks, 0, false, {}, cores, [](uint8_t**) {}}, Enter); });
        return told_.message;
    };
    const auto says = [&](const std::string& name, Cores cores, uint32_t blocks, const std::string& many,
                          const std::string& who, std::function<void()> vector) {
        const std::string seen = waits(cores, blocks, std::move(vector));
        Expect("says: " + name,
               seen ==
                   many + " cores wait and the others will not come, because they have ended or wait elsewhere: " + who,
               seen);
    };
    const auto flag = [] { CrossCoreWaitFlag(5); };
    const std::string it = " waits for cross-core flag 5";
    says("a block that waits for a flag", Cores::kVector, 1, "1 of 1", "block 0" + it, flag);
    says("vector cores of mixed blocks", Cores::kMix11, 2, "2 of 4",
         "block 0's vector core 0" + it + ", block 1's vector core 0" + it, flag);
    says("both vector cores of a block", Cores::kMix12, 1, "2 of 3",
         "block 0's vector core 0" + it + ", block 0's vector core 1" + it, flag);
    says("four blocks by name", Cores::kVector, 4, "4 of 4",
         "block 0" + it + ", block 1" + it + ", block 2" + it + ", block 3" + it, flag);
    says("no more than four", Cores::kVector, 5, "5 of 5",
         "block 0" + it + ", block 1" + it + ", block 2" + it + ", block 3" + it + ", ...", flag);
    says("blocks at a barrier", Cores::kVector, 3, "2 of 3", "block 0 waits in SyncAll, block 2 waits in SyncAll", [] {
        if (GetBlockIdx() != 1) SyncAll();
    });
}

}  // namespace

int main() {
    OfOperands();
    OfCopies();
    OfQueues();
    OfDeadlocks();
    return Finish();
}
