// Last of the headers before a kernel's code: words that the device compiler does not take. The words of
// `standardHeader` in eval/executors/twin-sources.ts are these.
#ifndef TWIN_DEVICE_WORDS_H
#define TWIN_DEVICE_WORDS_H

#ifdef __CUDA__
#define TWIN_NO_DOUBLE "cast to/from double precision floating variable is not allowed in aicore function"
namespace twin {
struct Words128 {
    unsigned long words[2];
    template <typename T>
    __aicore__ operator T() const __attribute__((unavailable("the device has no 128-bit integers")));
};
/// `double`: tensors of it are copied (DataCopy's pages list it for Atlas A2) and its name tells types apart; scalars
/// are converted by the compiler alone, and the device's refuses that in these words.
struct alignas(8) DoublePrecision {
    Wide value;
    DoublePrecision() = default;
    template <typename T>
    __aicore__ constexpr DoublePrecision(T from)
        __attribute__((diagnose_if(!__builtin_constant_p(from), TWIN_NO_DOUBLE, "error")))
        : value(from) {}
    template <typename T>
    __aicore__ constexpr operator T() const __attribute__((unavailable(TWIN_NO_DOUBLE)));
};
}  // namespace twin
#undef __CUDA__
#undef __CUDA_ARCH__
#undef __SYCL_DEVICE_ONLY__
#undef SYCL_LANGUAGE_VERSION
#pragma GCC poison omp _BitInt _ExtInt
#define __bf16 bfloat16_t
#define double twin::DoublePrecision
// Always zero "when not supported by the target" (clang, Language Extensions).
#define __builtin_readcyclecounter() 0ull
#define __int128 __attribute__((unavailable("the device has no 128-bit integers"))) __int128
#define __int128_t __attribute__((unavailable("the device has no 128-bit integers"))) __int128_t
// The vendor's operators take its size to tell two types apart, and compute nothing with it.
#define __uint128_t twin::Words128
#define _Float16 __attribute__((unavailable("the device's type is half"))) _Float16
#define thread_local __attribute__((unavailable("the device has no thread_local")))
#define _Thread_local thread_local
#define __thread thread_local
#define asm assembler_of_another_processor
#define __asm asm
#define __asm__ asm
#endif

#endif
