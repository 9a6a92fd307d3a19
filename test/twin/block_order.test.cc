// One block after the other, and flags from block to block.
#include <array>

#include "expect.h"

using namespace AscendC;

namespace {

constexpr uint32_t kBlocks = 4;
std::vector<float> y_(64);
alignas(512) std::array<int32_t, 256> workspace_;

uint8_t* Shared(int words = 0) { return reinterpret_cast<uint8_t*>(workspace_.data() + words); }

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

std::string Rule(const std::function<void(Bench&, int64_t)>& kernel, bool reverse = false,
                 uint64_t workspaceBytes = 1024) {
    std::fill(y_.begin(), y_.end(), 0.0f);
    return RuleBroken(
        {{"y", twin::Role::kInOut, (uint8_t*)y_.data(), 256},
         {"workspace", twin::Role::kWorkspace, (uint8_t*)workspace_.data(), workspaceBytes}},
        [&](uint8_t** args) {
            Bench bench(args);
            kernel(bench, GetBlockIdx());
        },
        kBlocks, reverse);
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
        Expect(std::string("blocks take turns, twice") + (reverse ? ", started in reverse" : ""),
               rule.empty() && y_[0] == 12341234.0f, rule + " " + std::to_string(y_[0]));
    }
    Expect("sync-deadlock: a turn that is not ended", Rule([](Bench& b, int64_t) {
                                                          InitDetermineComputeWorkspace(b.gm, b.ub);
                                                          WaitPreBlock(b.gm, b.ub);
                                                      }) == "sync-deadlock");
    Expect("gm-out-of-range: less than 32 bytes a block", Rule(turns, false, 96) == "gm-out-of-range");
    Expect("legal: 32 bytes a block", Rule(turns, false, 128) == "");

    const auto chain = [](Bench& b, int64_t block) {
        if (block > 0) IBWait(b.gm, b.ub, static_cast<int32_t>(block), 0);
        b.Append(static_cast<float>(block + 1));
        if (block + 1 < kBlocks) IBSet(b.gm, b.ub, static_cast<int32_t>(block + 1), 0);
    };
    for (const bool reverse : {false, true}) {
        const std::string rule = Rule(chain, reverse);
        Expect(std::string("a flag to each next block") + (reverse ? ", started in reverse" : ""),
               rule.empty() && y_[0] == 1234.0f, rule + " " + std::to_string(y_[0]));
    }
    Expect("sync-deadlock: IBWait for another event", Rule([](Bench& b, int64_t block) {
                                                          if (block == 0) IBSet(b.gm, b.ub, 1, 0);
                                                          if (block == 1) IBWait(b.gm, b.ub, 1, 1);
                                                      }) == "sync-deadlock");
    Expect("legal: a flag for the first block", Rule([](Bench& b, int64_t block) {
                                                    if (block == 1) IBSet(b.gm, b.ub, 0, 0);
                                                    if (block == 0) IBWait(b.gm, b.ub, 0, 0);
                                                }) == "");
    Expect("event-id: a flag for block -1", Rule([](Bench& b, int64_t) { IBSet(b.gm, b.ub, -1, 0); }) == "event-id");
    // Cores 0 and 1 add to a number, cores 2 and 3 read it behind them, twice.
    const auto grouped = [](Bench& b, int64_t block) {
        GroupBarrier<PipeMode::MTE3_MODE> barrier(Shared(), 2, 2);
        Expect("GetWorkspaceLen", barrier.GetWorkspaceLen() == 1024);
        for (int round = 1; round <= 2; ++round) {
            if (block < 2) {
                Duplicate(b.buffer.Get<float>(), static_cast<float>(block + 1), 8);
                PipeBarrier<PIPE_ALL>();
                SetAtomicAdd<float>();
                DataCopy(b.y[(round - 1) * 8], b.buffer.Get<float>(), 8);
                SetAtomicNone();
                barrier.Arrive(static_cast<uint32_t>(block));
            } else {
                barrier.Wait(static_cast<uint32_t>(block - 2));
                DataCopy(b.buffer.Get<float>(), b.y[(round - 1) * 8], 8);
                PipeBarrier<PIPE_ALL>();
                DataCopy(b.y[block * 8], b.buffer.Get<float>(), 8);
                PipeBarrier<PIPE_ALL>();
                Expect("a group goes on behind the other", b.buffer.Get<float>().GetValue(0) == 3.0f);
            }
        }
    };
    for (const bool reverse : {false, true}) {
        const std::string rule = Rule(grouped, reverse);
        Expect(std::string("GroupBarrier breaks no rule") + (reverse ? ", started in reverse" : ""),
               rule.empty() && y_[16] == 3.0f && y_[24] == 3.0f, rule);
    }
    Expect("sync-deadlock: nobody arrives", Rule([](Bench&, int64_t block) {
                                                GroupBarrier<PipeMode::MTE3_MODE> barrier(Shared(), 2, 2);
                                                if (block > 0) barrier.Wait(static_cast<uint32_t>(block - 1) % 2);
                                            }) == "sync-deadlock");
    Expect("event-id: a core that the group does not have", Rule([](Bench&, int64_t) {
                                                                GroupBarrier<PipeMode::MTE3_MODE> barrier(Shared(), 2,
                                                                                                          2);
                                                                barrier.Arrive(2);
                                                            }) == "event-id");
    Expect("sync-too-many-blocks: a group of five of four cores",
           Rule([](Bench&, int64_t) { GroupBarrier<PipeMode::MTE3_MODE> barrier(Shared(), 5, 2); }) ==
               "sync-too-many-blocks");
    Expect("unaligned-gm: a workspace within 512 bytes",
           Rule([](Bench&, int64_t) { GroupBarrier<PipeMode::MTE3_MODE> barrier(Shared(8), 2, 2); }) == "unaligned-gm");
    Expect("gm-out-of-range: less than 512 bytes a core", Rule(
                                                              [](Bench&, int64_t) {
                                                                  GroupBarrier<PipeMode::MTE3_MODE> barrier(Shared(), 2,
                                                                                                            2);
                                                                  barrier.Arrive(0);
                                                              },
                                                              false, 512) == "gm-out-of-range");
    const auto reserved = [](uint32_t address) {
        return [address](Bench& b, int64_t block) {
            const LocalTensor<float> there(TPosition::VECCALC, address, 8);
            Duplicate(there, 1.0f, 8);
            GroupBarrier<PipeMode::MTE3_MODE> barrier(Shared(), 2, 2);
            PipeBarrier<PIPE_ALL>();
            if (block == 0) DataCopy(b.y, there, 8);
        };
    };
    const auto leaving = [](uint32_t free) {
        return [free](Bench& b, int64_t) {
            TBuf<> rest;
            b.pipe.InitBuffer(rest, 192 * 1024 - 416 - free);
            GroupBarrier<PipeMode::MTE3_MODE> barrier(Shared(), 2, 2);
        };
    };
    // The buffers of the bench are 416 bytes.
    Expect("read-unwritten: what stood in the last 1600 bytes of UB",
           Rule(reserved(192 * 1024 - 1600)) == "read-unwritten");
    Expect("legal: what stood before them", Rule(reserved(192 * 1024 - 1632)) == "");
    Expect("ub-overflow: a buffer in them", Rule(leaving(1568)) == "ub-overflow", Rule(leaving(1568)));
    Expect("legal: one that ends before them", Rule(leaving(1600)).empty(), Rule(leaving(1600)));

