// What a kernel of the C API calls first.
#ifndef TWIN_C_API_MISC_H
#define TWIN_C_API_MISC_H

#include "kernel_operator.h"

/// No atomic copies, masks of all elements.
__aicore__ inline void asc_init() {
    AscendC::SetAtomicNone();
    AscendC::SetMaskNorm();
    twin::SetMaskRegister(~0ull, ~0ull);
}

#endif
