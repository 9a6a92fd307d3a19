// Sorting of records: 8 bytes, the score low (half or float), the index in the high 4 bytes.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <map>
#include <numeric>

#include "numbers.h"
#include "vector.h"
#include "twin/vec_sort.h"

namespace twin {

namespace {

// A float fills the low half of a record; a half its lowest two bytes, with two unused behind it (Sort32.md).
constexpr uint32_t kRecordBytes = 8;
constexpr uint32_t kSorted = 32;

float ScoreAt(Type type, const uint8_t* from) {
    if (type == Type::kHalf) {
        uint16_t bits;
        float value;
        std::memcpy(&bits, from, 2);
        HalfToFloat(&bits, &value, 1);
        return value;
    }
    float value;
    std::memcpy(&value, from, 4);
    return value;
}

/// NaN comes before every number.
bool Before(float a, float b) { return a > b || (std::isnan(a) && !std::isnan(b)); }

std::array<uint16_t, 4>& Merged() {
    static std::map<const uint8_t*, std::array<uint16_t, 4>> all;  // by core, told apart by its memory
    return all[core().memory.ub];
}

/// Lengths count records, at most 4095 a queue; validBit has a bit for each queue from the first (MrgSort.md).
void CheckMerge(const uint16_t lengths[4], bool stopAtEmpty, uint16_t validBit, int repeatTimes, const Local& dst) {
    if (validBit != 3 && validBit != 7 && validBit != 15) {
        Broken("merge-sort", BufferName(dst),
               Text("validBit %d of MrgSort; 3, 7 or 15 stand for two, three or four queues", validBit),
               "set one bit for each queue in use");
    }
    for (int q = 0; q < 4; ++q) {
        if (lengths[q] > 4095)
            Broken("merge-sort", BufferName(dst),
                   Text("queue %d of MrgSort has %d records, more than 4095", q + 1, lengths[q]),
                   "merge in several steps");
    }
    const bool same = lengths[0] == lengths[1] && lengths[0] == lengths[2] && lengths[0] == lengths[3];
    if (repeatTimes > 1 && (!same || validBit != 15 || stopAtEmpty)) {
        Broken("merge-sort", BufferName(dst),
               Text("MrgSort with %d repeats needs four queues of one length and no suspension", repeatTimes),
               "set repeatTimes to 1, or validBit to 15 with equal lengths");
    }
}

struct Merge {
    Type type;
    const Local* const* queues;
    const uint16_t* lengths;
    int count;       // queues in use
    uint64_t shift;  // bytes from the queues' starts, by repeat
    uint16_t taken[4] = {};

