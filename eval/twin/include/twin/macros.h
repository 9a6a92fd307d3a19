// Words of the device compiler that an ordinary C++ compiler does not know, and the build's own macros.
// The kernel is compiled as the vector core of dav-c220 sees it, or with TWIN_CUBE_CORE as the cube core;
// ASCENDC_CPU_DEBUG and __CCE_KT_TEST__ stay undefined, so that a kernel takes its device paths.
#ifndef TWIN_MACROS_H
#define TWIN_MACROS_H

#include <cstddef>
#include <cstdint>

#define __CCE__ 1
// As the build of CATLASS has it for this chip.
#define CATLASS_ARCH 2201
#define __CCE_AICORE__ 220
#define __NPU_ARCH__ 2201
#ifdef TWIN_CUBE_CORE
#define __DAV_C220_CUBE__ 1
#define __DAV_CUBE__ 1
#else
#define __DAV_C220_VEC__ 1
#define __DAV_VEC__ 1
#endif

// A clang compiles kernels as code of a device (its CUDA mode), which refuses in the device compiler's own words what
// the device lacks: functions without __aicore__, exceptions, addresses of one memory taken for those of another.
// TWIN_D stands for the attribute `[aicore]`, which files of Catlass carry on functions that their host code calls
// too.
#ifdef __CUDA__
#define TWIN_MEMORY(number) __attribute__((address_space(number)))
#define TWIN_D __attribute__((host, device))
#define __aicore__ __attribute__((device))
#else
#define TWIN_MEMORY(number)
#define TWIN_D
#define __aicore__
#endif
#define __global__ __aicore__
#define __vector__
#define __cube__
#define __mix__(...)
#define __gm__ TWIN_MEMORY(1)
#define __ubuf__ TWIN_MEMORY(2)
#define __cbuf__ TWIN_MEMORY(3)
#define __ca__ TWIN_MEMORY(4)
#define __cb__ TWIN_MEMORY(5)
#define __cc__ TWIN_MEMORY(6)
#define __fbuf__ TWIN_MEMORY(7)
#define __ssbuf__ TWIN_MEMORY(8)
#define __tiling_data_ptr__ const __gm__
#define __kfc_workspace__
#define __in_pipe__(...)
#define __out_pipe__(...)
#define __inout_pipe__(...)
#define __sync_noalias__
#define __sync_alias__
#define __check_sync_alias__
#define __no_simd_vf_fusion__
// A variable at file scope of which each core has its own: these stand together, for the launch to find
// (block_local.h).
#ifdef __CUDA__
#define __BLOCK_LOCAL__ __attribute__((device, section("twin_block_local")))
#else
#define __BLOCK_LOCAL__ __attribute__((section("twin_block_local")))
#endif
#define __forceinline__ inline __attribute__((always_inline))

#define GM_ADDR __gm__ uint8_t*

#ifndef likely
#define likely(x) (__builtin_expect(!!(x), 1))
#endif
#ifndef unlikely
#define unlikely(x) (__builtin_expect(!!(x), 0))
#endif

namespace twin {
/// An address of one memory as that of another, which no cast of the language does.
template <typename To, typename From>
inline To AddressAs(From address) {
    return reinterpret_cast<To>(reinterpret_cast<uintptr_t>(address));
}

/// How scalars travel. Under this name, because kernel code has no word for it (device_words.h).
using Wide = double;

uint64_t currentTilingKey();
/// Copies `bytes` of tiling data; violation `tiling-size` when the allocation behind `from` is shorter.
void CopyTiling(void* to, const uint8_t* from, size_t bytes);
/// The same check without the copy, for the macros that hand out a pointer.
const uint8_t* TilingPointer(const uint8_t* from, size_t bytes);
[[noreturn]] void AssertFailed(const char* condition, const char* file, int line);
}  // namespace twin

#define TILING_KEY_IS(k) (twin::currentTilingKey() == static_cast<uint64_t>(k))
// Tells the operator build to compile another variant; it leaves no code.
#define ENABLE_DETERMINISTIC()
#define REGISTER_TILING_DEFAULT(tilingStruct) using TwinDefaultTiling = tilingStruct
#define REGISTER_TILING_FOR_TILINGKEY(expression, tilingStruct)
#define REGISTER_NONE_TILING
#define KERNEL_TASK_TYPE_DEFAULT(value)
#define KERNEL_TASK_TYPE(key, value)

#define GET_TILING_DATA_WITH_STRUCT(tilingStruct, tilingData, tilingArg) \
    tilingStruct tilingData;                                             \
    twin::CopyTiling(&tilingData, twin::AddressAs<const uint8_t*>(tilingArg), sizeof(tilingStruct))
#define GET_TILING_DATA(tilingData, tilingArg) GET_TILING_DATA_WITH_STRUCT(TwinDefaultTiling, tilingData, tilingArg)
#define GET_TILING_DATA_MEMBER(tilingStruct, member, variable, tilingArg)                                    \
    decltype(tilingStruct::member) variable;                                                                 \
    twin::CopyTiling(&variable, twin::AddressAs<const uint8_t*>(tilingArg) + offsetof(tilingStruct, member), \
                     sizeof(variable))
#define GET_TILING_DATA_PTR_WITH_STRUCT(tilingStruct, tilingData, tilingArg)                           \
    __tiling_data_ptr__ tilingStruct* tilingData = twin::AddressAs<__tiling_data_ptr__ tilingStruct*>( \
        twin::TilingPointer(twin::AddressAs<const uint8_t*>(tilingArg), sizeof(tilingStruct)))

/// A copy of a structure within the tiling data, and a pointer to it.
#define COPY_TILING_WITH_STRUCT(tilingStruct, from, pointer)                               \
    const tilingStruct twinCopyOf_##pointer = *twin::AddressAs<const tilingStruct*>(from); \
    const tilingStruct* pointer = &twinCopyOf_##pointer

// On the device ASSERT is empty, and real kernels leave out its semicolon: hence a whole statement.
#define ASSERT(condition, ...) \
    if (!(condition)) twin::AssertFailed(#condition, __FILE__, __LINE__);
#define ascendc_assert(condition, ...) ASSERT(condition)
#undef assert
#define assert(condition, ...) ((condition) ? (void)0 : twin::AssertFailed(#condition, __FILE__, __LINE__))
// On the device these two are empty with all that stands in them, the condition too (kernel_log.h of the SDK).
#define ASCENDC_ASSERT(condition, behaviour)
#define KERNEL_LOG(level, format, ...)

#define ASCEND_IS_AIV constexpr(AscendC::g_coreType == AscendC::AIV)
#define ASCEND_IS_AIC constexpr(AscendC::g_coreType == AscendC::AIC)
#define ASCEND_IS_NOT_AIV constexpr(AscendC::g_coreType != AscendC::AIV)
#define ASCEND_IS_NOT_AIC constexpr(AscendC::g_coreType != AscendC::AIC)

#endif
