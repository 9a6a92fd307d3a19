// Printing what lies in a memory of the device: one line of text for each call, with the caller's number.
#ifndef TWIN_UTILS_DEBUG_ASC_DUMP_H
#define TWIN_UTILS_DEBUG_ASC_DUMP_H

#include "twin/soc.h"

namespace twin {
/// `count` elements from an address.
template <typename T>
__aicore__ inline void PrintElements(const T* address, uint32_t number, uint32_t count) {
    ::printf("dump %u, %u elements:", number, count);
    for (uint32_t i = 0; i < count; ++i) {
        if constexpr (oneOf<T, half, bfloat16_t, float>) {
            ::printf(" %g", static_cast<float>(address[i]));
        } else {
            ::printf(" %lld", static_cast<long long>(address[i]));
        }
    }
    ::printf("\n");
}
}  // namespace twin

template <typename T>
__aicore__ inline void asc_dump_gm(__gm__ T* input, uint32_t desc, uint32_t dumpSize) {
    twin::PrintElements(twin::AddressAs<const T*>(input), desc, dumpSize);
}
template <typename T>
__aicore__ inline void asc_dump_ubuf(__ubuf__ T* input, uint32_t desc, uint32_t dumpSize) {
    twin::PrintElements(twin::AddressAs<const T*>(input), desc, dumpSize);
}
template <typename T>
__aicore__ inline void asc_dump_cbuf(__cc__ T* input, uint32_t desc, uint32_t dumpSize) {
    twin::PrintElements(twin::AddressAs<const T*>(input), desc, dumpSize);
}
template <typename T>
__aicore__ inline void asc_dump_l1buf(__cbuf__ T* input, uint32_t desc, uint32_t dumpSize) {
    twin::PrintElements(twin::AddressAs<const T*>(input), desc, dumpSize);
}

#endif
