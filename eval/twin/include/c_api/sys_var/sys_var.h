// Which core of how many this is.
#ifndef TWIN_C_API_SYS_VAR_H
#define TWIN_C_API_SYS_VAR_H

#include "kernel_operator.h"

__aicore__ inline int64_t asc_get_block_idx() { return twin::BlockIndex(); }
__aicore__ inline int64_t asc_get_block_num() { return twin::BlockCount(); }
__aicore__ inline int64_t asc_get_sub_block_id() { return twin::SubBlockIndex(); }
__aicore__ inline int64_t asc_get_sub_block_num() { return twin::SubBlockCount(); }
__aicore__ inline int64_t asc_get_system_cycle() { return twin::CycleCount(); }

#endif
