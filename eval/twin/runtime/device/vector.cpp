// The elementwise engine: every operation is one loop over contiguous lanes; the count form runs it over the operands
// as they lie, the mask form over one gathered repeat at a time.
#include "vector.h"

#include <algorithm>
#include <cstring>

namespace twin {

namespace {

struct Operand {
    const Local* t;
    const char* name;
    uint32_t elementBytes;
    uint16_t blk, rep;
};

bool AnyLane(const Lanes& lanes, uint32_t first, uint32_t count) {
    for (uint32_t i = first; i < first + count; ++i)
        if (lanes.test(i)) return true;
    return false;
}

/// Touches the blocks of one repeat that an active lane lies in.
void TouchRepeat(const Operand& o, uint64_t repeatOffset, uint32_t lanes, const Lanes& active, Access access) {
    const uint32_t perBlock = kBlockBytes / o.elementBytes;
    for (uint32_t lane = 0, b = 0; lane < lanes; lane += perBlock, ++b) {
        const uint32_t n = std::min(perBlock, lanes - lane);
        if (!AnyLane(active, lane, n)) continue;
        Touch(*o.t, o.name, repeatOffset + static_cast<uint64_t>(b) * o.blk * kBlockBytes, n * o.elementBytes, PIPE_V,
              access);
    }
}

/// One repeat of an operand that may lie partly outside UB where lanes are off: copies only what exists.
void ReadRepeat(const Operand& o, uint64_t repeatOffset, uint32_t lanes, uint8_t* values, uint8_t* defined) {
    Core& c = core();
    const uint32_t perBlock = kBlockBytes / o.elementBytes;
    for (uint32_t lane = 0, b = 0; lane < lanes; lane += perBlock, ++b) {
        const int64_t at = o.t->data - c.memory.ub + static_cast<int64_t>(repeatOffset) +
                           static_cast<int64_t>(b) * o.blk * kBlockBytes;
        const uint32_t bytes = std::min(perBlock, lanes - lane) * o.elementBytes;
        if (at < 0 || at + bytes > kUbBytes) continue;
        std::memcpy(values + lane * o.elementBytes, c.memory.ub + at, bytes);
        for (uint32_t i = 0; i < bytes / o.elementBytes; ++i) {
            defined[lane + i] =
                std::memchr(c.memory.defined.data() + at + i * o.elementBytes, 0, o.elementBytes) == nullptr;
        }
    }
}

void DefineCount(const Operand& dst, uint32_t dstAt, const Operand* sources, const uint32_t* at, int n,
                 uint64_t count) {
    Core& c = core();
    bool all = true;
    for (int s = 0; s < n; ++s) all = all && AllDefined(at[s], count * sources[s].elementBytes);
    if (all) return Define(dstAt, count * dst.elementBytes);
    for (int s = 0; s < n; ++s) {
        const uint64_t bytes = count * sources[s].elementBytes;
        const auto* hole = static_cast<const uint8_t*>(std::memchr(c.memory.defined.data() + at[s], 0, bytes));
        if (hole != nullptr)
            NoteUnwritten(*dst.t, *sources[s].t, sources[s].name,
                          static_cast<uint32_t>(hole - c.memory.defined.data()));
    }
    std::vector<uint8_t> known(count, 1);
    for (int s = 0; s < n; ++s) {
        const uint32_t e = sources[s].elementBytes;
        for (uint64_t i = 0; i < count; ++i)
            for (uint32_t b = 0; b < e; ++b) known[i] &= c.memory.defined[at[s] + i * e + b];
    }
    for (uint64_t i = 0; i < count; ++i)
        std::memset(c.memory.defined.data() + dstAt + i * dst.elementBytes, known[i], dst.elementBytes);
}

int Sources(const VectorCall& call, Operand* out, const Strides& s) {
    int n = 0;
    if (call.src0 != nullptr)
        out[n++] = {call.src0, call.src1 != nullptr ? "src0" : "src", call.srcBytes, s.src0Blk, s.src0Rep};
    if (call.src1 != nullptr) out[n++] = {call.src1, "src1", call.srcBytes, s.src1Blk, s.src1Rep};
    if (call.readsDst) out[n++] = {call.dst, "dst", call.dstBytes, s.dstBlk, s.dstRep};
    return n;
}

void CheckOperands(const Operand& dst, const Operand* sources, int n) {
    CheckAligned(*dst.t, "dst");
    for (int i = 0; i < n; ++i) CheckAligned(*sources[i].t, sources[i].name);
}

/// A repeat whose active lanes are the first `count` and lie side by side in every operand: no gathering.
void RunRow(const VectorCall& call, const Operand& dst, const Operand* sources, int n, uint64_t repeat,
            uint32_t count) {
    Core& c = core();
    uint32_t at[3];
    for (int i = 0; i < n; ++i)
        at[i] = Touch(*sources[i].t, sources[i].name, repeat * sources[i].rep * kBlockBytes,
                      count * sources[i].elementBytes, PIPE_V, Access::kRead);
    const uint32_t dstAt =
        Touch(*dst.t, "dst", repeat * dst.rep * kBlockBytes, count * dst.elementBytes, PIPE_V, Access::kWrite);
    DefineCount(dst, dstAt, sources, at, n, count);
    // Operands that share a repeat in part are read whole before the first result, as the gathering form does.
    alignas(64) uint8_t result[kRepeatBytes];
    if (call.readsDst) std::memcpy(result, c.memory.ub + dstAt, count * dst.elementBytes);
    call.run(result, n > 0 ? c.memory.ub + at[0] : nullptr, call.src1 != nullptr ? c.memory.ub + at[1] : nullptr,
             call.scalar, count);
    std::memcpy(c.memory.ub + dstAt, result, count * dst.elementBytes);
}

/// A count of at most one repeat: operands that overlap are read before the result is written.
void RunOneRepeat(const VectorCall& call, const Operand& dst, const Operand* sources, int n, uint32_t count) {
    RunRow(call, dst, sources, n, 0, count);
    core().registers.counterMode = false;
    core().registers.maskLow = core().registers.maskHigh = ~0ull;
}

}  // namespace

void RunCount(const VectorCall& call, int64_t count) {
    Begin(call.api, PIPE_V);
    if (count < 0 || count > static_cast<int64_t>(kUbBytes)) {
        Broken("count-limit", "", Text("count %lld of %s", static_cast<long long>(count), call.api),
               "a count is 0 to what the buffer holds; a negative one often comes from unsigned arithmetic");
    }
    if (count == 0) return;
    const Operand dst{call.dst, "dst", call.dstBytes, 1, 8};
    Operand sources[3];
    const int n = Sources(call, sources, {1, 1, 1, 8, 8, 8});
    CheckOperands(dst, sources, n);
    uint32_t at[3];
    for (int i = 0; i < n; ++i) {
        at[i] = Touch(*sources[i].t, sources[i].name, 0, count * sources[i].elementBytes, PIPE_V, Access::kRead);
        if (sources[i].t != call.dst)
            CheckOverlap(*call.dst, count * call.dstBytes, *sources[i].t, count * sources[i].elementBytes,
                         sources[i].name);
    }
    if (n > 0 && count * std::max(call.dstBytes, call.srcBytes) <= kRepeatBytes)
        return RunOneRepeat(call, dst, sources, n, static_cast<uint32_t>(count));
    const uint32_t dstAt = Touch(*call.dst, "dst", 0, count * call.dstBytes, PIPE_V, Access::kWrite);
    Core& c = core();
    const uint8_t* a = n > 0 ? c.memory.ub + at[0] : nullptr;
    const uint8_t* b = call.src1 != nullptr ? c.memory.ub + at[1] : nullptr;
    DefineCount(dst, dstAt, sources, at, n, static_cast<uint64_t>(count));
    call.run(c.memory.ub + dstAt, a, b, call.scalar, static_cast<uint32_t>(count));
    c.registers.counterMode = false;
    c.registers.maskLow = c.registers.maskHigh = ~0ull;
}

void RunRepeat(const VectorCall& call, const Mask& mask, int repeatTime, const Strides& s) {
    Begin(call.api, PIPE_V);
    CheckRepeat(repeatTime);
    const uint32_t lanes = kRepeatBytes / std::max(call.dstBytes, call.srcBytes);
    const MaskPlan plan = PlanMask(mask, lanes, repeatTime);
    const Operand dst{call.dst, "dst", call.dstBytes, s.dstBlk, s.dstRep};
    Operand sources[3];
    const int n = Sources(call, sources, s);
    CheckOperands(dst, sources, n);
    bool inRow = s.dstBlk == 1;
    for (int i = 0; i < n; ++i) inRow = inRow && sources[i].blk == 1;
    alignas(64) uint8_t values[3][kRepeatBytes], result[kRepeatBytes];
    uint8_t defined[3][kRepeatBytes];
    Core& c = core();
    for (int r = 0; r < plan.repeats; ++r) {
        const Lanes active = LanesOfRepeat(plan, lanes, r);
        if (active.empty()) continue;
        if (const uint32_t prefix = inRow ? active.prefix() : 0; prefix != 0) {
            RunRow(call, dst, sources, n, static_cast<uint64_t>(r), prefix);
            continue;
        }
        for (int i = 0; i < n; ++i) {
            const uint64_t offset = static_cast<uint64_t>(r) * sources[i].rep * kBlockBytes;
            TouchRepeat(sources[i], offset, lanes, active, Access::kRead);
            ReadRepeat(sources[i], offset, lanes, values[i], defined[i]);
        }
        const uint64_t dstOffset = static_cast<uint64_t>(r) * s.dstRep * kBlockBytes;
        TouchRepeat(dst, dstOffset, lanes, active, Access::kWrite);
        if (call.readsDst) std::memcpy(result, values[n - 1], lanes * call.dstBytes);
        call.run(result, values[0], call.src1 != nullptr ? values[1] : nullptr, call.scalar, lanes);
        const uint32_t perBlock = kBlockBytes / call.dstBytes;
        for (uint32_t lane = 0; lane < lanes; ++lane) {
            if (!active.test(lane)) continue;
            const int64_t at = call.dst->data - c.memory.ub + static_cast<int64_t>(dstOffset) +
                               static_cast<int64_t>(lane / perBlock) * s.dstBlk * kBlockBytes +
                               (lane % perBlock) * call.dstBytes;
            std::memcpy(c.memory.ub + at, result + lane * call.dstBytes, call.dstBytes);
            bool known = true;
            for (int i = 0; i < n; ++i) {
                if (defined[i][lane]) continue;
                known = false;
                NoteUnwritten(*call.dst, *sources[i].t, sources[i].name,
                              static_cast<uint32_t>(sources[i].t->data - c.memory.ub));
            }
            Define(at, call.dstBytes, known);
        }
    }
}

void CopyCounted(const VectorCall& call, const Mask& mask, int repeatTime, const Strides& s) {
    Begin(call.api, PIPE_V);
    CheckRepeat(repeatTime);
    CheckAligned(*call.dst, "dst");
    CheckAligned(*call.src0, "src");
    Core& c = core();
    const uint64_t bytes = PlanMask(mask, kRepeatBytes / call.dstBytes, repeatTime).total * call.dstBytes;
    for (int r = 0; r < repeatTime; ++r) {
        for (uint64_t done = 0, block = 0; done < bytes; done += kBlockBytes, ++block) {
            const uint64_t n = std::min<uint64_t>(kBlockBytes, bytes - done);
            const uint32_t from =
                Touch(*call.src0, "src", (static_cast<uint64_t>(r) * s.src0Rep + block * s.src0Blk) * kBlockBytes, n,
                      PIPE_V, Access::kRead);
            const uint32_t to =
                Touch(*call.dst, "dst", (static_cast<uint64_t>(r) * s.dstRep + block * s.dstBlk) * kBlockBytes, n,
                      PIPE_V, Access::kWrite);
            if (!AllDefined(from, n)) NoteUnwritten(*call.dst, *call.src0, "src", from);
            std::memmove(c.memory.ub + to, c.memory.ub + from, n);
            std::memmove(c.memory.defined.data() + to, c.memory.defined.data() + from, n);
        }
    }
}

}  // namespace twin
