// Rules on arguments: a call that breaks each, and the nearest one that does not.
#include "expect.h"

using namespace AscendC;

namespace {

constexpr uint32_t kElements = 256;
std::vector<float> x_(kElements, 1.0f), y_(kElements);
std::vector<uint8_t> tiling_(16);

/// UB with zeroes in it, and the arguments in GM.
struct Bench {
    TPipe pipe;
    TBuf<TPosition::VECCALC> temp;
    GlobalTensor<float> x, y;
    uint8_t* tiling;
    explicit Bench(uint8_t** args) : tiling(args[2]) {
        pipe.InitBuffer(temp, 64 * 1024);
        x.SetGlobalBuffer((__gm__ float*)args[0]);
        y.SetGlobalBuffer((__gm__ float*)args[1]);
        Duplicate(temp.Get<float>(), 0.0f, 16 * 1024);
    }
    template <typename T = float>
    LocalTensor<T> At(uint32_t bytes) {
        return temp.Get<uint8_t>()[bytes].ReinterpretCast<T>();
    }
};

std::string Rule(const std::function<void(Bench&)>& kernel, uint32_t blocks) {
    return RuleBroken(
        {{"x", twin::Role::kInput, (uint8_t*)x_.data(), kElements * 4},
         {"y", twin::Role::kOutput, (uint8_t*)y_.data(), kElements * 4},
         {"tiling", twin::Role::kTiling, tiling_.data(), 16}},
        [&](uint8_t** args) {
            Bench bench(args);
            kernel(bench);
        },
        blocks);
}

void Trips(const std::string& rule, const std::string& name, const std::function<void(Bench&)>& kernel,
           uint32_t blocks = 1) {
    const std::string seen = Rule(kernel, blocks);
    Expect(rule + ": " + name, seen == rule, seen.empty() ? "no rule broken" : "broke " + seen);
}

void Legal(const std::string& name, const std::function<void(Bench&)>& kernel, uint32_t blocks = 1) {
    const std::string seen = Rule(kernel, blocks);
    Expect("legal: " + name, seen.empty(), "broke " + seen);
}

void Names() {
    Trips("unaligned-ub", "a result 4 bytes into the first buffer", [](Bench& b) { Adds(b.At(4), b.At(32), 1.0f, 8); });
    Expect("the first buffer is told by its name", told_.tensor == "VECCALC buffer 0+4", told_.tensor);
}

void TilingData() {
    const auto read = [](uint32_t bytes) {
        return [=](Bench& b) {
            PipeBarrier<PIPE_ALL>();
            GlobalTensor<uint8_t> tiling;
            tiling.SetGlobalBuffer((__gm__ uint8_t*)b.tiling);
            const DataCopyExtParams copy(1, bytes, 0, 0, 0);
            DataCopyPad(b.At<uint8_t>(0), tiling, copy, DataCopyPadExtParams<uint8_t>());
        };
    };
    // Tiling data is the launcher's own: nothing is allocated behind it.
    Legal("all of the tiling data is copied", read(16));
    Trips("gm-out-of-range", "a byte behind the tiling data is copied", read(17));
}

void Counts() {
    Trips("count-limit", "a negative count", [](Bench& b) { Adds(b.At(0), b.At(0), 1.0f, -8); });
    Legal("a count of 0 does nothing", [](Bench& b) { Adds(b.At(0), b.At(0), 1.0f, 0); });
    // "当参数count或repeatTime取值为0时，不会执行计算操作…该接口将被视为NOP" (ReduceMax.md, ReduceSum.md).
    Legal("ReduceMax of nothing", [](Bench& b) { ReduceMax(b.At(0), b.At(1024), b.At(2048), 0); });
    Legal("ReduceSum of nothing", [](Bench& b) { ReduceSum(b.At(0), b.At(1024), b.At(2048), 0); });
    Trips("count-limit", "ReduceMax of less than nothing",
          [](Bench& b) { ReduceMax(b.At(0), b.At(1024), b.At(2048), -1); });
    // "int firstMaxRepeat = repeatTime; … int finalWorkLocalNeedSize = iter1AlignEnd" (ReduceSum.md): 65 halves are 80.
    const auto masked = [](uint32_t halves, int repeats) {
        return [=](Bench& b) {
            TBuf<> work;
            b.pipe.InitBuffer(work, halves * 2);
            ReduceSum(b.At<half>(0), b.At<half>(1024), work.Get<half>(), 128, repeats, 0);
        };
    };
    Trips("reduce-work", "ReduceSum of 65 repeats with 64 halves to work in", masked(64, 65));
    Legal("ReduceSum of 65 repeats with 80 halves to work in", masked(80, 65));
    Trips("reduce-work", "ReduceSum of 17 repeats with 16 halves to work in", masked(16, 17));
    Legal("ReduceSum of 16 repeats with 16 halves to work in", masked(16, 16));
    Legal("ReduceSum by count adds up in a register", [](Bench& b) {
        TBuf<> work;
        b.pipe.InitBuffer(work, 32);
        ReduceSum(b.At(0), b.At(1024), work.Get<float>(), 4096);
    });
    Legal("ReduceMax of one element", [](Bench& b) { ReduceMax(b.At(0), b.At(1024), b.At(2048), 1); });
    Trips("reduce-work", "ReduceMax of 4096 floats with 32 bytes to work in", [](Bench& b) {
        TBuf<> small;
        b.pipe.InitBuffer(small, 32);
        ReduceMax(b.At(0), b.At(1024), small.Get<float>(), 4096, true);
    });
    // A value and an index for each repeat, in whole blocks; one repeat leaves the buffer alone.
    const auto largest = [](uint32_t count, uint32_t bytes) {
        return [=](Bench& b) {
            TBuf<> small;
            b.pipe.InitBuffer(small, bytes);
            ReduceMax(b.At(0), b.At(1024), small.Get<float>()[bytes / 4 - 8], static_cast<int32_t>(count), false);
        };
    };
    Legal("ReduceMax of 64 floats, one repeat, with one block", largest(64, 32));
    Legal("ReduceMax of 65 floats, two repeats, with one block", largest(65, 32));
    Legal("ReduceMax of 256 floats, four repeats, with one block", largest(256, 32));
    Trips("reduce-work", "ReduceMax of 257 floats, five repeats, with one block", largest(257, 32));
    const auto unready = [](uint32_t count) {
        return [=](Bench& b) {
            LocalTensor<float> none;
            ReduceMax(b.At(0), b.At(1024), none, static_cast<int32_t>(count), false);
        };
    };
    Legal("ReduceMax of one repeat without work memory", unready(64));
    Trips("reduce-work", "ReduceMax of two repeats without work memory", unready(65));
    const auto index = [](uint32_t at) {
        return [=](Bench& b) { WholeReduceMax(b.At(at), b.At(1024), 64, 1, 1, 1, 8, ReduceOrder::ORDER_ONLY_INDEX); };
    };
    Legal("an index at 4 bytes", index(4));
    Legal("an index at 12 bytes", index(12));
    Trips("unaligned-ub", "an index at 10 bytes", index(10));
    Trips("unaligned-ub", "work memory that starts within 32 bytes",
          [](Bench& b) { ReduceMax(b.At(0), b.At(1024), b.At(32769), 4096, true); });
    Legal("with room enough", [](Bench& b) { ReduceMax(b.At(0), b.At(1024), b.At(32768), 4096, true); });
    Trips("repeat-limit", "ReduceSum over a negative repeat",
          [](Bench& b) { WholeReduceSum(b.At(0), b.At(1024), 64, -1, 1, 1, 8); });
    Legal("255 repeats", [](Bench& b) { WholeReduceSum<float>(b.At(60000), b.At(0), 8, 255, 1, 1, 1); });
    Trips("gather-pattern", "GatherMask with pattern 8", [](Bench& b) {
        uint64_t kept = 0;
        GatherMask(b.At(1024), b.At(0), uint8_t(8), false, 0, {1, 1, 8, 0}, kept);
    });
    Legal("GatherMask with pattern 7", [](Bench& b) {
        uint64_t kept = 0;
        GatherMask(b.At(1024), b.At(0), uint8_t(7), false, 0, {1, 1, 8, 0}, kept);
    });
    Trips("address-register", "scatter_vnchwconv from the last register",
          [](Bench&) { scatter_vnchwconv_b16(VA0, VA7, 1, 0, 0); });
    Legal("scatter_vnchwconv of two pairs", [](Bench& b) {
        uint64_t to[8], from[8];
        for (int i = 0; i < 8; ++i) {
            to[i] = b.At(4096 + i * 32).GetPhyAddr();
            from[i] = b.At(i * 32).GetPhyAddr();
        }
        for (const auto reg : {VA0, VA1}) set_va_reg_sb(reg, to);
        for (const auto reg : {VA2, VA3}) set_va_reg_sb(reg, from);
        scatter_vnchwconv_b16(VA0, VA2, 1, 0, 0);
    });
    Trips("merge-sort", "MrgSort with one valid queue", [](Bench& b) {
        const uint16_t n[4] = {8, 8, 0, 0};
        MrgSort<float>(b.At(8192), {b.At(0), b.At(64), b.At(0), b.At(0)}, {n, false, 1, 1});
    });
    Legal("MrgSort with two", [](Bench& b) {
        const uint16_t n[4] = {8, 8, 0, 0};
        MrgSort<float>(b.At(8192), {b.At(0), b.At(64), b.At(0), b.At(0)}, {n, false, 3, 1});
    });
}

void Types() {
    Trips("unsupported-type", "Compare of int32_t by less",
          [](Bench& b) { Compare(b.At<uint8_t>(8192), b.At<int32_t>(0), b.At<int32_t>(4096), CMPMODE::LT, 64); });
    Legal("Compare of int32_t by equal",
          [](Bench& b) { Compare(b.At<uint8_t>(8192), b.At<int32_t>(0), b.At<int32_t>(4096), CMPMODE::EQ, 64); });
    const auto store = [](Bench& b) {
        PipeBarrier<PIPE_ALL>();
        DataCopy(b.y, b.At(0), 8);
        SetAtomicNone();
    };
    Trips("atomic-type", "atomics of half and a copy of float", [&](Bench& b) {
        SetAtomicAdd<half>();
        store(b);
    });
    Legal("atomics of float", [&](Bench& b) {
        SetAtomicAdd<float>();
        store(b);
    });
    Trips("copy-params", "a 64-bit padding value other than 0", [](Bench& b) {
        GlobalTensor<int64_t> wide;
        wide.SetGlobalBuffer((__gm__ int64_t*)b.x.GetPhyAddr(0));
        PipeBarrier<PIPE_ALL>();
        DataCopyPad(b.At<int64_t>(0), wide, DataCopyExtParams(1, 8, 0, 0, 0),
                    DataCopyPadExtParams<int64_t>(true, 0, 1, 7));
    });
    Legal("a 64-bit padding of 0", [](Bench& b) {
        GlobalTensor<int64_t> wide;
        wide.SetGlobalBuffer((__gm__ int64_t*)b.x.GetPhyAddr(0));
        PipeBarrier<PIPE_ALL>();
        DataCopyPad(b.At<int64_t>(0), wide, DataCopyExtParams(1, 8, 0, 0, 0),
                    DataCopyPadExtParams<int64_t>(true, 0, 1, 0));
    });
    Trips("unaligned-gm", "floats from an odd byte on", [](Bench& b) {
        GlobalTensor<float> odd;
        odd.SetGlobalBuffer(reinterpret_cast<float*>(reinterpret_cast<uint8_t*>(b.x.GetPhyAddr(0)) + 2));
        PipeBarrier<PIPE_ALL>();
        DataCopyPad(b.At(0), odd, DataCopyExtParams(1, 4, 0, 0, 0), DataCopyPadExtParams<float>());
    });
    Legal("floats from the second on", [](Bench& b) {
        PipeBarrier<PIPE_ALL>();
        DataCopyPad(b.At(0), b.x[1], DataCopyExtParams(1, 4, 0, 0, 0), DataCopyPadExtParams<float>());
    });
}

void Places() {
    Trips("wrong-position", "a vector operation on L1", [](Bench& b) {
        LocalTensor<float> l1(TPosition::A1, 0, 64);
        Adds(l1, b.At(0), 1.0f, 8);
    });
    Legal("a vector operation on UB by address", [](Bench& b) {
        LocalTensor<float> ub(TPosition::VECIN, 128 * 1024, 64);
        Adds(ub, b.At(0), 1.0f, 8);
    });
    Trips("not-covered", "a tensor in a memory that the twin lacks",
          [](Bench&) { LocalTensor<float> t(TPosition::SPM, 0, 8); });
    struct Small {
        uint64_t words[2];
    };
    struct Large {
        uint64_t words[3];
    };
    Trips("tiling-size", "a structure of 24 bytes where the host wrote 16",
          [](Bench& b) { GET_TILING_DATA_WITH_STRUCT(Large, data, b.tiling); });
    Legal("one of 16", [](Bench& b) { GET_TILING_DATA_WITH_STRUCT(Small, data, b.tiling); });
    Trips("init-buffer", "65 buffers", [](Bench& b) {
        std::vector<TBuf<>> more(64);
        for (auto& one : more) b.pipe.InitBuffer(one, 32);
    });
    Legal("64 buffers", [](Bench& b) {
        std::vector<TBuf<>> more(63);
        for (auto& one : more) b.pipe.InitBuffer(one, 32);
    });
    Trips("init-buffer", "a queue of 65 blocks", [](Bench& b) {
        TQue<QuePosition::VECIN, 1> q;
        b.pipe.InitBuffer(q, 65, 32);
    });
}

void Order() {
    Trips("event-exhausted", "nine ids of one event", [](Bench& b) {
        for (int i = 0; i < 9; ++i) b.pipe.AllocEventID<HardEvent::MTE2_V>();
    });
    Legal("eight, and one again after it was given back", [](Bench& b) {
        TEventID id = 0;
        for (int i = 0; i < 8; ++i) id = b.pipe.AllocEventID<HardEvent::MTE2_V>();
        b.pipe.ReleaseEventID<HardEvent::MTE2_V>(id);
        b.pipe.AllocEventID<HardEvent::MTE2_V>();
    });
    const auto queues = [](Bench& b, uint32_t blocks, bool hold) {
        std::vector<TQue<QuePosition::VECIN, 1>> all(blocks);
        for (auto& one : all) b.pipe.InitBuffer(one, 1, 32);
        for (auto& one : all) one.EnQue(one.AllocTensor<float>());
        if (hold) return;
        for (auto& one : all) {
            LocalTensor<float> t = one.DeQue<float>();
            one.FreeTensor(t);
        }
    };
    Trips("event-exhausted", "nine tensors in VECIN queues", [&](Bench& b) { queues(b, 9, true); });
    Legal("eight, and all freed", [&](Bench& b) { queues(b, 8, false); });
    const auto oneByOne = [](Bench& b, uint32_t blocks, bool givenBack = false) {
        std::vector<TQue<QuePosition::VECIN, 1>> all(blocks);
        for (auto& one : all) b.pipe.InitBuffer(one, 1, 32);
        for (auto& one : all) {
            one.EnQue(one.AllocTensor<float>());
            LocalTensor<float> t = one.DeQue<float>();
            one.FreeTensor(t);
            if (givenBack) one.FreeAllEvent();
        }
    };
    Trips("event-exhausted", "nine VECIN queues whose tensors were freed", [&](Bench& b) { oneByOne(b, 9); });
    Legal("nine of them after FreeAllEvent each", [&](Bench& b) { oneByOne(b, 9, true); });
    Legal("eight of them", [&](Bench& b) { oneByOne(b, 8); });
    Trips(
        "sync-too-many-blocks", "SyncAll among 49 blocks", [](Bench&) { SyncAll(); }, 49);
    Legal(
        "SyncAll among 48", [](Bench&) { SyncAll(); }, 48);
}

}  // namespace

int main() {
    Names();
    TilingData();
    Counts();
    Types();
    Places();
    Order();
    return Finish();
}
