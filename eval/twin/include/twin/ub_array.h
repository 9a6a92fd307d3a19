// `__ubuf__ float x[64];` in a function: the device's compiler places such an array in UB. No compiler at hand does, so a build reads it as
// `twin::UbArray<float[64]> x;` (kernel-text.ts).
#ifndef TWIN_UB_ARRAY_H
#define TWIN_UB_ARRAY_H

#include <type_traits>

#include "twin/runtime.h"

namespace twin {

/// UB for an array, from a block of 32 bytes on, until GiveBackArray. Violation: ub-overflow.
Local TakeArray(uint32_t bytes);
void GiveBackArray(const Local& array);

template <typename Array>
class UbArray {
    using Element = std::remove_extent_t<Array>;

public:
    __aicore__ inline UbArray() : view_(TakeArray(sizeof(Array))) {}
    __aicore__ inline ~UbArray() { GiveBackArray(view_); }
    UbArray(const UbArray&) = delete;
    UbArray& operator=(const UbArray&) = delete;
    __aicore__ inline operator __ubuf__ Element*() const { return AddressAs<__ubuf__ Element*>(view_.data); }
    /// What a subscript stores is the kernel's own, so from here on the array counts as written.
    template <typename Index>
    __aicore__ inline __ubuf__ Element& operator[](Index index) const {
        return AddressAs<__ubuf__ Element*>(ExposeAddress(view_))[index];
    }

private:
    Local view_;
};

}  // namespace twin

#endif
