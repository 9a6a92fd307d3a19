// Checks on the unified buffer: bounds, queue state, hazards between pipes, values never written.
#include <algorithm>
#include <cstring>

#include "exposed.h"
#include "report.h"

namespace twin {

namespace {

// Vector after vector and whatever the scalar unit does is ordered by the device compiler (--cce-auto-sync, on by
// default); it never orders these pipes with one another.
constexpr pipe_t kTracked[kTrackedPipes] = {PIPE_V, PIPE_MTE2, PIPE_MTE3, PIPE_MTE1, PIPE_M, PIPE_FIX};

int TrackedIndex(pipe_t pipe) {
    for (int i = 0; i < kTrackedPipes; ++i)
        if (kTracked[i] == pipe) return i;
    return -1;
}

/// Newest sequence number in a run of granules.
uint32_t Newest(const std::vector<uint32_t>& marks, uint32_t first, uint32_t last) {
    uint32_t newest = 0;
    for (uint32_t g = first; g <= last; ++g) newest = std::max(newest, marks[g]);
    return newest;
}

void Hazard(const Local& t, const char* operand, pipe_t pipe, pipe_t other, Access access, bool otherWrote) {
    const Buffer& buffer = core().tpipe.buffers[t.buffer];
    const char* did = otherWrote ? "writes" : "reads";
    const char* does = access == Access::kWrite ? "writes" : "reads";
    const std::string writer = otherWrote ? buffer.writer : "";
    Suspect("pipe-hazard", BufferName(t),
            {"pipe-hazard",
             std::string("{api} {does} {operand} on {late} while {early} still {still} it") +
                 (writer.empty() ? "" : " for {other}") + ": nothing orders the two pipes",
             {core().account.api, does, operand, PipeName(pipe), PipeName(other), did, writer}},
            Text("pass the tensor through a queue (EnQue, DeQue, FreeTensor, AllocTensor), or SetFlag and WaitFlag "
                 "<HardEvent::%s_%s>",
                 PipeName(other) + 5, PipeName(pipe) + 5));
}

void CheckHazards(const Local& t, const char* operand, uint32_t begin, uint64_t bytes, pipe_t pipe, Access access) {
    Core& c = core();
    const uint32_t first = begin / kBlockBytes;
    const uint32_t last = static_cast<uint32_t>((begin + bytes - 1) / kBlockBytes);
    const int self = TrackedIndex(pipe);
    for (int q = 0; q < (c.cube ? kTrackedPipes : 3); ++q) {
        if (q == self) continue;
        const pipe_t other = kTracked[q];
        uint32_t& known = c.order.known[pipe][other];
        if (known >= c.order.sequence[other]) continue;
        const uint32_t wrote = Newest(c.order.lastWrite[q], first, last);
        const uint32_t read = access == Access::kWrite ? Newest(c.order.lastRead[q], first, last) : 0;
        if (pipe == PIPE_S) {  // the compiler orders scalar accesses by itself; what it waits for, all later calls have
                               // waited for
            if (std::max(wrote, read) > known) {
                known = std::max(wrote, read);
                c.scalar.cache.heardOfMte3 = std::max(c.scalar.cache.heardOfMte3, c.order.known[other][PIPE_MTE3]);
                ++c.account.work.drains;
                if (c.steps.most != 0) ScalarWaits(c, other, known);
            }
            continue;
        }
        if (wrote > known) Hazard(t, operand, pipe, other, access, true);
        if (read > known) Hazard(t, operand, pipe, other, access, false);
    }
    if (self < 0) return;
    auto& marks = access == Access::kWrite ? c.order.lastWrite[self] : c.order.lastRead[self];
    std::fill(marks.begin() + first, marks.begin() + last + 1, c.order.sequence[pipe]);
}

void CheckState(const Local& t, const char* operand, const Buffer& buffer) {
    if (buffer.state == State::kFree) {
        Suspect("use-after-free", buffer.name,
                {"use-after-free", "{operand} of {api} is free memory of the queue", {operand, core().account.api}},
                "use a tensor between AllocTensor (or DeQue) and FreeTensor only");
    }
    if (buffer.state == State::kEnqueued) {
        Suspect("use-while-enqueued", buffer.name,
                {"use-while-enqueued",
                 "{operand} of {api} stands in the queue: EnQue was called and DeQue was not",
                 {operand, core().account.api}},
                "take the tensor with DeQue before computing with it");
    }
    (void)t;
}

/// A buffer behind the end of its memory does no harm while nothing uses it, and then boards fault.
void CheckCapacity(const Local& t, const char* operand, const Buffer& buffer) {
    if (!buffer.overflows) return;
    const SpaceId where = SpaceOf(t.position);
    Broken(where == kUb ? "ub-overflow" : "local-overflow", buffer.name,
           Text("%s of %s is a tensor of a buffer that goes behind the end of %s", operand, core().account.api,
                kSpace[where].name),
           "make the tile smaller, or share buffers");
}

}  // namespace

void Begin(const char* api, pipe_t pipe) {
    Core& c = core();
    Tally& tally = Count(c, api);
    if (pipe == PIPE_V) {
        EndVector(c.account.work);
        c.account.work.tally = &tally;
    }
    if (c.registers.saturating && (pipe == PIPE_V || pipe == PIPE_M)) {
        FormNotCovered(api, "in saturating mode, which SetOverflow(0) asks for",
                       "SetOverflow(1), or no call: infinities and NaN stand for themselves");
    }
    ++c.order.sequence[pipe];
    // The scalar unit issues every instruction, so each starts after what the scalar unit has waited for.
    if (pipe != PIPE_S) {
        for (int q = 0; q < kPipes; ++q) {
            if (c.order.known[PIPE_S][q] <= c.order.known[pipe][q]) continue;
            c.order.known[pipe][q] = c.order.known[PIPE_S][q];
            if (c.steps.most != 0) c.steps.causes[pipe][q] = c.steps.causes[PIPE_S][q];
        }
    }
    if (c.steps.most != 0) NextStep(c, api, pipe);
}

void Note(const char* api) { Count(core(), api); }

Violation ViolationOf(const char* rule, const std::string& tensor, const Message& message, const std::string& fix) {
    Violation v{rule, -1, "", tensor, "", fix, {message.situation, {}}};
    const std::string& named = message.text;
    size_t from = 0;
    for (const Value& value : message.values) {
        const size_t hole = named.find('{', from), end = named.find('}', hole);
        if (end == std::string::npos) break;
        const std::string digits = std::to_string(value.number);
        v.message += named.substr(from, hole - from) + (value.shown != nullptr ? value.shown : digits);
        v.seen.values.emplace_back(named.substr(hole + 1, end - hole - 1),
                                   value.isNumber ? digits : jsonString(value.shown));
        from = end + 1;
    }
    v.message += named.substr(from);
    return v;
}

void Broken(const char* rule, const std::string& tensor, const Message& message, const std::string& fix) {
    Fail(ViolationOf(rule, tensor, message, fix));
}

void Suspect(const char* rule, const std::string& tensor, const Message& message, const std::string& fix) {
    LaunchState& l = launch();
    if (!l.spec->tolerant) Broken(rule, tensor, message, fix);
    Violation& first = l.report.tolerated;
    if (!first.rule.empty()) return;
    first = ViolationOf(rule, tensor, message, fix);
    first.block = static_cast<int>(core().block);
    first.api = core().account.api;
}

uint32_t Touch(const Local& t, const char* operand, uint64_t offset, uint64_t bytes, pipe_t pipe, Access access) {
    Core& c = core();
    if (t.data == nullptr) {
        Broken("null-tensor", "", Text("%s of %s has no memory", operand, c.account.api),
               "get it from AllocTensor, DeQue or TBuf::Get first");
    }
    if (pipe == PIPE_V && SpaceOf(t.position) != kUb) {
        Broken("wrong-position", BufferName(t),
               Text("%s of %s is in %s; vector operations take UB", operand, c.account.api, PositionName(t.position)),
               "copy it to VECIN, VECOUT or VECCALC first");
    }
    const int64_t begin = t.data - c.memory.ub + static_cast<int64_t>(offset);
    if (bytes == 0) return static_cast<uint32_t>(begin);
    if (t.buffer >= c.tpipe.buffers.size()) {
        Broken("use-after-free", "",
               Text("%s of %s belongs to a TPipe that was reset or destroyed", operand, c.account.api),
               "initialise the buffer again");
    }
    const Buffer& buffer = c.tpipe.buffers[t.buffer];
    CheckCapacity(t, operand, buffer);
    const Space& space = kSpace[SpaceOf(t.position)];
    const int64_t low = t.buffer == 0 ? space.begin : buffer.begin;
    const int64_t high = low + (t.buffer == 0 ? space.bytes : buffer.bytes);
    if (begin < low || begin + static_cast<int64_t>(bytes) > high) {
        const bool inMemory = begin >= space.begin &&
                              begin + static_cast<int64_t>(bytes) <= space.begin + static_cast<int64_t>(space.bytes);
        (inMemory ? Suspect : Broken)(
            "out-of-buffer", BufferName(t),
            {"out-of-buffer",
             "{operand} of {api} covers bytes {from} to {to} of a buffer of {bytes} bytes",
             {operand, c.account.api, begin - low, begin + static_cast<int64_t>(bytes) - low, high - low}},
            "lower the count, or give InitBuffer a larger length");
    }
    if (t.buffer != 0) CheckState(t, operand, buffer);
    CheckHazards(t, operand, static_cast<uint32_t>(begin), bytes, pipe, access);
    uint32_t& used = c.memory.used[SpaceOf(t.position)];
    used = std::max(used, static_cast<uint32_t>(begin + bytes - space.begin));
    if (c.memory.exposed != nullptr && begin < static_cast<int64_t>(kUbBytes)) {
        CheckExposed(c, t, operand, static_cast<uint32_t>(begin), bytes, pipe);
        if (access == Access::kWrite) WriteExposed(c, static_cast<uint32_t>(begin), bytes);
    }
    if (access == Access::kWrite) c.tpipe.buffers[t.buffer].writer = c.account.api;
    CountPiece(c.account.work, operand, access == Access::kWrite, bytes, pipe);
    return static_cast<uint32_t>(begin);
}

void CheckAligned(const Local& t, const char* operand, uint32_t alignment) {
    if (t.data == nullptr) return;
    const Space& space = kSpace[SpaceOf(t.position)];
    const uint64_t address = static_cast<uint64_t>(t.data - core().memory.ub) - space.begin;
    if (space.alignment > kBlockBytes) alignment = std::max(alignment, space.alignment);
    if (address % alignment == 0) return;
    Broken("unaligned-ub", BufferName(t),
           {"unaligned-ub",
            "{operand} of {api} starts at {space} address {address}, {past} bytes past a multiple of {multiple}",
            {operand,
             core().account.api,
             space.name,
             {Text("0x%llx", static_cast<unsigned long long>(address)), static_cast<int64_t>(address)},
             address % alignment,
             alignment}},
           space.alignment == kBlockBytes
               ? "keep offsets into a tensor at multiples of 32 bytes; pad rows with DataCopyPad"
               : Text("keep offsets into %s at multiples of %u bytes", space.name, alignment));
}

void CheckOverlap(const Local& dst, uint64_t dstBytes, const Local& src, uint64_t srcBytes, const char* operand) {
    if (dst.data == src.data || dst.data == nullptr || src.data == nullptr) return;
    if (dst.data >= src.data + srcBytes || src.data >= dst.data + dstBytes) return;
    if (src.data > dst.data && src.data - dst.data >= static_cast<int64_t>(kRepeatBytes))
        return;  // reads run ahead of writes
    // What the vendor's own check of Cast lets pass: within one repeat, and to a wider type out of the upper part of
    // its destination.
    if (dstBytes != srcBytes && (dst.data > src.data ? srcBytes : dstBytes) <= kRepeatBytes) return;
    if (dstBytes > srcBytes && src.data >= dst.data + (srcBytes + kBlockBytes - 1) / kBlockBytes * kBlockBytes) return;
    Suspect("partial-overlap", BufferName(dst),
            {"partial-overlap",
             "dst of {api} overlaps {operand} with a shift of {shift} bytes",
             {core().account.api, operand, dst.data - src.data}},
            "let dst be exactly the source, or memory of its own");
}

SpaceId SpaceOf(TPosition position) {
    switch (position) {
        case TPosition::A1:
        case TPosition::B1:
        case TPosition::C1:
        case TPosition::TSCM: return kL1;
        case TPosition::A2: return kL0a;
        case TPosition::B2: return kL0b;
        case TPosition::CO1: return kL0c;
        case TPosition::C2: return kBias;
        case TPosition::C2PIPE2GM: return kFixpipe;
        default: return kUb;
    }
}

bool OnThisCore(const Local& t) { return t.data == nullptr || (SpaceOf(t.position) != kUb) == core().cube; }

bool AllDefined(uint32_t ubOffset, uint64_t bytes) {
    return std::memchr(core().memory.defined.data() + ubOffset, 0, bytes) == nullptr;
}

void Define(uint32_t ubOffset, uint64_t bytes, bool defined) {
    std::memset(core().memory.defined.data() + ubOffset, defined ? 1 : 0, bytes);
}

void NoteUnwritten(const Local& dst, const Local& src, const char* operand, uint32_t srcOffset) {
    Core& c = core();
    std::string& note = c.tpipe.buffers[dst.buffer].unwritten;
    if (!note.empty()) return;
    const std::string& before = c.tpipe.buffers[src.buffer].unwritten;
    if (!before.empty() && dst.buffer != src.buffer) {
        note = before;
        return;
    }
    const Buffer& buffer = c.tpipe.buffers[src.buffer];
    note = Text("%s read %s from byte %u of %s, which nothing had written", c.account.api, operand,
                srcOffset - buffer.begin, BufferName(src).c_str());
}

void RequireDefined(const Local& t, const char* operand, uint32_t ubOffset, uint64_t bytes) {
    if (bytes == 0 || AllDefined(ubOffset, bytes)) return;
    const Buffer& buffer = core().tpipe.buffers[t.buffer];
    const auto* at = static_cast<const uint8_t*>(std::memchr(core().memory.defined.data() + ubOffset, 0, bytes));
    const auto where = static_cast<uint32_t>(at - core().memory.defined.data());
    Suspect("read-unwritten", BufferName(t),
            {"unwritten-local",
             std::string("{operand} of {api} reads byte {byte}, which nothing has written") +
                 (buffer.unwritten.empty() ? "" : "; {note}"),
             {operand, core().account.api, where - buffer.begin, buffer.unwritten}},
            "write the tensor first (DataCopy, Duplicate, a computation), and keep the count to what was written");
}

Clock Snapshot(pipe_t pipe) {
    Clock clock = core().order.known[pipe];
    clock[pipe] = core().order.sequence[pipe];
    return clock;
}

void Join(pipe_t pipe, const Clock& clock, const std::string& name) {
    Core& c = core();
    Clock& known = c.order.known[pipe];
    for (int q = 0; q < kPipes; ++q) {
        if (clock[q] <= known[q]) continue;
        known[q] = clock[q];
        if (c.steps.most != 0) c.steps.causes[pipe][q] = {q, clock[q], c.account.api, name, c.steps.place};
    }
}

std::string BufferName(const Local& t) {
    const Core& c = core();
    const Space& space = kSpace[SpaceOf(t.position)];
    if (t.buffer == 0 || t.buffer >= c.tpipe.buffers.size())
        return Text("%s+0x%llx", space.name, static_cast<unsigned long long>(t.data - c.memory.ub - space.begin));
    const Buffer& buffer = c.tpipe.buffers[t.buffer];
    const int64_t inside = t.data - c.memory.ub - buffer.begin;
    return inside == 0 ? buffer.name : Text("%s+%lld", buffer.name.c_str(), static_cast<long long>(inside));
}

void* ExposeAddress(const Local& t) {
    Note("GetPhyAddr");
    if (t.data == nullptr || t.buffer == 0 || t.buffer >= core().tpipe.buffers.size()) return t.data;
    const Buffer& buffer = core().tpipe.buffers[t.buffer];
    CheckCapacity(t, "the tensor", buffer);
    const int64_t from = t.data - core().memory.ub;
    const int64_t end = static_cast<int64_t>(buffer.begin) + buffer.bytes;
    if (from < buffer.begin || from >= end) return t.data;
    Define(static_cast<uint32_t>(from), static_cast<uint64_t>(end - from));
    if (SpaceOf(t.position) == kUb) WatchExposed(core(), static_cast<uint32_t>(from), static_cast<uint32_t>(end));
    return t.data;
}

MaskPlan PlanMask(const Mask& mask, uint32_t lanes, int repeatTime) {
    Core& c = core();
    MaskPlan plan{{0, 0}, c.registers.counterMode, 0, repeatTime};
    if (mask.kind == Mask::kKeep) {
        plan.lanes = {c.registers.maskLow, c.registers.maskHigh};
        plan.total = c.registers.maskLow & 0xffffffffu;
    } else if (mask.kind == Mask::kBits) {
        plan.lanes = {mask.low, mask.high};
        plan.total = mask.low & 0xffffffffu;
    } else {
        const uint64_t n = std::min<uint64_t>(mask.low, lanes);
        plan.lanes = {n >= 64 ? ~0ull : (1ull << n) - 1, n <= 64 ? 0 : (n >= 128 ? ~0ull : (1ull << (n - 64)) - 1)};
        plan.total = mask.low;
        if (!plan.counter && mask.low > lanes) {
            Broken("mask-limit", "",
                   Text("mask %llu of %s is over the %u elements of a repeat",
                        static_cast<unsigned long long>(mask.low), c.account.api, lanes),
                   "a mask counts elements of one 256-byte repeat; use repeatTime for more");
        }
    }
    if (mask.kind != Mask::kKeep) {
        c.registers.maskLow = plan.counter ? plan.total : plan.lanes.low;
        c.registers.maskHigh = plan.counter ? 0 : plan.lanes.high;
    }
    if (lanes < 64) plan.lanes.low &= (1ull << lanes) - 1;
    if (lanes <= 64) plan.lanes.high = 0;
    if (plan.counter) plan.repeats = static_cast<int>((plan.total + lanes - 1) / lanes);
    c.account.work.named = static_cast<uint64_t>(std::max(plan.repeats, 0));
    return plan;
}

Lanes LanesOfRepeat(const MaskPlan& plan, uint32_t lanes, int repeat) {
    if (!plan.counter) return plan.lanes;
    const uint64_t left = plan.total - static_cast<uint64_t>(repeat) * lanes;
    const uint64_t n = std::min<uint64_t>(left, lanes);
    return {n >= 64 ? ~0ull : (1ull << n) - 1, n <= 64 ? 0 : (n >= 128 ? ~0ull : (1ull << (n - 64)) - 1)};
}

void CheckRepeat(int repeatTime, int limit) {
    if (repeatTime >= 0 && repeatTime <= limit) return;
    Broken("repeat-limit", "", Text("repeatTime %d of %s is outside 0 to %d", repeatTime, core().account.api, limit),
           "split the call");
}

}  // namespace twin
