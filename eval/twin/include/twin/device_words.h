// Last of the headers before a kernel's code: words that the device compiler does not take. What is declared with such
// a type can be named, as in is_same<T, double> or LocalTensor<double>, but not used. The words of `standardHeader` in
// eval/executors/twin-sources.ts are these.
#ifndef TWIN_DEVICE_WORDS_H
#define TWIN_DEVICE_WORDS_H

#ifdef __CUDA__
namespace twin {
struct Words128 {
    unsigned long words[2];
    template <typename T>
    __aicore__ operator T() const __attribute__((unavailable("the device has no 128-bit integers")));
};
}  // namespace twin
#undef __CUDA__
#undef __CUDA_ARCH__
#pragma GCC poison omp _BitInt _ExtInt
#define __bf16 bfloat16_t
#define double __attribute__((unavailable("the device has no double"))) double
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
