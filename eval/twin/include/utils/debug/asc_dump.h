// Printing what lies in a memory of the device: one line of text for each call, with the caller's number.
#ifndef TWIN_UTILS_DEBUG_ASC_DUMP_H
#define TWIN_UTILS_DEBUG_ASC_DUMP_H

#include "twin/soc.h"

namespace twin {
/// `count` elements from an address.
template <typename A>
__aicore__ inline void PrintElements(A address, uint32_t number, uint32_t count) {
    ::printf("dump %u, %u elements:", number, count);
    for (uint32_t i = 0; i < count; ++i) {
        const auto value = address[i];
        if constexpr (oneOf<std::remove_const_t<decltype(value)>, half, bfloat16_t, float>) {
            ::printf(" %g", static_cast<float>(value));
        } else {
            ::printf(" %lld", static_cast<long long>(value));
        }
    }
    ::printf("\n");
}
}  // namespace twin

template <typename T>
__aicore__ inline void asc_dump_gm(__gm__ T* input, uint32_t desc, uint32_t dumpSize) {
    twin::PrintElements(input, desc, dumpSize);
}
template <typename T>
__aicore__ inline void asc_dump_ubuf(__ubuf__ T* input, uint32_t desc, uint32_t dumpSize) {
    twin::PrintElements(input, desc, dumpSize);
}
template <typename T>
__aicore__ inline void asc_dump_cbuf(__cc__ T* input, uint32_t desc, uint32_t dumpSize) {
    twin::PrintElements(input, desc, dumpSize);
}
template <typename T>
__aicore__ inline void asc_dump_l1buf(__cbuf__ T* input, uint32_t desc, uint32_t dumpSize) {
    twin::PrintElements(input, desc, dumpSize);
}

#endif
