// Which elements take part: bits of each repeat, or how many in all.
#ifndef TWIN_C_API_MASK_H
#define TWIN_C_API_MASK_H

#include "kernel_operator.h"

/// Violation at the end of the kernel without asc_set_mask_norm: mask-mode-left.
__aicore__ inline void asc_set_mask_count() { twin::SetMaskMode(true); }
__aicore__ inline void asc_set_mask_norm() { twin::SetMaskMode(false); }
/// High word first; in counter mode mask0 is the number of elements.
__aicore__ inline void asc_set_vector_mask(uint64_t mask1, uint64_t mask0) { twin::SetMaskRegister(mask1, mask0); }
/// Elements that the last gathering under a mask kept.
__aicore__ inline int64_t asc_get_rsvd_count() { return static_cast<int64_t>(twin::GatheredCount()); }

namespace twin {
/// Around a call by count. The count stays in the mask register, as on the device, so a call by repeats behind it sets
/// its own.
struct CountedMask {
    __aicore__ inline explicit CountedMask(uint32_t count) {
        SetMaskMode(true);
        SetMaskRegister(0, count);
    }
    __aicore__ inline ~CountedMask() { SetMaskMode(false); }
};
}  // namespace twin

#endif
