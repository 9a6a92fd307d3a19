// Order between single blocks through GM: one block after the other, and flags from block to block.
#ifndef TWIN_BLOCK_ORDER_H
#define TWIN_BLOCK_ORDER_H

#include "twin/tensor.h"

namespace twin {
void BeginTurns(const Global& workspace, const Local& local);
void WaitTurn(const Global& workspace, const Local& local);
void EndTurn(const Global& workspace, const Local& local);
void BlockSignal(const Global& workspace, const Local& local, int blockIdx, int eventId, bool set, bool vectorOnly);
/// GroupBarrier: round counts from 1.
void OpenGroup(uint8_t* workspace, uint32_t arriving, uint32_t waiting);
void PassGroup(uint8_t* workspace, uint32_t arriving, uint32_t waiting, uint32_t index, uint32_t round, bool arrives);
}  // namespace twin

namespace AscendC {

enum class PipeMode : uint8_t { SCALAR_MODE = 0, MTE3_MODE = 1, MAX };

/// Cores that wait until all cores of another group have arrived; a core may be of both. groupWorkspace: zeroes, 512
/// bytes for each core of the larger group, at a multiple of 512. Keeps its own values in the last 1600 bytes of UB.
/// Violations: sync-deadlock, sync-too-many-blocks, event-id, unaligned-gm, gm-out-of-range.
template <PipeMode pipeMode>
class GroupBarrier {
    static_assert(pipeMode == PipeMode::MTE3_MODE, "GroupBarrier has MTE3_MODE only");

public:
    __aicore__ inline GroupBarrier(GM_ADDR groupWorkspace, uint32_t arriveSizeIn, uint32_t waitSizeIn)
        : workspace_(groupWorkspace), arriving_(arriveSizeIn), waiting_(waitSizeIn) {
        twin::OpenGroup(twin::AddressAs<uint8_t*>(workspace_), arriving_, waiting_);
    }
    __aicore__ inline void Arrive(uint32_t arriveIndex) {
        twin::PassGroup(twin::AddressAs<uint8_t*>(workspace_), arriving_, waiting_, arriveIndex, round_, true);
        ++round_;
        arrived_ = true;
    }
    __aicore__ inline void Wait(uint32_t waitIndex) {
        twin::PassGroup(twin::AddressAs<uint8_t*>(workspace_), arriving_, waiting_, waitIndex,
                        arrived_ ? round_ - 1 : round_, false);
        if (!arrived_) ++round_;
        arrived_ = false;
    }
    /// Bytes of GM.
    __aicore__ inline uint64_t GetWorkspaceLen() { return 512ull * (arriving_ > waiting_ ? arriving_ : waiting_); }

private:
    GM_ADDR workspace_;
    uint32_t arriving_, waiting_, round_ = 1;
    bool arrived_ = false;
};

/// Between WaitPreBlock and NotifyNextBlock only one block runs at a time, in the order of their numbers, round by
/// round. gmWorkspace: 32 bytes a block; ubWorkspace: 32 bytes more. Violations: gm-out-of-range, out-of-buffer,
/// sync-deadlock.
__aicore__ inline void InitDetermineComputeWorkspace(GlobalTensor<int32_t>& gmWorkspace,
                                                     LocalTensor<int32_t>& ubWorkspace) {
    twin::BeginTurns(gmWorkspace, ubWorkspace);
}
__aicore__ inline void WaitPreBlock(GlobalTensor<int32_t>& gmWorkspace, LocalTensor<int32_t>& ubWorkspace) {
    twin::WaitTurn(gmWorkspace, ubWorkspace);
}
__aicore__ inline void NotifyNextBlock(GlobalTensor<int32_t>& gmWorkspace, LocalTensor<int32_t>& ubWorkspace) {
    twin::EndTurn(gmWorkspace, ubWorkspace);
}

/// IBWait goes on when IBSet was called with the same workspace, blockIdx and eventID, and takes that back. gmWorkspace
/// holds zeroes.
template <bool isAIVOnly = true>
__aicore__ inline void IBSet(const GlobalTensor<int32_t>& gmWorkspace, const LocalTensor<int32_t>& ubWorkspace,
                             int32_t blockIdx, int32_t eventID) {
    twin::BlockSignal(gmWorkspace, ubWorkspace, blockIdx, eventID, true, isAIVOnly);
}
template <bool isAIVOnly = true>
__aicore__ inline void IBWait(const GlobalTensor<int32_t>& gmWorkspace, const LocalTensor<int32_t>& ubWorkspace,
                              int32_t blockIdx, int32_t eventID) {
    twin::BlockSignal(gmWorkspace, ubWorkspace, blockIdx, eventID, false, isAIVOnly);
}

}  // namespace AscendC

#endif
