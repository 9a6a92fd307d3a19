// Calls the combination of a kernel's template parameters that the launch's tiling key stands for.
#ifndef TWIN_TEMPLATE_ENTRY_H
#define TWIN_TEMPLATE_ENTRY_H

#include <utility>

#include "twin/tiling_template.h"
#include "twin/types.h"

#pragma clang force_cuda_host_device begin

namespace twin {

template <uint64_t Dtype>
struct TypeOfNumber;
template <>
struct TypeOfNumber<C_DT_FLOAT> {
    using type = float;
};
template <>
struct TypeOfNumber<C_DT_FLOAT16> {
    using type = half;
};
template <>
struct TypeOfNumber<C_DT_BF16> {
    using type = bfloat16_t;
};
template <>
struct TypeOfNumber<C_DT_INT8> {
    using type = int8_t;
};
template <>
struct TypeOfNumber<C_DT_UINT8> {
    using type = uint8_t;
};
template <>
struct TypeOfNumber<C_DT_INT16> {
    using type = int16_t;
};
template <>
struct TypeOfNumber<C_DT_UINT16> {
    using type = uint16_t;
};
template <>
struct TypeOfNumber<C_DT_INT32> {
    using type = int32_t;
};
template <>
struct TypeOfNumber<C_DT_UINT32> {
    using type = uint32_t;
};
template <>
struct TypeOfNumber<C_DT_INT64> {
    using type = int64_t;
};
template <>
struct TypeOfNumber<C_DT_UINT64> {
    using type = uint64_t;
};
template <>
struct TypeOfNumber<C_DT_DOUBLE> {
    using type = Wide;
};
template <>
struct TypeOfNumber<C_DT_BOOL> {
    using type = bool;
};

/// Violation: tiling-key.
[[noreturn]] void NoSuchTilingKey(uint64_t key);

/// Call<N>::Key and Call<N>::Run for each combination.
template <template <size_t> class Call, size_t... N>
void CallCombination(GM_ADDR* args, std::index_sequence<N...>) {
    const uint64_t key = currentTilingKey();
    if (!((Call<N>::kKey == key && (Call<N>::Run(args), true)) || ...)) NoSuchTilingKey(key);
}

}  // namespace twin

#pragma clang force_cuda_host_device end
#endif
