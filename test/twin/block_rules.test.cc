// Rules among blocks, and what the report of a launch says.
#include <algorithm>
#include <cstdlib>

#include "rules.h"

using namespace AscendC;

namespace {

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
    Trips(
        "gm-overlap", "two blocks write other values to the same place",
        [](Bench& b) { FillOut(b, 0, 8, static_cast<float>(GetBlockIdx())); }, 2);
    Legal(
        "each block writes its own part",
        [](Bench& b) { FillOut(b, static_cast<uint32_t>(GetBlockIdx()) * 8, 8, static_cast<float>(GetBlockIdx())); },
        8);
    Legal(
        "two blocks write the same values", [](Bench& b) { FillOut(b, 0, 8, 1.0f); }, 2);
    Trips(
        "gm-overlap", "two blocks set one element to other values",
        [](Bench& b) { b.y.SetValue(0, static_cast<float>(GetBlockIdx())); }, 2);
    Legal(
        "two blocks set one element to the same value", [](Bench& b) { b.y.SetValue(0, 1.0f); }, 2);
    Legal(
        "one after the other",
        [](Bench& b) {
            if (GetBlockIdx() == 0) FillOut(b, 0, 8, 0.0f);
            SyncAll();
            if (GetBlockIdx() == 1) FillOut(b, 0, 8, 1.0f);
        },
        2);
    Trips(
        "sync-deadlock", "one block does not reach SyncAll",
        [](Bench&) {
            if (GetBlockIdx() != 1) SyncAll();
        },
        3);
    Trips(
        "gm-race", "reading what another block writes",
        [](Bench& b) {
            if (GetBlockIdx() == 0) return FillOut(b, 0, 8, 1.0f);
            auto t = b.in.AllocTensor<float>();
            DataCopy(t, b.y, 8);
        },
        2);

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
        const std::string name =
            std::string(first ? "an addition" : "a store") + " and another block's " + (second ? "addition" : "store");
        apart || first == second ? Legal(name + (apart ? ", one after the other" : ""), kernel, 2)
                                 : Trips("gm-overlap", name, kernel, 2);
    }

    const std::string seen = Rule(
        [](Bench& b) {
            if (GetBlockIdx() == 0) FillOut(b, 0, 8, 0.0f);
            SyncAll();
            SetAtomicAdd<float>();
            FillOut(b, 0, 8, static_cast<float>(GetBlockIdx() + 1));
            SetAtomicNone();
            SyncAll();
        },
        4);
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
    Legal(
        "a flag that every block sets", [](Bench& b) { b.y.SetValue(5, 7.0f); }, 3);
    Legal(
        "one block behind the other",
        [](Bench& b) {
            if (GetBlockIdx() == 0) b.y.SetValue(0, 1.0f);
            if (GetBlockIdx() == 0) DataCacheCleanAndInvalid<float, CacheLine::SINGLE_CACHE_LINE>(b.y);
            SyncAll();
            if (GetBlockIdx() == 1) b.y.SetValue(1, 1.0f);
        },
        2);
}

void Report() {
    std::vector<float> x(512), y(512);
    const twin::LaunchReport report = Run(
        {{"x", twin::Role::kInput, (uint8_t*)x.data(), 2048}, {"y", twin::Role::kOutput, (uint8_t*)y.data(), 2048}},
        [](uint8_t** args) {
            Bench b(args);
            b.x = b.x[static_cast<uint64_t>(GetBlockIdx()) * kElements];
            b.y = b.y[static_cast<uint64_t>(GetBlockIdx()) * kElements];
            auto t = b.Load();
            auto r = b.out.AllocTensor<float>();
            Muls(r, t, 2.0f, kElements);
            b.in.FreeTensor(t);
            b.Store(r);
        },
        2);
    Expect("the report names buffers, bytes, calls and blocks",
           report.buffers.size() == 3 && report.buffers[0].position == "VECIN" && report.buffers[0].count == 2 &&
               report.buffers[0].bytes == 1024 && report.buffers[0].queue && !report.buffers[2].queue &&
               report.ubPeakBytes == 3 * 1024 + 2048 && report.calls.at("Muls") == 2 &&
               report.calls.at("DataCopy") == 4 && report.blocks.size() == 2 && report.blocks[1].readBytes == 1024 &&
               report.blocks[1].writtenBytes == 1024);
    try {
        Run(
            {{"x", twin::Role::kInput, (uint8_t*)x.data(), 2048}, {"y", twin::Role::kOutput, (uint8_t*)y.data(), 2048}},
            [](uint8_t** args) {
                Bench b(args);
                if (GetBlockIdx() == 1) b.in.DeQue<float>();
            },
            2);
        Expect("a violation is told", false);
    } catch (const Broke& broke) {
        const twin::Violation& v = broke.violation;
        Expect("a violation names block, API, tensor and a fix", v.rule == "deque-empty" && v.block == 1 &&
                                                                     v.api == "DeQue" && v.tensor == "VECIN queue 0" &&
                                                                     !v.message.empty() && !v.fix.empty());
    }
}

}  // namespace

int main() {
    Blocks();
    CacheLines();
    Report();
    return Finish();
}
