// Order between pipes and between cores. `_sync` of other functions waits for all pipes behind the call.
#ifndef TWIN_C_API_SYNC_H
#define TWIN_C_API_SYNC_H

#include "kernel_operator.h"

/// Violations: flag-set-twice, wait-without-set, unpaired-flag (at the end of the kernel), event-id.
__aicore__ inline void asc_sync_notify(pipe_t pipe, pipe_t tpipe, int id) { twin::SetEvent(pipe, tpipe, id); }
__aicore__ inline void asc_sync_wait(pipe_t pipe, pipe_t tpipe, int id) { twin::WaitEvent(pipe, tpipe, id); }
__aicore__ inline void asc_sync_pipe(pipe_t pipe) { twin::Barrier(pipe); }
__aicore__ inline void asc_sync_vec() { twin::Barrier(PIPE_ALL); }
__aicore__ inline void asc_sync() { twin::Barrier(PIPE_ALL); }
/// Later instructions of this pipe and of the other two that move or compute wait for what MTE2 or MTE3 was given.
__aicore__ inline void asc_sync_mte2(int id) {
    twin::SetEvent(PIPE_MTE2, PIPE_MTE3, id);
    twin::SetEvent(PIPE_MTE2, PIPE_V, id);
    twin::WaitEvent(PIPE_MTE2, PIPE_MTE3, id);
    twin::WaitEvent(PIPE_MTE2, PIPE_V, id);
    twin::Barrier(PIPE_MTE2);
}
__aicore__ inline void asc_sync_mte3(int id) {
    twin::SetEvent(PIPE_MTE3, PIPE_MTE2, id);
    twin::SetEvent(PIPE_MTE3, PIPE_V, id);
    twin::WaitEvent(PIPE_MTE3, PIPE_MTE2, id);
    twin::WaitEvent(PIPE_MTE3, PIPE_V, id);
    twin::Barrier(PIPE_MTE3);
}

/// Between the kinds of core of a block, between the vector cores of a block, and between all cores of one kind.
__aicore__ inline void asc_sync_block_arrive(pipe_t, uint16_t flag_id) { twin::CrossCoreSet(2, flag_id); }
__aicore__ inline void asc_sync_subblock_arrive(pipe_t, uint16_t flag_id) { twin::CrossCoreSet(1, flag_id); }
__aicore__ inline void asc_sync_inter_arrive(pipe_t, uint16_t flag_id) { twin::CrossCoreSet(0, flag_id); }
__aicore__ inline void asc_sync_block_wait(pipe_t, uint16_t flag_id) { twin::CrossCoreWait(flag_id); }
__aicore__ inline void asc_sync_subblock_wait(pipe_t, uint16_t flag_id) { twin::CrossCoreWait(flag_id); }
__aicore__ inline void asc_sync_inter_wait(pipe_t, uint16_t flag_id) { twin::CrossCoreWait(flag_id); }

#endif
