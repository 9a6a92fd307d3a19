// Order between single blocks: turns, and flags in GM.
#include <algorithm>

#include "core.h"
#include "twin/block_order.h"

namespace twin {

namespace {

/// What blocks tell each other at an address of GM; entries of a map keep their place.
uint32_t& SignalAt(const void* address, uint64_t index) { return launch().signals[reinterpret_cast<uint64_t>(address) + index]; }

void Await(uint32_t* signal, uint32_t value) {
    Core& c = core();
    while (*signal != value) {
        c.waiting = Core::kAtSignal;
        c.signal = signal;
        c.signalValue = value;
        YieldBlock();
    }
}

/// What the device does with the workspaces, as far as bounds go; all pipes have come to an end before.
void UseWorkspaces(const char* api, const Global& workspace, const Local& local, uint64_t gmBytes, uint64_t ubBytes) {
    Begin(api, PIPE_S);
    GmCheck(workspace.data, gmBytes, 4, Access::kWrite, "gmWorkspace");
    Touch(local, "ubWorkspace", 0, ubBytes, PIPE_S, Access::kWrite);
    // What a block does behind such a call may be ordered behind what any other did before.
    launch().pairwiseSync = true;
    ++launch().epoch;
    Core& c = core();
    for (int p = 0; p < kPipes; ++p) c.known[p] = c.sequence;
}

uint32_t Blocks() { return launch().spec->blockDim * std::max(1u, VectorCoresPerBlock(*launch().spec)); }

constexpr uint64_t kWaits = 1;  // behind the turn at a workspace's start, by block

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

void BlockSignal(const Global& workspace, const Local& local, int blockIdx, int eventId, bool set, bool vectorOnly) {
    if (core().cube) return;
    const char* api = set ? "IBSet" : "IBWait";
    core().api = api;
    if (blockIdx < 0 || eventId < 0) Broken("event-id", "", Text("%s with block %d and event %d", api, blockIdx, eventId), "both count from 0");
    const uint64_t cores = vectorOnly ? launch().spec->blockDim : launch().spec->blockDim * 2ull;
    const uint64_t slot = cores * static_cast<uint64_t>(eventId) + static_cast<uint64_t>(blockIdx);
    UseWorkspaces(api, workspace, local, (slot + 1) * kBlockBytes, kBlockBytes);
    uint32_t& signal = SignalAt(workspace.data, slot * kBlockBytes);
    Await(&signal, set ? 0 : 1);
    signal = set ? 1 : 0;
}

}  // namespace twin
