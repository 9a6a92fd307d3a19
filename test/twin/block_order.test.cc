// One block after the other, and flags from block to block.
#include "expect.h"

using namespace AscendC;

namespace {

constexpr uint32_t kBlocks = 4;
std::vector<float> y_(64);
std::vector<int32_t> workspace_(256);

struct Bench {
    TPipe pipe;
    TBuf<> buffer, work;
    GlobalTensor<float> y;
    GlobalTensor<int32_t> gm;
    LocalTensor<int32_t> ub;
    explicit Bench(uint8_t** args) {
        pipe.InitBuffer(buffer, 256);
        pipe.InitBuffer(work, kBlocks * 32 + 32);
        y.SetGlobalBuffer((__gm__ float*)args[0]);
        gm.SetGlobalBuffer((__gm__ int32_t*)args[1]);
        ub = work.Get<int32_t>();
    }
    /// y[0..8) = y * 10 + value, each time by one block.
    void Append(float value) {
        LocalTensor<float> t = buffer.Get<float>();
        DataCopy(t, y, 8);
        PipeBarrier<PIPE_ALL>();
        Muls(t, t, 10.0f, 8);
        Adds(t, t, value, 8);
        PipeBarrier<PIPE_ALL>();
        DataCopy(y, t, 8);
        PipeBarrier<PIPE_ALL>();
    }
};

std::string Rule(const std::function<void(Bench&, int64_t)>& kernel, bool reverse = false, uint64_t workspaceBytes = 1024) {
    std::fill(y_.begin(), y_.end(), 0.0f);
    return RuleBroken({{"y", twin::Role::kInOut, (uint8_t*)y_.data(), 256}, {"workspace", twin::Role::kWorkspace, (uint8_t*)workspace_.data(), workspaceBytes}},
                      [&](uint8_t** args) { Bench bench(args); kernel(bench, GetBlockIdx()); }, kBlocks, reverse);
}

}  // namespace

int main() {
    const auto turns = [](Bench& b, int64_t block) {
        InitDetermineComputeWorkspace(b.gm, b.ub);
        for (int round = 0; round < 2; ++round) {
            WaitPreBlock(b.gm, b.ub);
            b.Append(static_cast<float>(block + 1));
            NotifyNextBlock(b.gm, b.ub);
        }
    };
    for (const bool reverse : {false, true}) {
        const std::string rule = Rule(turns, reverse);
        Expect(std::string("blocks take turns, twice") + (reverse ? ", started in reverse" : ""), rule.empty() && y_[0] == 12341234.0f, rule + " " + std::to_string(y_[0]));
    }
    Expect("sync-deadlock: a turn that is not ended", Rule([](Bench& b, int64_t) { InitDetermineComputeWorkspace(b.gm, b.ub); WaitPreBlock(b.gm, b.ub); }) == "sync-deadlock");
    Expect("gm-out-of-range: less than 32 bytes a block", Rule(turns, false, 96) == "gm-out-of-range");
    Expect("legal: 32 bytes a block", Rule(turns, false, 128) == "");

    const auto chain = [](Bench& b, int64_t block) {
        if (block > 0) IBWait(b.gm, b.ub, static_cast<int32_t>(block), 0);
        b.Append(static_cast<float>(block + 1));
        if (block + 1 < kBlocks) IBSet(b.gm, b.ub, static_cast<int32_t>(block + 1), 0);
    };
    for (const bool reverse : {false, true}) {
        const std::string rule = Rule(chain, reverse);
        Expect(std::string("a flag to each next block") + (reverse ? ", started in reverse" : ""), rule.empty() && y_[0] == 1234.0f, rule + " " + std::to_string(y_[0]));
    }
    Expect("sync-deadlock: IBWait for another event", Rule([](Bench& b, int64_t block) {
        if (block == 0) IBSet(b.gm, b.ub, 1, 0);
        if (block == 1) IBWait(b.gm, b.ub, 1, 1);
    }) == "sync-deadlock");
    return Finish();
}