    // A block that looks again and again past the cache sees what another one writes, whichever runs first.
    const auto looking = [](Bench& b, int64_t block) {
        __gm__ int32_t* flag = const_cast<__gm__ int32_t*>(b.gm.GetPhyAddr());
        if (block == 1) {
            WriteGmByPassDCache<int32_t>(flag + 1, 7);
            DataSyncBarrier<MemDsbT::DDR>();
            WriteGmByPassDCache<int32_t>(flag, 1);
        }
        if (block != 2) return;
        while (ReadGmByPassDCache<int32_t>(flag) != 1) {}
        b.y.SetValue(0, static_cast<float>(ReadGmByPassDCache<int32_t>(flag + 1)));
    };
    const auto cleaning = [](uint32_t at) {
        return [=](Bench& b, int64_t block) {
            if (block == 1) b.gm.SetValue(at, 1);
            if (block != 2) return;
            do DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(b.gm[at]);
            while (b.gm.GetValue(at) != 1);
            b.y.SetValue(0, 7.0f);
        };
    };
    for (const bool reverse : {false, true}) {
        std::fill(workspace_.begin(), workspace_.end(), 0);
        const std::string past = Rule(looking, reverse);
        Expect("ReadGmByPassDCache in a loop", past.empty() && y_[0] == 7.0f, past);
        for (const uint32_t at : {0u, 48u}) {
            std::fill(workspace_.begin(), workspace_.end(), 0);
            const std::string cleaned = Rule(cleaning(at), reverse);
            Expect("DataCacheCleanAndInvalid in a loop, of the line of value " + std::to_string(at),
                   y_[0] == 7.0f && cleaned.empty(), cleaned);
        }
    }
    std::fill(workspace_.begin(), workspace_.end(), 0);
    Expect("sync-deadlock: a value that nobody writes",
           Rule([](Bench& b, int64_t block) {
               while (block == 0 && ReadGmByPassDCache<int32_t>(const_cast<__gm__ int32_t*>(b.gm.GetPhyAddr())) != 1) {}
           }) == "sync-deadlock");
    return Finish();
}
