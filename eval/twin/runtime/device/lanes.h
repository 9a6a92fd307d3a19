// Which elements a masked vector instruction works on.
#ifndef TWIN_DEVICE_LANES_H
#define TWIN_DEVICE_LANES_H

#include <cstdint>

#include "twin/runtime.h"

namespace twin {

/// Active lanes of one repeat as bits.
struct Lanes {
    uint64_t low, high;
    bool test(uint32_t lane) const { return ((lane < 64 ? low >> lane : high >> (lane - 64)) & 1) != 0; }
    bool empty() const { return (low | high) == 0; }
    /// n when exactly the first n lanes are on, else 0.
    uint32_t prefix() const {
        if (high == 0) return (low & (low + 1)) == 0 ? static_cast<uint32_t>(__builtin_popcountll(low)) : 0;
        return low == ~0ull && (high & (high + 1)) == 0 ? 64 + static_cast<uint32_t>(__builtin_popcountll(high)) : 0;
    }
};
/// Resolves a mask for `lanes` elements a repeat. In counter mode `total` is the element count and repeats follow from
/// it.
struct MaskPlan {
    Lanes lanes;
    bool counter;
    uint64_t total;
    int repeats;
};
MaskPlan PlanMask(const Mask& mask, uint32_t lanes, int repeatTime);
Lanes LanesOfRepeat(const MaskPlan& plan, uint32_t lanes, int repeat);
void CheckRepeat(int repeatTime, int limit = 255);

}  // namespace twin

#endif
