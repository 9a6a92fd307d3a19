// Elements in memories that no compiler at hand knows. `__ubuf__ float x[64];` in a function: the device's compiler
// places such an array in UB. No compiler at hand does, so a build reads it as `twin::UbArray<float[64]> x;`
// (kernel-text.ts).
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

/// An element of half or bfloat16_t in GM or UB, which clang lets no member function of a class assign to.
template <typename T, typename There>
class PlacedElement {
public:
    explicit __aicore__ inline PlacedElement(There* place) : place_(place) {}
    __aicore__ inline operator T() const { return *place_; }
    __aicore__ inline T operator=(T value) const {
        place_->bits = value.bits;
        return value;
    }
    __aicore__ inline T operator=(const PlacedElement& other) const { return *this = T(other); }
    template <typename A>
    __aicore__ inline T operator+=(A other) const {
        return *this = T(*place_) + other;
    }
    template <typename A>
    __aicore__ inline T operator-=(A other) const {
        return *this = T(*place_) - other;
    }
    template <typename A>
    __aicore__ inline T operator*=(A other) const {
        return *this = T(*place_) * other;
    }
    template <typename A>
    __aicore__ inline T operator/=(A other) const {
        return *this = T(*place_) / other;
    }

private:
    There* place_;
};
template <typename T, typename There>
struct PlacedElements {
    There* first;
    template <typename Index>
    __aicore__ inline PlacedElement<T, There> operator[](Index index) const {
        return PlacedElement<T, There>(first + index);
    }
    __aicore__ inline PlacedElement<T, There> operator*() const { return PlacedElement<T, There>(first); }
};
/// What a store through a pointer is written as (kernel-text.ts): the pointer itself, but for those two types.
template <typename P>
__aicore__ inline P&& Placed(P&& pointer) {
    return static_cast<P&&>(pointer);
}
#ifdef __CUDA__
__aicore__ inline PlacedElements<half, __gm__ half> Placed(__gm__ half* pointer) { return {pointer}; }
__aicore__ inline PlacedElements<half, __ubuf__ half> Placed(__ubuf__ half* pointer) { return {pointer}; }
__aicore__ inline PlacedElements<bfloat16_t, __gm__ bfloat16_t> Placed(__gm__ bfloat16_t* pointer) { return {pointer}; }
__aicore__ inline PlacedElements<bfloat16_t, __ubuf__ bfloat16_t> Placed(__ubuf__ bfloat16_t* pointer) {
    return {pointer};
}
#endif

}  // namespace twin

#endif
