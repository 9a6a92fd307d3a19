// What a launch tells of the work that a cost model needs, against kernels whose work can be counted by hand.
#include "expect.h"

using namespace AscendC;

namespace {

constexpr uint32_t kElements = 1024, kTiles = 4, kTile = kElements / kTiles;
std::vector<float> x_(kElements, 1.5f), y_(kElements);

/// A kernel over one input and one output of 1024 floats, by block of the launch.
struct Bench {
    TPipe pipe;
    TQue<QuePosition::VECIN, 2> in;
    TQue<QuePosition::VECOUT, 1> out;
    TBuf<TPosition::VECCALC> temp;
    GlobalTensor<float> x, y;
    explicit Bench(uint8_t** args) {
        pipe.InitBuffer(in, 2, kElements * 4);
        pipe.InitBuffer(out, 1, kElements * 4);
        pipe.InitBuffer(temp, kElements * 4);
        x.SetGlobalBuffer((__gm__ float*)args[0]);
        y.SetGlobalBuffer((__gm__ float*)args[1]);
    }
};

twin::LaunchReport ReportOf(std::function<void(Bench&)> kernel, uint32_t blocks = 1) {
    return Run(
        {{"x", twin::Role::kInput, (uint8_t*)x_.data(), kElements * 4},
         {"y", twin::Role::kOutput, (uint8_t*)y_.data(), kElements * 4}},
        [&](uint8_t** args) {
            Bench bench(args);
            kernel(bench);
        },
        blocks);
}
twin::BlockFact WorkOf(std::function<void(Bench&)> kernel) { return ReportOf(std::move(kernel)).blocks[0]; }

void Is(const std::string& name, uint64_t seen, uint64_t expected) {
    Expect(name, seen == expected, "is " + std::to_string(seen) + ", expected " + std::to_string(expected));
}

void Tile(Bench& b, uint32_t start, uint32_t count) {
    auto t = b.in.AllocTensor<float>();
    DataCopy(t, b.x[start], count);
    b.in.EnQue(t);
    t = b.in.DeQue<float>();
    auto r = b.out.AllocTensor<float>();
    Adds(r, t, 1.0f, count);
    Exp(r, r, count);
    b.out.EnQue(r);
    b.in.FreeTensor(t);
    r = b.out.DeQue<float>();
    DataCopy(b.y[start], r, count);
    b.out.FreeTensor(r);
}

void Tiles() {
    const twin::LaunchReport report = ReportOf([](Bench& b) {
        for (uint32_t i = 0; i < kTiles; ++i) Tile(b, i * kTile, kTile);
    });
    const twin::BlockFact& work = report.blocks[0];
    Is("copies in, one a tile", work.copiesIn, kTiles);
    Is("copies out, one a tile", work.copiesOut, kTiles);
    Is("a copy moves one burst", work.burstsIn + work.burstsOut, 2 * kTiles);
    Is("vector instructions, two a tile", work.vectorInstructions, 2 * kTiles);
    Is("repeats of 256 bytes", work.vectorRepeats, 2 * kElements * 4 / 256);
    Is("repeats of one API", report.repeats.at("Exp"), kElements * 4 / 256);
    Is("an API that computes nothing has no repeats", report.repeats.count("DataCopy"), 0);
    Is("tiles", work.tiles, kTiles);
    Is("waits, two DeQue a tile", work.waits, 2 * kTiles);
    Is("nothing drains", work.drains, 0);
    const auto passes = WorkOf([](Bench& b) {
        for (uint32_t i = 0; i < kTiles; ++i) {
            if (i == 2) SyncAll();
            Tile(b, i * kTile, kTile);
        }
        PipeBarrier<PIPE_ALL>();
    });
    Is("all waits of the scalar unit", passes.drains, 2);
    Is("waits between tiles", passes.drained, 1);
    Is("passes that end with a wait for all cores", passes.synced, 1);
    Is("no scalar access", work.scalarAccesses, 0);
    Is("tensors that went through the first queue", report.buffers[0].filled, kTiles);
    Is("bytes read", work.readBytes, kElements * 4);
}

void Blocks() {
    const twin::LaunchReport report = ReportOf(
        [](Bench& b) {
            if (GetBlockIdx() == 1) Tile(b, 0, kTile);
        },
        3);
    Is("a block without work has none",
       report.blocks[0].copiesIn + report.blocks[0].vectorRepeats + report.blocks[2].tiles, 0);
    Is("the work is the block's that did it", report.blocks[1].vectorRepeats, 2 * kTile * 4 / 256);
    Is("blocks are numbered", report.blocks[2].index, 2);
}

void Copies() {
    const auto work = WorkOf([](Bench& b) {
        auto t = b.in.AllocTensor<float>();
        DataCopyPad(t, b.x, DataCopyExtParams{8, 64, 64, 0, 0}, DataCopyPadExtParams<float>{false, 0, 0, 0});
        DataCopy(t[512], b.x, DataCopyParams{4, 2, 2, 0});
        b.in.FreeTensor(t);
    });
    Is("one instruction copies many bursts", work.copiesIn, 2);
    Is("bursts of a strided copy", work.burstsIn, 12);
    Is("bytes of a strided copy", work.readBytes, 8 * 64 + 4 * 64);
    const auto local = WorkOf([](Bench& b) {
        auto t = b.temp.Get<float>();
        Duplicate(t, 1.0f, 512);
        DataCopy(t[512], t, 512);
    });
    Is("a copy within UB is the vector unit's", local.vectorInstructions, 2);
    Is("and takes repeats", local.vectorRepeats, 16);
    Is("and no transfer", local.copiesIn + local.copiesOut, 0);
}

void Vector() {
    const auto work = WorkOf([](Bench& b) {
        auto t = b.temp.Get<float>();
        Duplicate(t, 1.0f, 1024);                                             // 16
        Add(t, t, t, uint64_t{1}, 10, BinaryRepeatParams{1, 1, 1, 8, 8, 8});  // 10: a repeat with one lane is a repeat
        Adds(t, t, 1.0f, 3);                                                  // 1
        Adds(t, t, 1.0f, 0);                                                  // an instruction that does nothing
    });
    Is("instructions with little to do count", work.vectorInstructions, 4);
    Is("a repeat with one lane is a repeat", work.vectorRepeats, 27);
    const auto cast = WorkOf([](Bench& b) {
        auto t = b.temp.Get<float>();
        auto h = b.temp.Get<half>()[1024];
        Duplicate(t, 1.0f, 512);
        Cast(h, t, RoundMode::CAST_NONE, 512);
    });
    Is("a cast counts by its wider side", cast.vectorRepeats, 16);
}

void Scalars() {
    const auto work = WorkOf([](Bench& b) {
        auto t = b.temp.Get<float>();
        Duplicate(t, 1.0f, 64);
        for (uint32_t i = 0; i < 8; ++i) t.SetValue(i, t.GetValue(i) + b.x.GetValue(i));
    });
    Is("scalar accesses of UB and GM", work.scalarAccesses, 24);
    Is("the scalar unit waits for a value once", work.drains, 1);
    Is("what it reads of GM is read", work.readBytes, 32);
    Is("and is no transfer", work.copiesIn, 0);
    const auto across = WorkOf([](Bench& b) {
        auto t = b.temp.Get<float>();
        Duplicate(t, 1.0f, 8);
        DataCopy(t[8], b.x, 8);
        t.ReinterpretCast<uint8_t>()[30].ReinterpretCast<int32_t>().GetValue(0);
    });
    Is("the scalar unit waits for both blocks that a value lies in", across.drains, 2);
}

void Orders() {
    const auto flags = WorkOf([](Bench& b) {
        auto t = b.temp.Get<float>();
        for (int i = 0; i < 3; ++i) {
            Duplicate(t, 1.0f, 64);
            SetFlag<HardEvent::V_S>(EVENT_ID0);
            WaitFlag<HardEvent::V_S>(EVENT_ID0);
            t.GetValue(0);
        }
        SetFlag<HardEvent::S_V>(EVENT_ID0);
        WaitFlag<HardEvent::S_V>(EVENT_ID0);
    });
    Is("flags that are waited for", flags.waits, 4);
    Is("the scalar unit waits by flag, once a time", flags.drains, 3);
    const auto barriers = WorkOf([](Bench& b) {
        auto t = b.temp.Get<float>();
        for (int i = 0; i < 5; ++i) {
            Duplicate(t, 1.0f, 64);
            PipeBarrier<PIPE_V>();
        }
        PipeBarrier<PIPE_ALL>();
    });
    Is("a barrier of all pipes drains, one of a pipe does not", barriers.drains, 1);
}

}  // namespace

int main() {
    Tiles();
    Blocks();
    Copies();
    Vector();
    Scalars();
    Orders();
    return Finish();
}
