// Events between pipes, barriers between blocks, and the registers a kernel sets by hand.
#include <algorithm>
#include <cstring>

#include "exposed.h"

namespace twin {

namespace {

uint32_t FlagKey(int src, int dst, int id) {
    return static_cast<uint32_t>(src) << 16 | static_cast<uint32_t>(dst) << 8 | static_cast<uint32_t>(id);
}

/// The device has eight events for each pair of pipes (SetFlag/WaitFlag).
void CheckEventId(int id) {
    if (id >= 0 && id < 8) return;
    Broken("event-id", "", Text("event id %d of %s is outside 0 to 7", id, core().account.api),
           "use FetchEventID or AllocEventID");
}

}  // namespace

int FetchEvent(HardEvent event) {
    Note("FetchEventID");
    const uint8_t taken = core().order.reservedEvents[static_cast<int>(event)];
    for (int id = 0; id < 8; ++id)
        if ((taken >> id & 1) == 0) return id;
    Broken("event-exhausted", "", "all 8 event ids of this kind are reserved", "release ids with ReleaseEventID");
}

int AllocEvent(HardEvent event) {
    const int id = FetchEvent(event);
    core().order.reservedEvents[static_cast<int>(event)] |= static_cast<uint8_t>(1u << id);
    return id;
}

void ReleaseEvent(HardEvent event, int id) {
    Note("ReleaseEventID");
    CheckEventId(id);
    core().order.reservedEvents[static_cast<int>(event)] &= static_cast<uint8_t>(~(1u << id));
}

void SetEvent(pipe_t src, pipe_t dst, int id) {
    Note("SetFlag");
    CheckEventId(id);
    Flag& flag = core().order.flags[FlagKey(src, dst, id)];
    // Two sets without a wait are undefined and hang at the next PIPE_ALL.
    if (flag.set > 0) {
        Suspect("flag-set-twice", "",
                {"flag-set-twice",
                 "SetFlag from {from} to {to}, event {event}, comes again before its WaitFlag",
                 {PipeName(src), PipeName(dst), id}},
                "pair every SetFlag with one WaitFlag, or use another event id");
    }
    if (src == PIPE_S && core().memory.exposed != nullptr) SettleExposed(core());
    ++flag.set;
    flag.clock = Snapshot(src);
}

void WaitEvent(pipe_t src, pipe_t dst, int id) {
    Note("WaitFlag");
    CheckEventId(id);
    Flag& flag = core().order.flags[FlagKey(src, dst, id)];
    if (flag.set == 0) {
        Broken("wait-without-set", "",
               {"wait-without-set",
                "WaitFlag from {from} to {to}, event {event}, which no SetFlag has set; on the device it would wait "
                "for ever",
                {PipeName(src), PipeName(dst), id}},
               "SetFlag the same event and id before, once for each WaitFlag");
    }
    --flag.set;
    const bool traced = core().steps.most != 0;
    Join(dst, flag.clock, traced ? Text("%s_%s event %d", PipeName(src) + 5, PipeName(dst) + 5, id) : "");
    ++core().account.work.waits;
    if (dst == PIPE_S) ++core().account.work.drains;
}

void Barrier(pipe_t pipe) {
    Note("PipeBarrier");
    Core& c = core();
    if (pipe != PIPE_ALL) {  // orders a pipe with itself
        c.order.known[pipe][pipe] = c.order.sequence[pipe];
        return;
    }
    for (int p = 0; p < kPipes; ++p) Join(static_cast<pipe_t>(p), c.order.sequence, "PIPE_ALL");
    if (c.tpipe.alive) ++c.account.work.drains;  // a TPipe's own one at its end has no tile behind it
    if (c.memory.exposed != nullptr) SettleExposed(c);
}

void SetMaskRegister(uint64_t high, uint64_t low) {
    Note("SetVectorMask");
    core().registers.maskHigh = high;
    core().registers.maskLow = low;
}

void SetMaskMode(bool counter) {
    Note(counter ? "SetMaskCount" : "SetMaskNorm");
    core().registers.counterMode = counter;
}

void ResetMaskRegister() {
    Note("ResetMask");
    core().registers.maskHigh = core().registers.maskLow = ~0ull;
}

void SetSaturating(bool on) {
    Note("SetOverflow");
    core().registers.saturating = on;
}

void SetCalledAs(const char* api) { core().account.calledAs = api; }

Type AtomicType() { return core().registers.atomicType; }

void SetAtomic(Type type, int op) {
    Note(op == 0 ? "SetAtomicNone" : op == 1 ? "SetAtomicAdd" : op == 2 ? "SetAtomicMax" : "SetAtomicMin");
    core().registers.atomicOp = op;
    core().registers.atomicType = type;
}

void SetDequantScale(float scale) {
    Note("SetDeqScale");
    core().registers.dequantScale = scale;
}

void SetPadRegister(uint64_t value) {
    Note("SetPadValue");
    core().registers.padding = value;
    core().registers.paddingSet = true;
}

/// On vector cores of a kernel for both kinds, GetBlockIdx counts through the vector cores of all blocks.
int64_t BlockIndex() {
    const Core& c = core();
    return c.cube ? c.block : c.block * VectorCoresPerBlock(*launch().spec) + c.sub;
}
int64_t SubBlockIndex() { return core().sub; }
int64_t SubBlockCount() { return std::max(1u, VectorCoresPerBlock(*launch().spec)); }
int64_t TaskRatio() { return core().cube ? 1 : SubBlockCount(); }
int64_t BlockCount() { return launch().spec->blockDim; }
/// Counts API calls, this one too, as a kernel may wait by looking at it alone: monotonic and the same in every run. A
/// board has counted since it was switched on, at 50 MHz (GetSystemCycle), so the count starts at six hours: a kernel
/// that knows a young clock is not right here alone.
int64_t CycleCount() { return (int64_t{1} << 40) + static_cast<int64_t>(++core().account.cycles); }

void SetSystemWorkspace(uint8_t* workspace) { core().systemWorkspace = workspace; }

uint8_t* SystemWorkspace() {
    if (core().systemWorkspace != nullptr) return core().systemWorkspace;
    for (const GmArg& arg : launch().spec->args)
        if (arg.role == Role::kWorkspace) return arg.data;
    return nullptr;
}

/// The part of the workspace argument that is the kernel's own. The twin reserves no system part in front of it:
/// what the host asked for with GetLibApiWorkSpaceSize is simply the start.
uint8_t* UserWorkspace(uint8_t* workspace) {
    Note("GetUserWorkspace");
    return workspace;
}

void SyncBlocks(const char* api, const Global* workspace, const Local* local, int usedCores, bool vectorOnly) {
    Begin(api, PIPE_S);
    Core& c = core();
    const LaunchSpec& spec = *launch().spec;
    if (vectorOnly && c.cube) return;
    const uint32_t blocks = spec.blockDim * std::max(1u, VectorCoresPerBlock(spec));
    // Blocks beyond the number of cores start when others end, which a barrier among all keeps from happening.
    const bool ofVectors = spec.cores == Cores::kVector || spec.cores == Cores::kMix12;
    const uint32_t physical = spec.chipCubeCores * (ofVectors ? 2 : 1);
    if (blocks > physical) {
        Broken("sync-too-many-blocks", "",
               Text("%s among %u blocks; only %u run at a time and the rest would never start", api, blocks, physical),
               "set a block dim of at most the number of cores");
    }
    if (workspace != nullptr) {
        const uint64_t need = static_cast<uint64_t>(usedCores > 0 ? usedCores : blocks) * kBlockBytes;
        GmCheck(workspace->data, need, 4, Access::kWrite, "gmWorkspace");
        Touch(*local, "ubWorkspace", 0, need, PIPE_S, Access::kWrite);
        if (usedCores > 0 && static_cast<uint32_t>(usedCores) != blocks) {
            Broken("not-covered", "", Text("SyncAll of %d out of %u blocks", usedCores, blocks),
                   "let all blocks take part");
        }
    }
    for (int p = 0; p < kPipes; ++p) Join(static_cast<pipe_t>(p), c.order.sequence, "all cores");
    ++c.account.work.drains;
    ++c.account.work.meetings;
    if (c.memory.exposed != nullptr) SettleExposed(c);
    c.fibre.waiting = vectorOnly ? Fibre::kAtBarrier : Fibre::kAtFullBarrier;
    YieldBlock();
}

namespace {

/// One more flag for every core from `first` on, `step` apart, below `end`.
void Deliver(uint32_t first, uint32_t end, uint32_t step, int flag) {
    for (uint32_t i = first; i < end; i += step) {
        if (++launch().crossFlags[i].arrived[flag] <= 15) continue;
        Suspect("flag-overflow", "",
                {"flag-overflow",
                 "cross-core flag {flag} is set 16 times and {block} has waited for none of them; the counter ends at "
                 "15",
                 {flag, {CoreName(i), i * launch().spec->blockDim / launch().cores}}},
                "wait for the flag as often as it is set");
    }
}

/// Takes one set of `flag` from each core of the range when all have one.
bool TakeSet(uint32_t first, uint32_t end, uint32_t step, int mode, int flag) {
    auto& flags = launch().crossFlags;
    for (uint32_t i = first; i < end; i += step)
        if (flags[i].set[mode][flag] == 0) return false;
    for (uint32_t i = first; i < end; i += step) --flags[i].set[mode][flag];
    return true;
}

void CheckFlagId(int flag) {
    if (flag < 0 || flag > 15)
        Broken("event-id", "", Text("flag id %d is outside 0 to 15", flag), "use ids 0 to 10; SyncAll uses 11 to 14");
}

/// All cores of the running core's kind.
void SetAmongAll(int flag) {
    LaunchState& l = launch();
    const uint32_t perBlock = l.cores / l.spec->blockDim;
    const bool mixed = perBlock > 1;
    // The vector cores of a mixed kernel stand behind their cube core.
    bool complete = true;
    const auto each = [&](auto&& run) {
        for (uint32_t sub = mixed && !core().cube ? 1 : 0; sub < (mixed && core().cube ? 1 : perBlock); ++sub) run(sub);
    };
    each([&](uint32_t sub) {
        for (uint32_t i = sub; i < l.cores; i += perBlock) complete = complete && l.crossFlags[i].set[0][flag] > 0;
    });
    if (!complete) return;
    each([&](uint32_t sub) {
        TakeSet(sub, l.cores, perBlock, 0, flag);
        Deliver(sub, l.cores, perBlock, flag);
    });
}

}  // namespace

void CrossCoreSet(int mode, int flag) {
    Begin("CrossCoreSetFlag", PIPE_S);
    CheckFlagId(flag);
    Core& c = core();
    LaunchState& l = launch();
    l.pairwiseSync = true;
    l.crossFlags.resize(l.cores);
    if (mode < 0 || mode > 2)
        Broken("not-covered", "", Text("CrossCoreSetFlag mode %d", mode), "modes 0, 1 and 2 exist on this device");
    const uint32_t perBlock = l.cores / l.spec->blockDim;
    if (mode == 2 && perBlock == 1) {
        Broken("cross-core-kind", "",
               {"cross-core-kind",
                "CrossCoreSetFlag of mode 2 orders a cube core and its vector cores, and this kernel runs on one kind "
                "of core only"},
               "declare the kernel with KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2)");
    }
    if (mode == 1 && c.cube)
        Broken("cross-core-kind", "",
               "CrossCoreSetFlag of mode 1 orders the vector cores of a block, and a cube core calls it",
               "guard it with if ASCEND_IS_AIV");
    ++l.crossFlags[c.index].set[mode][flag];
    const uint32_t block = c.block * perBlock, firstVector = block + (perBlock > 1 ? 1 : 0), end = block + perBlock;
    if (mode == 0) return SetAmongAll(flag);
    if (mode == 2 && c.cube) {
        TakeSet(block, block + 1, 1, mode, flag);
        return Deliver(firstVector, end, 1, flag);
    }
    if (!TakeSet(firstVector, end, 1, mode, flag)) return;
    if (mode == 1) Deliver(firstVector, end, 1, flag);
    else Deliver(block, block + 1, 1, flag);
}

void CrossCoreWait(int flag) {
    Begin("CrossCoreWaitFlag", PIPE_S);
    CheckFlagId(flag);
    Core& c = core();
    LaunchState& l = launch();
    l.pairwiseSync = true;
    l.crossFlags.resize(l.cores);
    while (l.crossFlags[c.index].arrived[flag] == 0) {
        c.fibre.waiting = Fibre::kAtFlag;
        c.fibre.waitFlag = flag;
        YieldBlock();
    }
    --l.crossFlags[c.index].arrived[flag];
}

void AssertFailed(const char* condition, const char* file, int line) {
    const char* slash = std::strrchr(file, '/');
    Broken("assert-failed", "", Text("ASSERT(%s) at %s:%d is false", condition, slash ? slash + 1 : file, line),
           "check the tiling values the condition names");
}

const char* TypeName(Type type) {
    static const char* const names[] = {"int8_t",     "uint8_t",      "int16_t",  "uint16_t", "half",
                                        "bfloat16_t", "int32_t",      "uint32_t", "float",    "int64_t",
                                        "uint64_t",   "another type", "int4b_t"};
    return names[static_cast<int>(type)];
}

uint32_t TypeBytes(Type type) {
    static const uint32_t bytes[] = {1, 1, 2, 2, 2, 2, 4, 4, 4, 8, 8, 1, 1};
    return bytes[static_cast<int>(type)];
}

const char* PipeName(int pipe) {
    static const char* const names[] = {"PIPE_S",   "PIPE_V",    "PIPE_M",    "PIPE_MTE1", "PIPE_MTE2", "PIPE_MTE3",
                                        "PIPE_ALL", "PIPE_MTE4", "PIPE_MTE5", "PIPE_V2",   "PIPE_FIX"};
    return names[pipe];
}

const char* PositionName(TPosition position) {
    static const char* const names[] = {"GM",  "A1",   "A2",        "B1",           "B2",     "C1",
                                        "C2",  "CO1",  "CO2",       "VECIN",        "VECOUT", "VECCALC",
                                        "SPM", "TSCM", "C2PIPE2GM", "C2PIPE2LOCAL", "MAX"};
    return names[static_cast<int>(position)];
}

}  // namespace twin
