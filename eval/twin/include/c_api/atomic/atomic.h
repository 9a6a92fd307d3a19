// Copies out of UB that add to GM, or keep the larger or smaller value, until asc_set_atomic_none.
#ifndef TWIN_C_API_ATOMIC_H
#define TWIN_C_API_ATOMIC_H

#include "kernel_operator.h"

#define TWIN_C_ATOMIC(suffix, T)                                                         \
    __aicore__ inline void asc_set_atomic_add_##suffix() { AscendC::SetAtomicAdd<T>(); } \
    __aicore__ inline void asc_set_atomic_max_##suffix() { AscendC::SetAtomicMax<T>(); } \
    __aicore__ inline void asc_set_atomic_min_##suffix() { AscendC::SetAtomicMin<T>(); }
TWIN_C_ATOMIC(int8, int8_t)
TWIN_C_ATOMIC(int16, int16_t)
TWIN_C_ATOMIC(int, int32_t)
TWIN_C_ATOMIC(bfloat, bfloat16_t)
TWIN_C_ATOMIC(float16, half)
TWIN_C_ATOMIC(float, float)
#undef TWIN_C_ATOMIC

/// Violation at the end of a kernel without it: atomic-left-on.
__aicore__ inline void asc_set_atomic_none() { AscendC::SetAtomicNone(); }

#endif
