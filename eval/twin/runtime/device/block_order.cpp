// Order between single blocks: turns, and flags in GM.
#include <algorithm>

#include "core.h"
#include "reserved.h"
#include "twin/block_order.h"

namespace twin {

namespace {

/// What blocks tell each other at an address of GM; entries of a map keep their place.
uint32_t& SignalAt(const void* address, uint64_t index) {
    return launch().signals[reinterpret_cast<uint64_t>(address) + index];
}

void Await(uint32_t* signal, uint32_t value) {
    Core& c = core();
    while (*signal != value) {
        c.fibre.waiting = Fibre::kAtSignal;
        c.fibre.signal = signal;
        c.fibre.signalValue = value;
        YieldBlock();
    }
}

/// What a block does behind such a call may be ordered behind what any other did before.
void OrderBehindOthers() {
    launch().pairwiseSync = true;
    ++launch().epoch;
    Core& c = core();
    for (int p = 0; p < kPipes; ++p) Join(static_cast<pipe_t>(p), c.order.sequence, "another block");
}

/// What the device does with the workspaces, as far as bounds go; all pipes have come to an end before.
void UseWorkspaces(const char* api, const Global& workspace, const Local& local, uint64_t gmBytes, uint64_t ubBytes) {
    Begin(api, PIPE_S);
    GmCheck(workspace.data, gmBytes, 4, Access::kWrite, "gmWorkspace");
    Touch(local, "ubWorkspace", 0, ubBytes, PIPE_S, Access::kWrite);
    OrderBehindOthers();
}

uint32_t Blocks() { return launch().spec->blockDim * std::max(1u, VectorCoresPerBlock(*launch().spec)); }

const void* LineOf(const void* address) {
    return reinterpret_cast<const void*>(reinterpret_cast<uint64_t>(address) / 64 * 64);
}

/// Bytes from the start of its allocation, which boards put at multiples of 512 at least: a shipped program has its
/// GroupBarrier there (asc-devkit, examples/…/group_barrier), though aclrtMalloc promises 64 only.
uint64_t PlaceInTensor(const uint8_t* address) {
    for (const GmArg& arg : launch().spec->args)
        if (address >= arg.data && address < arg.data + arg.bytes) return static_cast<uint64_t>(address - arg.data);
    return 0;
}

constexpr uint64_t kGroupBytes = 512;     // of GM for each core (GroupBarrier.md)
constexpr uint32_t kGroupUbBytes = 1600;  // at the end of UB
constexpr uint64_t kWaits = 1;            // behind the turn at a workspace's start, by block

void UseTurns(const char* api, const Global& workspace, const Local& local) {
    const uint64_t bytes = static_cast<uint64_t>(Blocks()) * kBlockBytes;
    UseWorkspaces(api, workspace, local, bytes, bytes + kBlockBytes);
}

}  // namespace

void BeginTurns(const Global& workspace, const Local& local) {
    if (core().cube) return;
    UseTurns("InitDetermineComputeWorkspace", workspace, local);
}

void WaitTurn(const Global& workspace, const Local& local) {
    if (core().cube) return;
    UseTurns("WaitPreBlock", workspace, local);
    const auto block = static_cast<uint32_t>(BlockIndex());
    uint32_t& waits = SignalAt(workspace.data, kWaits + block);
    Await(&SignalAt(workspace.data, 0), waits * Blocks() + block);
    ++waits;
}

void EndTurn(const Global& workspace, const Local& local) {
    if (core().cube) return;
    UseTurns("NotifyNextBlock", workspace, local);
    ++SignalAt(workspace.data, 0);
}

void LookAt(const void* address, bool pastCache) {
    constexpr uint32_t kMostLooks = 100000;
    const uint32_t looks = ++core().scalar.looks[LineOf(address)];
    if (looks > kMostLooks) {
        Broken("sync-deadlock", "",
               Text("%s waits for a value in GM that no block writes", CoreName(core().index).c_str()),
               "let another block write what this one looks for, and clear the place before the launch");
    }
    if (pastCache || looks > 1) OrderBehindOthers();
    if (looks > 1) YieldBlock();
}

bool HasLookedAt(const void* address) {
    const auto& looks = core().scalar.looks;
    return !looks.empty() && looks.count(LineOf(address)) > 0;
}

void OrderAfterLook(const void* address) {
    if (HasLookedAt(address)) OrderBehindOthers();
}

void OpenGroup(uint8_t* workspace, uint32_t arriving, uint32_t waiting) {
    if (core().cube) return;
    Begin("GroupBarrier", PIPE_S);
    if (arriving == 0 || waiting == 0 || arriving > Blocks() || waiting > Blocks()) {
        Broken("sync-too-many-blocks", "",
               Text("GroupBarrier of %u and %u cores; there are %u vector cores", arriving, waiting, Blocks()),
               "give 1 to that many");
    }
    if (PlaceInTensor(workspace) % kGroupBytes != 0) {
        Suspect("unaligned-gm", "", "the workspace of GroupBarrier does not start at a multiple of 512 bytes",
                "align what is given as groupWorkspace");
    }
    OverwriteReserved("GroupBarrier", kGroupUbBytes, kGroupUbBytes);
}

void PassGroup(uint8_t* workspace, uint32_t arriving, uint32_t waiting, uint32_t index, uint32_t round, bool arrives) {
    if (core().cube) return;
    const char* api = arrives ? "Arrive" : "Wait";
    if (index >= (arrives ? arriving : waiting)) {
        Broken("event-id", "", Text("%s of core %u, and its group has %u", api, index, arrives ? arriving : waiting),
               "count the cores of each group from 0");
    }
    Begin(api, PIPE_S);
    GmCheck(workspace, static_cast<uint64_t>(std::max(arriving, waiting)) * kGroupBytes, 4, Access::kWrite,
            "groupWorkspace");
    OrderBehindOthers();
    uint32_t& arrived = SignalAt(workspace, 0);
    uint32_t& gone = SignalAt(workspace, kWaits);
    if (arrives) Await(&gone, (round - 1) * waiting);
    else Await(&arrived, round * arriving);
    ++(arrives ? arrived : gone);
}

void BlockSignal(const Global& workspace, const Local& local, int blockIdx, int eventId, bool set, bool vectorOnly) {
    if (core().cube) return;
    const char* api = set ? "IBSet" : "IBWait";
    core().account.api = api;
    if (blockIdx < 0 || eventId < 0)
        Broken("event-id", "", Text("%s with block %d and event %d", api, blockIdx, eventId), "both count from 0");
    const uint64_t cores = vectorOnly ? launch().spec->blockDim : launch().spec->blockDim * 2ull;
    const uint64_t slot = cores * static_cast<uint64_t>(eventId) + static_cast<uint64_t>(blockIdx);
    UseWorkspaces(api, workspace, local, (slot + 1) * kBlockBytes, kBlockBytes);
    uint32_t& signal = SignalAt(workspace.data, slot * kBlockBytes);
    Await(&signal, set ? 0 : 1);
    signal = set ? 1 : 0;
}

}  // namespace twin
