// Order between single blocks through GM: one block after the other, and flags from block to block.
#ifndef TWIN_BLOCK_ORDER_H
#define TWIN_BLOCK_ORDER_H

#include "twin/tensor.h"

namespace twin {
void BeginTurns(const Global& workspace, const Local& local);
void WaitTurn(const Global& workspace, const Local& local);
void EndTurn(const Global& workspace, const Local& local);
void BlockSignal(const Global& workspace, const Local& local, int blockIdx, int eventId, bool set, bool vectorOnly);
}  // namespace twin

namespace AscendC {

/// Between WaitPreBlock and NotifyNextBlock only one block runs at a time, in the order of their numbers, round by round.
/// gmWorkspace: 32 bytes a block; ubWorkspace: 32 bytes more. Violations: gm-out-of-range, out-of-buffer, sync-deadlock.
__aicore__ inline void InitDetermineComputeWorkspace(GlobalTensor<int32_t>& gmWorkspace, LocalTensor<int32_t>& ubWorkspace) { twin::BeginTurns(gmWorkspace, ubWorkspace); }
__aicore__ inline void WaitPreBlock(GlobalTensor<int32_t>& gmWorkspace, LocalTensor<int32_t>& ubWorkspace) { twin::WaitTurn(gmWorkspace, ubWorkspace); }
__aicore__ inline void NotifyNextBlock(GlobalTensor<int32_t>& gmWorkspace, LocalTensor<int32_t>& ubWorkspace) { twin::EndTurn(gmWorkspace, ubWorkspace); }

/// IBWait goes on when IBSet was called with the same workspace, blockIdx and eventID, and takes that back. gmWorkspace holds zeroes.
template <bool isAIVOnly = true>
__aicore__ inline void IBSet(const GlobalTensor<int32_t>& gmWorkspace, const LocalTensor<int32_t>& ubWorkspace, int32_t blockIdx, int32_t eventID) {
    twin::BlockSignal(gmWorkspace, ubWorkspace, blockIdx, eventID, true, isAIVOnly);
}
template <bool isAIVOnly = true>
__aicore__ inline void IBWait(const GlobalTensor<int32_t>& gmWorkspace, const LocalTensor<int32_t>& ubWorkspace, int32_t blockIdx, int32_t eventID) {
    twin::BlockSignal(gmWorkspace, ubWorkspace, blockIdx, eventID, false, isAIVOnly);
}

}  // namespace AscendC

#endif