    /// The queue whose next record comes first, -1 when all are empty.
    int Next() const {
        int best = -1;
        float score = 0;
        for (int q = 0; q < count; ++q) {
            if (taken[q] >= lengths[q]) continue;
            const uint32_t at =
                Touch(*queues[q], "src", shift + taken[q] * kRecordBytes, kRecordBytes, PIPE_V, Access::kRead);
            const float own = ScoreAt(type, core().memory.ub + at);
            if (best < 0 || Before(own, score)) {
                best = q;
                score = own;
            }
        }
        return best;
    }
};

void MergeOnce(Merge* merge, const Local& dst, uint64_t dstOffset, bool stopAtEmpty) {
    Core& c = core();
    for (uint64_t n = 0;; ++n) {
        const int q = merge->Next();
        if (q < 0) return;
        const Local& queue = *merge->queues[q];
        const uint32_t from =
            Touch(queue, "src", merge->shift + merge->taken[q] * kRecordBytes, kRecordBytes, PIPE_V, Access::kRead);
        const uint32_t to = Touch(dst, "dst", dstOffset + n * kRecordBytes, kRecordBytes, PIPE_V, Access::kWrite);
        // The two bytes between a half and its index stay as they are; the score decides the order and must have been
        // written.
        RequireDefined(queue, "src", from, TypeBytes(merge->type));
        std::memcpy(c.memory.ub + to, c.memory.ub + from, kRecordBytes);
        std::memcpy(c.memory.defined.data() + to, c.memory.defined.data() + from, kRecordBytes);
        ++merge->taken[q];
        if (stopAtEmpty && merge->taken[q] == merge->lengths[q]) return;
    }
}

}  // namespace

void SortBlocks(Type type, const Local& dst, const Local& score, const Local& index, int repeatTime) {
    Begin("Sort32", PIPE_V);
    CheckRepeat(repeatTime);
    const uint32_t bytes = TypeBytes(type);
    CheckAligned(dst, "dst");
    CheckAligned(score, "src0");
    CheckAligned(index, "src1");
    Core& c = core();
    for (uint64_t r = 0; r < static_cast<uint64_t>(repeatTime); ++r) {
        const uint32_t scores = Touch(score, "src0", r * kSorted * bytes, kSorted * bytes, PIPE_V, Access::kRead);
        const uint32_t indices = Touch(index, "src1", r * kSorted * 4, kSorted * 4, PIPE_V, Access::kRead);
        RequireDefined(score, "src0", scores, kSorted * bytes);
        if (!AllDefined(indices, kSorted * 4)) NoteUnwritten(dst, index, "src1", indices);
        std::array<uint32_t, kSorted> order;
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
            return Before(ScoreAt(type, c.memory.ub + scores + a * bytes),
                          ScoreAt(type, c.memory.ub + scores + b * bytes));
        });
        uint8_t records[kSorted * kRecordBytes] = {}, known[kSorted * kRecordBytes];
        std::memset(known, 1, sizeof(known));
        for (uint32_t i = 0; i < kSorted; ++i) {
            std::memcpy(records + i * kRecordBytes, c.memory.ub + scores + order[i] * bytes, bytes);
            std::memcpy(records + i * kRecordBytes + 4, c.memory.ub + indices + order[i] * 4, 4);
            std::memcpy(known + i * kRecordBytes + 4, c.memory.defined.data() + indices + order[i] * 4, 4);
        }
        const uint32_t to = Touch(dst, "dst", r * sizeof(records), sizeof(records), PIPE_V, Access::kWrite);
        std::memcpy(c.memory.ub + to, records, sizeof(records));
        std::memcpy(c.memory.defined.data() + to, known, sizeof(known));
    }
}

void MergeSorted(Type type, const Local& dst, const Local* const queues[4], const uint16_t lengths[4], bool stopAtEmpty,
                 uint16_t validBit, int repeatTimes) {
    Begin("MrgSort", PIPE_V);
    CheckRepeat(repeatTimes);
    CheckAligned(dst, "dst");
    CheckMerge(lengths, stopAtEmpty, validBit, repeatTimes, dst);
    const int count = validBit == 15 ? 4 : validBit == 7 ? 3 : 2;
    uint64_t total = 0;
    for (int q = 0; q < count; ++q) total += lengths[q] * kRecordBytes;
    for (int q = 0; q < count; ++q) {
        CheckAligned(*queues[q], "src", kRecordBytes);
        const uint64_t bytes = static_cast<uint64_t>(lengths[q]) * kRecordBytes;
        if (queues[q]->data < dst.data + total && dst.data < queues[q]->data + bytes) {
            Broken("partial-overlap", BufferName(dst), Text("dst of MrgSort lies over queue %d", q + 1),
                   "merge into memory of its own");
        }
    }
    for (int r = 0; r < repeatTimes; ++r) {
        Merge merge{type, queues, lengths, count, static_cast<uint64_t>(r) * total};
        MergeOnce(&merge, dst, static_cast<uint64_t>(r) * total, stopAtEmpty);
        std::copy_n(merge.taken, 4, Merged().begin());
    }
}

void MergedCounts(uint16_t counts[4]) {
    Note("GetMrgSortResult");
    Join(PIPE_S, Snapshot(PIPE_V));
    std::copy_n(Merged().begin(), 4, counts);
}

void NotOnThisDevice(const char* api, const char* instead) {
    core().account.api = api;
    Broken("unsupported-api", "", Text("%s is declared for other devices; Atlas A2 has no such instruction", api),
           Text("use %s", instead));
}

}  // namespace twin
