// Reductions, in the documented order of additions.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "numbers.h"
#include "vector.h"

namespace twin {

namespace {

struct Item {
    float value = 0;
    uint32_t index = 0;
    bool present = false;
    bool defined = true;
};

/// Halves round at every step of the tree, not once at its end (ReduceDataBlock.md: additions in the operand's type).
float Rounded(Type type, float x) { return type == Type::kHalf ? HalfValue(HalfBits(x)) : x; }

float Value(Type type, const uint8_t* at) {
    if (type == Type::kHalf) {
        uint16_t bits;
        std::memcpy(&bits, at, 2);
        return HalfValue(bits);
    }
    float value;
    std::memcpy(&value, at, 4);
    return value;
}

Item Combine(ReduceType kind, Type type, const Item& a, const Item& b) {
    if (!a.present) return b;
    if (!b.present) return a;
    const bool defined = a.defined && b.defined;
    if (kind == ReduceType::REDUCE_SUM) return {Rounded(type, a.value + b.value), 0, true, defined};
    bool second = kind == ReduceType::REDUCE_MAX ? b.value > a.value : b.value < a.value;
    if (b.value != b.value && a.value == a.value) second = true;  // a NaN wins, and the first one
    if (a.value != a.value) second = false;
    Item result = second ? b : a;
    result.defined = defined;
    return result;
}

// The order that ReduceRepeat.md draws: (1, 2), (3, 4), …, then pairs of their sums. It decides the last bits.
/// Neighbours first, then neighbours of the results, until one is left.
Item Tree(ReduceType kind, Type type, Item* items, uint32_t n) {
    while (n > 1 && !items[n - 1].present)
        --n;  // what is absent at the end changes nothing: a pair with it is its other half
    for (; n > 1; n = (n + 1) / 2) {
        for (uint32_t i = 0; i < n / 2; ++i) items[i] = Combine(kind, type, items[2 * i], items[2 * i + 1]);
        if (n % 2 == 1) items[n / 2] = items[n - 1];
    }
    return items[0];
}

/// Reads one repeat; lanes that are off are not present. Marks what was read.
uint32_t ReadItems(Type type, const Local& src, uint64_t offset, uint16_t blk, const Lanes& active, uint32_t lanes,
                   Item* items) {
    Core& c = core();
    const uint32_t bytes = TypeBytes(type), perBlock = kBlockBytes / bytes;
    if (const uint32_t n = blk == 1 ? active.prefix() : 0; n != 0) {
        const uint32_t at = Touch(src, "src", offset, n * bytes, PIPE_V, Access::kRead);
        float values[128];
        if (type == Type::kHalf) HalfToFloat(reinterpret_cast<const uint16_t*>(c.memory.ub + at), values, n);
        else std::memcpy(values, c.memory.ub + at, n * bytes);
        const bool all = AllDefined(at, n * bytes);
        for (uint32_t i = 0; i < n; ++i) items[i] = {values[i], i, true, all || AllDefined(at + i * bytes, bytes)};
        for (uint32_t i = n; i < lanes; ++i) items[i] = {0, i, false, true};
        return lanes;
    }
    for (uint32_t b = 0; b * perBlock < lanes; ++b) {
        uint32_t first = perBlock, last = 0;
        for (uint32_t i = 0; i < perBlock; ++i) {
            items[b * perBlock + i] = {0, b * perBlock + i, active.test(b * perBlock + i), true};
            if (!active.test(b * perBlock + i)) continue;
            first = std::min(first, i);
            last = i;
        }
        if (first == perBlock) continue;
        const uint64_t from = offset + static_cast<uint64_t>(b) * blk * kBlockBytes + first * bytes;
        const uint32_t at = Touch(src, "src", from, (last - first + 1) * bytes, PIPE_V, Access::kRead);
        for (uint32_t i = first; i <= last; ++i) {
            Item& item = items[b * perBlock + i];
            if (!item.present) continue;
            item.value = Value(type, c.memory.ub + at + (i - first) * bytes);
            item.defined = AllDefined(at + (i - first) * bytes, bytes);
        }
    }
    return lanes;
}

void Put(Type type, const Local& dst, uint64_t offset, float value, bool defined, const Local& src) {
    const uint32_t bytes = TypeBytes(type);
    const uint32_t at = Touch(dst, "dst", offset, bytes, PIPE_V, Access::kWrite);
    if (type == Type::kHalf) {
        const uint16_t bits = HalfBits(value);
        std::memcpy(core().memory.ub + at, &bits, 2);
    } else {
        std::memcpy(core().memory.ub + at, &value, 4);
    }
    if (!defined) NoteUnwritten(dst, src, "src", static_cast<uint32_t>(src.data - core().memory.ub));
    Define(at, bytes, defined);
}

/// An index stands in the result as bits: uint16_t in a half, uint32_t in a float.
void PutIndex(uint32_t bytes, const Local& dst, uint64_t offset, uint32_t index, bool defined) {
    const uint32_t at = Touch(dst, "dst", offset, bytes, PIPE_V, Access::kWrite);
    if (bytes == 2) {
        const auto narrow = static_cast<uint16_t>(index);
        std::memcpy(core().memory.ub + at, &narrow, 2);
    } else {
        std::memcpy(core().memory.ub + at, &index, 4);
    }
    Define(at, bytes, defined);
}

void Remember(ReduceType kind, Type type, const Item& item) {
    core().registers.accumulatedType = type;
    if (kind == ReduceType::REDUCE_SUM) core().registers.accumulated = item.value;
    else {
        std::memcpy(&core().registers.reducedValue, &item.value, 4);
        core().registers.reducedIndex = item.index;
    }
}

/// Bytes of work memory: value and index of each repeat, of a sum its value alone, block by block; with the index also
/// of the rounds after.
uint64_t WorkBytes(ReduceType kind, Type type, uint64_t repeats, bool withIndex) {
    const uint64_t bytes = TypeBytes(type), perBlock = kBlockBytes / bytes, lanes = kRepeatBytes / bytes;
    uint64_t total = 0;
    for (uint64_t results = kind == ReduceType::REDUCE_SUM ? repeats : 2 * repeats;;) {
        total += (results + perBlock - 1) / perBlock * kBlockBytes;
        if (!withIndex || results <= 2) return total;
        const uint64_t next = (results + lanes - 1) / lanes;
        if (next == 1) return total + kBlockBytes;
        results = 2 * next;
    }
}

void CheckWork(ReduceType kind, Type type, const Local& work, uint64_t repeats, bool withIndex) {
    if (repeats < 2) return;
    CheckAligned(work, "sharedTmpBuffer");
    const uint64_t need = WorkBytes(kind, type, repeats, withIndex);
    if (work.data == nullptr || work.bytes < need) {
        Broken("reduce-work", BufferName(work),
               Text("sharedTmpBuffer of %s has %u bytes and %llu are needed for %llu repeats%s", core().account.api,
                    work.bytes, static_cast<unsigned long long>(need), static_cast<unsigned long long>(repeats),
                    withIndex ? " with index" : ""),
               "give a work buffer of the size the documentation's formula says");
    }
    Touch(work, "sharedTmpBuffer", 0, need, PIPE_V, Access::kWrite);
}

void Finish(ReduceType kind, Type type, const Local& dst, const Local& src, const Item& result, bool withIndex) {
    Remember(kind, type, result);
    Put(type, dst, 0, result.value, result.defined, src);
    if (withIndex) PutIndex(TypeBytes(type), dst, TypeBytes(type), result.index, result.defined);
}

}  // namespace

void ReduceCount(const char* api, ReduceType kind, Type type, const Local& dst, const Local& src, const Local& work,
                 int64_t count, bool withIndex) {
    Begin(api, PIPE_V);
    CheckAligned(src, "src");
    CheckAligned(dst, "dst", TypeBytes(type));
    if (count < 0) {
        Broken("count-limit", BufferName(src), Text("count %lld of %s", static_cast<long long>(count), api),
               "a negative count often comes from unsigned arithmetic");
    }
    if (count == 0) return;  // "NOP" (ReduceSum.md, ReduceMax.md, ReduceMin.md: constraints)
    const uint32_t lanes = kRepeatBytes / TypeBytes(type);
    const uint64_t repeats = (static_cast<uint64_t>(count) + lanes - 1) / lanes;
    // A sum by count is one register's on Atlas A2 and leaves its buffer alone (ReduceSum.md, the first way of adding).
    if (kind != ReduceType::REDUCE_SUM) CheckWork(kind, type, work, repeats, withIndex);
    // A tree within each repeat, and the repeats' sums one after the other (ReduceSum.md, by count).
    Item total, items[128];
    for (uint64_t r = 0; r < repeats; ++r) {
        const MaskPlan plan{{0, 0}, true, static_cast<uint64_t>(count), 0};
        ReadItems(type, src, r * kRepeatBytes, 1, LanesOfRepeat(plan, lanes, static_cast<int>(r)), lanes, items);
        for (uint32_t i = 0; i < lanes; ++i) items[i].index += static_cast<uint32_t>(r * lanes);
        total = Combine(kind, type, total, Tree(kind, type, items, lanes));
    }
    Finish(kind, type, dst, src, total, withIndex);
    core().registers.counterMode = false;
    core().registers.maskLow = core().registers.maskHigh = ~0ull;
}

void ReduceMasked(const char* api, ReduceType kind, Type type, const Local& dst, const Local& src, const Local& work,
                  const Mask& mask, int repeatTime, int srcRepStride, bool withIndex) {
    Begin(api, PIPE_V);
    CheckAligned(src, "src");
    CheckAligned(dst, "dst", TypeBytes(type));
    const uint32_t lanes = kRepeatBytes / TypeBytes(type);
    const MaskPlan plan = PlanMask(mask, lanes, repeatTime);
    if (plan.repeats <= 0) return;
    CheckWork(kind, type, work, static_cast<uint64_t>(plan.repeats), withIndex);
    std::vector<Item> results;
    Item items[128];
    for (int r = 0; r < plan.repeats; ++r) {
        ReadItems(type, src, static_cast<uint64_t>(r) * srcRepStride * kBlockBytes, 1, LanesOfRepeat(plan, lanes, r),
                  lanes, items);
        for (uint32_t i = 0; i < lanes; ++i) items[i].index += static_cast<uint32_t>(r) * lanes;
        results.push_back(Tree(kind, type, items, lanes));
    }
    // In the form with a mask the repeats' results are reduced by a tree too (ReduceSum.md).
    while (results.size() > 1) {  // results of the repeats form repeats of their own
        std::vector<Item> next;
        for (size_t i = 0; i < results.size(); i += lanes)
            next.push_back(Tree(kind, type, results.data() + i,
                                static_cast<uint32_t>(std::min<size_t>(lanes, results.size() - i))));
        results.swap(next);
    }
    Finish(kind, type, dst, src, results[0], withIndex);
}

void ReduceRepeats(const char* api, ReduceType kind, Type type, const Local& dst, const Local& src, const Mask& mask,
                   int repeatTime, int dstRepStride, int srcBlkStride, int srcRepStride, ReduceOrder order) {
    Begin(api, PIPE_V);
    CheckRepeat(repeatTime);
    CheckAligned(src, "src");
    const uint32_t bytes = TypeBytes(type), lanes = kRepeatBytes / bytes;
    const bool both = order == ReduceOrder::ORDER_VALUE_INDEX || order == ReduceOrder::ORDER_INDEX_VALUE;
    // dstRepStride counts results, not blocks, and a result is aligned to its own size (ReduceRepeat.md, table 3).
    const uint32_t unit = order == ReduceOrder::ORDER_ONLY_INDEX ? 4 : both ? 2 * bytes : bytes;
    CheckAligned(dst, "dst", unit);
    const MaskPlan plan = PlanMask(mask, lanes, repeatTime);
    Item items[128], best;
    for (int r = 0; r < plan.repeats; ++r) {
        const Lanes active = LanesOfRepeat(plan, lanes, r);
        if (active.empty()) continue;
        ReadItems(type, src, static_cast<uint64_t>(r) * srcRepStride * kBlockBytes, static_cast<uint16_t>(srcBlkStride),
                  active, lanes, items);
        const Item result = Tree(kind, type, items, lanes);
        if (kind == ReduceType::REDUCE_SUM) {
            Remember(kind, type, result);
        } else {  // the register holds the extreme of all repeats; its index counts through all of them
            best = Combine(kind, type, best,
                           {result.value, static_cast<uint32_t>(r) * lanes + result.index, true, result.defined});
            Remember(kind, type, best);
        }
        const uint64_t at = static_cast<uint64_t>(r) * dstRepStride * unit;
        if (order == ReduceOrder::ORDER_ONLY_INDEX) {
            PutIndex(4, dst, at, result.index, result.defined);
            continue;
        }
        const bool indexFirst = order == ReduceOrder::ORDER_INDEX_VALUE;
        Put(type, dst, at + (indexFirst ? bytes : 0), result.value, result.defined, src);
        if (both) PutIndex(bytes, dst, at + (indexFirst ? 0 : bytes), result.index, result.defined);
    }
}

void ReduceBlocks(const char* api, ReduceType kind, Type type, const Local& dst, const Local& src, const Mask& mask,
                  int repeatTime, int dstRepStride, int srcBlkStride, int srcRepStride) {
    Begin(api, PIPE_V);
    CheckRepeat(repeatTime);
    CheckAligned(src, "src");
    const uint32_t bytes = TypeBytes(type), lanes = kRepeatBytes / bytes, perBlock = kBlockBytes / bytes;
    // A repeat of 8 blocks gives 8 results, written side by side.
    CheckAligned(dst, "dst", 8 * bytes);
    const MaskPlan plan = PlanMask(mask, lanes, repeatTime);
    Item items[128];
    for (int r = 0; r < plan.repeats; ++r) {
        const Lanes active = LanesOfRepeat(plan, lanes, r);
        ReadItems(type, src, static_cast<uint64_t>(r) * srcRepStride * kBlockBytes, static_cast<uint16_t>(srcBlkStride),
                  active, lanes, items);
        for (uint32_t b = 0; b < 8; ++b) {
            const Item result = Tree(kind, type, items + b * perBlock, perBlock);
            if (result.present)
                Put(type, dst, (static_cast<uint64_t>(r) * dstRepStride * 8 + b) * bytes, result.value, result.defined,
                    src);
        }
    }
}

void ReducePairs(const char* api, Type type, const Local& dst, const Local& src, const Mask& mask, int repeatTime,
                 int dstRepStride, int srcBlkStride, int srcRepStride) {
    Begin(api, PIPE_V);
    CheckRepeat(repeatTime);
    CheckAligned(src, "src");
    CheckAligned(dst, "dst");
    const uint32_t bytes = TypeBytes(type), lanes = kRepeatBytes / bytes;
    const MaskPlan plan = PlanMask(mask, lanes, repeatTime);
    Item items[128];
    for (int r = 0; r < plan.repeats; ++r) {
        ReadItems(type, src, static_cast<uint64_t>(r) * srcRepStride * kBlockBytes, static_cast<uint16_t>(srcBlkStride),
                  LanesOfRepeat(plan, lanes, r), lanes, items);
        for (uint32_t i = 0; i < lanes; i += 2) {
            const Item sum = Combine(ReduceType::REDUCE_SUM, type, items[i], items[i + 1]);
            if (sum.present)
                Put(type, dst, static_cast<uint64_t>(r) * dstRepStride * 128 + i / 2 * bytes, sum.value, sum.defined,
                    src);
        }
    }
}

void RawReduceSum(Type type, void* dst, void* src, int repeatTime, int dstRepStride, int srcBlkStride, int srcRepStride,
                  bool accumulate) {
    Begin("vcadd", PIPE_V);
    const Local from = ViewOfAddress(src);
    if (!accumulate) {
        ReduceRepeats("vcadd", ReduceType::REDUCE_SUM, type, ViewOfAddress(dst), from, {Mask::kKeep, 0, 0}, repeatTime,
                      dstRepStride, srcBlkStride, srcRepStride, ReduceOrder::ORDER_ONLY_VALUE);
        return;
    }
    const uint32_t lanes = kRepeatBytes / TypeBytes(type);
    const MaskPlan plan = PlanMask({Mask::kKeep, 0, 0}, lanes, repeatTime);
    Item total, items[128];
    for (int r = 0; r < plan.repeats; ++r) {
        ReadItems(type, from, static_cast<uint64_t>(r) * srcRepStride * kBlockBytes,
                  static_cast<uint16_t>(srcBlkStride), LanesOfRepeat(plan, lanes, r), lanes, items);
        total = Combine(ReduceType::REDUCE_SUM, type, total, Tree(ReduceType::REDUCE_SUM, type, items, lanes));
    }
    if (!total.defined)
        RequireDefined(from, "src", static_cast<uint32_t>(from.data - core().memory.ub),
                       std::min<uint32_t>(from.bytes, static_cast<uint32_t>(repeatTime) * kRepeatBytes));
    core().registers.accumulated = total.value;
    core().registers.accumulatedType = type;
}

uint64_t AccumulatedBits() {
    Note("GetAccVal");
    if (core().registers.accumulatedType == Type::kHalf) return HalfBits(core().registers.accumulated);
    uint32_t bits;
    std::memcpy(&bits, &core().registers.accumulated, 4);
    return bits;
}

float AccumulatedSum() {
    Note("GetAccVal");
    return core().registers.accumulated;
}

void ReducedMaxMin(Type type, void* value, void* index) {
    Note("GetReduceMaxMinCount");
    const Core& c = core();
    float held;
    std::memcpy(&held, &c.registers.reducedValue, 4);
    const uint16_t halfBits = HalfBits(held);
    const auto narrow = static_cast<uint16_t>(c.registers.reducedIndex);
    if (type == Type::kHalf) {
        std::memcpy(value, &halfBits, 2);
        if (index != nullptr) std::memcpy(index, &narrow, 2);
    } else {
        std::memcpy(value, &held, 4);
        if (index != nullptr) std::memcpy(index, &c.registers.reducedIndex, 4);
    }
}

}  // namespace twin
